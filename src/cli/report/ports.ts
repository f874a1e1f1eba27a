import { ConnectionError, RequestError } from "../../base/errors";
import type { ConfiguredPort } from "../../manager/portFields";
import { type Source, titleOf } from "../account/source";
import type { FailedReading } from "./model";

export interface Port {
  readonly source: Source;
  readonly port: number;
  readonly zone: string | undefined;
  /** That zone, or else the default one of its manager. */
  readonly usedZone: string | undefined;
  /** The only IPs that it uses; empty for all of its zone. */
  readonly ips: readonly string[];
  /** Whether it uses some gIPs of its zone alone. */
  readonly hasGips: boolean;
}

export interface PortsReading {
  readonly ports: readonly Port[];
  /** The zones that managers know by themselves: of accounts that are not configured here, maybe. */
  readonly zones: ReadonlySet<string>;
  /** Managers that list no zone, as one that is logged out: what is gone cannot be told of them. */
  readonly silent: ReadonlySet<Source>;
  readonly failures: readonly FailedReading[];
}

export async function readPorts(managers: readonly Source[]): Promise<PortsReading> {
  const ports: Port[] = [];
  const zones = new Set<string>();
  const silent = new Set<Source>();
  const failures: FailedReading[] = [];
  for (const source of managers) {
    const { manager } = source.context;
    try {
      const [all, known, defaultZone] = await Promise.all([
        manager.ports.list(),
        manager.zones.list(),
        manager.zones.defaultName(),
      ]);
      const portOf = (found: ConfiguredPort): Port => {
        const own = textIn(found.zone);
        const { port, ip, ips, multiplyIps, vip, vips, multiplyVips } = found;
        return {
          ...{ source, port, zone: own, usedZone: own ?? defaultZone },
          ips: keptTo(ip, ips, multiplyIps, found),
          hasGips: keptTo(vip, vips, multiplyVips, found).length > 0,
        };
      };
      ports.push(...all.map(portOf));
      for (const { name } of known) zones.add(name);
      if (known.length === 0) silent.add(source);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      // The one on this machine is looked for in any case.
      const isMissing = error instanceof ConnectionError && !source.isConfigured;
      if (!isMissing) failures.push({ about: `the ports (${titleOf(source)})`, why: error.message });
    }
  }
  return { ports, zones, silent, failures };
}

/** The manager goes through a list only where it fills the pool, or where each item has a port of its own. */
function keptTo(
  one: string | number | undefined,
  list: readonly (string | number)[] | undefined,
  isMultiplied: boolean | undefined,
  { poolSize, session }: ConfiguredPort,
): string[] {
  if (one) return [String(one)];
  const all = Array.isArray(list) ? list.filter((each) => typeof each !== "object").map(String) : [];
  const size = textIn(session) === undefined ? Number(poolSize ?? 0) : 1;
  return isMultiplied === true || all.length === size ? all : [];
}

const textIn = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
