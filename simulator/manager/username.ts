import type { Account } from "../account/account";
import type { ZoneRecord } from "../account/zone";
import type { PortRecord } from "./portRecord";

/** What a user name of the vendor's proxy asks for, by its part: `zone`, `country`, `session` and so on. */
export type Wishes = Record<string, unknown>;

export const PREFIXES: readonly string[] = ["brd", "lum"];

/** The parts in the order of a user name; those that have no value stand alone. */
const PARTS =
  "customer zone country state city zip session asn dns cid ip raw direct mobile vip carrier route_err unblocker debug os ua info const render".split(
    " ",
  );
const FLAGS = ["raw", "direct", "render", "unblocker", "info"];

const SHORT: Readonly<Record<string, string>> = {
  cu: "customer",
  z: "zone",
  k: "key",
  d: "direct",
  s: "session",
  cy: "country",
  st: "state",
  ct: "city",
  zp: "zip",
  ub: "unblocker",
  unblock: "unblocker",
};

export function parseUsername(username: string): Wishes {
  const wishes: Wishes = {};
  const words = username.split("-");
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (PREFIXES.includes(word)) continue;
    const part = SHORT[word] ?? word;
    wishes[part] = FLAGS.includes(part) || words.shift();
  }
  return wishes;
}

/** The zone that the vendor's proxy finds in a user name: it knows them all, and so where a name with hyphens ends. */
export function zoneIn(username: string, account: Account): ZoneRecord | undefined {
  const named = account.liveZones().filter(({ name }) => `${username}-`.includes(partOf(name)));
  return named.sort((a, b) => b.name.length - a.name.length)[0];
}

/** What the vendor's proxy reads in a user name. */
export function wishesIn(username: string, zone: ZoneRecord | undefined): Wishes {
  if (zone === undefined) return parseUsername(username);
  return { ...parseUsername(`${username}-`.replace(partOf(zone.name), "-").replace(/-$/, "")), zone: zone.name };
}

const partOf = (zone: string): string => `-zone-${worded(zone)}-`;

/** The user name that a port with that configuration goes on with, where a request has wishes of its own. */
export function usernameOf(config: PortRecord, plan: Wishes | undefined, wishes: Wishes): string {
  const all: Wishes = { ...config, ...wishes };
  const { type, unblocker, serp } = plan ?? {};
  const renders = all.unblocker || type === "unblocker" || Boolean(unblocker) || Boolean(serp);
  const left: Readonly<Record<string, boolean>> = {
    const: Number(all.const) !== 0,
    route_err: all.route_err !== "pass_dyn",
    session: !all.ip,
    mobile: Boolean(all.mobile),
    ua: all.ua === true && Boolean(all.unblock),
    state: Boolean(all.state_perm) || !all.state,
    zip: Boolean(all.zip_perm) || !all.zip,
    info: Boolean(all.info),
    render: Boolean(renders && all.render),
    dns: String(all.dns) !== "local",
  };
  if (all.os) all.mobile = false;
  if (all.ua === true) all.ua = "mobile";
  return ["brd", ...PARTS.flatMap((part) => ((left[part] ?? true) ? written(part, all[part]) : []))].join("-");
}

function written(part: string, value: unknown): string[] {
  if (value === "" || value === "*" || value === undefined || value === null) return [];
  if (FLAGS.includes(part)) return value ? [part] : [];
  return [part, part === "city" ? plain(value) : worded(value)];
}

const worded = (value: unknown): string => String(value).toLowerCase().replaceAll(" ", "_");

/** Those of Latin that are no letter with an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ æ: "ae", ø: "o", þ: "th", ß: "ss", đ: "d", ħ: "h", ı: "i", ł: "l", ŀ: "l", œ: "oe", ŧ: "t" },
};

/** Of what is no text, nothing is left. */
const plain = (city: unknown): string =>
  typeof city === "string"
    ? city
        .toLowerCase()
        .normalize("NFD")
        .replace(/[æøþßđħıłŀœŧ]/g, (letter) => LETTERS[letter] ?? "")
        .replace(/[^a-z0-9]/g, "")
    : "";
