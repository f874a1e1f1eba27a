import { count, type Declared, isObject, object, type Properties, quoted, UNKNOWN } from "./declared";
import { accountOf } from "./services";

/** A zone, and what else of the stack belongs to it. */
export interface Zone {
  readonly zone: Declared;
  readonly plan: Properties;
  readonly parts: readonly Declared[];
  /** What may be a part of it too: both names are not known yet, and come from the same resource. */
  readonly likelyParts: readonly Declared[];
}

/** The kinds of what belongs to a zone. */
const PARTS = ["ZoneAccess", "ZoneIps"];

const isNear = (zone: Declared, part: Declared): boolean => accountOf(part) === accountOf(zone);

const originsOf = ({ comesFrom }: Declared, property: string): readonly string[] => comesFrom[property] ?? [];

/** Where a zone is: its account, and its name as it or a part of it has it. */
const placeOf = (resource: Declared, name: unknown): string => JSON.stringify([accountOf(resource), name]);

/** The zones that a stack declares. */
export function zonesIn(resources: readonly Declared[]): readonly Zone[] {
  const zones = resources.filter(({ kind }) => kind === "Zone");
  const parts = resources.filter(({ kind, props: { zone } }) => PARTS.includes(kind) && zone !== undefined);
  const placed = Map.groupBy(parts, (part) => (part.props.zone === UNKNOWN ? "" : placeOf(part, part.props.zone)));
  const open = (placed.get("") ?? []).flatMap((part) => originsOf(part, "zone").map((origin) => ({ origin, part })));
  const byOrigin = Map.groupBy(open, ({ origin }) => origin);
  const comingFrom = (zone: Declared, origins: readonly string[]) => {
    const found = origins.flatMap((origin) => byOrigin.get(origin) ?? []).filter(({ part }) => isNear(zone, part));
    return [...new Set(found.map(({ part }) => part))];
  };
  return zones.map((zone) => {
    const { name } = zone.props;
    const named = name === UNKNOWN ? [] : (placed.get(placeOf(zone, name)) ?? []);
    return {
      zone,
      plan: planOf(zone),
      parts: [...named, ...comingFrom(zone, [zone.urn])],
      likelyParts: name === UNKNOWN ? comingFrom(zone, originsOf(zone, "name")) : [],
    };
  });
}

/** The plan of a zone, with what it sends under `extra` as if it stood beside. */
export function planOf({ props }: Declared): Properties {
  const { extra, ...plan } = object(props.plan);
  if (extra === UNKNOWN) return { ...plan, type: UNKNOWN };
  if (!isObject(extra)) return plan;
  const further = Object.entries(extra).map(([key, value]) => [inCamelCase(key), value]);
  return { ...plan, ...Object.fromEntries(further) };
}

const inCamelCase = (key: string): string =>
  key.toLowerCase().replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export type IpKind = "ips" | "gips";

const kindOfIps = ({ props }: Declared): IpKind => (props.kind === "gips" ? "gips" : "ips");

const sumOf = (parts: readonly Declared[]): number => parts.reduce((sum, { props }) => sum + count(props.count), 0);

/** How many IPs, or gIPs, a zone has by what the stack declares. */
export function ipsOf({ plan, parts }: Zone, kind: IpKind): number {
  // gIPs cannot be added: those of a `ZoneIps` are some of the plan's.
  if (kind === "gips") return count(plan.vips);
  const further = parts.filter((part) => part.kind === "ZoneIps" && kindOfIps(part) === "ips");
  const adopting = further.filter((part) => takesOver(part, plan));
  const adding = further.filter((part) => !takesOver(part, plan));
  return sumOf(adding) + Math.max(count(plan.ips), sumOf(adopting));
}

/** Whether a `ZoneIps` takes over the IPs that its zone has by its plan: those elsewhere it does not. */
const takesOver = ({ props }: Declared, plan: Properties): boolean =>
  props.adopt === true && ["country", "countryCity"].every((name) => [undefined, plan[name]].includes(props[name]));

/** IPs or gIPs of a zone that the stack does not declare. */
export interface StrayIps {
  readonly title: string;
  /** The first of the resources that have them. */
  readonly part: Declared;
  readonly kind: IpKind;
  readonly many: number;
  /** Whether it is known which zone has them. */
  readonly isPlaced: boolean;
}

export function strayIps(resources: readonly Declared[], zones: readonly Zone[]): readonly StrayIps[] {
  const known = new Set(zones.flatMap(({ parts }) => parts));
  const byZone = new Map<string, [Declared, ...Declared[]]>();
  for (const part of resources) {
    if (part.kind !== "ZoneIps" || known.has(part)) continue;
    const others = byZone.get(zoneKey(part));
    if (others === undefined) byZone.set(zoneKey(part), [part]);
    else others.push(part);
  }
  return [...byZone.values()].map(([part, ...others]) => ({
    title: typeof part.props.zone === "string" ? `Zone ${part.props.zone}` : `The zone of ${quoted(part.name)}`,
    part,
    kind: kindOfIps(part),
    many: sumOf([part, ...others]),
    isPlaced: isPlaced(part),
  }));
}

/** The same for IPs of the same zone and kind; another for each where that is not known yet. */
const zoneKey = (part: Declared): string =>
  isPlaced(part) ? JSON.stringify([accountOf(part), part.props.zone, kindOfIps(part)]) : part.urn;

const isPlaced = ({ props: { account, zone } }: Declared): boolean => account !== UNKNOWN && zone !== UNKNOWN;

export const titleOf = ({ zone }: Zone): string =>
  typeof zone.props.name === "string" ? `Zone ${zone.props.name}` : `Zone "${zone.name}"`;
