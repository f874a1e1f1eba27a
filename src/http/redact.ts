import { isObject } from "../base/json";

const HIDDEN = "[secret]";

// Shorter ones are no credentials, and hiding them would leave little of a message.
const SHORTEST_SECRET = 3;

// Of a URL whose whole is secret.
const SHORTEST_PATH = 8;
const SHORTEST_PART = 8;

// Keys whose values are credentials, in either service's spelling or ours.
const SECRET_KEY =
  /pass(word|phrase)|token|secret|credential|authorization|auth_?header|cookie|private_?key|ssh_?key|(^|_)sas(_|$)|(api|access)[_-]?key|ext_?proxies|^key$/i;

// Maps whose keys are names that a program gives, which say nothing of the values.
const NAMED = ["ports", "accounts", "managers"];

// `user:password@host`, bare or in a URL.
const USER_INFO = /(?:^|\/\/)[^\s/@:]*:([^\s/@]+)@/;

// The value of a header such as `Authorization`.
const SCHEME = /^(?:bearer|basic)\s+(\S{8,})$/i;

/** Every value that stands under a secret key anywhere in `value`, and the passwords in addresses. */
export function secretsIn(value: unknown, underSecretKey = false): string[] {
  if (typeof value === "string") {
    const password = USER_INFO.exec(value)?.[1];
    const whole = underSecretKey ? [value, ...(SCHEME.exec(value)?.slice(1) ?? [])] : [];
    return [...whole, ...(password === undefined ? [] : [password])];
  }
  if (typeof value === "number") return underSecretKey ? [String(value)] : [];
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(item, underSecretKey));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    NAMED.includes(key) && isObject(item)
      ? secretsIn(Object.values(item), underSecretKey)
      : secretsIn(item, underSecretKey || SECRET_KEY.test(key) || (key === "value" && isNamedAsSecret(value))),
  );
}

/**
 * Every text in `value`, whatever it stands under, and of a URL the parts that are as good as the whole: its path with its
 * query, and the values in the query.
 */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value, ...(URL.canParse(value) ? partsOf(new URL(value)) : [])];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

const partsOf = ({ pathname, search, searchParams, password }: URL): string[] => [
  ...(pathname.length + search.length > SHORTEST_PATH ? [pathname + search] : []),
  ...[...searchParams.values()].filter((part) => part.length >= SHORTEST_PART),
  password,
];

/** Whether an object of `name` and `value`, such as a header, holds a credential. */
const isNamedAsSecret = (pair: { name?: unknown }): boolean =>
  typeof pair.name === "string" && SECRET_KEY.test(pair.name);

/** `text` with every occurrence of the secrets hidden, and anything that looks like a token or a password in a header. */
export function redact(text: string, secrets: Iterable<string>): string {
  let hidden = text;
  const known = [...secrets].filter((secret) => secret.length >= SHORTEST_SECRET);
  // The longest first: a secret may contain another.
  for (const secret of [...new Set(known.flatMap(spellings))].sort((a, b) => b.length - a.length)) {
    hidden = hidden.replaceAll(secret, HIDDEN);
  }
  const encoded = known.flatMap(inBase64);
  if (encoded.length > 0)
    hidden = hidden.replace(BASE64, (run) => {
      const standard = run.replaceAll("-", "+").replaceAll("_", "/");
      return encoded.some((part) => standard.includes(part)) ? HIDDEN : run;
    });
  // Not the words after "bearer" or "basic" in a sentence, which are shorter than any token.
  return hidden.replace(/\b((?:bearer|basic)\s+)[\w.~+/-]{16,}=*/gi, `$1${HIDDEN}`);
}

const HTML: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** A secret as it is, and as a service echoes it in JSON, in a query string, in another part of a URL and in an HTML page. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inUrl = encodeURIComponent(secret.toWellFormed());
  const escaped = [
    new URLSearchParams([["", secret]]).toString().slice(1),
    inUrl,
    inUrl.replace(/[!'()*]/g, (character) => `%${hexadecimal(character).toUpperCase()}`),
  ];
  return [
    secret,
    inJson,
    // As Go writes JSON.
    inJson.replace(/[&<>]/g, (character) => `\\u00${hexadecimal(character)}`),
    ...escaped,
    ...escaped.map((text) => text.replace(/%../g, (code) => code.toLowerCase())),
    secret.replace(/[&<>"']/g, (character) => HTML[character] ?? character),
  ];
}

// Fewer letters of base64 stand in many a word.
const SHORTEST_BASE64 = 8;
const BASE64 = /[\w+/-]{8,}={0,2}/g;

/** Of a text in base64, what the secret alone makes of it: by how much stands before, it is one of three. */
function inBase64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2]
    .map((before) => {
      const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
      return text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
    })
    .filter((part) => part.length >= SHORTEST_BASE64);
}

const hexadecimal = (character: string): string => character.charCodeAt(0).toString(16);
