// What the executable runs: the same as src/plugin.ts, with everything inside.
import { getAsset } from "node:sea";
import { run } from "../../src/plugin/run";

void run(
  {
    lifecycle: (folder) => require(`../../src/kinds/${folder}/lifecycle.ts`),
    lookup: (file) => require(`../../src/functions/${file}.ts`),
  },
  () => getAsset("schema.json", "utf8"),
);
