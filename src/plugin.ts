import { readFileSync } from "node:fs";
import { join } from "node:path";
import { KINDS, LOOKUPS } from "./generated/kinds";
import { run } from "./plugin/run";

void run(
  {
    kinds: KINDS,
    lookups: LOOKUPS,
    lifecycle: (folder) => require(join(__dirname, "kinds", folder, "lifecycle")),
    lookup: (file) => require(join(__dirname, "functions", file)),
  },
  () => readFileSync(join(__dirname, "../schema.json"), "utf8"),
);
