import { randomBytes } from "node:crypto";
import { counted } from "../../base/counted";
import { ArgumentError, ServiceError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import type { InputsOf, StateOf } from "../../declaration/kind";
import type { ValuesOf } from "../../declaration/property";
import { canonicalJson, sameJson } from "../../declaration/values";
import { present } from "../../http/optional";
import { action } from "../../lifecycle/action";
import { begin, begunBefore, type Creation, single, UnknownOutcomeError } from "../../lifecycle/creation";
import type { Known } from "../../lifecycle/define";
import { PartialFailure, type Step } from "../../lifecycle/lifecycle";
import { isUnsettled, turnsUp } from "../../lifecycle/settle";
import type { RefreshTarget } from "../../remote/ips";
import { ipThing } from "../shared/things";
import { alone, type IpKind, IpList, isIpKind, without } from "../zoneIps/ipLists";
import { zoneIpRefresh } from "./declaration";

type Inputs = InputsOf<typeof zoneIpRefresh>;
type State = StateOf<typeof zoneIpRefresh>;
type Outputs = ValuesOf<typeof zoneIpRefresh.outputs>;

/** Stands as the `outcome` in the state of a refresh of which nobody knows whether it was done. */
const UNKNOWN_OUTCOME = "unknown";

export const zoneIpRefreshLifecycle = action(zoneIpRefresh, {
  followed: ["ips", "vips"],

  announce({ zone, ips, vips, all }) {
    const list = ips ?? vips;
    const noun = vips === undefined ? "IP" : "gIP";
    const many = Array.isArray(list) ? counted(list.length, noun) : `${all === true ? "All" : "Some"} ${noun}s`;
    const isOne = Array.isArray(list) && list.length === 1;
    const replaced = isOne ? "is replaced by a new one. It costs" : "are replaced by new ones. Each one costs";
    return `${many} of zone${typeof zone === "string" ? ` ${zone}` : ""} ${replaced} money.`;
  },

  open: (state) => (isOpen(state) ? ["outcome"] : []),

  holdings: (_id, state) => ({ brought: broughtBy(state).map((ip) => ipThing(String(state.zone), ip)) }),

  perform: (inputs, step) => alone(inputs.zone, step, () => refresh(inputs, step)),

  async resume(_id, state, step) {
    if (!isOpen(state)) return {};
    const { zone } = state;
    step.say?.(`Looking again what became of the refresh of IPs of zone ${zone}. It is not sent again.`);
    const outputs = await alone(zone, step, () => lookAgain(zone, state, step));
    if (outputs === undefined) throw unknownOutcome(zone);
    const earlierIps = earlierOf(state, outputs.currentIps, outputs.newIps);
    return { ...outputs, earlierIps, outcome: undefined, stale: undefined };
  },
});

async function refresh(inputs: Inputs, step: Step): Promise<{ id: string; outputs: Outputs }> {
  const { zone } = inputs;
  const id = `${zone}/${randomBytes(4).toString("hex")}`;
  const kept = ({ previousIps, ...facts }: BegunRefresh) => {
    const earlierIps = earlierOf(formerOf(inputs, step), previousIps);
    return { id, state: { ...inputs, ...facts, ...present({ previousIps, earlierIps }), outcome: UNKNOWN_OUTCOME } };
  };
  const request = { zone, target: canonicalJson(targetOf(inputs)) };
  const noted = begunBefore(step, ({ request: former = request }) => sameJson(former, request));
  if (noted !== undefined) {
    const begun = begunIn(noted.facts);
    const outputs = await lookAgain(zone, begun, step);
    if (outputs === undefined) throw new PartialFailure(id, kept(begun).state, unknownOutcome(zone));
    return { id, outputs: remembering(outputs, inputs, step) };
  }
  const before = await observe(zone, kindsOf(inputs), step);
  const asked = { ...inputs, ...currentOf(inputs, before?.names ?? [], step.replaced) };
  await requireNamed(asked, before?.names, step);
  const previous = before === undefined ? {} : { kind: before.kind, previousIps: before.names };
  const facts = { ...previous, stale: asked.ips ?? asked.vips ?? before?.names ?? [] };
  const creation = { ...creationOf(asked, facts, step), facts: { ...facts, request }, kept: kept(facts) };
  return { id, outputs: remembering(single(await begin(creation, step)), inputs, step) };
}

/** A list that the service does not read for such a zone is a missing one to it, which stands for all. */
async function requireNamed({ zone, ips, vips }: Inputs, present: readonly string[] | undefined, step: Step) {
  const asked = ips ?? vips;
  if (asked === undefined) return;
  const [name, noun, type] = ips === undefined ? ["vips", "gIPs", "resident"] : ["ips", "IPs", "static"];
  const quoted = JSON.stringify(zone);
  if (present === undefined) {
    const { plan } = await step.context.remote.zones.get(zone, step.deadline);
    if (plan.type === type) return;
    throw new ArgumentError(
      `\`${name}\` is for zones whose plan is \`${type}\`, and that of zone ${quoted} is ${plan.type === undefined ? "unknown" : `\`${plan.type}\``}: expected ${noun} of the zone. Nothing was sent.`,
    );
  }
  const unknown = without(asked, present);
  if (unknown.length === 0) return;
  throw new ArgumentError(
    `\`${name}\` names ${unknown.join(", ")}, which zone ${quoted} does not list: expected ${noun} that it has. Nothing was sent.`,
  );
}

/** The IPs that a refresh has brought, or one before it. */
const broughtBy = ({ newIps, earlierIps }: JsonObject): string[] =>
  [newIps, earlierIps].flatMap((ips) => names(ips) ?? []);

/** With what the refreshes before have brought and the zone still has: whose those IPs are may not have been seen yet. */
function remembering(outputs: Outputs, inputs: Inputs, step: Step): Outputs {
  const { currentIps, newIps } = outputs;
  return { ...outputs, ...present({ earlierIps: earlierOf(formerOf(inputs, step), currentIps, newIps) }) };
}

/** The refresh before this one, if it was of the same zone. */
const formerOf = ({ zone }: Inputs, { replaced = {} }: Step): JsonObject => (replaced.zone === zone ? replaced : {});

function earlierOf(former: JsonObject, now: readonly string[] = [], newIps: readonly string[] = []) {
  const earlierIps = without(broughtBy(former), newIps).filter((ip) => now.includes(ip));
  return earlierIps.length > 0 ? earlierIps : undefined;
}

const isOpen = ({ outcome }: JsonObject): boolean => outcome === UNKNOWN_OUTCOME;

/** What is known of a refresh when it begins: the IPs of the zone, where the service tells, and those to be replaced. */
type BegunRefresh = Known<Pick<State, "kind" | "previousIps" | "stale">>;

const names = (value: unknown): string[] | undefined => (Array.isArray(value) ? value.map(String) : undefined);

const begunIn = ({ kind, previousIps, stale }: JsonObject): BegunRefresh => ({
  ...(isIpKind(kind) && { kind }),
  ...present({ previousIps: names(previousIps), stale: names(stale) }),
});

const creationOf = (asked: Inputs, facts: BegunRefresh, step: Step): Omit<Creation<Outputs>, "facts"> => ({
  title: `the refresh of IPs of zone ${JSON.stringify(asked.zone)}`,
  async look(_facts, signal) {
    const outputs = await outcome(asked.zone, facts, step, signal);
    return outputs === undefined ? [] : [outputs];
  },
  async send(signal) {
    const { previousIps } = facts;
    try {
      const answer = await step.context.remote.ips.refresh(asked.zone, targetOf(asked), { signal });
      const currentIps = answer.kind === "ips" ? answer.ips : answer.gips.map(({ gip }) => gip);
      const told = answer.kind === "ips" ? answer.newIps : undefined;
      const isTold = told !== undefined && (told.length > 0 || previousIps === undefined);
      const newIps = isTold ? told : without(currentIps, previousIps ?? []);
      return [{ ...present({ previousIps }), kind: answer.kind, currentIps, newIps }];
    } catch (error) {
      // There is nothing to look at then.
      if (previousIps === undefined && isUnsettled(error, step)) throw unknownOutcome(asked.zone, error);
      throw error;
    }
  },
  remedy: REMEDY,
  advice: `Whether an update that was cut short has refreshed IPs of zone ${asked.zone}, which costs money, is not known, and nothing looks any more what became of it.`,
});

/** What the zone has now; `undefined` where the service does not tell for such a zone. */
async function observe(zone: string, kinds: readonly IpKind[], step: Step, signal?: AbortSignal) {
  for (const kind of kinds) {
    try {
      return { kind, names: await new IpList(zone, kind, step).names(signal) };
    } catch (error) {
      if (!(error instanceof ServiceError) || ![400, 403, 404, 422].includes(error.status)) throw error;
    }
  }
  return undefined;
}

const kindsOf = ({ ips, vips }: Inputs): readonly IpKind[] =>
  ips !== undefined ? ["ips"] : vips !== undefined ? ["gips"] : ["ips", "gips"];

/** Until a refresh of the stack, a program may name IPs that the refresh before this one has exchanged: their successors are meant. */
function currentOf({ ips, vips }: Inputs, present: readonly string[], former: JsonObject = {}) {
  const asked = ips ?? vips ?? [];
  const isStale = asked.length > 0 && without(asked, present).length === asked.length;
  const isSame = sameJson(asked, former[ips === undefined ? "vips" : "ips"]);
  const newIps = names(former.newIps);
  if (!isStale || !isSame || newIps === undefined || without(newIps, present).length > 0) return {};
  return ips === undefined ? { vips: newIps } : { ips: newIps };
}

function targetOf({ ips, vips, country, countryCity }: Inputs): RefreshTarget {
  const where = { country, countryCity };
  if (ips !== undefined) return { ips, ...where };
  return vips === undefined ? { all: true, ...where } : { gips: vips, ...where };
}

/** What a refresh has led to, if it was done: none of the old IPs is left, and there are as many as before. */
async function outcome(
  zone: string,
  { kind, previousIps, stale = [] }: BegunRefresh,
  step: Step,
  signal: AbortSignal,
): Promise<Outputs | undefined> {
  if (kind === undefined || previousIps === undefined) return undefined;
  if (stale.length === 0 || without(stale, previousIps).length > 0) return undefined;
  const now = await observe(zone, [kind], step, signal);
  if (now === undefined || now.names.length < previousIps.length) return undefined;
  if (without(stale, now.names).length < stale.length) return undefined;
  return { kind, previousIps, currentIps: now.names, newIps: without(now.names, previousIps) };
}

/** What has become of a refresh of which an earlier update did not learn whether it was done. */
async function lookAgain(zone: string, begun: BegunRefresh, step: Step): Promise<Outputs | undefined> {
  let outputs: Outputs | undefined;
  // A look that fails tells as little as one that finds the old IPs.
  await turnsUp(async (signal) => {
    outputs = await outcome(zone, begun, step, signal);
    return outputs !== undefined;
  }).catch(() => false);
  return outputs;
}

const REMEDY =
  "It is not sent again by itself, for it costs money each time. Look at the zone's IPs in the control panel, then change `triggers` to refresh them again, or remove the resource.";

const unknownOutcome = (zone: string, lost?: Error): Error =>
  new UnknownOutcomeError(
    `${lost === undefined ? "" : `${lost.message} `}Whether the IPs of zone ${JSON.stringify(zone)} were refreshed is not known. ${REMEDY}`,
    { cause: lost },
  );
