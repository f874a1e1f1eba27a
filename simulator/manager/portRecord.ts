import { Crash } from "./crash";
import { type Field, type Fields, PORT_FIELDS } from "./fields";

/** What the manager keeps of a port: what was sent, and what it put in by itself. */
export interface PortRecord extends Fields {
  port: number;
}

const INTEGERS = Object.keys(PORT_FIELDS).filter((field) => PORT_FIELDS[field]?.type === "integer");

/** Strings longer than this are refused by an update, though not by a create. */
export const MAX_STRING_LENGTH = 300;

/** The record with its integers as numbers, which is what a running port goes by; what is none has no value there. */
export const withIntegers = <T extends Fields>(record: T): T => ({
  ...record,
  ...Object.fromEntries(INTEGERS.filter((field) => record[field]).map((field) => [field, integerOf(record[field])])),
});

const integerOf = (value: unknown): number | null => (Number.isNaN(Number(value)) ? null : Number(value));

/** A create drops what is empty, but keeps `0`, `false` and empty lists. */
export function withoutEmpty(record: PortRecord): PortRecord {
  const kept = { ...record };
  for (const [field, value] of Object.entries(record)) if (!value && value !== 0 && value !== false) delete kept[field];
  return kept;
}

/** What an update does to the values sent; a create leaves them alone. */
export function coercePort(fields: NonNullable<unknown>): Fields {
  const result = coerce(fields, PORT_FIELDS);
  return Array.isArray(result.rules) ? { ...result, rules: result.rules.map(coerceRule) } : result;
}

/** Gives each field of a known type that type: `null` becomes `"null"`, `0` or `false`, and `[""]` an empty list. */
export function coerce(fields: NonNullable<unknown>, known: Readonly<Record<string, Field>>): Fields {
  const result: Fields = {};
  for (const [field, sent] of Object.entries(fields)) {
    const type = known[field]?.type;
    const value = type === undefined ? sent : coerceBoolean(coerceTo(type, sent));
    result[field] = Array.isArray(value) && value.length === 1 && value[0] === "" ? [] : value;
  }
  return result;
}

function coerceTo(type: Field["type"], value: unknown): unknown {
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
