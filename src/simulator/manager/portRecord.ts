import { Crash } from "./operation";

/** The fields of a port or of the settings, in the manager's own names. */
export type Fields = Record<string, unknown>;

/** What the manager keeps of a port: what was sent, and what it put in by itself. */
export interface PortRecord extends Fields {
  port: number;
}

export type FieldType = "integer" | "number" | "boolean" | "string" | "array" | "object";

/** The fields of a port whose type the manager knows. It keeps any other as it was sent. */
export const PORT_FIELD_TYPES: Readonly<Record<string, FieldType>> = {
  port: "integer",
  proxy_type: "string",
  multiply: "integer",
  multiply_users: "boolean",
  users: "array",
  ssl: "boolean",
  tls_lib: "string",
  av_check: "boolean",
  iface: "string",
  customer: "string",
  zone: "string",
  password: "string",
  proxy: "string",
  proxy_port: "integer",
  proxy_connection_type: "string",
  proxy_retry: "integer",
  insecure: "boolean",
  country: "string",
  state: "string",
  city: "string",
  zip: "string",
  asn: "string",
  ip: "string",
  vip: "integer",
  ext_proxies: "array",
  ext_proxy_username: "string",
  ext_proxy_password: "string",
  ext_proxy_port: "integer",
  dns: "string",
  reverse_lookup_dns: "boolean",
  reverse_lookup_file: "string",
  reverse_lookup_values: "array",
  session: "string",
  sticky_ip: "boolean",
  pool_size: "integer",
  rotate_session: "boolean",
  throttle: "integer",
  rules: "array",
  route_err: "string",
  smtp: "array",
  override_headers: "boolean",
  os: "string",
  headers: "array",
  debug: "string",
  lpm_auth: "string",
  const: "boolean",
  multiply_ips: "boolean",
  multiply_vips: "boolean",
  max_ban_retries: "integer",
  preset: "string",
  ua: "boolean",
  timezone: "string",
  resolution: "string",
  webrtc: "string",
  bw_limit: "object",
  follow_redirect: "boolean",
  render: "boolean",
};

const INTEGERS = Object.keys(PORT_FIELD_TYPES).filter((field) => PORT_FIELD_TYPES[field] === "integer");

/** Strings longer than this are refused by an update, though not by a create. */
export const MAX_STRING_LENGTH = 300;

/** The record with its integers as numbers, which is what a running port goes by. */
export function withIntegers(record: Fields): Fields {
  const result = { ...record };
  for (const field of INTEGERS) if (result[field]) result[field] = Number(result[field]);
  return result;
}

/** A create drops what is empty, but keeps `0`, `false` and empty lists. */
export const withoutEmpty = <T extends Fields>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value || value === 0 || value === false)) as T;

/** What an update does to the values sent; a create leaves them alone. */
export function coercePort(fields: Fields): Fields {
  const result = coerce(fields, PORT_FIELD_TYPES);
  return Array.isArray(result.rules) ? { ...result, rules: result.rules.map(coerceRule) } : result;
}

/** Gives each field of a known type that type: `null` becomes `"null"`, `0` or `false`, and `[""]` an empty list. */
export function coerce(fields: Fields, types: Readonly<Record<string, FieldType>>): Fields {
  const result: Fields = {};
  for (const [field, sent] of Object.entries(fields)) {
    const type = types[field];
    const value = type === undefined ? sent : coerceBoolean(coerceTo(type, sent));
    result[field] = Array.isArray(value) && value.length === 1 && value[0] === "" ? [] : value;
  }
  return result;
}

function coerceTo(type: FieldType, value: unknown): unknown {
  if (type === "boolean") return toBoolean(value);
  if (type === "integer" || type === "number") return toNumber(value);
  if (type === "string" && typeof value !== "string") return String(value);
  return value;
}

/** Whatever the type of the field: even a country `"true"` becomes a boolean. */
const coerceBoolean = (value: unknown): unknown => (value === "true" || value === "false" ? value === "true" : value);

function toBoolean(value: unknown): unknown {
  if (value === "" || value === "0" || value === 0) return false;
  if (value === "1" || value === 1) return true;
  return typeof value === "string" || typeof value === "number" ? value : Boolean(value);
}

function toNumber(value: unknown): unknown {
  if (typeof value !== "string") return Number(value);
  if (value === "") return 0;
  return /^[+-]?\.?[0-9]/.test(value) && !/[^0-9.+-]/.test(value) ? Number.parseFloat(value) : value;
}

/** In the rules of an update every string that starts with a number becomes that number. */
function coerceRule(rule: unknown): unknown {
  if (rule === null) throw new Crash("Cannot convert undefined or null to object");
  if (typeof rule === "string") {
    const digit = rule.search(/[0-9]/);
    if (digit !== -1) throw new Crash(`Cannot assign to read only property '${digit}' of string '${rule}'`);
  }
  if (Array.isArray(rule)) return rule.map(coerceMember);
  if (typeof rule !== "object") return rule;
  return Object.fromEntries(Object.entries(rule).map(([key, value]) => [key, coerceMember(value)]));
}

function coerceMember(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(coerceRule);
  if (typeof value === "object") return coerceRule(value);
  const integer = Number.parseInt(String(value), 10);
  return Number.isNaN(integer) ? coerceBoolean(value) : integer;
}
