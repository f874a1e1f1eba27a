import { BrightDataError } from "../../base/errors";
import type { Run } from "../../lifecycle/lifecycle";
import { removeOnce } from "../../lifecycle/settle";
import { ipThing } from "../shared/things";

/** A proxy IP of a zone, or one of its gIPs. */
export interface ZoneIp {
  /** The address, or the gIP's name. */
  name: string;
  /** Where geolocation databases see it, as two-letter codes; none where the service does not tell. */
  countries: readonly string[];
}

export type IpKind = "ips" | "gips";

export const isIpKind = (kind: unknown): kind is IpKind => kind === "ips" || kind === "gips";

export const without = (names: readonly string[], others: readonly string[]): string[] =>
  names.filter((name) => !others.includes(name));

export const namesIn = (present: readonly ZoneIp[]): string[] => present.map(({ name }) => name);

/** The proxy IPs of a zone (`ips`), or the groups of residential ones under one name that the service calls gIPs. */
export class IpList {
  readonly words: string;

  constructor(
    readonly zone: string,
    readonly kind: IpKind,
    readonly run: Run,
  ) {
    this.words = kind === "ips" ? "IPs" : "gIPs";
  }

  async present(signal = this.run.deadline.signal): Promise<ZoneIp[]> {
    const { ips, zones } = this.run.context.remote;
    if (this.kind === "ips") {
      const listed = await ips.list(this.zone, { signal });
      return listed.map(({ ip, countries }) => ({ name: ip, countries: Object.values(countries) }));
    }
    const names = await ips.listGips(this.zone, { signal });
    if (names.length > 0) return names.map((name) => ({ name, countries: [] }));
    // An empty list says little, and to believe it is to forget what is paid for: the zone's plan has to say the same.
    const { plan } = await zones.get(this.zone, { signal });
    if (Number(plan.vips ?? 0) === 0) return [];
    throw new BrightDataError(
      `The service lists no gIPs for zone ${JSON.stringify(this.zone)}, but the zone's plan has ${plan.vips}. Nothing was changed. Run again later.`,
    );
  }

  async names(signal?: AbortSignal): Promise<string[]> {
    return namesIn(await this.present(signal));
  }

  isAnothers(ip: string): boolean {
    return this.run.context.claims.isAnothers(ipThing(this.zone, ip), this.run.me);
  }

  /** Gives back these and no others, and waits until the zone has them no more. Those that are gone already are no error. */
  async giveBack(unwanted: readonly string[]): Promise<void> {
    if (unwanted.length === 0) return;
    const { deadline, context } = this.run;
    const { ips } = context.remote;
    const left = async (signal?: AbortSignal) => {
      const present = await this.names(signal);
      return unwanted.filter((ip) => present.includes(ip));
    };
    const there = await left();
    if (there.length === 0) return;
    const waiting = `waiting for ${there.length} ${this.words} to leave zone ${JSON.stringify(this.zone)}`;
    const send = async () =>
      this.kind === "ips" ? ips.remove(this.zone, there, deadline) : ips.removeGips(this.zone, there, deadline);
    await removeOnce(waiting, send, async (signal) => (await left(signal)).length === 0, this.run);
  }
}
