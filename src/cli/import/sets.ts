import { isObject, type JsonObject, objectOf } from "../../base/json";
import { canonicalJson } from "../../declaration/values";
import { inputsOfSet } from "../../kinds/proxyPorts/settings";
import { rangesOf } from "../../model/portRange";
import type { Thing } from "../account/inventory";
import { nameOfPort } from "../account/kinds";
import { type Described, settled } from "./described";
import { PORT_PREFIX } from "./ranges";
import { mayBeSecret } from "./secrets";

/** From so many ports on that are alike, a set is what a person would write. */
const LEAST = 5;

/** What ports may differ in and be alike all the same. */
const OWN: ReadonlySet<string> = new Set(
  "port internalName country state city zip asn os ip ips vip vips session user users iface".split(" "),
);

/** Ports that are alike as sets, and the others as they are, in the order of their numbers. */
export async function grouped(all: readonly Described[]): Promise<Described[]> {
  const groups = [...Map.groupBy(all, keyOf).values()];
  const made = await Promise.all(groups.map((ports) => (ports.length < LEAST ? ports : setOf(ports))));
  return made.flat().sort((left, right) => firstPort(left) - firstPort(right));
}

/** The same for ports that are alike. What may be a secret stands with a port of its own. */
function keyOf(found: Described): string {
  const { kind, source, inputs } = found;
  const isAlone = kind !== "ProxyPort" || mayBeSecret(found).length > 0;
  if (isAlone) return `${kind} ${String(inputs.port)} ${source.service} ${source.name}`;
  const shared = Object.entries(inputs).filter(([name]) => !OWN.has(name));
  return canonicalJson([source.name ?? null, ...shared]);
}

/** The lowest of the numbers that a port, or a set, has. */
export const firstPort = ({ inputs: { port, ports } }: Described): number =>
  typeof port === "number" ? port : Math.min(...Object.values(objectOf(ports)).map(numberOf));

const numberOf = (settings: unknown): number => (isObject(settings) ? Number(settings.port) : Number.NaN);

/** A set of alike ports; the ports themselves where they cannot be one. */
async function setOf(found: readonly Described[]): Promise<readonly Described[]> {
  const [{ source }] = found as [Described];
  const names = new Set<string>();
  const ports = found.map(
    ({ id, inputs: { manager: _, ...settings } }) => [keyFor(settings, id, names), settings] as const,
  );
  const thing: Thing = { source, kind: "ProxyPorts", id: rangesOf(found.map(({ id }) => Number(id))) };
  const made = await settled(thing, inputsOfSet(new Map(ports)));
  return typeof made === "string" ? found : [made];
}

/** The key of a port in its set: its name, where it has one that no other, and no object, has. */
function keyFor({ internalName }: JsonObject, id: string, taken: Set<string>): string {
  const named = nameOfPort(internalName) ?? "";
  const isFree = !/^\d*$/.test(named) && !taken.has(named) && !(named in {});
  const key = isFree ? named : `${PORT_PREFIX}${id}`;
  taken.add(key);
  return key;
}
