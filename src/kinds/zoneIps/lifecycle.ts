import { z } from "zod";
import { sameJson } from "../../declaration/values";
import { ArgumentError, BrightDataError } from "../../errors";
import type { JsonObject } from "../../json";
import { begin, takeUp, UnknownOutcomeError } from "../../lifecycle/creation";
import { type Lifecycle, type Noted, PartialFailure, type Run } from "../../lifecycle/lifecycle";
import {
  booleanSchema,
  type Checks,
  failuresOf,
  inputNames,
  type Rule,
  timeoutsSchema,
} from "../../lifecycle/oldCheck";
import { type Comparison, difference } from "../../lifecycle/oldDiff";
import { isUnsettled, settleSignal, turnsUp } from "../../lifecycle/settle";
import { citySchema, countrySchema, unlessGone, zoneSchema } from "../zone/gone";
import { IP_KINDS, type IpKind, without, type ZoneIp } from "./ipLists";

const KINDS = ["ips", "gips"] as const satisfies readonly IpKind[];

/** The inputs that say where the IPs should be. */
const PLACES: readonly string[] = ["country", "countryCity"];

const rules: readonly Rule[] = [
  {
    reads: ["kind", "adopt"],
    failure: ({ kind, adopt }) =>
      kind === "gips" && adopt !== true
        ? '`kind` is "gips" without `adopt: true`: the service has no call that adds gIPs, so these can only be some that the zone has already (as many as the `vips` of its plan).'
        : undefined,
  },
  ...PLACES.map((name) => ({
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
  replaces: (path) => ["zone", "kind", ...PLACES].includes(path),
};

/** Proxy IPs of a zone beyond those that it is made with. */
export const zoneIps = {
  timeouts: { create: 120, read: 60, update: 120, delete: 120 },
  inputs: inputNames(checks),

  check: (inputs) => ({ inputs, failures: failuresOf(inputs, checks) }),

  diff(state, declared, inputs) {
    const { changed, replaces } = difference(state, declared, inputs, comparison);
    return {
      // The engine forgets at a refresh that the update before it failed.
      changed: state.adding === undefined ? changed : [...changed, "adding"],
      replaces,
      // The new one would take over the IPs of the old one.
      deleteBeforeReplace: inputs.adopt === true && replaces.some((name) => PLACES.includes(name)),
    };
  },

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

  holds(id, state) {
    if (id === undefined) return [];
    const { zone } = identity(id);
    const adding = state.adding === undefined ? [] : [`${zone}, IPs being added`];
    return [...namesIn(state).map((ip) => holding(zone, ip)), ...adding];
  },

  without(state, others) {
    const ips = namesIn(state).filter((ip) => !others.has(holding(state.zone as string, ip)));
    return { ...state, count: ips.length, ips };
  },

  async create(inputs, run) {
    const id = `${inputs.zone}/${inputs.kind ?? "ips"}`;
    return { id, state: await settle(id, { ips: [] }, inputs, run) };
  },

  async read(id, inputs, run, state) {
    const { zone, kind } = identity(id);
    const present = await unlessGone(zone, run, () => listed(kind, zone, run));
    if (present === undefined) return undefined;
    if (inputs === undefined) {
      const ips = present.map(({ name }) => name);
      return { zone, kind, count: ips.length, ips };
    }
    const adding = begunIn(state, run);
    const late = adding === undefined ? [] : since(adding.facts, inputs, present, run);
    const hasCome = adding !== undefined && late.length === adding.facts.count;
    const known = hasCome ? { ...state, ips: [...namesIn(state), ...late] } : state;
    const ips = owned(known, inputs, present, run);
    return { ...inputs, count: ips.length, ips, ...(adding === undefined || hasCome ? {} : { adding }) };
  },

  async update(id, state, _declared, inputs, run) {
    return settle(id, state, inputs, run);
  },

  async delete(id, state, run) {
    const { zone, kind } = identity(id);
    await alone(zone, run, () =>
      unlessGone(zone, run, async () => {
        const own = [...namesIn(state), ...(await latecomers(zone, state, state, run))];
        await giveBack(kind, zone, own, run);
      }),
    );
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

/** Whether the state came from an import file, which knows no outputs. */
const isImported = (state: JsonObject): boolean => state.ips === undefined;

/** What an IP is called among the things that resources have. */
const holding = (zone: string, ip: string): string => `${zone}/${ip}`;

const isAnothers = (zone: string, ip: string, { context }: Run): boolean =>
  context.ownership.has(`ZoneIps ${holding(zone, ip)}`);

const listed = (kind: IpKind, zone: string, run: Run, signal = run.deadline.signal): Promise<ZoneIp[]> =>
  IP_KINDS[kind].list(zone, run, signal);

// What is added is told from what was there before: additions to one zone must not overlap.
const alone = <T>(zone: string, { context }: Run, task: () => Promise<T>): Promise<T> =>
  context.alone(`IPs of zone ${zone}`, task);

/** The countries in which the IPs should be; a city's name begins with that of its country. */
const countriesIn = ({ country, countryCity }: JsonObject): string[] =>
  [country, countryCity].filter((place) => typeof place === "string").map((place) => place.slice(0, 2));

const isPlaced = ({ countries }: ZoneIp, inputs: JsonObject): boolean =>
  countriesIn(inputs).every((country) => countries.some((code) => code.toLowerCase() === country));

/**
 * The resource's own IPs that the zone still has. Where others may be taken over, or where an import file does not say which
 * they are, some that nobody else of the program has, up to the number wanted.
 */
function owned(state: JsonObject, inputs: JsonObject, present: readonly ZoneIp[], run: Run): string[] {
  const zone = inputs.zone as string;
  const known = namesIn(state);
  const names = present.map(({ name }) => name);
  const own = known.filter((ip) => names.includes(ip));
  if (inputs.adopt !== true && !isImported(state)) return own;
  const free = present.filter((ip) => isPlaced(ip, inputs) && !isAnothers(zone, ip.name, run));
  const lacking = Math.max(0, Number(inputs.count) - own.length);
  return [
    ...own,
    ...without(
      free.map(({ name }) => name),
      own,
    ).slice(0, lacking),
  ];
}

/** Adds what is lacking, or gives back the surplus, the newest first. */
async function settle(id: string, before: JsonObject, inputs: JsonObject, run: Run): Promise<JsonObject> {
  const { zone, kind } = identity(id);
  const count = Number(inputs.count);
  return alone(zone, run, async () => {
    // It says too, before anything is paid for, whether the zone can have any.
    if (isImported(before)) return takeOver(before, inputs, await listed(kind, zone, run), run);
    const late = await latecomers(zone, before, inputs, run);
    const present = await listed(kind, zone, run);
    const ips = owned({ ips: [...namesIn(before), ...late] }, inputs, present, run);
    const partial = (error: unknown, adding?: Addition) =>
      new PartialFailure(id, { ...inputs, count: ips.length, ips, ...(adding === undefined ? {} : { adding }) }, error);
    if (ips.length < count) {
      if (kind === "gips") throw noMoreGips(zone, ips.length, count);
      const facts = { before: present.map(({ name }) => name), own: namesIn(before), count: count - ips.length };
      const adding = { began: new Date().toISOString(), facts };
      const added = await add(zone, facts, inputs, run).catch((error: unknown) => {
        throw error instanceof UnknownOutcomeError ? partial(error, adding) : error;
      });
      ips.push(...added);
      await appear(zone, ips, run).catch((error: unknown) => {
        throw partial(error);
      });
      if (ips.length < count) throw partial(tooFew(zone, ips.length, count));
    }
    await giveBack(kind, zone, ips.slice(count), run).catch((error: unknown) => {
      throw partial(error);
    });
    return { ...inputs, count, ips: ips.slice(0, count) };
  });
}

/**
 * Takes over IPs for what an import file declares. None is added or given back for it: the preview before it could not tell
 * how many there are.
 */
function takeOver(imported: JsonObject, inputs: JsonObject, present: readonly ZoneIp[], run: Run): JsonObject {
  const count = Math.min(Number(inputs.count), Number(imported.count ?? inputs.count));
  const ips = owned(imported, { ...inputs, count }, present, run);
  if (ips.length < Number(inputs.count)) {
    run.say?.(
      `${ips.length} IPs of zone ${inputs.zone} are imported, and ${inputs.count} are declared. The next update adds the others.`,
    );
  }
  return { ...inputs, count: ips.length, ips };
}

/** An addition of which nobody has seen whether the IPs came. */
interface Addition extends Pick<Noted, "began"> {
  facts: AdditionFacts;
}

interface AdditionFacts extends JsonObject {
  /** What the zone had before. */
  before: string[];
  /** What the resource had before. */
  own: string[];
  count: number;
}

/** The addition that a process was killed in, to a resource whose state has not changed since; or the one that the state tells of. */
function begunIn(state: JsonObject, { journal }: Run): Addition | undefined {
  const noted = journal?.unfinished as Addition | undefined;
  const isOpen = noted !== undefined && sameJson(noted.facts.own, namesIn(state));
  return isOpen ? noted : (state.adding as Addition | undefined);
}

/** The IPs that have come since an addition was begun and can be what it has brought. */
const since = ({ before }: AdditionFacts, inputs: JsonObject, present: readonly ZoneIp[], run: Run): string[] =>
  present
    .filter(({ name }) => !before.includes(name) && !isAnothers(inputs.zone as string, name, run))
    .filter((ip) => ip.countries.length === 0 || isPlaced(ip, inputs))
    .map(({ name }) => name);

/** How an addition is recognised. */
const addition = (zone: string, count: number, inputs: JsonObject, run: Run) => ({
  title: `the addition of ${count} IPs to zone ${JSON.stringify(zone)}`,
  count,
  look: async (facts: JsonObject, signal: AbortSignal) =>
    since(facts as AdditionFacts, inputs, await listed("ips", zone, run, signal), run),
  remedy:
    "Look at the zone's IPs in the control panel. The next `pulumi up` looks again before it adds any; it takes new ones for its own only if their number is right.",
});

/** The IPs that an addition has brought after all, or before its process was killed. */
async function latecomers(zone: string, state: JsonObject, inputs: JsonObject, run: Run): Promise<readonly string[]> {
  const begun = begunIn(state, run);
  if (begun === undefined) return [];
  const { count } = begun.facts;
  const expected = addition(zone, count, inputs, run);
  const look = async (facts: JsonObject, signal: AbortSignal) => {
    found = await expected.look(facts, signal);
    return found;
  };
  let found: string[] = [];
  const taken = await takeUp({ ...expected, look }, begun, run);
  if (taken === undefined && found.length > 0) {
    run.say?.(
      `${found.join(", ")} came to zone ${zone} after ${count} IPs were asked for in an update that was cut short. They are fewer than that and may be somebody else's, so they are left alone. Give back those that you do not need.`,
    );
  }
  return taken ?? [];
}

/**
 * Adds IPs and returns the new ones, even where the answer is lost.
 *
 * @throws {UnknownOutcomeError}
 */
async function add(zone: string, facts: AdditionFacts, inputs: JsonObject, run: Run): Promise<readonly string[]> {
  const { count, before } = facts;
  const { country, countryCity } = inputs as { country?: string; countryCity?: string };
  run.say?.(`Adding ${count} IPs to zone ${zone}. Each one costs money.`);
  return begin(
    {
      ...addition(zone, count, inputs, run),
      facts,
      async send(signal) {
        const { ips, newIps } = await run.context.remote.ips.add(zone, { count, country, countryCity }, { signal });
        return newIps.length > 0 ? newIps : without(ips, before);
      },
    },
    run,
  );
}

/** Waits until the zone lists its new IPs: one that is missing at the next refresh would be bought again. */
async function appear(zone: string, ips: readonly string[], run: Run): Promise<void> {
  await run.deadline.poll(
    `waiting for zone ${JSON.stringify(zone)} to list its new IPs`,
    async () => without(ips, await namesOf("ips", zone, run)).length === 0 || undefined,
  );
}

async function namesOf(kind: IpKind, zone: string, run: Run, signal?: AbortSignal): Promise<string[]> {
  return (await listed(kind, zone, run, signal)).map(({ name }) => name);
}

const noMoreGips = (zone: string, own: number, count: number): Error =>
  new ArgumentError(
    `Zone ${JSON.stringify(zone)} has ${own} gIPs and not ${count}, and the service has no call that adds any: their number is given with the zone's plan (\`vips\`). Lower \`count\`, or declare a zone with more.`,
  );

const tooFew = (zone: string, own: number, count: number): Error =>
  new BrightDataError(
    `Zone ${JSON.stringify(zone)} was given too few IPs: there are ${own} now and not ${count}. Run again later, or lower \`count\`.`,
  );

/** Gives back these and no others, and waits until the zone has them no more. Those that are gone already are no error. */
async function giveBack(kind: IpKind, zone: string, unwanted: readonly string[], run: Run): Promise<void> {
  if (unwanted.length === 0) return;
  const left = async (signal?: AbortSignal) => {
    const present = await namesOf(kind, zone, run, signal);
    return unwanted.filter((ip) => present.includes(ip));
  };
  const there = await left();
  if (there.length === 0) return;
  try {
    await IP_KINDS[kind].remove(zone, there, run, run.deadline.signal);
  } catch (error) {
    const isGone = async (signal: AbortSignal) => (await left(signal)).length === 0;
    const isDone = isUnsettled(error, run) ? turnsUp(isGone) : isGone(settleSignal());
    if (await isDone.catch(() => false)) return;
    throw error;
  }
  await run.deadline.poll(
    `waiting for ${there.length} ${IP_KINDS[kind].words} to leave zone ${JSON.stringify(zone)}`,
    async () => (await left()).length === 0 || undefined,
  );
}
