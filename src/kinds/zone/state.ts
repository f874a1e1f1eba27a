import type { JsonObject } from "../../base/json";
import { type InputsOf, LOGICAL_NAME, type StateOf } from "../../declaration/kind";
import type { Known } from "../../lifecycle/define";
import { mismatches } from "../../lifecycle/diff";
import { at, pick } from "../../lifecycle/paths";
import type { ZoneSummary } from "../../model/zone";
import { withStatus } from "../../remote/zoneList";
import type { ZoneDetails } from "../../remote/zones";
import { zone } from "./declaration";
import { COUNTS, planIn, same } from "./plan";

/** After a check a zone has a name: an automatic one as long as the logical name of the resource stands beside it. */
export type Inputs = InputsOf<typeof zone> & { name: string; [LOGICAL_NAME]?: string };
export type State = StateOf<typeof zone>;

/** Stands as the status of a zone whose creation was begun, and which was not visible before its time was over. */
const UNSEEN = "not visible yet";

export const isUnseen = ({ status }: JsonObject): boolean => status === UNSEEN;

export const unseen = (name: string, inputs: Inputs): JsonObject => ({ ...inputs, name, status: UNSEEN });

export const isAutomatic = (inputs: JsonObject): boolean => inputs[LOGICAL_NAME] !== undefined;

/** What a zone is. An answer that would make the next update replace the zone is believed when the one after it says so too. */
export async function believed<Found extends ZoneDetails | undefined>(
  inputs: Known<Inputs>,
  look: () => Promise<Found>,
): Promise<Found> {
  const live = await look();
  const isAsDeclared = live === undefined || mismatches(stateOf(inputs, live), inputs, zone, same).length === 0;
  return isAsDeclared ? live : look();
}

/** What a zone is, and was not asked to be, of all that cannot be changed in place. */
export function differences(inputs: Inputs, live: ZoneDetails): string[] {
  const state = stateOf(inputs, live);
  const found = { ...state, plan: { ...state.plan, ...pick(live.plan, COUNTS) } };
  return mismatches(found, inputs, zone, same).map(
    (path) => `\`${path}\` is ${shown(found, path)} and not ${shown(inputs, path)}`,
  );
}

const shown = (value: JsonObject, path: string): string => JSON.stringify(at(value, path)) ?? "not set";

/** The state of a zone: what the service has, and what was declared where the service does not say. */
export function stateOf(inputs: Known<Inputs>, live: ZoneDetails, listed?: ZoneSummary): State {
  const [password = ""] = live.passwords;
  return { ...inputs, ...withStatus(live, listed), plan: planIn(inputs.plan, live.plan), password };
}
