import { canonicalAddress } from "../declaration/address";
import { snakeCase } from "../http/case";
import { isObject, type JsonObject } from "../json";

/** What a port's field holds: it decides how values compare and what takes a value away again. */
export type PortFieldKind = "text" | "number" | "flag" | "addresses" | "names" | "list" | "object";

export interface PortFieldSpec {
  kind: PortFieldKind;
  /** The manager's default: a port that has it may come back without the field. */
  initial?: unknown;
  /** Written, but not read back as written: the manager puts a value of its own in its place. */
  writeOnly?: true;
  /** Takes effect only when the port is made anew. */
  replaces?: true;
  secret?: true;
}

/**
 * Every field of a port record that can be set, by its name in a program; the manager's name is the same in snake case.
 * Types and defaults are those of the Proxy Manager's own model.
 */
export const PORT_FIELDS = {
  port: { kind: "number", replaces: true },
  zone: { kind: "text" },
  proxyType: { kind: "text", initial: "persist" },
  customer: { kind: "text", writeOnly: true },
  password: { kind: "text", writeOnly: true, secret: true },
  whitelistIps: { kind: "addresses" },
  internalName: { kind: "text" },
  multiply: { kind: "number", initial: 0 },
  multiplyIps: { kind: "flag", initial: false },
  multiplyVips: { kind: "flag", initial: false },
  multiplyUsers: { kind: "flag", initial: false },
  users: { kind: "names" },
  user: { kind: "text" },
  userPassword: { kind: "text", writeOnly: true, secret: true },
  ssl: { kind: "flag", initial: false },
  tlsLib: { kind: "text", initial: "open_ssl" },
  avCheck: { kind: "flag", initial: false },
  insecure: { kind: "flag", initial: false },
  iface: { kind: "text", replaces: true },
  proxy: { kind: "text", initial: "brd.superproxy.io" },
  proxyPort: { kind: "number", initial: 22225 },
  proxyConnectionType: { kind: "text", initial: "http" },
  proxyRetry: { kind: "number", initial: 2 },
  proxyCountry: { kind: "text" },
  country: { kind: "text" },
  state: { kind: "text" },
  city: { kind: "text" },
  zip: { kind: "text" },
  asn: { kind: "text" },
  ip: { kind: "text" },
  vip: { kind: "number", initial: 0 },
  ips: { kind: "list" },
  vips: { kind: "list" },
  extProxies: { kind: "list", secret: true },
  extProxyUsername: { kind: "text" },
  extProxyPassword: { kind: "text", secret: true },
  extProxyPort: { kind: "number", initial: 0 },
  dns: { kind: "text", initial: "local" },
  reverseLookupDns: { kind: "flag", initial: false },
  reverseLookupFile: { kind: "text" },
  reverseLookupValues: { kind: "list" },
  session: { kind: "text", initial: true },
  stickyIp: { kind: "flag", initial: false },
  rotateSession: { kind: "flag", initial: false },
  keepSession: { kind: "flag", initial: false },
  sessionTermination: { kind: "flag", initial: false },
  poolSize: { kind: "number", initial: 0 },
  maxBanRetries: { kind: "number", initial: 10 },
  throttle: { kind: "number", initial: 0 },
  rules: { kind: "list" },
  routeErr: { kind: "text", initial: "pass_dyn" },
  smtp: { kind: "list" },
  headers: { kind: "list" },
  overrideHeaders: { kind: "flag", initial: false },
  os: { kind: "text" },
  ua: { kind: "flag", initial: false },
  timezone: { kind: "text" },
  resolution: { kind: "text" },
  webrtc: { kind: "text" },
  const: { kind: "flag", initial: false },
  followRedirect: { kind: "flag", initial: false },
  render: { kind: "flag", initial: false },
  preset: { kind: "text", initial: "session_long" },
  debug: { kind: "text", initial: "none" },
  lpmAuth: { kind: "text", initial: "none" },
  testUrl: { kind: "text", initial: "http://geo.brdtest.com/mygeo.json" },
  harLimit: { kind: "number", initial: 1024 },
  // Kept in memory only: after a restart of the manager the port does not have it any more.
  logs: { kind: "number", writeOnly: true, initial: 1000 },
  socketInactivityTimeout: { kind: "number", initial: 120_000 },
  info: { kind: "flag", initial: false },
  bwLimit: { kind: "object" },
} as const satisfies Record<string, PortFieldSpec>;

export type PortField = keyof typeof PORT_FIELDS;

/** The specification of a field, with its optional parts. */
export const portField = (field: PortField): PortFieldSpec => PORT_FIELDS[field];

/** A port's fields by their names in a program. */
export type PortRecord = Partial<Record<PortField, unknown>> & {
  listenPort?: number;
  /** A mark that a port gets when it is made: the manager keeps fields that it does not know. */
  pulumiId?: string;
};

/** Whether a name is that of a field. */
export const isPortField = (name: string): name is PortField => Object.hasOwn(PORT_FIELDS, name);

/** A field's value in the one form in which values compare; `undefined` for "as if it were not there". */
export function portValue(field: PortField, value: unknown): unknown {
  const { kind, initial } = portField(field);
  const plain = comparable(kind, value);
  return plain === undefined || same(plain, comparable(kind, initial)) ? undefined : plain;
}

function comparable(kind: PortFieldKind, value: unknown): unknown {
  if (value === undefined || value === null || value === "") return undefined;
  if (Array.isArray(value) && value.length === 0) return undefined;
  switch (kind) {
    case "flag":
      return value === true || value === "true" || value === 1 || value === "1";
    case "number":
      return typeof value === "string" ? Number(value) : value;
    case "text":
      return textOf(value) || undefined;
    case "addresses":
      return Array.isArray(value) ? [...addressSet(value)].sort() : undefined;
    case "names":
      // The manager writes user names in lower case.
      return Array.isArray(value) ? value.map((name) => textOf(name).toLowerCase()) : undefined;
    default:
      return Object.keys(value as object).length === 0 ? undefined : value;
  }
}

/** Addresses in the one form in which they compare; what is none stays as it is. */
export const addressSet = (addresses: readonly unknown[]): Set<string> =>
  new Set(addresses.map((address) => canonicalAddress(textOf(address)) ?? textOf(address)));

// An object where a text belongs stays one that differs from others.
const textOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** What is sent to take a field's value away: the manager cannot remove a key, and makes nonsense of `null`. */
export function emptyValue(field: PortField): unknown {
  const { kind, initial } = portField(field);
  if (kind === "flag") return initial ?? false;
  if (kind === "number") return initial ?? 0;
  if (kind === "text") return typeof initial === "string" ? initial : "";
  return kind === "object" ? "" : [];
}

/** The fields as the manager names them. */
export function toServicePort(fields: PortRecord): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [snakeCase(field), value]));
}

/** The values of the secret fields, and those of headers, which may hold a credential under any name. */
export const portSecrets = (fields: PortRecord): unknown[] => [
  ...Object.entries(fields).flatMap(([name, value]) => (isPortField(name) && portField(name).secret ? [value] : [])),
  ...(Array.isArray(fields.headers) ? fields.headers.map((header) => isObject(header) && header.value) : []),
];

const READ = [...Object.keys(PORT_FIELDS), "listenPort", "pulumiId"];

/** A record of the manager, its known fields only: answers also carry credentials of the whole account. */
export function fromServicePort(record: JsonObject): PortRecord {
  const fields: PortRecord = {};
  for (const name of READ) {
    const value = record[snakeCase(name)];
    if (value !== undefined && value !== null) Object.assign(fields, { [name]: value });
  }
  return fields;
}
