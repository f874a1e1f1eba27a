import { RequestError } from "../../base/errors";
import type { Service } from "../../declaration/connection";
import type { Held } from "../account/held";
import { EVERYTHING, listed, mayBeOf, type Thing } from "../account/inventory";
import { MANAGED_KINDS } from "../account/kinds";
import { locationsOf, type Source, titleOf } from "../account/source";
import { type AccountReading, isIdle, readAccount } from "./account";
import { type AccountGrounds, findingsOf } from "./findings";
import { type FailedReading, type Report, withForecast, type ZoneReport } from "./model";
import { type ReportPeriod, shifted } from "./period";
import { type Port, type PortsReading, readPorts } from "./ports";

export interface ReportRequest {
  readonly period: ReportPeriod;
  readonly madeAt: Date;
  readonly sources: readonly Source[];
  /** The services of which there are more sources: what is not seen in use may be used there. */
  readonly partlyRead: ReadonlySet<Service>;
  readonly held: Held;
  /** The options that name the stacks; without one, nothing is looked for that no stack holds. */
  readonly stackOptions: readonly string[];
  /** The zones that are asked for, and the option that says so; all without one. */
  readonly zones?: { readonly option: string; readonly pattern: RegExp } | undefined;
  onRead(title: string, done: number, all: number): void;
}

/** Reads accounts and Proxy Managers, each once. What cannot be read is in the report. */
export async function makeReport(request: ReportRequest): Promise<Report> {
  const { period, madeAt, held, stackOptions, zones, onRead } = request;
  const isMeant = (zone: string) => zones?.pattern.test(zone) ?? true;
  const locations = await locationsOf(request.sources);
  const sources = distinct(locations);
  const tomorrow = shifted(madeAt.toISOString().slice(0, 10), 1);
  const readings: AccountReading[] = [];
  for (const source of sources.filter(({ service }) => service === "remote")) {
    const title = `Reading ${titleOf(source)}`;
    const asked = { period, tomorrow, isMeant, onRead: (done: number, all: number) => onRead(title, done, all) };
    readings.push(await readAccount(source, asked));
  }
  const managers = await readPorts(sources.filter(({ service }) => service === "manager"));
  const failures = [...readings.flatMap((reading) => reading.failures), ...managers.failures];
  const accounts: AccountGrounds[] = [];
  const seen = { readings, managers, partlyRead: request.partlyRead };
  for (const reading of readings) {
    const account = await withPorts(reading, seen, failures);
    accounts.push({ ...account, zones: account.zones.map((zone) => withForecast(zone, period)) });
  }
  const all = stackOptions.length === 0 ? [] : await thingsIn(sources, zones?.pattern, failures);
  const open = await held.lacking(withoutPorts(all, ({ zone = "" }) => !isMeant(zone), managers));
  const options = zones === undefined ? stackOptions : [...stackOptions, zones.option];
  const stranded = strandedPorts(seen).filter(({ zone }) => isMeant(zone ?? ""));
  return {
    madeAt,
    period,
    accounts: accounts.map(({ source, zones, listed, isCostWhole }) => ({
      name: source.name,
      isListed: listed !== undefined,
      isCostWhole,
      zones,
    })),
    findings: findingsOf({ accounts, stranded, open, held, locations, options }),
    failures,
    areStacksKnown: stackOptions.length > 0,
  };
}

/** Each account once, whatever the number of its names. */
function distinct(locations: ReadonlyMap<Source, string | undefined>): Source[] {
  const all = [...locations];
  const isFirst = (location: string | undefined, index: number) => all.findIndex(([, at]) => at === location) === index;
  return all.flatMap(([source, at], index) => (at === undefined || isFirst(at, index) ? [source] : []));
}

/** All that was read, and of which services that is not all. */
interface SeenServices {
  readonly readings: readonly AccountReading[];
  readonly managers: PortsReading;
  readonly partlyRead: ReadonlySet<Service>;
}

/** An account with how many of its IPs are unused: all those of an idle zone, else those that no port may use. */
async function withPorts(
  reading: AccountReading,
  seen: SeenServices,
  failures: FailedReading[],
): Promise<AccountGrounds> {
  const unpinned = new Map<string, readonly string[]>();
  const withUnused = async (zone: ZoneReport): Promise<ZoneReport> => {
    const { name } = zone;
    const used = usedOf(zone, reading, seen);
    if (used === undefined || typeof used === "number") return used === undefined ? zone : { ...zone, unusedIps: used };
    try {
      const all = await reading.source.context.remote.ips.list(name);
      const unused = all.map(({ ip }) => ip).filter((ip) => !used.has(ip));
      unpinned.set(name, unused);
      return { ...zone, unusedIps: unused.length };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      failures.push({ about: `the unused IPs of zone ${name} (${titleOf(reading.source)})`, why: error.message });
      return zone;
    }
  };
  const zones = await Promise.all(reading.zones.map(withUnused));
  return { ...reading, zones, unpinned };
}

/** How many IPs of a zone are unused, or which are used; `undefined` where neither is known. */
function usedOf(
  zone: ZoneReport,
  reading: AccountReading,
  seen: SeenServices,
): number | ReadonlySet<string> | undefined {
  const { name, ips, bytes } = zone;
  if (ips === 0) return 0;
  if (ips === undefined || bytes === undefined) return undefined;
  if (isIdle(zone)) return ips;
  const pins = isOnlyIn(reading, name, seen) ? pinsOf(name, seen) : undefined;
  return pins === "all" ? 0 : pins;
}

/** Whether no other account has a zone of that name: a port does not say which account's it uses. */
const isOnlyIn = (reading: AccountReading, zone: string, { readings, partlyRead }: SeenServices): boolean =>
  !partlyRead.has("remote") &&
  readings.every(
    (other) => other === reading || (other.listed !== undefined && other.zones.every(({ name }) => name !== zone)),
  );

/** The IPs that the ports of a zone may use; `undefined` where that is not known: of a zone without ports, clients use some directly. */
function pinsOf(
  zone: string,
  { managers: { ports, failures }, partlyRead }: SeenServices,
): ReadonlySet<string> | "all" | undefined {
  const own = ports.filter(({ usedZone }) => usedZone === zone);
  if (own.some(({ ips, hasGips }) => ips.length === 0 && !hasGips)) return "all";
  if (own.length === 0 || own.some(({ hasGips }) => hasGips) || partlyRead.has("manager") || failures.length > 0)
    return undefined;
  return new Set(own.flatMap(({ ips }) => ips));
}

/** Ports of zones that are gone. Where an account could not be listed, none is known to be. */
function strandedPorts({ readings, managers: { ports, zones, silent }, partlyRead }: SeenServices): Port[] {
  if (readings.length === 0 || readings.some(({ listed }) => listed === undefined)) return [];
  const isThere = (zone: string) => readings.some(({ listed }) => listed?.live.has(zone));
  // A manager may be of an account that is not read, and may know a zone for some time after its end.
  const wasThere = (zone: string) =>
    !partlyRead.has("remote") && readings.some(({ listed }) => listed?.deleted.has(zone));
  const isGone = (zone: string, source: Source) =>
    !isThere(zone) && (wasThere(zone) || !(zones.has(zone) || silent.has(source)));
  return ports.filter(({ zone, source }) => zone !== undefined && isGone(zone, source));
}

/** The things but for ports that are not meant. */
function withoutPorts(all: readonly Thing[], isLeftOut: (port: Port) => boolean, { ports }: PortsReading): Thing[] {
  const keyOf = (source: Source, id: string) => `${id} ${titleOf(source)}`;
  const left = new Set(ports.filter(isLeftOut).map(({ source, port }) => keyOf(source, String(port))));
  return all.filter(({ kind, source, id }) => kind !== "ProxyPort" || !left.has(keyOf(source, id)));
}

/** All that a stack can hold. */
async function thingsIn(
  sources: readonly Source[],
  zones: RegExp | undefined,
  failures: FailedReading[],
): Promise<Thing[]> {
  const isMeant = (thing: Thing) => mayBeOf(thing, zones);
  const { found, leftOut } = await listed(sources, { kinds: MANAGED_KINDS, isMeant, mayLackAccounts: true });
  for (const { source, kind, why } of leftOut.filter(({ kind }) => kind !== "")) {
    const what = kind === EVERYTHING ? "what" : `what of ${kind}`;
    failures.push({ about: `${what} is in no stack (${titleOf(source)})`, why });
  }
  return found;
}
