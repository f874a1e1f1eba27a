import { BrightDataError, RequestError } from "../base/errors";
import type { Held } from "../import/held";
import { listed, type Thing } from "../import/inventory";
import { MANAGED_KINDS } from "../import/kinds";
import { type Source, titleOf } from "../import/source";
import { type AccountReading, readAccount } from "./account";
import { type Account, findingsOf, hasTraffic } from "./findings";
import { type Failure, type Report, withForecast, type ZoneReport } from "./model";
import type { Period } from "./period";
import { type Port, type PortsReading, readPorts } from "./ports";

export interface ReportRequest {
  readonly period: Period;
  readonly madeAt: Date;
  readonly sources: readonly Source[];
  readonly held: Held;
  /** The options that name the stacks; without one, nothing is looked for that no stack holds. */
  readonly stackOptions: readonly string[];
  isMeant(zone: string): boolean;
  onRead(title: string, done: number, all: number): void;
}

/** Reads accounts and Proxy Managers, each once. What cannot be read is in the report. */
export async function makeReport(request: ReportRequest): Promise<Report> {
  const { period, madeAt, held, stackOptions, isMeant, onRead } = request;
  const sources = await distinct(request.sources);
  const readings: AccountReading[] = [];
  for (const source of sources.filter(({ service }) => service === "remote")) {
    const title = `Reading ${titleOf(source)}`;
    const asked = { period, isMeant, onRead: (done: number, all: number) => onRead(title, done, all) };
    readings.push(await readAccount(source, asked));
  }
  const managers = await readPorts(sources.filter(({ service }) => service === "manager"));
  const failures = [...readings.flatMap((reading) => reading.failures), ...managers.failures];
  const accounts: Account[] = [];
  for (const reading of readings) {
    const account = await withPorts(reading, readings, managers, failures);
    accounts.push({ ...account, zones: account.zones.map((zone) => withForecast(zone, period)) });
  }
  const open = stackOptions.length === 0 ? [] : await heldByNone(sources, held, isMeant, failures);
  const stranded = strandedPorts(readings, managers).filter(({ zone }) => isMeant(zone ?? ""));
  return {
    madeAt,
    period,
    accounts: accounts.map(({ source, zones }) => ({ name: source.name, zones })),
    findings: findingsOf({ accounts, stranded, open, held, stackOptions }),
    failures,
    areStacksKnown: stackOptions.length > 0,
  };
}

/** Each account once, whatever the number of its names. */
async function distinct(sources: readonly Source[]): Promise<Source[]> {
  const locations = await Promise.all(sources.map((source) => source.location()));
  return sources.filter((_, index) => locations[index] === undefined || locations.indexOf(locations[index]) === index);
}

/** An account with how many of its IPs are unused: all those of a zone that has carried nothing, else those that no port may use. */
async function withPorts(
  reading: AccountReading,
  readings: readonly AccountReading[],
  managers: PortsReading,
  failures: Failure[],
): Promise<Account> {
  const unpinned = new Map<string, readonly string[]>();
  const withUnused = async (zone: ZoneReport): Promise<ZoneReport> => {
    const { name, ips } = zone;
    const isUsed = hasTraffic(zone);
    if (ips === undefined || isUsed === undefined) return zone;
    if (!isUsed) return { ...zone, unusedIps: ips };
    const isOnlyHere = readings.every(
      ({ zones }) => zones === reading.zones || zones.every((each) => each.name !== name),
    );
    const pins = ips > 0 && isOnlyHere ? pinsOf(name, managers) : undefined;
    if (pins === undefined) return { ...zone, unusedIps: 0 };
    try {
      const all = await reading.source.context.remote.ips.list(name);
      const unused = all.map(({ ip }) => ip).filter((ip) => !pins.has(ip));
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

/** The IPs that the ports of a zone may use; `undefined` where one may use all, or not all ports are known. */
function pinsOf(zone: string, { ports, failures }: PortsReading): ReadonlySet<string> | undefined {
  const own = ports.filter((port) => port.zone === zone);
  const isOpen = failures.length > 0 || own.length === 0 || own.some(({ ips }) => ips.length === 0);
  return isOpen ? undefined : new Set(own.flatMap(({ ips }) => ips));
}

/** Ports of zones that are gone. Where an account could not be listed, none is known to be. */
function strandedPorts(readings: readonly AccountReading[], { ports, zones }: PortsReading): Port[] {
  if (readings.length === 0 || readings.some(({ listed }) => listed === undefined)) return [];
  const isThere = (zone: string) => readings.some(({ listed }) => listed?.live.has(zone));
  const wasThere = (zone: string) => readings.some(({ listed }) => listed?.deleted.has(zone));
  // A manager may be of an account that is not read, and may know a zone for some time after its end.
  const isGone = (zone: string) => !isThere(zone) && (wasThere(zone) || !zones.has(zone));
  return ports.filter(({ zone }) => zone !== undefined && isGone(zone));
}

async function heldByNone(
  sources: readonly Source[],
  held: Held,
  isMeant: (zone: string) => boolean,
  failures: Failure[],
): Promise<Thing[]> {
  const selection = {
    kinds: MANAGED_KINDS,
    isMeant: ({ kind, id }: Thing) => !/^Zone/.test(kind) || isMeant(id.split("/")[0] ?? ""),
  };
  const all: Thing[] = [];
  for (const source of sources) {
    try {
      const { found, leftOut } = await listed([source], selection);
      // Several managers of an account have its users.
      const users = new Set(all.flatMap(({ kind, id }) => (kind === "ManagerUser" ? [id.toLowerCase()] : [])));
      all.push(...found.filter(({ kind, id }) => kind !== "ManagerUser" || !users.has(id.toLowerCase())));
      const unread = leftOut.filter(({ kind }) => kind !== "");
      failures.push(
        ...unread.map(({ kind, why }) => ({ about: `what of ${kind} is in no stack (${titleOf(source)})`, why })),
      );
    } catch (error) {
      if (!(error instanceof BrightDataError)) throw error;
      failures.push({ about: `what is in no stack (${titleOf(source)})`, why: error.message });
    }
  }
  return all.filter((thing) => !held.has(thing));
}
