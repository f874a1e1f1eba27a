import { snakeCase } from "../base/case";
import { isObject, type JsonObject, keysIn } from "../base/json";
import { secretsAmong } from "../declaration/paths";
import { type Properties, type Property, text, type ValuesOf } from "../declaration/property";
import { typed } from "../declaration/scalars";
import { asProgram, asService } from "../declaration/spelling";
import { comparable } from "../declaration/values";
import { listenPort, portFields } from "../model/portFields";
import { fromServiceRules, toServiceRules } from "./portRules";

export type PortField = keyof typeof portFields;

/** A port's fields by their names in a program. */
export type PortFields = Partial<ValuesOf<typeof portFields>> & {
  listenPort?: number;
  /** A mark that a port gets when it is made: the manager keeps fields that it does not know. */
  pulumiId?: string;
};

/** A port that there is. */
export type ConfiguredPort = PortFields & { port: number };

export const PORT_FIELDS = keysIn(portFields);

const SECRETS: ReadonlySet<string> = new Set(secretsAmong(portFields));

/** Whether a name is that of a field. */
export const isPortField = (name: string): name is PortField => Object.hasOwn(portFields, name);

/** What is declared of a field. */
export const portField = (field: PortField): Property => portFields[field];

/** The fields that a port is created with: another value makes another port. */
export const FIXED_FIELDS = PORT_FIELDS.filter((field) => portField(field).replaces);

/** A field's value in the one form in which values compare; `undefined` for "as if it were not there". */
export const portValue = (field: PortField, value: unknown): unknown => comparable(portField(field), value);

/** What is sent for none of these: the manager would take an empty value for a value. */
const NONE: Partial<Record<PortField, unknown>> = { ips: "", vips: "", vip: "*", extProxies: "" };

const EMPTY: Partial<Record<Property["is"], unknown>> = { list: [], flag: false, number: 0 };

/** What is sent to take a field's value away: the manager cannot remove a key, and makes nonsense of `null`. */
export const emptyValue = (field: PortField): unknown => {
  const { is, default: initial } = portField(field);
  return initial ?? EMPTY[is] ?? "";
};

/**
 * A value that is to be sent, with what takes those of its parts away that are no longer declared: the manager keeps parts that it
 * is not sent.
 */
export function withoutLost(field: PortField, value: unknown, wasDeclared: (path: string) => boolean): unknown {
  const property = portField(field);
  if (property.is !== "object" || property.compares !== "parts" || !isObject(value)) return value;
  const lost = Object.entries(property.properties).filter(
    ([part]) => value[part] === undefined && wasDeclared(`${field}.${part}`),
  );
  return { ...value, ...Object.fromEntries(lost.map(([part, { is }]) => [part, is === "flag" ? false : ""])) };
}

/** The numbers that a port without its own has from the manager's settings. One that is as these is not saved. */
export const INHERITED_NUMBERS = ["harLimit", "socketInactivityTimeout"] as const;

/** The fields that a port without a value of its own has from the manager's settings. */
const INHERITED_FIELDS = ["debug", "lpmAuth", "logs", ...INHERITED_NUMBERS] as const;

export const isInherited = (field: PortField): boolean => INHERITED_FIELDS.some((name) => name === field);

/** What is sent of such a field so that a port has the manager's value, `setting`, from now on, and none of its own. */
export const inheritedValue = (field: PortField, setting: unknown): unknown =>
  portField(field).is === "number" ? setting : `default-${setting ?? "none"}`;

/** Whether a port takes that in place alone: one that is made anew would have the word as its value. */
export const isForPlace = (field: PortField, value: unknown): boolean =>
  field === "vip" ? portValue(field, value) === undefined : isInherited(field) && String(value).startsWith("default-");

/** The fields as the manager names them. */
export function toServicePort(fields: PortFields): JsonObject {
  const entries = Object.entries(fields).map(([field, value]) => [
    snakeCase(field),
    isPortField(field) ? serviceValue(field, value) : value,
  ]);
  return Object.fromEntries(entries);
}

function serviceValue(field: PortField, value: unknown): unknown {
  if (NONE[field] !== undefined && portValue(field, value) === undefined) return NONE[field];
  const spelled = asService(portField(field), value);
  if (field === "rules") return toServiceRules(spelled);
  // The manager does so when it makes a port, and not when it changes one.
  return field === "users" ? (portValue(field, spelled) ?? spelled) : spelled;
}

/** The values of the secret fields, and those of headers, which may hold a credential under any name. */
export const portSecrets = (fields: PortFields): unknown[] => [
  ...Object.entries(fields).flatMap(([name, value]) => (SECRETS.has(name) ? [value] : [])),
  ...(Array.isArray(fields.headers) ? fields.headers.map((header) => isObject(header) && header.value) : []),
];

const READ: Properties = { ...portFields, listenPort, pulumiId: text({}) };
const SERVICE_NAMES = Object.entries(READ).map(([name, property]) => [name, snakeCase(name), property] as const);

/** A record of the manager, its known fields only: answers also carry credentials of the whole account. */
export function fromServicePort(record: JsonObject): PortFields {
  const fields = SERVICE_NAMES.flatMap(([name, serviceName, property]) => {
    const value = record[serviceName];
    if (value === undefined || value === null) return [];
    const spelled = asProgram(property, typed(property, value));
    return [[name, name === "rules" ? fromServiceRules(spelled) : spelled]];
  });
  return Object.fromEntries(fields);
}
