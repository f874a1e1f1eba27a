import type { Run } from "./lifecycle";

/** The proxy IPs of a zone (`ips`), or the groups of residential ones under one name that the service calls gIPs. */
export const IP_KINDS = {
  ips: {
    words: "IPs",
    list: async (zone, { context }, signal) => (await context.remote.ips.list(zone, { signal })).map(({ ip }) => ip),
    remove: (zone, ips, { context }, signal) => context.remote.ips.remove(zone, ips, { signal }),
  },
  gips: {
    words: "gIPs",
    list: (zone, { context }, signal) => context.remote.ips.listGips(zone, { signal }),
    remove: (zone, gips, { context }, signal) => context.remote.ips.removeGips(zone, gips, { signal }),
  },
} satisfies Record<string, IpOperations>;

export type IpKind = keyof typeof IP_KINDS;

export interface IpOperations {
  words: string;
  list(zone: string, run: Run, signal: AbortSignal): Promise<string[]>;
  remove(zone: string, names: readonly string[], run: Run, signal: AbortSignal): Promise<unknown>;
}

/** What stands in one list and not in another. */
export const without = (names: readonly string[], others: readonly string[]): string[] =>
  names.filter((name) => !others.includes(name));
