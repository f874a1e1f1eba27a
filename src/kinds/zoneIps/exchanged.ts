import type { Known } from "../../lifecycle/define";
import type { Run } from "../../lifecycle/lifecycle";

import { ipThing } from "../shared/things";
import { without, type ZoneIp } from "./ipLists";

/** What the state of a `ZoneIps` tells of the zone's IPs: its own, and those that the zone had besides. */
export type Had = Known<{ ips: string[]; others: string[] }>;

/**
 * What has come in the place of IPs that the zone does not have any more: they can be exchanged for new ones, by a
 * `ZoneIpRefresh`, by hand or by the service itself. The service does not say for which, so this is certain only where as many
 * have come as are gone, and nobody else of the program has them.
 *
 * @returns the new ones in place of those that are gone; none where there is no telling
 */
export function successors(zone: string, { ips = [], others }: Had, present: readonly ZoneIp[], run: Run): string[] {
  const gone = without(ips, namesOf(present));
  if (gone.length === 0) return [];
  const come = newcomers(zone, { ips, others }, present, run);
  return come.length === gone.length ? come : [];
}

/** The IPs that have come to a zone since its state was written, and that are nobody else's of this program. */
export function newcomers(zone: string, { ips = [], others }: Had, present: readonly ZoneIp[], run: Run): string[] {
  if (others === undefined) return [];
  const isNobodys = (ip: string) => run.context.claims.whoHas(ipThing(zone, ip), run.me) === undefined;
  return without(namesOf(present), [...ips, ...others]).filter(isNobodys);
}

const namesOf = (present: readonly ZoneIp[]): string[] => present.map(({ name }) => name);
