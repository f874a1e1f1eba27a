import fc from "fast-check";
import { expect, test } from "vitest";
import { redact, secretsIn } from "../../src/http/redact";

const SECRET_KEYS = [
  "password",
  "passwords",
  "user_password",
  "userPassword",
  "extProxyPassword",
  "token",
  "lpm_token",
  "apiToken",
  "sas_token",
  "sasToken",
  "sas",
  "Authorization",
  "authorization",
  "webhook_header_Authorization",
  "auth_header",
  "authHeader",
  "apiKey",
  "api_key",
  "aws-access-key",
  "aws-secret-key",
  "private_key",
  "privateKey",
  "ssh_key",
  "key",
  "passphrase",
  "secret",
  "credentials",
  "cookie",
  "ext_proxies",
  "extProxies",
];

// Neither part of the words that take a secret's place nor of a text around it.
const secret = fc.string({ unit: "binary", minLength: 3, maxLength: 40 }).filter((text) => !/^[[\]secrt]*$/.test(text));

test.each(SECRET_KEYS)("secretsIn takes what stands under %s", (key) => {
  expect(secretsIn({ [key]: "hunter22" })).toEqual(["hunter22"]);
});

test.each([
  "name",
  "zone",
  "ip",
  "country",
  "keyword",
  "monkey",
  "compass",
  "keepSession",
  "value",
  "kansas",
  "saskatoon",
])("secretsIn leaves what stands under %s", (key) => {
  expect(secretsIn({ [key]: "plain" })).toEqual([]);
});

test.each(["ports", "accounts", "managers"])("secretsIn takes no name among %s for what its value is", (map) => {
  const named = { "token-a": { port: 24_001, apiToken: "hush" }, cookie: "plain" };
  expect(secretsIn({ [map]: named })).toEqual(["hush"]);
  expect(secretsIn({ credentials: { [map]: named } })).toEqual(["24001", "hush", "plain"]);
});

test("secretsIn takes everything below a secret key", () => {
  const body = { credentials: { role_arn: "arn", list: [{ external_id: "external" }] }, region: "eu" };
  expect(secretsIn(body)).toEqual(["arn", "external"]);
});

test("secretsIn takes numbers too", () => {
  expect(secretsIn({ password: 123456, port: 24000 })).toEqual(["123456"]);
});

test("secretsIn takes the value of a header that is named as one", () => {
  const headers = [
    { name: "Authorization", value: "Basic abc" },
    { name: "Accept", value: "text/plain" },
  ];
  expect(secretsIn({ headers })).toEqual(["Basic abc"]);
});

test("secretsIn takes what a header has behind its scheme, too: a service may echo that alone", () => {
  const headers = { authorization: "Bearer hunter22", "proxy-authorization": "Basic dXNlcjpodW50ZXIyMg==" };
  expect(secretsIn({ headers })).toEqual([
    ...["Bearer hunter22", "hunter22"],
    ...["Basic dXNlcjpodW50ZXIyMg==", "dXNlcjpodW50ZXIyMg=="],
  ]);
});

test.each([
  ["user:hunter22@203.0.113.7:8080", "hunter22"],
  ["https://user:hunter22@example.com/hook", "hunter22"],
  ["https://:hunter22@example.com", "hunter22"],
])("secretsIn takes the password out of %s", (address, password) => {
  expect(secretsIn({ notify: address })).toContain(password);
});

test.each(["12:30", "https://example.com:8080/a@b", "someone@example.com", "a: b @ c"])(
  "secretsIn finds no password in %s",
  (text) => {
    expect(secretsIn({ notify: text })).toEqual([]);
  },
);

test("secretsIn finds a secret at any depth", () => {
  const nested = fc.letrec<{ body: unknown }>((tie) => ({
    body: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.tuple(fc.constantFrom(...SECRET_KEYS), fc.constant("the one secret")).map(([key, value]) => ({
        [key]: value,
      })),
      fc.array(tie("body"), { minLength: 1, maxLength: 3 }),
      fc.dictionary(fc.constantFrom("zone", "plan", "proxy", "token"), tie("body"), { minKeys: 1, maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(nested.body, (body) => {
      expect(new Set(secretsIn(body))).toEqual(new Set(["the one secret"]));
    }),
  );
});

test.each([undefined, null, "text", 5, true, [], {}])("secretsIn finds none in %j", (value) => {
  expect(secretsIn(value)).toEqual([]);
});

test("no secret survives, wherever it stands and however often", () => {
  fc.assert(
    fc.property(
      fc.array(secret, { minLength: 1, maxLength: 4 }),
      fc.array(fc.oneof(fc.nat({ max: 3 }), fc.string()), { maxLength: 12 }),
      (secrets, pieces) => {
        const text = pieces
          .map((piece) => (typeof piece === "number" ? secrets[piece % secrets.length] : piece))
          .join("");
        const hidden = redact(text, secrets);
        for (const one of secrets) expect(hidden).not.toContain(one);
      },
    ),
  );
});

test("no secret survives in JSON, a query string or an HTML page", () => {
  const html: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  const inGo = (character: string) => `\\u00${character.charCodeAt(0).toString(16)}`;
  const spellings: ((text: string) => string)[] = [
    (text) => JSON.stringify(text).slice(1, -1),
    (text) => new URLSearchParams([["", text]]).toString().slice(1),
    encodeURIComponent,
    (text) =>
      encodeURIComponent(text).replace(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    (text) => encodeURIComponent(text).replace(/%../g, (escaped) => escaped.toLowerCase()),
    (text) => JSON.stringify(text).slice(1, -1).replace(/[&<>]/g, inGo),
    (text) => text.replace(/[&<>"']/g, (character) => html[character] ?? ""),
  ];
  const difficult = fc
    .string({ unit: fc.constantFrom(..."a9&<>\"'\\\n\t +%/é!(~*"), minLength: 3, maxLength: 12 })
    .filter((text) => text.trim().length > 2);
  fc.assert(
    fc.property(difficult, fc.constantFrom(...spellings), (one, spell) => {
      expect(redact(`before ${spell(one)} after`, [one])).toBe("before [secret] after");
    }),
  );
});

const long = fc.string({ unit: "binary", minLength: 9, maxLength: 40 });

test.each(["base64", "base64url"] as const)("no secret survives in %s, whatever it stands between", (encoding) => {
  fc.assert(
    fc.property(long, fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), (hidden, before, after) => {
      const encoded = Buffer.from(before + hidden + after).toString(encoding);
      expect(redact(`Authorization=${encoded}, was it?`, [hidden])).toMatch(/^(Authorization=)?\[secret\], was it\?$/);
    }),
  );
});

test("a text of one letter is searched for secrets at once", () => {
  const text = "a".repeat(4_000_000);
  expect(redact(text, ["hunter2hunter2"])).toBe(text);
});

test("a secret that holds another goes as a whole", () => {
  expect(redact("key abcdef, abc", ["abc", "abcdef"])).toBe("key [secret], [secret]");
});

test("what takes a secret's place is not a pattern of a replacement", () => {
  expect(redact("a.c abc $& a.c", ["a.c", "$&"])).toBe("[secret] abc $& [secret]");
});

test("redact hides a token that it does not know", () => {
  expect(redact("authorization: Bearer abcdef0123456789.ABC-xyz==, next", [])).toBe(
    "authorization: Bearer [secret], next",
  );
});

test("redact hides a user's password that it does not know", () => {
  expect(redact("proxy-authorization: Basic dXNlcjpodW50ZXIyMg==, next", [])).toBe(
    "proxy-authorization: Basic [secret], next",
  );
});

test.each(["The bearer token is missing.", "Basic authentication failed", "no secrets here"])(
  "redact leaves words alone: %s",
  (words) => {
    expect(redact(words, ["x", "is", ""])).toBe(words);
  },
);
