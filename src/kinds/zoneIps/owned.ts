import { counted } from "../../base/counted";
import type { InputsOf, StateOf } from "../../declaration/kind";
import { present as given } from "../../http/optional";
import type { Known } from "../../lifecycle/define";
import { ipThing } from "../shared/things";
import type { zoneIps } from "./declaration";
import { type IpList, namesIn, type Sight, without, type ZoneIp } from "./ipLists";

export type Inputs = InputsOf<typeof zoneIps>;
export type State = StateOf<typeof zoneIps>;

/** The IPs of a state. One that came from an import file knows no outputs. */
export const ipsIn = ({ ips = [] }: Known<State>): string[] => ips;

export const isImported = ({ ips }: Known<State>): boolean => ips === undefined;

export const whereIn = ({ country, countryCity }: Known<Inputs>) => given({ country, countryCity });

/** Whether an IP is where it should be; a city's name begins with that of its country. */
export const isPlaced = ({ countries }: ZoneIp, { country, countryCity }: Known<Inputs>): boolean =>
  [country, countryCity].every((place) => place === undefined || countries.includes(place.slice(0, 2)));

export const stateOf = (
  inputs: Inputs,
  ips: readonly string[],
  present: readonly ZoneIp[],
  uncertain: Partial<Uncertain> = {},
): State => ({
  ...inputs,
  count: ips.length,
  ips: [...ips],
  others: without(namesIn(present), ips),
  ...uncertainOf(uncertain),
});

/** The state of IPs that were imported: nobody has declared where they are, so it says in which countries they all are. */
export function stateOfImport(inputs: Inputs, ips: readonly string[], present: readonly ZoneIp[]): State {
  const [first, ...more] = present.filter(({ name }) => ips.includes(name)).map(({ countries }) => countries);
  const shared = [...new Set(first)].filter((country) => more.every((countries) => countries.includes(country)));
  return { ...stateOf(inputs, ips, present), ...(shared.length > 0 && { countries: shared }) };
}

/** The IPs of which a state does not know whose they are: those that it counts as its own, and those that it has left alone. */
export interface Uncertain {
  supposed: readonly string[];
  unclaimed: readonly string[];
}

const uncertainOf = (uncertain: Partial<Uncertain>): Pick<State, "supposed" | "unclaimed"> =>
  Object.fromEntries(Object.entries(uncertain).filter(([, ips]) => ips.length > 0));

/** IPs of a resource, and up to the number wanted some that the zone has and nobody else of the program. */
export function withFree(own: readonly string[], inputs: Inputs, present: readonly ZoneIp[], list: IpList): string[] {
  const free = present.filter((ip) => isPlaced(ip, inputs) && !list.isAnothers(ip.name));
  const lacking = Math.max(0, inputs.count - own.length);
  return [...own, ...without(namesIn(free), own).slice(0, lacking)];
}

/** The state without the IPs that other resources have. */
export function leftTo({ supposed = [], unclaimed = [], ...state }: State, isAnothers: (ip: string) => boolean): State {
  const isFree = (ip: string) => !isAnothers(ip);
  const ips = ipsIn(state).filter(isFree);
  const doubtful = supposed.filter((ip) => ips.includes(ip));
  return {
    ...state,
    count: ips.length,
    ips,
    ...uncertainOf({ supposed: doubtful, unclaimed: unclaimed.filter(isFree) }),
  };
}

/** What a resource keeps of its IPs. */
export interface Kept {
  ips: string[];
  /** Those among them that nothing but their number says to have come in the place of others. */
  supposed: string[];
  /** How many certainly are gone, and nothing has come in their place. */
  lost: number;
}

/**
 * The resource's own IPs but for those that certainly are gone, and those that have come in the place of others: these can be
 * exchanged for new ones, by a `ZoneIpRefresh`, by hand or by the service itself. The service does not say for which. Where as
 * many have come as are gone, of its own or of all of the zone's, they are counted, so that none is bought in their place; but
 * they may be somebody else's, and are given back only where a `ZoneIpRefresh` has brought them, or where the program has IPs of
 * the zone taken over.
 *
 * @param wanted how many there are to be; without it, as in a refresh, which does not know who else has IPs, what nothing but
 *   their number says is left to the next update
 */
export async function keptOf(
  state: Known<State>,
  { gone, present }: Sight,
  list: IpList,
  wanted?: number,
): Promise<Kept> {
  const isReading = wanted === undefined;
  const doubtful = without(supposedIn(state), gone).filter((ip) => !isBrought(ip, list));
  const open = [...doubtful, ...unclaimedIn(state, present)];
  if (!isReading && open.length + gone.length + missingIn(state) > 0) await list.step.others?.();
  const anothers = open.filter((ip) => ipsIn(state).includes(ip) && isClaimed(ip, list));
  const own = [...without(ipsIn(state), [...gone, ...anothers]), ...broughtAfterAll(state, present, list)];
  const supposed = without(doubtful, anothers);
  const lost = missingIn(state) + gone.length + anothers.length;
  if (lost === 0) return { ips: own, supposed, lost };
  const come = newcomers(state, present, list);
  const brought = broughtIn(state, come, list);
  const theirs = without(state.others ?? [], namesIn(present)).length;
  const certain = Math.min(lost, Math.max(0, broughtInAll(state, list) - theirs));
  const sought = { lost, theirs, certain, lacking: (wanted ?? 0) - own.length };
  const exchanged = isReading ? onlyThese(brought, sought, come) : exchangedFor(sought, come, brought);
  const left = without(brought, exchanged);
  if (!isReading && exchanged.length < lost && left.length > 0)
    list.step.say?.(leftAlone(list.zone, lost - exchanged.length, left));
  const unsure = without(exchanged, brought);
  return { ips: [...own, ...exchanged], supposed: [...supposed, ...unsure], lost: lost - exchanged.length };
}

/** Of the newcomers, those that a `ZoneIpRefresh` has brought, as this run or the refresh before it knows. */
export const broughtIn = ({ brought = [] }: Known<State>, come: readonly string[], list: IpList): string[] =>
  come.filter((ip) => isBrought(ip, list) || brought.includes(ip));

/** How many IPs a resource looks for. */
interface SoughtIps {
  /** So many of its own are gone, */
  lost: number;
  /** so many that others had, */
  theirs: number;
  /** so many of its own have certainly been exchanged, */
  certain: number;
  /** and it lacks so many of what is wanted. */
  lacking: number;
}

/** How many IPs were brought since the state was written, whoever has them now. */
function broughtInAll({ ips = [], others = [], brought = [] }: Known<State>, { zone, step }: IpList): number {
  const [end, known] = [` of zone ${zone}`, new Set([...ips, ...others].map((ip) => ipThing(zone, ip)))];
  const things = new Set([...step.context.claims.brought, ...brought.map((ip) => ipThing(zone, ip))]);
  return [...things].filter((thing) => thing.endsWith(end) && !known.has(thing)).length;
}

/** What was brought, if it is all that has come, and as many as are gone: nobody else can mean it, too. */
const onlyThese = (
  brought: readonly string[],
  { lost, theirs }: SoughtIps,
  come: readonly string[],
): readonly string[] => (brought.length === lost && come.length === lost && theirs === 0 ? brought : []);

/**
 * Of the newcomers, those that count in the place of so many that are gone. IPs of others may be exchanged at the same time, and
 * some may have been given back elsewhere: no more are counted then than are wanted, or the surplus would be given back.
 */
function exchangedFor(
  { lost, theirs, certain, lacking }: SoughtIps,
  come: readonly string[],
  brought: readonly string[],
): readonly string[] {
  if (brought.length >= lost) return brought.slice(0, Math.max(certain, Math.min(lost, lacking)));
  return [lost, lost + theirs].includes(come.length) ? come.slice(0, lost) : brought.slice(0, certain);
}

/** What a reading says of IPs that are gone: how many, and what was brought, of which an update can tell whose it is. */
export function missingOf(lost: number, state: Known<State>, present: readonly ZoneIp[], list: IpList) {
  const brought = broughtIn(state, newcomers(state, present, list), list);
  return lost === 0 ? {} : { missing: lost, ...(brought.length > 0 && { brought }) };
}

/** Whether a `ZoneIpRefresh` has brought an IP, as far as this run knows: an update comes to it after the IPs. */
export const isBrought = (ip: string, { zone, step }: IpList): boolean =>
  step.context.claims.brought.has(ipThing(zone, ip));

/** Of the IPs that were left alone, those that turn out to be the resource's own. */
export const broughtAfterAll = (state: Known<State>, present: readonly ZoneIp[], list: IpList): string[] =>
  without(unclaimedIn(state, present), ipsIn(state)).filter((ip) => isBrought(ip, list) && !isClaimed(ip, list));

const isClaimed = (ip: string, { zone, step }: IpList): boolean =>
  step.context.claims.whoHas(ipThing(zone, ip), step.me) !== undefined;

/** The IPs that an update has left alone because nothing told it that they are the resource's own. */
export const unclaimedIn = ({ unclaimed = [] }: Known<State>, present: readonly ZoneIp[]): string[] =>
  unclaimed.filter((ip) => namesIn(present).includes(ip));

/** The IPs of a state that may be somebody else's. */
export const supposedIn = ({ supposed = [] }: Known<State>): string[] => supposed;

/** What a resource parts with to have fewer IPs: what may be somebody else's is dropped, the newest of the rest is given back. */
export function surplusOf(ips: readonly string[], supposed: readonly string[], extra: number) {
  const dropped = supposed.slice(0, extra);
  const own = without(ips, supposed);
  return { dropped, unwanted: own.slice(own.length - (extra - dropped.length)) };
}

/** How many IPs a refresh has found gone, and no update has seen to. */
export const missingIn = ({ missing = 0 }: Known<State>): number => missing;

/** For how long IPs that an answer gave count as being there, whatever the service lists. */
const AWAITED_MS = 3_600_000;

/** The IPs that an answer gave a short while ago, and that nobody has seen listed. */
export const awaitedIn = ({ awaited }: Known<State>): string[] =>
  awaited !== undefined && Date.now() - Date.parse(awaited.since) < AWAITED_MS ? awaited.ips : [];

/** What a state goes on saying: those of them that are not listed yet, and where IPs were imported, while it has no others. */
export function carried(
  state: Known<State>,
  { there }: Sight,
  kept: readonly string[],
): Pick<State, "awaited" | "countries"> {
  const ips = without(awaitedIn(state), there).filter((ip) => kept.includes(ip));
  const isSame = without(kept, ipsIn(state)).length === 0;
  return {
    ...(ips.length > 0 && { awaited: { since: state.awaited?.since ?? "", ips } }),
    ...(isSame && given({ countries: state.countries })),
  };
}

/** How many IPs an update is to add, by what the state has; fewer than none where it is to give some back. */
export const lackingIn = (state: Known<State>, count: number): number => count - ipsIn(state).length;

/** What a preview says of IPs that may be taken over instead of being bought. */
export const takenFirst = (adopt: unknown): string =>
  adopt === true ? " Those that it has already are taken over first." : "";

export const goneOf = (zone: string, gone: number, noun: string): string =>
  `${counted(gone, noun)} of zone ${zone} ${gone === 1 ? "is" : "are"} gone that this resource had`;

/** Says which IPs a resource cannot tell from somebody else's. */
export const leftAlone = (zone: string, gone: number, come: readonly string[]): string =>
  `${goneOf(zone, gone, "IP")}, and ${come.join(", ")} ${come.length === 1 ? "has" : "have"} come since. Whether as a replacement is not certain, so what has come is left alone. Each IP costs money: give back those that you do not need.`;

/** What there is too much of: what is or may be somebody else's is left alone, and the rest is given back, the newest first. */
export async function surplus(ips: readonly string[], supposed: readonly string[], count: number, list: IpList) {
  const { zone, step } = list;
  const extra = Math.max(0, ips.length - count);
  if (extra > 0) await step.others?.();
  // An import has taken what others had, too.
  const shared = ips.filter((ip) => list.isAnothers(ip));
  const parted = surplusOf(ips, [...shared, ...without(supposed, shared)], extra);
  const dropped = without(parted.dropped, shared);
  if (dropped.length > 0) step.say?.(`${leftAlone(zone, dropped.length, dropped)} ${REGAINED}`);
  return { kept: without(ips, [...parted.dropped, ...parted.unwanted]), unwanted: parted.unwanted, dropped };
}

const REGAINED =
  "If a ZoneIpRefresh has exchanged them, run `pulumi refresh` and then `pulumi up`, which gives them back.";

/**
 * The IPs that have come to a zone since its state was written, and that are nobody else's of this program. Those where the
 * resource's IPs should be come first, and of these those that are listed where its own were, behind what others had: a resource
 * of another stack, or one that is not in this run, takes those where its own were.
 */
export function newcomers(state: Known<State>, present: readonly ZoneIp[], list: IpList): string[] {
  const { ips = [], others } = state;
  if (others === undefined) return [];
  const ownFirst = [...present.slice(others.length), ...present.slice(0, others.length)];
  const nearFirst = ownFirst.sort((one, other) => Number(isPlaced(other, state)) - Number(isPlaced(one, state)));
  return without(namesIn(nearFirst), [...ips, ...others]).filter((ip) => !isClaimed(ip, list));
}
