const HIDDEN = "[secret]";

// Keys whose values are credentials, in either service's spelling or ours.
const SECRET_KEY =
  /pass(word|phrase)|token|secret|credential|authorization|private_?key|ssh_?key|sas|(api|access)[_-]?key|^key$/i;

/** Every string that stands under a secret key anywhere in `value`. */
export function secretsIn(value: unknown, underSecretKey = false): string[] {
  if (typeof value === "string") return underSecretKey ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(item, underSecretKey));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => secretsIn(item, underSecretKey || SECRET_KEY.test(key)));
}

/** `text` with every occurrence of the secrets hidden, and anything that looks like a bearer token. */
export function redact(text: string, secrets: Iterable<string>): string {
  let hidden = text;
  // The longest first: a secret may contain another.
  const known = [...new Set(secrets)].filter((secret) => secret.length > 2).sort((a, b) => b.length - a.length);
  for (const secret of known) hidden = hidden.replaceAll(secret, HIDDEN);
  return hidden.replace(/\b(bearer\s+)[\w.~+/-]+=*/gi, `$1${HIDDEN}`);
}
