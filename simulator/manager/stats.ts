import type { RequestLog } from "./requestLog";

/** One line of the statistics: how much was asked for of one host, with one status, and so on. */
export interface Count {
  key: unknown;
  in_bw: number;
  out_bw: number;
  reqs: number;
  success: number;
  bypass_bw: number;
  bypass_cost: number;
}

const FIELDS = ["port", "status_code", "hostname", "protocol"] as const;

export type CountedField = (typeof FIELDS)[number];

/** What has gone through the ports since the counts were cleared, whatever the logs keep of it. */
export class Stats {
  readonly #counts: Readonly<Record<CountedField, Map<unknown, Count>>> = {
    port: new Map(),
    status_code: new Map(),
    hostname: new Map(),
    protocol: new Map(),
  };

  /** @param gbCost of the port, in US dollars */
  add(log: RequestLog, gbCost: number): void {
    // The manager leaves out what moved no byte.
    const bytes = log.in_bw + log.out_bw;
    if (bytes === 0) return;
    const bypassed = log.lum_traffic === false ? bytes : 0;
    for (const field of FIELDS) {
      const key = log[field];
      if (!key) continue;
      const none = { in_bw: 0, out_bw: 0, reqs: 0, success: 0, bypass_bw: 0, bypass_cost: 0 };
      const count = this.#counts[field].get(key) ?? { key, ...none };
      count.in_bw += log.in_bw;
      count.out_bw += log.out_bw;
      count.reqs += 1;
      count.success += log.success;
      count.bypass_bw += bypassed;
      count.bypass_cost += (bypassed * gbCost) / 1e9;
      this.#counts[field].set(key, count);
    }
  }

  /** The most asked for first. */
  by(field: CountedField): Count[] {
    return [...this.#counts[field].values()].sort((a, b) => b.reqs - a.reqs);
  }

  clear(): void {
    for (const field of FIELDS) this.#counts[field].clear();
  }

  forget(ports: readonly unknown[]): void {
    for (const port of ports) this.#counts.port.delete(port);
  }
}
