import { ArgumentError, BrightDataError } from "../../base/errors";
import type { Known } from "../../lifecycle/define";
import { lifecycle } from "../../lifecycle/define";
import { keeping, type Run } from "../../lifecycle/lifecycle";
import { ipThing } from "../shared/things";
import { unlessGone } from "../zone/gone";
import { monthly, planFor } from "../zone/pieces";
import { zoneNames } from "../zone/zoneNames";
import { add, latecomers } from "./addition";
import { zoneIps } from "./declaration";
import { type IpKind, IpList, isIpKind, namesIn, without, type ZoneIp } from "./ipLists";
import { type Inputs, ipsIn, isImported, keptOf, newcomers, owned, type State } from "./owned";

/** The inputs that say where the IPs should be. */
const PLACES: readonly string[] = ["country", "countryCity"];

export const zoneIpsLifecycle = lifecycle(zoneIps, {
  resumes: true,

  open: ({ adding }) => (adding === undefined ? [] : ["adding"]),

  judge: (difference, _state, _declared, { adopt }) => ({
    ...difference,
    // The new one would take over the IPs of the old one.
    deleteBeforeReplace: adopt === true && difference.replaces.some((name) => PLACES.includes(name)),
  }),

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
    const list = listOf(id, run);
    const { zone, kind } = list;
    const present = await unlessGone(zone, run, () => list.present());
    if (present === undefined) return undefined;
    if (inputs === undefined) return { zone, kind, count: present.length, ips: namesIn(present) };
    if (isImported(state)) return stateOf(inputs, owned(state, inputs, present, list), present);
    const kept = await keptOf(state, present, list);
    // What an addition has brought, the next update finds: it knows who else has what.
    const { adding, others } = state;
    const isExchanged = without(kept, ipsIn(state)).length > 0;
    const known = isExchanged ? stateOf(inputs, kept, present) : { ...inputs, count: kept.length, ips: kept };
    return { ...known, ...(!isExchanged && others && { others }), ...(adding && { adding }) };
  },

  update: (id, state, _declared, inputs, run) => sync(id, state, inputs, run),

  async delete(id, state, run) {
    const list = listOf(id, run);
    const { zone } = list;
    const giveBack = async () => {
      const present = await list.present();
      const lost = without(ipsIn(state), namesIn(present)).length;
      const late = await latecomers(state, state, list, true);
      const come = lost === 0 ? [] : without(newcomers(state, present, list), late);
      // That as many have come as are gone is enough to keep them, and not enough to give them back.
      const exchanged = come.filter((ip) => run.context.claims.brought.has(ipThing(zone, ip))).slice(0, lost);
      const others = without(come, exchanged);
      if (lost > exchanged.length && others.length > 0) {
        run.say?.(
          `${lost - exchanged.length} IPs of zone ${zone} are gone that this resource had, and ${others.join(", ")} have come since. Whether they came in their place is not certain, so they are left alone. They cost money: give back those that you do not need.`,
        );
      }
      await list.giveBack([...ipsIn(state), ...late, ...exchanged]);
    };
    await alone(list, () => unlessGone(zone, run, giveBack));
  },

  async list(run) {
    const ids = (await zoneNames(run)).map(async (name) => {
      const zone = await unlessGone(name, run, () => run.context.remote.zones.get(name, run.deadline));
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

function listOf(id: string, run: Run): IpList {
  const { zone, kind } = identity(id);
  return new IpList(zone, kind, run);
}

// What is added is told from what was there before: additions to one zone must not overlap.
const alone = <T>({ zone, run }: IpList, task: () => Promise<T>): Promise<T> =>
  run.context.alone(`IPs of zone ${zone}`, task);

const stateOf = (inputs: Inputs, ips: readonly string[], present: readonly ZoneIp[]): State => ({
  ...inputs,
  count: ips.length,
  ips: [...ips],
  others: without(namesIn(present), ips),
});

/** Adds what is lacking, or gives back the surplus, the newest first. */
async function sync(id: string, before: Known<State>, inputs: Inputs, run: Run): Promise<State> {
  const list = listOf(id, run);
  return alone(list, async () => {
    // It says too, before anything is paid for, whether the zone can have any.
    if (isImported(before)) return takeOver(before, inputs, await list.present(), list);
    const observed = await observe(before, inputs, list);
    const { own, present } = observed;
    const ips = own.length < inputs.count ? await ensure(id, observed, before, inputs, list) : own;
    await list.giveBack(ips.slice(inputs.count)).catch(keeping(id, stateOf(inputs, ips, present)));
    const others = present.filter(({ name }) => !ips.includes(name));
    return stateOf(inputs, ips.slice(0, inputs.count), others);
  });
}

interface Observed {
  /** What is the resource's own of what the zone has. */
  own: string[];
  present: readonly ZoneIp[];
}

async function observe(before: Known<State>, inputs: Inputs, list: IpList): Promise<Observed> {
  const late = await latecomers(before, inputs, list);
  const present = await list.present();
  const kept = await keptOf(before, present, list);
  if (inputs.adopt === true && kept.length + late.length < inputs.count) await list.run.others?.();
  return { own: owned({ ips: [...kept, ...late] }, inputs, present, list), present };
}

async function ensure(
  id: string,
  { own, present }: Observed,
  before: Known<State>,
  inputs: Inputs,
  list: IpList,
): Promise<string[]> {
  const { count } = inputs;
  const title = `Zone ${JSON.stringify(list.zone)}`;
  if (list.kind === "gips") {
    throw new ArgumentError(
      `${title} has ${own.length} gIPs and not ${count}, and the service has no call that adds any: their number is given with the zone's plan (\`vips\`). Lower \`count\`, or declare a zone with more.`,
    );
  }
  const lacking = { before: namesIn(present), own: ipsIn(before), count: count - own.length };
  const unsure = stateOf(inputs, own, present);
  const added = await add(lacking, inputs, list, (adding) => ({ id, state: { ...unsure, adding } }));
  const ips = [...own, ...added];
  const appear = async () => {
    // One that is missing at the next refresh would be bought again.
    const waiting = `waiting for zone ${JSON.stringify(list.zone)} to list its new IPs`;
    await list.run.deadline.poll(waiting, async () => without(ips, await list.names()).length === 0 || undefined);
    if (ips.length >= count) return ips;
    throw new BrightDataError(
      `${title} was given too few IPs: there are ${ips.length} now and not ${count}. Run again later, or lower \`count\`.`,
    );
  };
  return appear().catch(keeping(id, stateOf(inputs, ips, present)));
}

/** None is added or given back for an import file: the preview before it could not tell how many there are. */
function takeOver(imported: Known<State>, inputs: Inputs, present: readonly ZoneIp[], list: IpList): State {
  const count = Math.min(inputs.count, imported.count ?? inputs.count);
  const ips = owned(imported, { ...inputs, count }, present, list);
  if (ips.length < inputs.count) {
    list.run.say?.(
      `${ips.length} IPs of zone ${inputs.zone} are imported, and ${inputs.count} are declared. The next update adds the others.`,
    );
  }
  return stateOf(inputs, ips, present);
}
