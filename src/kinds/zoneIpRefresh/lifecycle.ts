import { randomBytes } from "node:crypto";
import { z } from "zod";
import { ServiceError } from "../../errors";
import type { JsonObject } from "../../json";
import { begin, type Creation, UnknownOutcomeError } from "../../lifecycle/creation";
import { type Lifecycle, PartialFailure, type Run } from "../../lifecycle/lifecycle";
import { type Action, action, triggersSchema } from "../../lifecycle/oldAction";
import { type Checks, type Rule, timeoutsSchema } from "../../lifecycle/oldCheck";
import { isUnsettled, turnsUp } from "../../lifecycle/settle";
import type { RefreshTarget } from "../../remote/ips";
import { citySchema, countrySchema, zoneSchema } from "../zone/gone";
import { IP_KINDS, type IpKind, without } from "../zoneIps/ipLists";

const TARGETS = ["ips", "vips", "all"] as const;

/** Stands as the `outcome` in the state of a refresh of which nobody knows whether it was done. */
const UNKNOWN_OUTCOME = "unknown";

const rules: readonly Rule[] = [
  {
    reads: [],
    failure(inputs) {
      const given = TARGETS.filter((name) => inputs[name] !== undefined);
      return given.length === 1
        ? undefined
        : `${given.length === 0 ? "It is not said what to refresh" : `${given.map((name) => `\`${name}\``).join(" and ")} are given`}: give one of \`ips\`, \`vips\` and \`all: true\`. Each IP that is refreshed costs money.`;
    },
  },
];

const checks: Checks = {
  schema: z.strictObject({
    zone: zoneSchema,
    ips: z
      .array(z.string("expected an IP of the zone.").min(1, "expected an IP of the zone."), "expected a list of IPs.")
      .min(1, "expected at least one IP; for all of them say `all: true`.")
      .optional(),
    vips: z
      .array(
        z.string("expected a gIP's name.").min(1, "expected a gIP's name."),
        'expected a list of gIPs, such as "tr_9121_07_antalya_10".',
      )
      .min(1, "expected at least one gIP; for all of them say `all: true`.")
      .optional(),
    all: z.literal(true, "expected true, or to be left out.").optional(),
    country: countrySchema,
    countryCity: citySchema,
    triggers: triggersSchema,
    timeouts: timeoutsSchema,
  }),
  properties: {
    "": ["zone", ...TARGETS, "country", "countryCity", "triggers", "timeouts"],
    timeouts: ["create", "read", "update", "delete"],
  },
  rules,
};

const refresh = action({
  timeouts: { create: 120, read: 60, update: 60, delete: 60 },
  checks,
  // The IPs of a program come from outputs that change with every refresh: by them it would refresh again, and pay, for ever.
  manner: [...TARGETS, "country", "countryCity"],

  announce({ zone, ips, vips, all }) {
    const list = ips ?? vips;
    const many = all === true ? "All" : Array.isArray(list) ? list.length : "Some";
    const kind = vips === undefined ? "IPs" : "gIPs";
    return `${many} ${kind} of zone${typeof zone === "string" ? ` ${zone}` : ""} are replaced by new ones. Each one costs money.`;
  },

  async perform(inputs, run) {
    const zone = inputs.zone as string;
    const id = `${zone}/${randomBytes(4).toString("hex")}`;
    const open = (facts: Begun, error: unknown) =>
      new PartialFailure(id, { ...inputs, ...facts, outcome: UNKNOWN_OUTCOME }, error);
    const begun = run.journal?.unfinished?.facts as Begun | undefined;
    if (begun !== undefined) {
      const outputs = await lookAgain(zone, begun, run);
      if (outputs === undefined) throw open(begun, unknownOutcome(zone));
      return { id, outputs };
    }
    const before = await snapshot(zone, kindsOf(inputs), run);
    const previous = before === undefined ? {} : { kind: before.kind, previousIps: before.names };
    const facts = { ...previous, stale: (inputs.ips ?? inputs.vips ?? before?.names ?? []) as string[] };
    const creation: Creation<JsonObject> = {
      title: `the refresh of IPs of zone ${JSON.stringify(zone)}`,
      facts,
      async look(_facts, signal) {
        const outputs = await outcome(zone, facts, run, signal);
        return outputs === undefined ? [] : [outputs];
      },
      async send(signal) {
        try {
          const answer = await run.context.remote.ips.refresh(zone, targetOf(inputs), { signal });
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
    };
    try {
      const [outputs] = await begin(creation, run);
      return { id, outputs: outputs as JsonObject };
    } catch (error) {
      throw error instanceof UnknownOutcomeError ? open(facts, error) : error;
    }
  },
} satisfies Action);

/** New proxy IPs in the place of old ones. */
export const zoneIpRefresh = {
  ...refresh,

  diff(state, declared, inputs) {
    const difference = refresh.diff(state, declared, inputs);
    // The engine forgets at a refresh that the update before it failed.
    return isOpen(state) ? { ...difference, changed: [...difference.changed, "outcome"] } : difference;
  },

  async update(id, state, declared, inputs, run) {
    const updated = await refresh.update(id, state, declared, inputs, run);
    if (!isOpen(state)) return updated;
    const { outcome: _, kind, previousIps, stale, ...known } = updated;
    const zone = known.zone as string;
    run.say?.(`Looking again what became of the refresh of IPs of zone ${zone}. It is not sent again.`);
    const outputs = await lookAgain(zone, { kind, previousIps, stale } as Begun, run);
    if (outputs === undefined) throw unknownOutcome(zone);
    return { ...known, ...outputs };
  },
} satisfies Lifecycle;

const isOpen = ({ outcome }: JsonObject): boolean => outcome === UNKNOWN_OUTCOME;

/** What is known of a refresh when it begins. */
interface Begun extends JsonObject {
  kind?: IpKind;
  /** What the zone has; absent where the service does not tell. */
  previousIps?: string[];
  /** What is to be replaced. */
  stale: string[];
}

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

const kindsOf = ({ ips, vips }: JsonObject): readonly IpKind[] =>
  ips !== undefined ? ["ips"] : vips !== undefined ? ["gips"] : ["ips", "gips"];

function targetOf({ ips, vips, country, countryCity }: JsonObject): RefreshTarget {
  const where = { country: country as string | undefined, countryCity: countryCity as string | undefined };
  if (ips !== undefined) return { ips: ips as string[], ...where };
  if (vips !== undefined) return { gips: vips as string[], ...where };
  return { all: true, ...where };
}

/**
 * What a refresh has led to, if it was done: none of the old IPs is left, and there are as many as before. It is never sent
 * again, for it may still be going on.
 */
async function outcome(
  zone: string,
  { kind, previousIps, stale }: Begun,
  run: Run,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  if (kind === undefined || previousIps === undefined) return undefined;
  if (stale.length === 0 || without(stale, previousIps).length > 0) return undefined;
  const now = await snapshot(zone, [kind], run, signal);
  if (now === undefined || now.names.length < previousIps.length) return undefined;
  if (without(stale, now.names).length < stale.length) return undefined;
  return { kind, previousIps, currentIps: now.names, newIps: without(now.names, previousIps) };
}

/** What has become of a refresh of which an earlier update did not learn whether it was done. */
async function lookAgain(zone: string, begun: Begun, run: Run): Promise<JsonObject | undefined> {
  let outputs: JsonObject | undefined;
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
