import { z } from "zod";
import { ArgumentError, BrightDataError } from "../errors";
import type { JsonObject } from "../http/case";
import { booleanSchema, type Checks, failuresOf, inputNames, type Rule, timeoutsSchema } from "./check";
import { type Comparison, difference, sameJson } from "./diff";
import { type Lifecycle, PartialFailure, type Run } from "./lifecycle";
import { citySchema, countrySchema, unlessGone, zoneSchema } from "./ofZone";
import { isUnsettled, settleSignal, turnsUp } from "./settle";
import { IP_KINDS, type IpKind, without } from "./zoneIpKinds";

const KINDS = ["ips", "gips"] as const satisfies readonly IpKind[];

const rules: readonly Rule[] = [
  {
    reads: ["kind", "adopt"],
    failure: ({ kind, adopt }) =>
      kind === "gips" && adopt !== true
        ? '`kind` is "gips" without `adopt: true`: the service has no call that adds gIPs, so these can only be some that the zone has already (as many as the `vips` of its plan).'
        : undefined,
  },
  ...["country", "countryCity"].map((name) => ({
    reads: ["kind", name],
    failure: (inputs: JsonObject) =>
      inputs.kind === "gips" && inputs[name] !== undefined
        ? `\`${name}\` says where new IPs should be, and gIPs cannot be added. Take it away.`
        : undefined,
  })),
];

const checks: Checks = {
  schema: z.strictObject({
    zone: zoneSchema,
    count: z
      .number("expected a whole number from 0 on.")
      .int("expected a whole number from 0 on.")
      .min(0, "expected a whole number from 0 on."),
    kind: z.enum(KINDS, 'expected "ips" or "gips".').optional(),
    country: countrySchema,
    countryCity: citySchema,
    adopt: booleanSchema,
    timeouts: timeoutsSchema,
  }),
  properties: {
    "": ["zone", "count", "kind", "country", "countryCity", "adopt", "timeouts"],
    timeouts: ["create", "read", "update", "delete"],
  },
  rules,
};

const comparison: Comparison = {
  same: (path, left, right) => (path === "kind" ? (left ?? "ips") === (right ?? "ips") : sameJson(left, right)),
  replaces: (path) => ["zone", "kind", "country", "countryCity"].includes(path),
};

/** Proxy IPs of a zone beyond those that it is made with. */
export const zoneIps = {
  timeouts: { create: 120, read: 60, update: 120, delete: 120 },
  inputs: inputNames(checks),

  check: (inputs) => ({ inputs, failures: failuresOf(inputs, checks) }),

  diff: (state, declared, inputs) => ({
    ...difference(state, declared, inputs, comparison),
    deleteBeforeReplace: false,
  }),

  announce({ zone, count, kind, adopt }: JsonObject, previous?: JsonObject) {
    const [many, where] = [typeof count === "number" ? count : "some", typeof zone === "string" ? ` ${zone}` : ""];
    if (previous !== undefined) {
      const more = typeof count === "number" ? count - Number(previous.count) : 0;
      return more > 0 && kind !== "gips" ? `${more} IPs are added to zone${where}. Each one costs money.` : undefined;
    }
    if (kind === "gips") return `Up to ${many} gIPs of zone${where} are taken over. None is added.`;
    const first = adopt === true ? " Those that it has already are taken over first." : "";
    return `Up to ${many} IPs are added to zone${where}, now and whenever \`count\` grows. Each one costs money.${first}`;
  },

  async create(inputs, run) {
    const id = `${inputs.zone}/${inputs.kind ?? "ips"}`;
    return { id, state: await settle(id, [], inputs, run) };
  },

  async read(id, inputs, run, state) {
    const { zone, kind } = identity(id);
    const present = await unlessGone(zone, run, () => listed(kind, zone, run));
    if (present === undefined) return undefined;
    if (inputs === undefined) return { zone, kind, count: present.length, ips: present };
    const ips = owned(state, inputs, present);
    return { ...inputs, count: ips.length, ips };
  },

  async update(id, state, _declared, inputs, run) {
    return settle(id, namesIn(state), inputs, run);
  },

  async delete(id, state, run) {
    const { zone, kind } = identity(id);
    await alone(zone, run, async () => {
      const present = await unlessGone(zone, run, () => listed(kind, zone, run));
      await giveBack(
        kind,
        zone,
        namesIn(state).filter((ip) => present?.includes(ip)),
        run,
      );
    });
  },
} satisfies Lifecycle;

function identity(id: string): { zone: string; kind: IpKind } {
  const [zone, kind, ...more] = id.split("/");
  const known = KINDS.find((name) => name === kind);
  if (!zone || known === undefined || more.length > 0) {
    throw new ArgumentError(
      `${JSON.stringify(id)} is not the id of a zone's IPs: expected the zone and "ips" or "gips", such as "web/ips".`,
    );
  }
  return { zone, kind: known };
}

const namesIn = (state: JsonObject): string[] => (state.ips as string[] | undefined) ?? [];

const listed = (kind: IpKind, zone: string, run: Run, signal = run.deadline.signal): Promise<string[]> =>
  IP_KINDS[kind].list(zone, run, signal);

// What is added is told from what was there before: additions to one zone must not overlap.
const alone = <T>(zone: string, { context }: Run, task: () => Promise<T>): Promise<T> =>
  context.alone(`IPs of zone ${zone}`, task);

/** The resource's own IPs that the zone still has and, when they may be taken over, others up to the number wanted. */
function owned(state: JsonObject, inputs: JsonObject, present: readonly string[]): string[] {
  const own = namesIn(state).filter((ip) => present.includes(ip));
  if (inputs.adopt !== true) return own;
  const lacking = Math.max(0, Number(inputs.count) - own.length);
  return [...own, ...without(present, own).slice(0, lacking)];
}

/** Adds what is lacking, or gives back the surplus, the newest first. */
async function settle(id: string, known: readonly string[], inputs: JsonObject, run: Run): Promise<JsonObject> {
  const { zone, kind } = identity(id);
  const count = Number(inputs.count);
  return alone(zone, run, async () => {
    // It says too, before anything is paid for, whether the zone can have any.
    const present = await listed(kind, zone, run);
    const ips = owned({ ips: known }, inputs, present);
    if (ips.length < count) {
      if (kind === "gips") throw noMoreGips(zone, ips.length, count);
      ips.push(...(await add(zone, count - ips.length, present, inputs, run)));
    }
    const state = { ...inputs, count: ips.length, ips };
    if (ips.length < count) throw new PartialFailure(id, state, tooFew(zone, ips.length, count));
    const surplus = ips.slice(count);
    await giveBack(kind, zone, surplus, run).catch((error: unknown) => {
      throw new PartialFailure(id, state, error);
    });
    return { ...inputs, count, ips: ips.slice(0, count) };
  });
}

const noMoreGips = (zone: string, own: number, count: number): Error =>
  new ArgumentError(
    `Zone ${JSON.stringify(zone)} has ${own} gIPs and not ${count}, and the service has no call that adds any: their number is given with the zone's plan (\`vips\`). Lower \`count\`, or declare a zone with more.`,
  );

const tooFew = (zone: string, own: number, count: number): Error =>
  new BrightDataError(
    `Zone ${JSON.stringify(zone)} was given too few IPs: there are ${own} now and not ${count}. Run again later, or lower \`count\`.`,
  );

/** Adds IPs and returns the new ones, even where the answer is lost. */
async function add(
  zone: string,
  count: number,
  present: readonly string[],
  { country, countryCity }: { country?: string; countryCity?: string },
  run: Run,
): Promise<string[]> {
  const { remote } = run.context;
  run.say?.(`Adding ${count} IPs to zone ${zone}. Each one costs money.`);
  try {
    const { ips, newIps } = await remote.ips.add(
      zone,
      { count, country, countryCity },
      { signal: run.deadline.signal },
    );
    return newIps.length > 0 ? newIps : without(ips, present);
  } catch (error) {
    if (!isUnsettled(error, run)) throw error;
    return newSince(zone, count, present, error as Error, run);
  }
}

/** The IPs that have come since the zone had only those that are `present`, when the answer to their addition was lost. */
async function newSince(
  zone: string,
  count: number,
  present: readonly string[],
  lost: Error,
  run: Run,
): Promise<string[]> {
  let added: string[] = [];
  await turnsUp(async (signal) => {
    added = without(await listed("ips", zone, run, signal), present);
    return added.length >= count;
  }).catch(() => {
    throw new BrightDataError(
      `${lost.message} Whether the IPs were added to zone ${JSON.stringify(zone)} could not be found out either. Look at its IPs in the control panel: if they are there, set \`adopt: true\` and run again.`,
      { cause: lost },
    );
  });
  if (added.length === 0) throw lost;
  if (added.length <= count) return added;
  throw new BrightDataError(
    `${lost.message} Zone ${JSON.stringify(zone)} has ${added.length} new IPs since, and not ${count}: somebody else has added some too, and which are whose cannot be told (${added.join(", ")}). Remove the others, set \`adopt: true\` and run again.`,
    { cause: lost },
  );
}

/** Gives back these and no others. Those that are gone already are no error. */
async function giveBack(kind: IpKind, zone: string, unwanted: readonly string[], run: Run): Promise<void> {
  if (unwanted.length === 0) return;
  try {
    await IP_KINDS[kind].remove(zone, unwanted, run, run.deadline.signal);
  } catch (error) {
    const present = await listed(kind, zone, run, settleSignal()).catch(() => unwanted);
    if (present.some((ip) => unwanted.includes(ip))) throw error;
  }
}
