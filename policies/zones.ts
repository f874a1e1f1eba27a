import { count, type Declared, object, type Properties, UNKNOWN } from "./declared";

/** A zone, and what else of the stack belongs to it. */
export interface Zone {
  readonly zone: Declared;
  readonly plan: Properties;
  readonly parts: readonly Declared[];
}

const partOf =
  (zone: Declared) =>
  (part: Declared): boolean =>
    part.provider.urn === zone.provider.urn &&
    part.props.account === zone.props.account &&
    (part.props.zone === UNKNOWN
      ? (part.comesFrom.zone ?? []).includes(zone.urn)
      : part.props.zone !== undefined && part.props.zone === zone.props.name);

/** The zones that a stack declares. */
export const zonesIn = (resources: readonly Declared[]): readonly Zone[] =>
  resources
    .filter(({ kind }) => kind === "Zone")
    .map((zone) => ({ zone, plan: object(zone.props.plan), parts: resources.filter(partOf(zone)) }));

/** Further IPs of zones that the stack does not declare. */
export function strayIps(resources: readonly Declared[], zones: readonly Zone[]): readonly Declared[] {
  const known = new Set(zones.flatMap(({ parts }) => parts));
  return resources.filter((resource) => resource.kind === "ZoneIps" && !known.has(resource));
}

export type IpKind = "ips" | "gips";

export const kindOfIps = ({ props }: Declared): IpKind => (props.kind === "gips" ? "gips" : "ips");

/** How many IPs, or gIPs, a zone has by what the stack declares. */
export const ipsOf = ({ plan, parts }: Zone, kind: IpKind): number =>
  parts
    .filter((part) => part.kind === "ZoneIps" && kindOfIps(part) === kind)
    .reduce((sum, { props }) => sum + count(props.count), count(kind === "ips" ? plan.ips : plan.vips));

export const titleOf = ({ zone }: Zone): string =>
  typeof zone.props.name === "string" ? `Zone ${zone.props.name}` : `Zone "${zone.name}"`;
