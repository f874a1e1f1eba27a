import type { StateOf } from "../../declaration/kind";
import type { Known } from "../../lifecycle/define";
import type { Run } from "../../lifecycle/lifecycle";
import { isMark, originOf } from "../../lifecycle/mark";
import type { ConfiguredPort } from "../../manager/portFields";
import type { proxyPort } from "./declaration";

export type State = Known<StateOf<typeof proxyPort>>;

/**
 * A port is told from others by its mark: where the manager has lost its configuration, its number may be somebody else's by
 * now. A port that bears none, or that of an earlier version, may be anybody's, unless its creation had an outcome that nobody
 * knew.
 */
export function ours(live: ConfiguredPort | undefined, state: State, run: Run): ConfiguredPort | undefined {
  if (live === undefined) return undefined;
  const { pulumiId } = live;
  if (state.mark !== undefined) return pulumiId === state.mark ? live : undefined;
  if (pulumiId === undefined || !isMark(pulumiId) || run.me?.mark === undefined || run.isImported) return live;
  return bearsMark(live, state, run) ? live : undefined;
}

/** Whether a port bears the mark of its resource, or that with which it was taken over. Earlier versions began it with the place. */
export const bearsMark = ({ pulumiId = "" }: ConfiguredPort, { bears }: State, { me }: Run): boolean =>
  originOf(pulumiId) === me?.mark ||
  pulumiId === bears ||
  (me?.place !== undefined && pulumiId.startsWith(`${me.place}-`));

/** The mark of a port that was not created for its resource, and which it keeps. */
export const borneBy = (found: ConfiguredPort | undefined, { me }: Run): Pick<State, "bears"> =>
  found?.pulumiId === undefined || !isMark(found.pulumiId) || originOf(found.pulumiId) === me?.mark
    ? {}
    : { bears: found.pulumiId };
