import { BrightDataError } from "../../base/errors";
import type { Run } from "../../lifecycle/lifecycle";

/** A proxy IP of a zone, or one of its gIPs. */
export interface ZoneIp {
  /** The address, or the gIP's name. */
  name: string;
  /** Where geolocation databases see it, as two-letter codes; none where the service does not tell. */
  countries: readonly string[];
}

/** The proxy IPs of a zone (`ips`), or the groups of residential ones under one name that the service calls gIPs. */
export const IP_KINDS = {
  ips: {
    words: "IPs",
    async list(zone, { context }, signal) {
      const ips = await context.remote.ips.list(zone, { signal });
      return ips.map(({ ip, countries }) => ({ name: ip, countries: Object.values(countries) }));
    },
    remove: (zone, ips, { context }, signal) => context.remote.ips.remove(zone, ips, { signal }),
  },
  gips: {
    words: "gIPs",
    async list(zone, run, signal) {
      const names = await run.context.remote.ips.listGips(zone, { signal });
      if (names.length === 0) await confirmNone(zone, run, signal);
      return names.map((name) => ({ name, countries: [] }));
    },
    remove: (zone, gips, { context }, signal) => context.remote.ips.removeGips(zone, gips, { signal }),
  },
} satisfies Record<string, IpOperations>;

export type IpKind = keyof typeof IP_KINDS;

export interface IpOperations {
  words: string;
  list(zone: string, run: Run, signal: AbortSignal): Promise<ZoneIp[]>;
  remove(zone: string, names: readonly string[], run: Run, signal: AbortSignal): Promise<unknown>;
}

/** What stands in one list and not in another. */
export const without = (names: readonly string[], others: readonly string[]): string[] =>
  names.filter((name) => !others.includes(name));

/** An empty list says little, and to believe it is to forget what is paid for: the zone's plan has to say the same. */
async function confirmNone(zone: string, { context }: Run, signal: AbortSignal): Promise<void> {
  const { plan } = await context.remote.zones.get(zone, { signal });
  if (Number(plan.vips ?? 0) === 0) return;
  throw new BrightDataError(
    `The service lists no gIPs for zone ${JSON.stringify(zone)}, but the zone's plan has ${plan.vips}. Nothing was changed. Run again later.`,
  );
}
