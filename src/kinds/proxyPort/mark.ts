import type { StateOf } from "../../declaration/kind";
import { present } from "../../http/optional";
import type { Known } from "../../lifecycle/define";
import type { Step } from "../../lifecycle/lifecycle";
import { isMark, originOf } from "../../lifecycle/mark";
import type { ConfiguredPort } from "../../manager/portFields";
import { rangesOf } from "../../model/portRange";
import { portThing } from "../shared/things";
import type { proxyPort } from "./declaration";

export type State = Known<StateOf<typeof proxyPort>>;

/**
 * A port is told from others by its mark: where the manager has lost its configuration, or is another machine's, its number may
 * be somebody else's. The state says whether the port bears a mark; one of which it does not say so may be anybody's.
 */
export function ours(live: ConfiguredPort | undefined, state: State, step: Step): ConfiguredPort | undefined {
  if (live === undefined) return undefined;
  const { pulumiId } = live;
  if (state.mark !== undefined) return pulumiId === state.mark ? live : undefined;
  const isKnown = state.marked === true || state.bears !== undefined;
  if (pulumiId === undefined) return isKnown ? undefined : live;
  if (step.me?.mark === undefined || step.isImported || !(isKnown || isMark(pulumiId))) return live;
  return bearsMark(live, state, step) ? live : undefined;
}

/** Whether a port bears the mark of its resource, or that with which it was taken over. Earlier versions began it with the place. */
export const bearsMark = ({ pulumiId = "" }: ConfiguredPort, { bears }: State, { me }: Step): boolean =>
  originOf(pulumiId) === me?.mark ||
  pulumiId === bears ||
  (me?.place !== undefined && pulumiId.startsWith(`${me.place}-`));

/** Says which ports of its numbers are somebody else's by now, and no other resource's of the run. */
export function sayAnothers(ports: readonly number[], { context, me, say }: Step): void {
  const strange = ports.filter((port) => context.claims.whoHas(portThing(port), me) === undefined);
  if (strange.length > 0) say?.(anothers(strange));
}

const anothers = (ports: readonly number[]): string =>
  ports.length === 1
    ? `port ${ports[0]} is not the one that this resource had: it does not bear its mark. It is kept; if it is not needed, delete it in the manager.`
    : `ports ${rangesOf(ports)} are not those that this resource had: they do not bear its mark. They are kept; if they are not needed, delete them in the manager.`;

/** What the state says of a port besides its values: its mark, and what an update has perhaps not given it. */
export const standing = ({ pulumiId }: ConfiguredPort, { unsettled }: State, step: Step): State => ({
  ...borneBy(pulumiId, step),
  ...present({ unsettled }),
});

/** Says of a port in the state whether it bears the resource's own mark, or which one it was taken over with and keeps. */
export function borneBy(pulumiId: string | undefined, { me }: Step): Pick<State, "bears" | "marked"> {
  if (pulumiId === undefined || !isMark(pulumiId)) return {};
  return originOf(pulumiId) === me?.mark ? { marked: true } : { bears: pulumiId };
}
