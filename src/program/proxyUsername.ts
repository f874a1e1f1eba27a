import { isIPv4 } from "node:net";
import { ArgumentError } from "../base/errors";
import { meant } from "../base/nearest";
import { requireArguments } from "../declaration/arguments";

/** What a proxy is asked for by the user name of a request. */
export interface ProxyUsernameArgs {
  /** The account's customer id, such as `hl_1a2b3c4d`. */
  customer: string;
  /** Name of the zone. */
  zone: string;
  /** Country of the exit IP, two letters in lower case; `eu` is any of the European Union. */
  country?: string | undefined;
  /** State of the exit IP in the US, two letters in lower case; with `country: "us"`. */
  state?: string | undefined;
  /** City of the exit IP in lower case without blanks, such as `sanfrancisco`; with `country`. */
  city?: string | undefined;
  /** ZIP code of the exit IP in the US, five digits. */
  zip?: string | undefined;
  /** Autonomous system (ASN) of the exit IP. */
  asn?: number | undefined;
  /** Operating system of the exit peer, in residential zones. */
  os?: "windows" | "osx" | "android" | undefined;
  /** The one allocated IP to use, instead of a place and a session. */
  ip?: string | undefined;
  /** The one gIP to use, such as `us_7922_fl_hollywood_0`, instead of a place. */
  gip?: string | undefined;
  /** Requests with the same session leave from the same IP, while it is there. Letters, digits and `_`. */
  session?: string | undefined;
  /** Whether a session fails where its IP is gone, instead of going on with another; with `session`. */
  const?: boolean | undefined;
  /** Where names are resolved: at the super proxy, or at the exit IP. */
  dns?: "local" | "remote" | undefined;
  /** Whether the super proxy may do a request itself that no exit IP can do (`pass_dyn`), or not (`block`). */
  routeErr?: "block" | "pass_dyn" | undefined;
}

type Name = keyof ProxyUsernameArgs;

/** A part of a user name: what its value has to be like. */
interface UsernamePart {
  readonly is: (value: unknown) => boolean;
  readonly expected: string;
  /** What it is called there, where not as here. */
  readonly called?: string;
}

const like =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    typeof value === "string" && pattern.test(value);

const oneOf = (...values: readonly string[]): UsernamePart => ({
  is: (value) => values.some((each) => each === value),
  expected: `expected ${values.map((each) => `"${each}"`).join(" or ")}`,
});

/** By the grammar of https://docs.brightdata.com/proxy-networks/config-options, in the order in which they are written. */
const PARTS: Readonly<Record<Name, UsernamePart>> = {
  customer: { is: like(/^\w+$/), expected: "expected the account's customer id, such as hl_1a2b3c4d" },
  zone: { is: like(/^[\w-]+$/), expected: "expected the name of a zone" },
  country: { is: like(/^[a-z]{2}$/), expected: 'expected two letters in lower case, such as "us", or "eu"' },
  state: { is: like(/^[a-z]{2}$/), expected: 'expected two letters in lower case, such as "ny"' },
  city: { is: like(/^[a-z0-9]+$/), expected: 'expected lower case without blanks, such as "sanfrancisco"' },
  zip: { is: like(/^\d{5}$/), expected: 'expected five digits, such as "10001"' },
  asn: { is: (value) => Number.isInteger(value) && Number(value) > 0, expected: "expected a number, such as 7922" },
  os: oneOf("windows", "osx", "android"),
  ip: { is: (value) => typeof value === "string" && isIPv4(value), expected: "expected an allocated IPv4 address" },
  gip: { is: like(/^\w+$/), expected: 'expected the name of a gIP, such as "us_7922_fl_hollywood_0"' },
  session: { is: like(/^\w+$/), expected: 'expected letters, digits and "_", such as "shop1"' },
  dns: oneOf("local", "remote"),
  routeErr: { ...oneOf("block", "pass_dyn"), called: "route_err" },
  // Stands alone, and last: a Proxy Manager takes what follows it for its value.
  const: { is: (value) => typeof value === "boolean", expected: "expected true or false" },
};

const NAMES = Object.keys(PARTS) as Name[];
const PLACE: readonly Name[] = ["country", "state", "city", "zip", "asn", "os"];

/** Parts that a part cannot stand with. */
const EXCLUDES: Readonly<Partial<Record<Name, readonly Name[]>>> = {
  ip: ["gip", ...PLACE, "session"],
  gip: PLACE,
};

/** Parts that a part cannot stand without. */
const NEEDS: Readonly<Partial<Record<Name, Name>>> = { state: "country", city: "country", const: "session" };

/** Parts of places that are in the US alone. */
const AMERICAN: readonly Name[] = ["state", "zip"];

/**
 * The user name by which a proxy is asked for an exit IP, such as `brd-customer-hl_1a2b3c4d-zone-web-country-us-session-shop1`.
 *
 * @param whose what the arguments belong to, for the errors
 * @throws {ArgumentError}
 */
export function proxyUsername(whose: string, args: ProxyUsernameArgs): string {
  requireArguments(whose, ["customer", "zone"], args);
  refuseUnknown(whose, args);
  const given = NAMES.filter((name) => args[name] !== undefined && args[name] !== false);
  for (const name of NAMES) {
    const { [name]: value } = args;
    if (value === undefined || PARTS[name].is(value)) continue;
    throw new ArgumentError(
      `The argument \`${name}\` of ${whose} is ${JSON.stringify(value)}: ${PARTS[name].expected}.`,
    );
  }
  for (const name of given) requireCompany(whose, name, given, args);
  const parts = given.flatMap((name) => {
    const called = PARTS[name].called ?? name;
    return args[name] === true ? [called] : [called, String(args[name])];
  });
  return ["brd", ...parts].join("-");
}

/** @throws {ArgumentError} for a part that there is not: without it, the proxy would be asked for something else */
function refuseUnknown(whose: string, args: object): void {
  const [unknown] =
    Object.entries(args).find(([name, value]) => value !== undefined && !Object.hasOwn(PARTS, name)) ?? [];
  if (unknown === undefined) return;
  const near = meant(unknown, NAMES);
  const advice = near === undefined ? "" : ` Did you mean \`${near}\`?`;
  throw new ArgumentError(`${whose} has no argument ${JSON.stringify(unknown)}.${advice}`);
}

/** @throws {ArgumentError} where a part lacks another, or stands with one that it excludes */
function requireCompany(whose: string, name: Name, given: readonly Name[], args: ProxyUsernameArgs): void {
  const excluded = EXCLUDES[name]?.find((other) => given.includes(other));
  if (excluded !== undefined) {
    throw new ArgumentError(`\`${name}\` and \`${excluded}\` of ${whose} exclude each other: leave one of them out.`);
  }
  const { [name]: needed } = NEEDS;
  if (needed !== undefined && !given.includes(needed)) {
    throw new ArgumentError(`\`${name}\` of ${whose} needs \`${needed}\` as well.`);
  }
  if (AMERICAN.includes(name) && args.country !== undefined && args.country !== "us") {
    throw new ArgumentError(
      `\`${name}\` of ${whose} is of the US, and \`country\` is ${JSON.stringify(args.country)}: expected "us".`,
    );
  }
}
