import { counted, grouped } from "../../base/counted";
import { ArgumentError, BrightDataError } from "../../base/errors";
import { type Known, lifecycle } from "../../lifecycle/define";
import { keeping, PartialFailure, type Step } from "../../lifecycle/lifecycle";
import { ipThing } from "../shared/things";
import { unlessGone } from "../zone/gone";
import { monthly, planOf } from "../zone/pieces";
import { zoneNames } from "../zone/zoneNames";
import { add, latecomers } from "./addition";
import { zoneIps } from "./declaration";
import { alone, type IpKind, IpList, isIpKind, namesIn, type Sight, without, type ZoneIp } from "./ipLists";
import {
  awaitedIn,
  broughtAfterAll,
  broughtIn,
  carried,
  goneOf,
  type Inputs,
  ipsIn,
  isBrought,
  isImported,
  keptOf,
  lackingIn,
  leftAlone,
  leftTo,
  missingIn,
  missingOf,
  newcomers,
  type State,
  stateOf,
  stateOfImport,
  supposedIn,
  surplus,
  takenFirst,
  type Uncertain,
  unclaimedIn,
  withFree,
} from "./owned";

/** The inputs that say where the IPs should be. */
const PLACES: readonly string[] = ["country", "countryCity"];

export const zoneIpsLifecycle = lifecycle(zoneIps, {
  resumes: true,

  // What was brought may be one too many for what is wanted by now.
  open: (state) => ["adding", "brought"].filter((name) => state[name] !== undefined),

  judge(difference, state, _declared, { country, adopt }) {
    const isThere = state.country === undefined && Array.isArray(state.countries) && state.countries.includes(country);
    const replaces = difference.replaces.filter((name) => !(isThere && name === "country"));
    // The new one would take over the IPs of the old one.
    const deleteBeforeReplace = adopt === true && replaces.some((name) => PLACES.includes(name));
    return { ...difference, replaces, deleteBeforeReplace };
  },

  announce({ zone, count, kind, adopt }, previous, prices, about) {
    // What an update does follows from the state.
    if (previous !== undefined || count === 0) return undefined;
    const [number, noun] = [typeof count === "number" ? count : undefined, kind === "gips" ? "gIP" : "IP"];
    const many = `Up to ${number === undefined ? `some ${noun}s` : counted(number, noun)}`;
    const where = typeof zone === "string" ? ` ${zone}` : "";
    if (kind === "gips") return `${many} of zone${where} ${number === 1 ? "is" : "are"} taken over. None is added.`;
    const cost = monthly(planOf(about?.named?.("Zone", zone)), number, prices);
    return `${many} ${number === 1 ? "is" : "are"} added to zone${where}, now and whenever \`count\` grows. Each one costs money.${cost}${takenFirst(adopt)}`;
  },

  announceUpdate(state, _declared, { zone, count, kind, adopt }, prices, about) {
    if (kind === "gips" || isImported(state)) return undefined;
    if (typeof count !== "number") {
      return `If \`count\`, which is not known yet, is more than ${ipsIn(state).length}, IPs are added to zone ${zone}. Each one costs money.${takenFirst(adopt)}`;
    }
    const more = lackingIn(state, count);
    if (more <= 0) return undefined;
    const price = monthly(planOf(about?.named?.("Zone", zone)), more, prices);
    const cost = `Each one costs money.${price}${takenFirst(adopt)}`;
    const [missing, are] = [missingIn(state), more === 1 ? "is" : "are"];
    const added = `${counted(more, "IP")} ${are} added to zone ${zone}`;
    if (missing === 0) return `${adopt === true ? "Up to " : ""}${added}. ${cost}`;
    return `Up to ${added}: ${missing} that this resource had are gone, and any that have come in their place count. ${cost}`;
  },

  holdings(id, { ips, adding }) {
    if (id === undefined) return { has: [] };
    const { zone } = identity(id);
    const open = adding === undefined ? [] : [ipThing(zone, "being added")];
    return { has: [...(Array.isArray(ips) ? ips.map((ip) => ipThing(zone, String(ip))) : []), ...open] };
  },

  without: (state, others) => leftTo(state, (ip) => others.has(ipThing(state.zone, ip))),

  async create(inputs, step) {
    const id = `${inputs.zone}/${inputs.kind ?? "ips"}`;
    return { id, state: await sync(id, { ips: [] }, inputs, step) };
  },

  async read(id, inputs, step, state) {
    const list = listOf(id, step);
    const { zone, kind } = list;
    if (inputs === undefined) {
      const present = await unlessGone(zone, step, () => list.present());
      return present && stateOfImport({ zone, kind, count: present.length }, namesIn(present), present);
    }
    const sight = await unlessGone(zone, step, () => list.sight(ipsIn(state), awaitedIn(state)));
    if (sight === undefined) return undefined;
    const { present, doubtful } = sight;
    if (isImported(state)) return stateOfImport(inputs, await imported(inputs, present, list), present);
    list.sayDoubtful(doubtful);
    const { ips, supposed, lost } = await keptOf(state, sight, list);
    // What an addition has brought, the next update finds: it knows who else has what.
    const { adding } = state;
    const { others: presentOthers, ...known } = stateOf(inputs, ips, present, {
      supposed,
      unclaimed: unclaimedIn(state, present),
    });
    const isKnown = lost === 0 && (state.others === undefined || without(ips, ipsIn(state)).length > 0);
    const others = isKnown ? presentOthers : state.others && without(state.others, ips);
    return {
      ...known,
      ...(others && { others }),
      ...missingOf(lost, state, present, list),
      ...(adding && { adding }),
      ...carried(state, sight, ips),
    };
  },

  update: (id, state, _declared, inputs, step) => sync(id, state, inputs, step),

  async delete(id, recorded, step) {
    const list = listOf(id, step);
    const { zone } = list;
    const giveBack = async () => {
      // Another resource may have taken some over before this one had its turn.
      const taken = ipsIn(recorded).filter((ip) => list.isAnothers(ip));
      step.context.claims.note(
        "standing",
        taken.map((ip) => ipThing(zone, ip)),
      );
      const state = leftTo(recorded, (ip) => taken.includes(ip));
      const { gone, present } = await list.sight(ipsIn(state), awaitedIn(state));
      const late = await latecomers(state, state, list, true);
      const absent = gone.length + missingIn(state);
      const come = absent === 0 ? [] : without(newcomers(state, present, list), late);
      // That as many have come as are gone is enough to keep them, and not enough to give them back.
      const exchanged = broughtIn(state, come, list).slice(0, absent);
      const supposed = supposedIn(state).filter((ip) => !isBrought(ip, list) && !gone.includes(ip));
      const regained = broughtAfterAll(state, present, list);
      const others = [...supposed, ...without(come, exchanged)];
      const lost = absent - exchanged.length + supposed.length;
      if (lost > 0 && others.length > 0) step.say?.(leftAlone(zone, lost, others));
      await list.giveBack([...without(ipsIn(state), supposed), ...late, ...exchanged, ...regained], awaitedIn(state));
    };
    await alone(zone, step, () => unlessGone(zone, step, giveBack));
  },

  async list(step) {
    const ids = (await zoneNames(step)).map(async (name) => {
      const zone = await unlessGone(name, step, () => step.context.remote.zones.get(name, step.deadline));
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
  if (zone && isIpKind(kind) && more.length === 0) return { zone, kind };
  throw new ArgumentError(
    `${JSON.stringify(id)} is not the id of a zone's IPs: expected the zone and "ips" or "gips", such as "web/ips".`,
  );
}

function listOf(id: string, step: Step): IpList {
  const { zone, kind } = identity(id);
  return new IpList(zone, kind, step);
}

/** Makes the IPs what is declared. That the resource has them is known before the next one of the zone has its turn. */
async function sync(id: string, before: Known<State>, inputs: Inputs, step: Step): Promise<State> {
  const list = listOf(id, step);
  const things = (ips: readonly string[]) => ips.map((ip) => ipThing(list.zone, ip));
  const claim = (ips: readonly string[]) => step.me && step.context.claims.made(step.me, things(ips));
  return alone(list.zone, list.step, async () => {
    try {
      const state = await syncAlone(id, before, inputs, list);
      claim(state.ips);
      return state;
    } catch (error) {
      if (error instanceof PartialFailure) claim(ipsIn(error.state));
      throw error;
    }
  });
}

/** Adds what is lacking, or gives back the surplus, the newest first. */
async function syncAlone(id: string, before: Known<State>, inputs: Inputs, list: IpList): Promise<State> {
  // It says too, before anything is paid for, whether the zone can have any.
  if (isImported(before)) return takeOver(before, inputs, await list.present(), list);
  const observed = await observe(before, inputs, list);
  const { present, uncertain, sight } = observed;
  const ips = await ensure(id, observed, inputs, list);
  const { kept, unwanted, dropped } = await surplus(ips, uncertain.supposed, inputs.count, list);
  const left = {
    supposed: without(uncertain.supposed, dropped),
    unclaimed: [...uncertain.unclaimed, ...dropped],
  };
  const state = (own: readonly string[], others: readonly ZoneIp[]): State => ({
    ...stateOf(inputs, own, others, left),
    ...carried(before, sight, own),
  });
  await list.giveBack(unwanted, awaitedIn(before)).catch(keeping(id, state([...kept, ...unwanted], present)));
  return state(
    kept,
    present.filter(({ name }) => !unwanted.includes(name)),
  );
}

interface Observed {
  /** What is the resource's own of what the zone has. */
  own: string[];
  uncertain: Uncertain;
  /** How many are to be added. */
  lacking: number;
  before: Known<State>;
  /** What an addition that no state has yet has brought of its own. */
  come: readonly string[];
  present: readonly ZoneIp[];
  sight: Sight;
}

async function observe(recorded: Known<State>, inputs: Inputs, list: IpList): Promise<Observed> {
  const isAnyTaken = inputs.adopt === true;
  const late = await latecomers(recorded, inputs, list);
  const before = { ...recorded, ips: [...ipsIn(recorded), ...late] };
  const sight = await list.sight(ipsIn(before), awaitedIn(before));
  const { present, doubtful } = sight;
  list.sayDoubtful(doubtful);
  const { ips, supposed, lost } = await keptOf(before, sight, list, inputs.count);
  if (isAnyTaken && ips.length < inputs.count) {
    // What is not listed cannot be taken over, and would be bought.
    await list.requireWhole(present.length + doubtful.length);
    await list.step.others?.();
  }
  const own = isAnyTaken ? withFree(ips, inputs, present, list) : ips;
  // As many as the preview has said: what was found to be lost only now is for the next one to tell of.
  const announced = lackingIn(before, inputs.count) - without(own, ips).length;
  const missing = inputs.count - own.length;
  const lacking = Math.min(announced, missing);
  if (lost > 0 && Math.max(0, lacking) < missing)
    list.step.say?.(`${goneOf(list.zone, lost, list.noun)}: the next update sees to that.`);
  const unclaimed = without(unclaimedIn(recorded, present), own);
  const uncertain = { supposed: isAnyTaken ? [] : supposed, unclaimed };
  return { own, uncertain, lacking, before, come: late, present, sight };
}

async function ensure(
  id: string,
  { own, uncertain, lacking, before, come, present, sight }: Observed,
  inputs: Inputs,
  list: IpList,
): Promise<string[]> {
  const { count } = inputs;
  const title = `Zone ${JSON.stringify(list.zone)}`;
  if (list.kind === "gips" && own.length < count) {
    throw new ArgumentError(
      `${title} has ${counted(own.length, "gIP")} and not ${grouped(count)}, and the service has no call that adds any: their number is given with the zone's plan (\`vips\`). Lower \`count\`, or declare a zone with more.`,
    );
  }
  if (lacking <= 0) return own;
  const asked = { before: namesIn(present), own: ipsIn(before), come, count: lacking };
  const unsure = { ...stateOf(inputs, own, present, uncertain), ...carried(before, sight, own) };
  const added = await add(asked, inputs, list, (adding) => ({ id, state: { ...unsure, ...(adding && { adding }) } }));
  const ips = [...own, ...added];
  const awaited = { since: new Date().toISOString(), ips: [...awaitedIn(unsure), ...added] };
  const appear = async () => {
    const waiting = `waiting for zone ${JSON.stringify(list.zone)} to list its new IPs`;
    await list.step.deadline.poll(waiting, async () => without(added, await list.names()).length === 0 || undefined);
    awaited.ips = awaitedIn(unsure);
    if (added.length >= lacking) return ips;
    throw new BrightDataError(
      `${title} was given too few IPs: there are ${grouped(ips.length)} now and not ${grouped(count)}. Run again later, or lower \`count\`.`,
    );
  };
  return appear().catch((cause: unknown) => {
    const open = awaited.ips.length === 0 ? {} : { awaited };
    return keeping(id, { ...stateOf(inputs, ips, present, uncertain), ...open })(cause);
  });
}

/** None is added or given back for an import file: the preview before it could not tell how many there are. */
async function takeOver(
  { count: imports }: Known<State>,
  inputs: Inputs,
  present: readonly ZoneIp[],
  list: IpList,
): Promise<State> {
  const ips = await imported({ ...inputs, count: Math.min(inputs.count, imports ?? inputs.count) }, present, list);
  if (ips.length < inputs.count) {
    list.step.say?.(
      `${counted(ips.length, "IP")} of zone ${inputs.zone} ${ips.length === 1 ? "is" : "are"} imported, and ${grouped(inputs.count)} are declared. The next update adds the others.`,
    );
  }
  return stateOfImport(inputs, ips, present);
}

/** As many of the zone's IPs as an import file says. What a list lacks would be bought by the next update. */
async function imported(inputs: Inputs, present: readonly ZoneIp[], list: IpList): Promise<string[]> {
  const ips = withFree([], inputs, present, list);
  if (ips.length < inputs.count) await list.requireWhole(present.length);
  return ips;
}
