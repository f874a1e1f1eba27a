import { z } from "zod";
import type { Timeouts } from "../declaration/kind";
import { sameJson } from "../declaration/values";
import type { JsonObject } from "../json";
import type { Lifecycle, Run } from "./lifecycle";
import { type Checks, failuresOf, inputNames } from "./oldCheck";
import { difference } from "./oldDiff";

/** Something that is done rather than made: at the creation of its resource, and again when a trigger changes. */
export interface Action {
  timeouts: Timeouts;
  /** Its schema has {@link triggersSchema} and the timeouts. */
  checks: Checks;
  /** Inputs that say how it is done and not what: a change of theirs is recorded, and nothing is done again. */
  manner?: readonly string[];
  /** What is going to happen and what it costs, for the preview. Inputs may be unknown there. */
  announce(inputs: JsonObject): string;
  /** Does it. Once something has begun that costs money, a failure is a `PartialFailure`. */
  perform(inputs: JsonObject, run: Run): Promise<{ id: string; outputs: JsonObject }>;
  /** Goes on with what was begun and not finished; never begins anew. Without it an unfinished action stays as it is. */
  resume?(id: string, state: JsonObject, run: Run): Promise<JsonObject>;
  /** Calls it off where it is still going on. */
  cancel?(id: string, state: JsonObject, run: Run): Promise<void>;
}

/** Values whose change makes an action run again. */
export const triggersSchema = z
  .array(z.unknown(), "expected a list of values; a change of any runs the action again.")
  .optional();

/** The life of an action's resource: never run by a refresh, run again by a replacement. */
export function action(definition: Action): Lifecycle {
  const manner = ["timeouts", ...(definition.manner ?? [])];
  return {
    timeouts: definition.timeouts,
    inputs: inputNames(definition.checks),
    check: (inputs) => ({ inputs, failures: failuresOf(inputs, definition.checks) }),
    announce: (inputs, previous) => (previous === undefined ? definition.announce(inputs) : undefined),
    diff(state, declared, inputs) {
      const replaces = (path: string) => !manner.includes(path.split(".")[0] as string);
      const same = (_path: string, left: unknown, right: unknown) => sameJson(said(left), said(right));
      const comparison = { same, replaces };
      return { ...difference(state, declared, inputs, comparison), deleteBeforeReplace: false };
    },
    async create(inputs, run) {
      const { id, outputs } = await definition.perform(inputs, run);
      return { id, state: { ...inputs, ...outputs } };
    },
    async update(id, state, _declared, inputs, run) {
      const known = { ...state, ...inputs };
      return { ...known, ...(await definition.resume?.(id, known, run)) };
    },
    async delete(id, state, run) {
      await definition.cancel?.(id, state, run);
    },
  };
}

/** A value that says something; an empty list or text says no more than its absence, and is no reason to run again. */
const said = (value: unknown): unknown =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0) ? undefined : value;
