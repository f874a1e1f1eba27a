import type { Declared } from "../declared";
import { option, policy, type Violation } from "../policy";
import { type IpKind, ipsOf, strayIps, titleOf, zonesIn } from "../zones";

const MOST = { type: "integer", minimum: 0 } as const;

const WORDS: Readonly<Record<IpKind, string>> = { ips: "IPs", gips: "gIPs" };

function tooMany(resources: readonly Declared[], limits: Readonly<Record<IpKind, number>>): readonly Violation[] {
  const zones = zonesIn(resources);
  const violation = (title: string, { urn }: Declared, kind: IpKind, many: number) =>
    many > limits[kind]
      ? [{ urn, message: `${title} has ${many} ${WORDS[kind]}: at most ${limits[kind]} are allowed.` }]
      : [];
  return [
    ...zones.flatMap((zone) =>
      (["ips", "gips"] as const).flatMap((kind) => violation(titleOf(zone), zone.zone, kind, ipsOf(zone, kind))),
    ),
    ...strayIps(resources, zones).flatMap(({ title, part, kind, many }) => violation(title, part, kind, many)),
  ];
}

export const maxIps = policy({
  name: "max-ips",
  title: "A zone has only so many IPs",
  says: "A zone has at most so many IPs and gIPs, those of its `ZoneIps` included. Each is billed every month.",
  level: "mandatory",
  severity: "medium",
  remedy: "Lower `plan.ips`, `plan.vips` or the `count` of a `ZoneIps`, or raise the limit.",
  options: {
    ips: option("Most IPs of a zone.", MOST, 100),
    gips: option("Most gIPs of a zone.", MOST, 100),
  },
  ofGrowing: tooMany,
  ofStack: tooMany,
});
