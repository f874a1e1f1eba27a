import { ArgumentError, BrightDataError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import type { InputsOf, StateOf } from "../../declaration/kind";
import { sameJson } from "../../declaration/values";
import { present as given } from "../../http/optional";
import { begin, begunBefore, takeUp, UnknownOutcomeError } from "../../lifecycle/creation";
import { type Known, lifecycle } from "../../lifecycle/define";
import { PartialFailure, type Run } from "../../lifecycle/lifecycle";
import { isUnsettled, settleSignal, turnsUp } from "../../lifecycle/settle";
import { ipThing } from "../shared/things";
import { unlessGone } from "../zone/gone";
import { monthly, planFor } from "../zone/pieces";
import { zoneNames } from "../zone/zoneNames";
import { zoneIps } from "./declaration";
import { newcomers, successors } from "./exchanged";
import { IP_KINDS, type IpKind, without, type ZoneIp } from "./ipLists";

type Inputs = InputsOf<typeof zoneIps>;
type State = StateOf<typeof zoneIps>;

/** An addition of which nobody has seen whether the IPs came: what the zone and the resource had before, and how many it is. */
type Addition = NonNullable<State["adding"]>;
type AdditionFacts = Addition["facts"];

/** The inputs that say where the IPs should be. */
const PLACES: readonly string[] = ["country", "countryCity"];

export const zoneIpsLifecycle = lifecycle(zoneIps, {
  resumes: true,

  judge(difference, state, _declared, inputs) {
    const { changed, replaces } = difference;
    return {
      // The engine forgets at a refresh that the update before it failed.
      changed: state.adding === undefined ? changed : [...changed, "adding"],
      replaces,
      // The new one would take over the IPs of the old one.
      deleteBeforeReplace: inputs.adopt === true && replaces.some((name) => PLACES.includes(name)),
    };
  },

  announce({ zone, count, kind, adopt }, previous, prices) {
    const [many, where] = [typeof count === "number" ? count : "some", typeof zone === "string" ? ` ${zone}` : ""];
    if (previous !== undefined) {
      if (typeof zone === "string" && zone !== previous.zone) return undefined;
      const more = typeof count === "number" ? count - Number(previous.count) : 0;
      if (more <= 0 || kind === "gips") return undefined;
      return `${more} IPs are added to zone${where}. Each one costs money.${monthly(planFor(zone), more, prices)}`;
    }
    if (kind === "gips") return `Up to ${many} gIPs of zone${where} are taken over. None is added.`;
    const first = adopt === true ? " Those that it has already are taken over first." : "";
    const cost = monthly(planFor(zone), typeof count === "number" ? count : undefined, prices);
    return `Up to ${many} IPs are added to zone${where}, now and whenever \`count\` grows. Each one costs money.${cost}${first}`;
  },

  holds(id, { ips, adding }) {
    if (id === undefined) return [];
    const { zone } = identity(id);
    const open = adding === undefined ? [] : [ipThing(zone, "being added")];
    return [...(Array.isArray(ips) ? ips.map((ip) => ipThing(zone, String(ip))) : []), ...open];
  },

  without(state, others) {
    const ips = ipsIn(state).filter((ip) => !others.has(ipThing(state.zone, ip)));
    return { ...state, count: ips.length, ips };
  },

  async create(inputs, run) {
    const id = `${inputs.zone}/${inputs.kind ?? "ips"}`;
    return { id, state: await sync(id, { ips: [] }, inputs, run) };
  },

  async read(id, inputs, run, state) {
    const { zone, kind } = identity(id);
    const present = await unlessGone(zone, run, () => listed(kind, zone, run));
    if (present === undefined) return undefined;
    if (inputs === undefined) {
      const ips = present.map(({ name }) => name);
      return { zone, kind, count: ips.length, ips };
    }
    if (isImported(state)) return stateOf(inputs, owned(state, inputs, present, run), present);
    const kept = await keptOf(zone, state, present, run);
    // What an addition has brought, the next update finds: it knows who else has what.
    const { adding, others } = state;
    const isExchanged = without(kept, ipsIn(state)).length > 0;
    const known = isExchanged ? stateOf(inputs, kept, present) : { ...inputs, count: kept.length, ips: kept };
    return { ...known, ...(!isExchanged && others && { others }), ...(adding && { adding }) };
  },

  async update(id, state, _declared, inputs, run) {
    return sync(id, state, inputs, run);
  },

  async delete(id, state, run) {
    const { zone, kind } = identity(id);
    await alone(zone, run, () =>
      unlessGone(zone, run, async () => {
        const present = await listed(kind, zone, run);
        const lost = without(ipsIn(state), namesIn(present)).length;
        const late = await latecomers(zone, state, state, run);
        const come = lost === 0 ? [] : without(newcomers(zone, state, present, run), [...late]);
        // That as many have come as are gone is enough to keep them, and not enough to give them back.
        const exchanged = come.filter((ip) => run.context.claims.isBrought(ipThing(zone, ip))).slice(0, lost);
        const others = without(come, exchanged);
        if (lost > exchanged.length && others.length > 0) run.say?.(unclear(zone, lost - exchanged.length, others));
        await giveBack(kind, zone, [...ipsIn(state), ...late, ...exchanged], run);
      }),
    );
  },

  async list(run) {
    const names = await zoneNames(run);
    const ids = names.map(async (name) => {
      const zone = await unlessGone(name, run, () =>
        run.context.remote.zones.get(name, { signal: run.deadline.signal }),
      );
      const has = (count: unknown, kind: IpKind) => (Number(count ?? 0) > 0 ? [`${name}/${kind}`] : []);
      return [...has(zone?.plan.ips, "ips"), ...has(zone?.plan.vips, "gips")];
    });
    return (await Promise.all(ids)).flat();
  },

  inputsOf({ zone, count, kind, country, countryCity }) {
    const inputs = { zone, count, kind, country, countryCity };
    // The service adds no gIPs: they have to be taken over.
    return kind === "gips" ? { ...inputs, adopt: true } : inputs;
  },
});

function identity(id: string): { zone: string; kind: IpKind } {
  const [zone, kind, ...more] = id.split("/");
  const known = kind === "ips" || kind === "gips" ? kind : undefined;
  if (!zone || known === undefined || more.length > 0) {
    throw new ArgumentError(
      `${JSON.stringify(id)} is not the id of a zone's IPs: expected the zone and "ips" or "gips", such as "web/ips".`,
    );
  }
  return { zone, kind: known };
}

/** The IPs of a state. One that came from an import file knows no outputs. */
const ipsIn = ({ ips = [] }: Known<State>): string[] => ips;

const isImported = ({ ips }: Known<State>): boolean => ips === undefined;

const isAnothers = (zone: string, ip: string, { context, me }: Run): boolean =>
  context.claims.isAnothers(ipThing(zone, ip), me);

const listed = (kind: IpKind, zone: string, run: Run, signal = run.deadline.signal): Promise<ZoneIp[]> =>
  IP_KINDS[kind].list(zone, run, signal);

// What is added is told from what was there before: additions to one zone must not overlap.
const alone = <T>(zone: string, { context }: Run, task: () => Promise<T>): Promise<T> =>
  context.alone(`IPs of zone ${zone}`, task);

type Place = Pick<Inputs, "country" | "countryCity">;

const whereIn = ({ country, countryCity }: Place) => given({ country, countryCity });

/** The countries in which the IPs should be; a city's name begins with that of its country. */
const countriesIn = ({ country, countryCity }: Place): string[] =>
  [country, countryCity].filter((place) => place !== undefined).map((place) => place.slice(0, 2));

const isPlaced = ({ countries }: ZoneIp, place: Place): boolean =>
  countriesIn(place).every((country) => countries.some((code) => code.toLowerCase() === country));

/**
 * The resource's own IPs that the zone still has. Where others may be taken over, or where an import file does not say which
 * they are, some that nobody else of the program has, up to the number wanted.
 */
function owned(state: Known<State>, inputs: Inputs, present: readonly ZoneIp[], run: Run): string[] {
  const { zone } = inputs;
  const names = namesIn(present);
  const own = ipsIn(state).filter((ip) => names.includes(ip));
  if (inputs.adopt !== true && !isImported(state)) return own;
  const free = present.filter((ip) => isPlaced(ip, inputs) && !isAnothers(zone, ip.name, run));
  const lacking = Math.max(0, inputs.count - own.length);
  return [
    ...own,
    ...without(
      free.map(({ name }) => name),
      own,
    ).slice(0, lacking),
  ];
}

/** The resource's own IPs that the zone still has, and those that have come in the place of others. */
async function keptOf(zone: string, state: Known<State>, present: readonly ZoneIp[], run: Run): Promise<string[]> {
  const names = namesIn(present);
  const own = ipsIn(state).filter((ip) => names.includes(ip));
  if (own.length === ipsIn(state).length) return own;
  await run.others?.();
  return [...own, ...successors(zone, state, present, run)];
}

const namesIn = (present: readonly ZoneIp[]): string[] => present.map(({ name }) => name);

const stateOf = (inputs: Inputs, ips: string[], present: readonly ZoneIp[]): State => ({
  ...inputs,
  count: ips.length,
  ips,
  others: without(namesIn(present), ips),
});

const unclear = (zone: string, lost: number, come: readonly string[]): string =>
  `${lost} IPs of zone ${zone} are gone that this resource had, and ${come.join(", ")} have come since. Whether they came in their place is not certain, so they are left alone. They cost money: give back those that you do not need.`;

/** Adds what is lacking, or gives back the surplus, the newest first. */
async function sync(id: string, before: Known<State>, inputs: Inputs, run: Run): Promise<State> {
  const { zone, kind } = identity(id);
  const { count } = inputs;
  return alone(zone, run, async () => {
    // It says too, before anything is paid for, whether the zone can have any.
    if (isImported(before)) return takeOver(before, inputs, await listed(kind, zone, run), run);
    const late = await latecomers(zone, before, inputs, run);
    const present = await listed(kind, zone, run);
    const kept = await keptOf(zone, before, present, run);
    if (inputs.adopt === true && kept.length + late.length < count) await run.others?.();
    const ips = owned({ ips: [...kept, ...late] }, inputs, present, run);
    const partial = (error: unknown, adding?: Addition) =>
      new PartialFailure(id, { ...stateOf(inputs, ips, present), ...(adding === undefined ? {} : { adding }) }, error);
    if (ips.length < count) {
      if (kind === "gips") throw noMoreGips(zone, ips.length, count);
      const facts = {
        zone,
        where: whereIn(inputs),
        before: namesIn(present),
        own: ipsIn(before),
        count: count - ips.length,
      };
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
    return stateOf(
      inputs,
      ips.slice(0, count),
      present.filter(({ name }) => !ips.includes(name)),
    );
  });
}

/**
 * Takes over IPs for what an import file declares. None is added or given back for it: the preview before it could not tell
 * how many there are.
 */
function takeOver(imported: Known<State>, inputs: Inputs, present: readonly ZoneIp[], run: Run): State {
  const count = Math.min(inputs.count, imported.count ?? inputs.count);
  const ips = owned(imported, { ...inputs, count }, present, run);
  if (ips.length < inputs.count) {
    run.say?.(
      `${ips.length} IPs of zone ${inputs.zone} are imported, and ${inputs.count} are declared. The next update adds the others.`,
    );
  }
  return stateOf(inputs, ips, present);
}

/** The addition that a process was killed in, to a resource that has got no IPs since; or the one that the state tells of. */
function begunIn(zone: string, state: Known<State>, place: Place, run: Run): Addition | undefined {
  // What came to another zone, or in another country, is not among the IPs that this one should have.
  const isSame = ({ zone: former = zone, where = whereIn(place) }: JsonObject) =>
    former === zone && sameJson(where, whereIn(place));
  const noted = begunBefore(run, isSame) as Addition | undefined;
  return noted !== undefined && without(ipsIn(state), noted.facts.own).length === 0 ? noted : state.adding;
}

/** The IPs that have come since an addition was begun and can be what it has brought. */
const since = ({ before }: AdditionFacts, inputs: Inputs, present: readonly ZoneIp[], run: Run): string[] =>
  present
    .filter(({ name }) => !before.includes(name) && !isAnothers(inputs.zone, name, run))
    .filter((ip) => ip.countries.length === 0 || isPlaced(ip, inputs))
    .map(({ name }) => name);

/** How an addition is recognised. */
const addition = (zone: string, count: number, inputs: Inputs, run: Run) => ({
  title: `the addition of ${count} IPs to zone ${JSON.stringify(zone)}`,
  count,
  look: async (facts: JsonObject, signal: AbortSignal) =>
    since(facts as AdditionFacts, inputs, await listed("ips", zone, run, signal), run),
  remedy:
    "Look at the zone's IPs in the control panel. The next `pulumi up` looks again before it adds any; it takes new ones for its own only if their number is right.",
  advice: `An update that was cut short may have added ${count} IPs to zone ${zone}, which cost money. Look at its IPs in the control panel, and give back those that you do not need.`,
});

/** The IPs that an addition has brought after all, or before its process was killed. */
async function latecomers(zone: string, state: Known<State>, inputs: Inputs, run: Run): Promise<readonly string[]> {
  const begun = begunIn(zone, state, inputs, run);
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
async function add(zone: string, facts: AdditionFacts, inputs: Inputs, run: Run): Promise<readonly string[]> {
  const { count, before } = facts;
  const { country, countryCity } = inputs;
  const { accounts, remote } = run.context;
  // Not while it is sent: a failure of this one leaves no doubt that nothing was bought.
  const customer = await accounts[0].customer(run.deadline.signal);
  run.say?.(`Adding ${count} IPs to zone ${zone}. Each one costs money.`);
  return begin(
    {
      ...addition(zone, count, inputs, run),
      facts,
      async send(signal) {
        const { ips, newIps } = await remote.ips.add(zone, { count, country, countryCity, customer }, { signal });
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
  return namesIn(await listed(kind, zone, run, signal));
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
