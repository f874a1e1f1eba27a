import { counted } from "../../base/counted";
import { inShort } from "../../base/inShort";
import { ownIn } from "../../base/json";
import { CONNECTION } from "../../declaration/connection";
import { ipThing } from "../../kinds/shared/things";
import { ipsIn, supposedIn, surplusOf } from "../../kinds/zoneIps/owned";
import type { Held, Holder } from "../account/held";
import type { Thing } from "../account/inventory";
import { type Source, titleOf } from "../account/source";
import { type AccountReading, isIdle } from "./account";
import { inShell } from "./inShell";
import { NOTHING, type ReportFinding, sumOf, type ZoneReport } from "./model";
import type { Port } from "./ports";

export interface AccountGrounds extends AccountReading {
  /** By zone, the IPs that none of its ports may use. */
  readonly unpinned: ReadonlyMap<string, readonly string[]>;
}

export interface Grounds {
  readonly accounts: readonly AccountGrounds[];
  /** Ports whose zone there is in no account. */
  readonly stranded: readonly Port[];
  /** What no stack holds. */
  readonly open: readonly Thing[];
  readonly held: Held;
  readonly locations: ReadonlyMap<Source, string | undefined>;
  /** The options that name the stacks and the zones. */
  readonly options: readonly string[];
}

/** All that there is to say, what costs most first. */
export function findingsOf(grounds: Grounds): ReportFinding[] {
  const { accounts } = grounds;
  const ofZones = accounts.flatMap(({ source, zones, unpinned, unavailable }) =>
    zones.flatMap((zone) => {
      const about = new ZoneFindings(zone, source, grounds);
      const all = [
        about.idle(),
        about.unused(unpinned.get(zone.name)),
        about.unavailable(ownIn(unavailable, zone.name)),
      ];
      return all.filter((finding) => finding !== undefined);
    }),
  );
  const byCost = (one: ReportFinding, other: ReportFinding) => (other.cost ?? 0) - (one.cost ?? 0);
  // What no stack has may be well used.
  return [...[...ofZones, ...strandedPorts(grounds)].sort(byCost), ...inNoStack(grounds).sort(byCost)];
}

class ZoneFindings {
  constructor(
    readonly zone: ZoneReport,
    readonly source: Source,
    readonly grounds: Grounds,
  ) {}

  idle(): ReportFinding | undefined {
    const { name, cost = NOTHING, ips = 0, status, idleDays } = this.zone;
    if (!isIdle(this.zone) || cost.total === 0) return undefined;
    const disabled = status === "disabled" ? ", and is disabled" : "";
    return {
      ...this.#about("idle-zone"),
      says: `Zone ${name} has carried nothing in ${idleDays} days${ips === 0 ? "" : `, with ${counted(ips, "IP")}`}${disabled}.`,
      cost: cost.total,
      remedy: this.#deletion(),
    };
  }

  unused(unpinned: readonly string[] = []): ReportFinding | undefined {
    const { name, cost = NOTHING, ips = 0, idleDays } = this.zone;
    if (unpinned.length > 0) {
      return {
        ...this.#about("unused-ips"),
        says: `Zone ${name} has ${counted(unpinned.length, "IP")} of ${ips.toLocaleString("en")} that none of its ports uses.`,
        remedy: this.#withoutIps(unpinned),
      };
    }
    // Where it is billed, that is said already.
    if (ips === 0 || !isIdle(this.zone) || cost.total > 0) return undefined;
    return {
      ...this.#about("unused-ips"),
      says: `Zone ${name} has carried nothing in ${idleDays} days, with ${counted(ips, "IP")}.`,
      remedy: this.#deletion(),
    };
  }

  unavailable(broken: readonly string[] = []): ReportFinding | undefined {
    if (broken.length === 0) return undefined;
    return {
      ...this.#about("unavailable-ips"),
      says: `Zone ${this.zone.name} has ${counted(broken.length, "IP")} that ${broken.length === 1 ? "does" : "do"} not work just now.`,
      remedy: this.#withoutIps(broken),
    };
  }

  #about(kind: ReportFinding["kind"]) {
    return { kind, where: titleOf(this.source), ids: [this.zone.name] };
  }

  #holder(kind: string, id: string) {
    return holderOf({ source: this.source, kind, id }, this.grounds);
  }

  #deletion(): string {
    const { name } = this.zone;
    const holder = this.#holder("Zone", name);
    if (holder !== undefined) return `Remove ${lineOf(holder)} from the program.`;
    return this.#command("/zone", { zone: name });
  }

  /** A zone stays as it is when it has fewer IPs than it was created with: its resource needs no change. */
  #withoutIps(ips: readonly string[]): string {
    const { name } = this.zone;
    const command = this.#command("/zone/ips", { zone: name, ips });
    const holders = ips.map((ip) => this.#holderOfIp(ip));
    const [resource, ...others] = new Set(holders.filter((holder) => holder !== undefined));
    if (resource === undefined) return command;
    const left = countWithout(ips, resource);
    if (left !== undefined) return `Lower \`count\` of ${lineOf(resource)} to ${left} in the program.`;
    const counts = [resource, ...others].map((one) => {
      return `${lineOf(one)} by ${holders.filter((holder) => holder === one).length}`;
    });
    return `Before the next \`pulumi up\`, lower \`count\` of ${counts.join(", of ")} in the program, and run: ${command}`;
  }

  #holderOfIp(ip: string): Holder | undefined {
    const { held, locations } = this.grounds;
    return held.holderOfPart(ipThing(this.zone.name, ip), this.source, locations.get(this.source));
  }

  #command(path: string, body: object): string {
    const { url } = this.source;
    return `curl -X DELETE ${inShell(`${url}${path}`)} -H "Authorization: Bearer ${tokenOf(this.source, this.grounds)}" --json ${inShell(JSON.stringify(body))}`;
  }
}

/** The number of IPs with which a resource would give back these and no others; `undefined` where it would never. */
function countWithout(unwanted: readonly string[], { state }: Holder): number | undefined {
  const ips = ipsIn(state);
  const surplus = surplusOf(ips, supposedIn(state), unwanted.length);
  const areThese = surplus.dropped.length === 0 && unwanted.every((ip) => surplus.unwanted.includes(ip));
  return areThese ? ips.length - unwanted.length : undefined;
}

const inCapitals = (name = ""): string => name.toUpperCase().replace(/[^A-Z0-9]/g, "_");

/** The variable of a shell that has an account's token, one for each: that of a named account has to be set first. */
function tokenOf({ name }: Source, { accounts }: Grounds): string {
  if (name === undefined) return "$BRIGHTDATA_API_TOKEN";
  const alike = accounts.filter(({ source }) => inCapitals(source.name) === inCapitals(name));
  const before = alike.findIndex(({ source }) => source.name === name);
  const variable = `TOKEN${before === 0 ? "" : `_${before + 1}`}_OF_${inCapitals(name)}`;
  return `\${${variable}:?token of account ${name.replace(/["$`\\}!]/g, "_")}}`;
}

const holderOf = (thing: Thing, { held, locations }: Grounds) => held.holderOf(thing, locations.get(thing.source));

function strandedPorts(grounds: Grounds): ReportFinding[] {
  const all = grounds.stranded.map((port) => {
    const { source } = port;
    return { ...port, holder: holderOf({ source, kind: "ProxyPort", id: String(port.port) }, grounds) };
  });
  const groups = grouped(all, ({ source, zone, holder }) =>
    JSON.stringify([titleOf(source), zone, holder !== undefined]),
  );
  return groups.map((ports) => {
    const [{ source, zone }] = ports;
    const numbers = ports.map(({ port }) => String(port));
    const lines = new Set(ports.flatMap(({ holder }) => (holder === undefined ? [] : [lineOf(holder)])));
    const url = `${source.url}/api/proxies/`;
    return {
      kind: "port-without-zone" as const,
      where: titleOf(source),
      ids: numbers,
      says: `${few(numbers, "Port", "Ports")} ${numbers.length === 1 ? "uses" : "use"} zone ${zone}, which is gone.`,
      remedy:
        lines.size === 0
          ? `for port in ${numbers.join(" ")}; do curl -X DELETE ${inShell(url)}$port; done`
          : `Give another \`zone\` to ${[...lines].join(", ")} in the program, or remove it.`,
    };
  });
}

function inNoStack({ open, accounts, options }: Grounds): ReportFinding[] {
  const groups = grouped(open, ({ source, kind }) => JSON.stringify([titleOf(source), kind]));
  return groups.map((things) => {
    const [{ source, kind }] = things;
    const ids = things.map(({ id }) => id);
    const zones = kind === "Zone" ? (accounts.find((account) => account.source === source)?.zones ?? []) : [];
    const cost = sumOf(zones.filter(({ name }) => ids.includes(name)).map((zone) => zone.cost?.total));
    const only = source.name === undefined ? "default" : source.name;
    const chosen = [...options, `--kind ${kind}`, `--${CONNECTION[source.service]} ${inShell(only)}`];
    return {
      kind: "in-no-stack" as const,
      where: titleOf(source),
      ids,
      says: `In no stack: ${few(ids, kind, kind)}.`,
      ...(cost > 0 && { cost }),
      remedy: `npx pulumi-brightdata import ${chosen.join(" ")}`,
    };
  });
}

const grouped = <T>(items: readonly T[], keyOf: (item: T) => string) =>
  [...Map.groupBy(items, keyOf).values()] as [T, ...T[]][];

const lineOf = ({ kind, name }: { kind: string; name: string }): string =>
  `\`new brightdata.${kind}(${JSON.stringify(name)}, ...)\``;

const SHOWN = 5;

/** The first of several, after what they are, and how many more there are. */
function few(ids: readonly string[], one: string, several: string): string {
  return `${ids.length === 1 ? one : several} ${inShort(ids, SHOWN)}`;
}
