import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

// The parser that the SDK reads Pulumi.yaml with.
const { load, loadAll } = createRequire(require.resolve("@pulumi/pulumi"))("js-yaml") as {
  load(text: string): unknown;
  loadAll(text: string): unknown[];
};

export type Yaml = Readonly<Record<string, unknown>>;

export const parse = (text: string): Yaml => load(text) as Yaml;
export const parseAll = (text: string): Yaml[] => loadAll(text) as Yaml[];
export const readYaml = (file: string): Yaml => parse(readFileSync(file, "utf8"));
