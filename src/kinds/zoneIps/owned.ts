import type { InputsOf, StateOf } from "../../declaration/kind";
import { present as given } from "../../http/optional";
import type { Known } from "../../lifecycle/define";
import { ipThing } from "../shared/things";
import type { zoneIps } from "./declaration";
import { type IpList, namesIn, without, type ZoneIp } from "./ipLists";

export type Inputs = InputsOf<typeof zoneIps>;
export type State = StateOf<typeof zoneIps>;

/** The IPs of a state. One that came from an import file knows no outputs. */
export const ipsIn = ({ ips = [] }: Known<State>): string[] => ips;

export const isImported = ({ ips }: Known<State>): boolean => ips === undefined;

export const whereIn = ({ country, countryCity }: Known<Inputs>) => given({ country, countryCity });

/** Whether an IP is where it should be; a city's name begins with that of its country. */
export const isPlaced = ({ countries }: ZoneIp, { country, countryCity }: Known<Inputs>): boolean =>
  [country, countryCity].every(
    (place) => place === undefined || countries.some((code) => code.toLowerCase() === place.slice(0, 2)),
  );

/**
 * The resource's own IPs that the zone still has. Where others may be taken over, or where an import file does not say which
 * they are, some that nobody else of the program has, up to the number wanted.
 */
export function owned(state: Known<State>, inputs: Inputs, present: readonly ZoneIp[], list: IpList): string[] {
  const names = namesIn(present);
  const own = ipsIn(state).filter((ip) => names.includes(ip));
  if (inputs.adopt !== true && !isImported(state)) return own;
  const free = present.filter((ip) => isPlaced(ip, inputs) && !list.isAnothers(ip.name));
  const lacking = Math.max(0, inputs.count - own.length);
  return [...own, ...without(namesIn(free), own).slice(0, lacking)];
}

/**
 * The resource's own IPs that the zone still has, and those that have come in the place of others: these can be exchanged for new
 * ones, by a `ZoneIpRefresh`, by hand or by the service itself. The service does not say for which, so this is certain only where
 * as many have come as are gone.
 */
export async function keptOf(state: Known<State>, present: readonly ZoneIp[], list: IpList): Promise<string[]> {
  const names = namesIn(present);
  const own = ipsIn(state).filter((ip) => names.includes(ip));
  const gone = ipsIn(state).length - own.length;
  if (gone === 0) return own;
  await list.run.others?.();
  const come = newcomers(state, present, list);
  return come.length === gone ? [...own, ...come] : own;
}

/** The IPs that have come to a zone since its state was written, and that are nobody else's of this program. */
export function newcomers(
  { ips = [], others }: Known<State>,
  present: readonly ZoneIp[],
  { zone, run }: IpList,
): string[] {
  if (others === undefined) return [];
  const isNobodys = (ip: string) => run.context.claims.whoHas(ipThing(zone, ip), run.me) === undefined;
  return without(namesIn(present), [...ips, ...others]).filter(isNobodys);
}
