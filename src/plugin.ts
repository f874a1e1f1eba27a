import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./plugin/run";

void run(
  {
    lifecycle: (folder) => require(join(__dirname, "kinds", folder, "lifecycle")),
    lookup: (file) => require(join(__dirname, "functions", file)),
  },
  () => readFileSync(join(__dirname, "../schema.json"), "utf8"),
);
