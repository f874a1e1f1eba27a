import { ArgumentError } from "../../base/errors";
import { bannableIp } from "../../declaration/formats";
import type { InputsOf } from "../../declaration/kind";
import { present } from "../../http/optional";
import type { Ban } from "../../model/ban";
import type { bannedIp } from "./declaration";

/** What is banned, on whatever port. Without milliseconds it has no end. */
export interface WantedBan {
  ip: string;
  domain?: string;
  ms?: number;
}

export const wantedIn = ({ ip, domain, durationMs }: InputsOf<typeof bannedIp>): WantedBan => ({
  ip: bannableIp(ip) ?? ip,
  ...present({ domain, ms: durationMs }),
});

export const idOf = ({ ip, domain }: Pick<Ban, "ip" | "domain">): string =>
  domain === undefined ? ip : `${ip}/${domain}`;

export function wantedById(id: string): WantedBan {
  const [first = "", domain, ...rest] = id.split("/");
  const ip = bannableIp(first);
  if (ip !== undefined && domain !== "" && rest.length === 0) return domain === undefined ? { ip } : { ip, domain };
  throw new ArgumentError(
    `${JSON.stringify(id)} is not the id of a banned IP: expected the IP, with the host where the ban is for one, such as "203.0.113.7" or "203.0.113.7/example.com".`,
  );
}

/** The ports that inputs name, `undefined` for every port; or those of a state, which has them always but after an import. */
export function portsIn({ port, ports }: { port?: unknown; ports?: unknown }): number[] | undefined {
  if (typeof port === "number") return [port];
  if (!Array.isArray(ports)) return undefined;
  return [...new Set(ports.filter((each) => typeof each === "number"))].sort((a, b) => a - b);
}

export const isExact = (ban: Ban, { ip, domain }: WantedBan): boolean => ban.ip === ip && ban.domain === domain;

/** The ban, or one without end for every host: beside such a one the manager takes none for a single host. */
export const find = (bans: readonly Ban[], wanted: WantedBan): Ban | undefined =>
  bans.find((ban) => isExact(ban, wanted)) ??
  bans.find(({ ip, domain, until }) => ip === wanted.ip && domain === undefined && until === undefined);

/** Whether a ban that was found ends, or does not, as declared. */
export const isAsDeclared = (ban: Ban, wanted: WantedBan): boolean =>
  !isExact(ban, wanted) || (ban.until === undefined) === (wanted.ms === undefined);

/** The moments between which a ban has begun, by the clock that says when it ends. */
export interface BanWindow {
  from: number;
  to: number;
}

/** Whether a ban that was found ends as one does that was asked for within a window. */
export function endsAsAsked(ban: Ban, wanted: WantedBan, { from, to }: BanWindow): boolean {
  if (!isAsDeclared(ban, wanted)) return false;
  if (ban.until === undefined || wanted.ms === undefined) return true;
  const began = Date.parse(ban.until) - wanted.ms;
  return from <= began && began <= to;
}

/** @param now by the clock that says when bans end */
export const isPast = (until: unknown, now: number): boolean => typeof until === "string" && Date.parse(until) <= now;

export function ending(bans: readonly (Ban | undefined)[]): { until?: string } {
  const ends = bans.flatMap((ban) => ban?.until ?? []).sort();
  return present({ until: ends.at(-1) });
}
