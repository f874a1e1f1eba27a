import { createRequire } from "node:module";
import { join } from "node:path";
import type * as location from "../../src/base/location.ts";
import type { Machine } from "./machine.mts";
import { type Declaration, RUN } from "./program.mts";

const { locationOf } = createRequire(import.meta.url)("../../dist/base/location.js") as typeof location;

/** The program says what it is going to have, before its engine tells the provider of anything. */
export function announce(
  machine: Machine,
  { PULUMI_HOME = "" }: Readonly<Record<string, string>>,
  engine: string,
  program: readonly Declaration[],
): void {
  const text = program.map(({ announced }) => announced()).join("");
  const file = `${locationOf(`http://${engine}`)}~${RUN}`;
  if (text !== "") machine.disk.put(join(PULUMI_HOME, "brightdata", "runs", file), text);
}
