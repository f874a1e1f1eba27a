import { sameJson } from "../declaration/values";
import type { JsonObject } from "../json";
import type { Lifecycle, Run } from "../lifecycle/lifecycle";
import { locationOf } from "../location";
import type { Found } from "./move";
import type { Recorded } from "./recorded";

/**
 * What a provider finds in the place of what another one has had.
 *
 * @param connection the name of the input that names the connection: it may have another name there
 * @param read looks at what there is
 */
export async function recognized(
  id: string,
  recorded: Recorded,
  lifecycle: Lifecycle,
  connection: string,
  read: () => Promise<JsonObject | undefined>,
  run: Run,
): Promise<Found> {
  const { state, declared = new Set(), inputs = {} } = recorded;
  const found = await read();
  if (found === undefined) return "nothing";
  const changedIn = (values: JsonObject) => lifecycle.diff(values, declared, inputs).changed;
  const known = changedIn(state);
  const isAlike =
    (lifecycle.identity ?? []).every((name) => state[name] === undefined || sameJson(found[name], state[name])) &&
    changedIn({ ...found, [connection]: state[connection] }).every((path) => known.includes(path));
  if (!isAlike) return "another";
  if (await isCertain(id, recorded, lifecycle, run)) return "it";
  return lifecycle.isMarked === undefined ? "alike" : "unmarked";
}

/** Whether what is alike is the same: that every manager has such a port, or such an address on its list, is nothing unusual. */
async function isCertain(
  id: string,
  { state, location, place }: Recorded,
  { service, read, isMarked }: Lifecycle,
  run: Run,
): Promise<boolean> {
  if (service === "remote" || read === undefined) return true;
  if (location === locationOf(run.context.manager.url)) return true;
  return place !== undefined && (await isMarked?.(id, state, place, run)) === true;
}
