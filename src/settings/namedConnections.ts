import { isObject } from "../base/json";
import type { Credential, Setting } from "./setting";
import { credential, MAY_HOLD_CREDENTIALS, parsed, URL_EXPECTED, url } from "./values";

/** A Proxy Manager that has a name. */
export interface NamedManager {
  url: string;
  apiKey?: Credential;
}

/** An account that has a name. */
export interface NamedAccount {
  apiToken: Credential;
  /** Default: that of the settings. */
  baseUrl?: string;
}

interface ConnectionPart {
  secret?: true;
  required?: true;
  expected: string;
  parse(text: string): string | undefined;
}

export type ConnectionParts = Readonly<Record<string, ConnectionPart>>;

/** Values by the name of a connection and of the part. */
export type Connections = Readonly<Record<string, Readonly<Record<string, string>>>>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;

export const MANAGER: ConnectionParts = {
  url: { required: true, expected: URL_EXPECTED, parse: url },
  apiKey: { secret: true, expected: "a Proxy Manager API key, without blanks", parse: credential },
};

export const ACCOUNT: ConnectionParts = {
  apiToken: { secret: true, required: true, expected: "an API token, without blanks", parse: credential },
  baseUrl: { expected: URL_EXPECTED, parse: url },
};

/** The parts of named connections, by the keys of their settings. */
export const PARTS: Readonly<Record<string, ConnectionParts>> = { managers: MANAGER, accounts: ACCOUNT };

function faultOf(text: string, parts: ConnectionParts): string | undefined {
  const given = parsed(text);
  if (!isObject(given)) return undefined;
  const faults = Object.entries(given).map(([name, connection]) => faultIn(name, connection, parts));
  return faults.find((fault) => fault !== undefined);
}

function faultIn(name: string, connection: unknown, parts: ConnectionParts): string | undefined {
  const named = Object.keys(parts).map((part) => `\`${part}\``);
  const expected = `expected ${named.join(" and ")}.`;
  if (!NAME.test(name)) {
    return `${JSON.stringify(name)} is no name: expected letters, digits, "-" and "_", at most 63, of which the first is a letter or a digit.`;
  }
  if (!isObject(connection)) return `\`${name}\` is no object: ${expected}`;
  const stray = Object.keys(connection).find((key) => !Object.hasOwn(parts, key));
  if (stray !== undefined) return `\`${name}.${stray}\` is not known: ${expected}`;
  const faults = Object.entries(parts).map(([part, { secret, required, expected, parse }]) => {
    const value = connection[part];
    if (value === undefined) return required ? `\`${name}.${part}\` is missing: expected ${expected}.` : undefined;
    if (typeof value === "string" && parse(value) !== undefined) return undefined;
    const shown = secret || MAY_HOLD_CREDENTIALS.test(String(value)) ? "" : ` ${JSON.stringify(value)}`;
    return `the value${shown} of \`${name}.${part}\` cannot be used: expected ${expected}.`;
  });
  return faults.find((fault) => fault !== undefined);
}

function connectionsIn(text: string, parts: ConnectionParts): Connections | undefined {
  const given = parsed(text);
  if (!isObject(given) || faultOf(text, parts) !== undefined) return undefined;
  const values = (connection: object) =>
    Object.entries(connection).map(([part, value]) => [part, parts[part]?.parse(value)]);
  return Object.fromEntries(
    Object.entries(given).map(([name, connection]) => [name, Object.fromEntries(values(connection as object))]),
  );
}

/** Some of the named connections. */
export function only(text: string, isMeant: (name: string, connection: unknown) => boolean): string {
  const given = parsed(text);
  if (!isObject(given)) return text;
  return JSON.stringify(Object.fromEntries(Object.entries(given).filter((entry) => isMeant(...entry))));
}

/** Connections by their names, as one setting. */
export const named = (parts: ConnectionParts) => ({
  initial: "{}",
  secret: true as const,
  parse: (text: string) => connectionsIn(text, parts),
  fault: (text: string) => faultOf(text, parts),
});

/** The setting that a part of a named connection is. */
export function settingOf({ key, environment }: Setting, name: string, part: string): Setting {
  const { secret } = PARTS[key]?.[part] ?? {};
  return { key: `${key}.${name}.${part}`, environment, ...(secret && { secret }) };
}
