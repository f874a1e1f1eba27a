// What the executable runs: the same as src/plugin.ts, with everything inside.
import { getAsset } from "node:sea";
import { KINDS, LOOKUPS } from "../../src/generated/kinds";
import { run } from "../../src/plugin/run";

void run(
  {
    kinds: KINDS,
    lookups: LOOKUPS,
    lifecycle: (folder) => require(`../../src/kinds/${folder}/lifecycle.ts`),
    lookup: (file) => require(`../../src/functions/${file}.ts`),
  },
  () => getAsset("schema.json", "utf8"),
);
