import { randomBytes } from "node:crypto";
import { ServiceError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import type { InputsOf, StateOf } from "../../declaration/kind";
import type { ValuesOf } from "../../declaration/property";
import { canonicalJson, sameJson } from "../../declaration/values";
import { action } from "../../lifecycle/action";
import { begin, begunBefore, type Creation, UnknownOutcomeError } from "../../lifecycle/creation";
import type { Known } from "../../lifecycle/define";
import { PartialFailure, type Run } from "../../lifecycle/lifecycle";
import { isUnsettled, turnsUp } from "../../lifecycle/settle";
import type { RefreshTarget } from "../../remote/ips";
import { ipThing } from "../shared/things";
import { IP_KINDS, type IpKind, without } from "../zoneIps/ipLists";
import { zoneIpRefresh } from "./declaration";

type Inputs = InputsOf<typeof zoneIpRefresh>;
type State = StateOf<typeof zoneIpRefresh>;
type Outputs = ValuesOf<typeof zoneIpRefresh.outputs>;

/** Stands as the `outcome` in the state of a refresh of which nobody knows whether it was done. */
const UNKNOWN_OUTCOME = "unknown";

export const zoneIpRefreshLifecycle = action(zoneIpRefresh, {
  announce({ zone, ips, vips, all }) {
    const list = ips ?? vips;
    const many = all === true ? "All" : Array.isArray(list) ? list.length : "Some";
    const kind = vips === undefined ? "IPs" : "gIPs";
    return `${many} ${kind} of zone${typeof zone === "string" ? ` ${zone}` : ""} are replaced by new ones. Each one costs money.`;
  },

  // The engine forgets at a refresh that the update before it failed.
  judge: (difference, state) =>
    isOpen(state) ? { ...difference, changed: [...difference.changed, "outcome"] } : difference,

  brings: ({ zone, newIps }) => (Array.isArray(newIps) ? newIps.map((ip) => ipThing(String(zone), String(ip))) : []),

  async perform(inputs, run) {
    const { zone } = inputs;
    const id = `${zone}/${randomBytes(4).toString("hex")}`;
    const open = (facts: Begun, error: unknown) =>
      new PartialFailure(id, { ...inputs, ...facts, outcome: UNKNOWN_OUTCOME }, error);
    const request = { zone, target: canonicalJson(targetOf(inputs)) };
    const isSame = ({ request: former = request }: JsonObject) => sameJson(former, request);
    const noted = begunBefore(run, isSame);
    if (noted !== undefined) {
      const { request: _same, ...begun } = noted.facts as Begun & JsonObject;
      const outputs = await lookAgain(zone, begun, run);
      if (outputs === undefined) throw open(begun, unknownOutcome(zone));
      return { id, outputs };
    }
    const before = await snapshot(zone, kindsOf(inputs), run);
    const asked = { ...inputs, ...currentOf(inputs, before?.names ?? [], run.replaced) };
    const previous = before === undefined ? {} : { kind: before.kind, previousIps: before.names };
    const facts = { ...previous, stale: asked.ips ?? asked.vips ?? before?.names ?? [] };
    const creation: Creation<Outputs> = {
      title: `the refresh of IPs of zone ${JSON.stringify(zone)}`,
      facts: { ...facts, request },
      async look(_facts, signal) {
        const outputs = await outcome(zone, facts, run, signal);
        return outputs === undefined ? [] : [outputs];
      },
      async send(signal) {
        try {
          const answer = await run.context.remote.ips.refresh(zone, targetOf(asked), { signal });
          const currentIps = answer.kind === "ips" ? answer.ips : answer.gips.map(({ gip }) => gip);
          const newIps = answer.kind === "ips" ? answer.newIps : without(currentIps, before?.names ?? []);
          return [{ ...previous, kind: answer.kind, currentIps, newIps }];
        } catch (error) {
          // There is nothing to look at then.
          if (before === undefined && isUnsettled(error, run)) throw unknownOutcome(zone, error as Error);
          throw error;
        }
      },
      remedy: REMEDY,
      advice: `Whether an update that was cut short has refreshed IPs of zone ${zone}, which costs money, is not known, and nothing looks any more what became of it.`,
    };
    try {
      const [outputs] = await begin(creation, run);
      return { id, outputs: outputs as Outputs };
    } catch (error) {
      throw error instanceof UnknownOutcomeError ? open(facts, error) : error;
    }
  },

  async resume(_id, state, run) {
    if (!isOpen(state)) return {};
    const { zone } = state;
    run.say?.(`Looking again what became of the refresh of IPs of zone ${zone}. It is not sent again.`);
    const outputs = await lookAgain(zone, state, run);
    if (outputs === undefined) throw unknownOutcome(zone);
    return { ...outputs, outcome: undefined, stale: undefined };
  },
});

const isOpen = ({ outcome }: JsonObject): boolean => outcome === UNKNOWN_OUTCOME;

/** What is known of a refresh when it begins: the IPs of the zone, where the service tells, and those to be replaced. */
type Begun = Known<Pick<State, "kind" | "previousIps" | "stale">>;

interface Snapshot {
  kind: IpKind;
  names: string[];
}

/** What the zone has now; `undefined` where the service does not tell for such a zone. */
async function snapshot(
  zone: string,
  kinds: readonly IpKind[],
  run: Run,
  signal = run.deadline.signal,
): Promise<Snapshot | undefined> {
  for (const kind of kinds) {
    try {
      return { kind, names: (await IP_KINDS[kind].list(zone, run, signal)).map(({ name }) => name) };
    } catch (error) {
      if (!(error instanceof ServiceError) || ![400, 403, 404, 422].includes(error.status)) throw error;
    }
  }
  return undefined;
}

const kindsOf = ({ ips, vips }: Inputs): readonly IpKind[] =>
  ips !== undefined ? ["ips"] : vips !== undefined ? ["gips"] : ["ips", "gips"];

/**
 * The IPs that are meant where those that are asked for have been exchanged: what the refresh before this one was asked for is what
 * the program still says, until a refresh of the stack.
 */
function currentOf(
  { ips, vips }: Inputs,
  present: readonly string[],
  former: JsonObject = {},
): Pick<Inputs, "ips" | "vips"> {
  const asked = ips ?? vips ?? [];
  const isStale = asked.length > 0 && without(asked, present).length === asked.length;
  const { newIps } = former;
  const isSame = sameJson(asked, former[ips === undefined ? "vips" : "ips"]);
  if (!isStale || !isSame || !Array.isArray(newIps) || without(newIps.map(String), present).length > 0) return {};
  return ips === undefined ? { vips: newIps.map(String) } : { ips: newIps.map(String) };
}

function targetOf({ ips, vips, country, countryCity }: Inputs): RefreshTarget {
  const where = { country, countryCity };
  if (ips !== undefined) return { ips, ...where };
  return vips === undefined ? { all: true, ...where } : { gips: vips, ...where };
}

/**
 * What a refresh has led to, if it was done: none of the old IPs is left, and there are as many as before. It is never sent
 * again, for it may still be going on.
 */
async function outcome(
  zone: string,
  { kind, previousIps, stale = [] }: Begun,
  run: Run,
  signal: AbortSignal,
): Promise<Outputs | undefined> {
  if (kind === undefined || previousIps === undefined) return undefined;
  if (stale.length === 0 || without(stale, previousIps).length > 0) return undefined;
  const now = await snapshot(zone, [kind], run, signal);
  if (now === undefined || now.names.length < previousIps.length) return undefined;
  if (without(stale, now.names).length < stale.length) return undefined;
  return { kind, previousIps, currentIps: now.names, newIps: without(now.names, previousIps) };
}

/** What has become of a refresh of which an earlier update did not learn whether it was done. */
async function lookAgain(zone: string, begun: Begun, run: Run): Promise<Outputs | undefined> {
  let outputs: Outputs | undefined;
  const isDone = async (signal: AbortSignal): Promise<boolean> => {
    outputs = await outcome(zone, begun, run, signal);
    return outputs !== undefined;
  };
  // A look that fails tells as little as one that finds the old IPs.
  await turnsUp(isDone).catch(() => false);
  return outputs;
}

const REMEDY =
  "It is not sent again by itself, for it costs money each time. Look at the zone's IPs in the control panel, then change `triggers` to refresh them again, or remove the resource.";

const unknownOutcome = (zone: string, lost?: Error): Error =>
  new UnknownOutcomeError(
    `${lost === undefined ? "" : `${lost.message} `}Whether the IPs of zone ${JSON.stringify(zone)} were refreshed is not known. ${REMEDY}`,
    { cause: lost },
  );
