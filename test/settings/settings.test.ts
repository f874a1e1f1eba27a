import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ConfigurationError } from "../../src/base/errors";
import { refusePlainHttp } from "../../src/settings/address";
import { connected } from "../../src/settings/connections";
import { credentialsIn } from "../../src/settings/credentials";
import { SETTINGS } from "../../src/settings/definitions";
import { howToSet, OLDER_IN_STATE, type Setting } from "../../src/settings/setting";
import { readSettings, type Settings } from "../../src/settings/settings";

const DEFAULTS: Settings = {
  baseUrl: "https://api.brightdata.com",
  proxyManagerUrl: "http://127.0.0.1:22999",
  requestTimeout: 30,
  retries: 3,
  requestsPerMinute: 0,
  logLevel: "warn",
  prices: {},
  checkOnPreview: false,
  managers: {},
  accounts: {},
};

const GOOD: Record<keyof typeof SETTINGS, [text: string, value: unknown][]> = {
  apiToken: [
    ["abc-123", "abc-123"],
    [" abc\n", "abc"],
  ],
  managerApiKey: [["k3y", "k3y"]],
  baseUrl: [
    ["https://api.example/prefix", "https://api.example/prefix"],
    ["https://api.example//", "https://api.example"],
    [" https://api.example/a/ ", "https://api.example/a"],
    ["HTTPS://API.Example", "https://api.example"],
    ["https://api.example?", "https://api.example"],
    ["https://api.example/#", "https://api.example"],
  ],
  proxyManagerUrl: [
    ["http://10.0.0.1:22999", "http://10.0.0.1:22999"],
    ["http://[::1]:22999/", "http://[::1]:22999"],
  ],
  requestTimeout: [
    ["0.1", 0.1],
    ["3600", 3600],
    [" 7.5 ", 7.5],
  ],
  retries: [
    ["0", 0],
    ["10", 10],
  ],
  requestsPerMinute: [
    ["0", 0],
    ["100000", 100_000],
  ],
  logLevel: [
    ["off", "off"],
    ["DEBUG", "debug"],
    [" info ", "info"],
  ],
  prices: [
    ["{}", {}],
    ['{"isp-shared-ip": 1.5, "mobile-gip": "20"}', { "isp-shared-ip": 1.5, "mobile-gip": 20 }],
  ],
  checkOnPreview: [
    ["true", true],
    [" False ", false],
  ],
  managers: [
    ['{"fra-1":{"url":" https://fra.example:22999/ "}}', { "fra-1": { url: "https://fra.example:22999" } }],
    ["{}", {}],
  ],
  accounts: [["{}", {}]],
};

const BAD: Record<keyof typeof SETTINGS, string[]> = {
  apiToken: ["two words", "tab\there", "line\nbreak", "smörgås", " ", "Bearer abc"],
  managerApiKey: ["two words", "zero\u0000"],
  baseUrl: ["api.example", "ftp://api.example", "https://", "/path", "localhost:22999", " "],
  proxyManagerUrl: ["127.0.0.1:22999", "file:///etc/passwd", "javascript:0"],
  requestTimeout: ["0", "0.09", "3600.1", "-1", "30s", "1e2", "0x10", "Infinity", "NaN", "", ",5"].filter(Boolean),
  retries: ["11", "-1", "1.5", "three", "1e1"],
  requestsPerMinute: ["100001", "0.5", "-1"],
  logLevel: ["verbose", "trace", "warning", "toString", "__proto__"],
  prices: ["0.5", "[]", "{", '{"static-ip": 1}', '{"mobile-gip": -1}', '{"mobile-gip": null}', '{"mobile-gip": "x"}'],
  checkOnPreview: ["yes", "1", "toString"],
  managers: ["fra-1", "[]", "{"],
  accounts: ["shop", "[]", "{"],
};

const settings = Object.entries(SETTINGS) as [keyof typeof SETTINGS, (typeof SETTINGS)[keyof typeof SETTINGS]][];
const table = <T>(rows: Record<keyof typeof SETTINGS, T[]>): [keyof typeof SETTINGS, T][] =>
  settings.flatMap(([name]) => rows[name].map((row): [keyof typeof SETTINGS, T] => [name, row]));
/** Those of which one place has all. */
const single = settings.filter(([name]) => name !== "managers" && name !== "accounts");
const none = () => undefined;
const plain = (value: unknown) =>
  typeof value === "object" && value !== null && "value" in value ? value.value : value;

test("nothing set gives the defaults, and no credentials", () => {
  expect(readSettings(none, {})).toEqual(DEFAULTS);
});

test("every setting has a name of its own, both ways", () => {
  expect(settings.map(([name, { key, environment }]) => [name, key, environment])).toEqual([
    ["apiToken", "apiToken", "BRIGHTDATA_API_TOKEN"],
    ["baseUrl", "baseUrl", "BRIGHTDATA_BASE_URL"],
    ["proxyManagerUrl", "proxyManagerUrl", "BRIGHTDATA_PROXY_MANAGER_URL"],
    ["managerApiKey", "managerApiKey", "BRIGHTDATA_MANAGER_API_KEY"],
    ["requestTimeout", "requestTimeout", "BRIGHTDATA_REQUEST_TIMEOUT"],
    ["retries", "retries", "BRIGHTDATA_RETRIES"],
    ["requestsPerMinute", "requestsPerMinute", "BRIGHTDATA_REQUESTS_PER_MINUTE"],
    ["logLevel", "logLevel", "BRIGHTDATA_LOG"],
    ["prices", "prices", "BRIGHTDATA_PRICES"],
    ["checkOnPreview", "checkOnPreview", "BRIGHTDATA_CHECK_ON_PREVIEW"],
    ["managers", "managers", "BRIGHTDATA_MANAGERS"],
    ["accounts", "accounts", "BRIGHTDATA_ACCOUNTS"],
  ]);
});

describe.each(table(GOOD))("%s %j", (name, [text, value]) => {
  const { key, environment } = SETTINGS[name];

  test("is taken from the environment", () => {
    expect(plain(readSettings(none, { [environment]: text })[name])).toEqual(value);
  });

  test("is taken from the stack's configuration", () => {
    const read = (asked: string) => (asked === `brightdata:${key}` ? text : undefined);
    expect(plain(readSettings(read, {})[name])).toEqual(value);
  });
});

describe.each(table(BAD))("%s %j", (name, text) => {
  const { key, environment } = SETTINGS[name];
  const secret = ["apiToken", "managerApiKey", "managers", "accounts"].includes(name);
  const read = (asked: string) => (asked === `brightdata:${key}` ? text : undefined);

  test.each([
    ["environment", none, { [environment]: text }, `the environment (${environment})`, ""],
    ["stack's configuration", read, {}, `the stack's configuration (brightdata:${key})`, ` ${OLDER_IN_STATE}`],
  ])("from the %s is refused with both ways to set it", (_, config, variables, source, hint) => {
    const attempt = () => readSettings(config, variables);
    expect(attempt).toThrow(ConfigurationError);
    expect(attempt).toThrow(
      `The value${secret ? "" : ` ${JSON.stringify(text)}`} from ${source} cannot be used: expected ${SETTINGS[name].expected}. Set it with \`pulumi config set ${secret ? "--secret " : ""}brightdata:${key} <value>\` or the environment variable ${environment}.${hint}`,
    );
    if (hint === "") expect(attempt).not.toThrow(OLDER_IN_STATE);
  });
});

test.each(settings.filter(([name]) => name !== "managers" && name !== "accounts"))(
  "the order of %s is the environment before the stack's configuration",
  (name, { environment }) => {
    const [first, second] = [GOOD[name][0], GOOD[name].at(-1)];
    const read = (asked: string) => (asked === `brightdata:${SETTINGS[name].key}` ? second?.[0] : undefined);
    expect(plain(readSettings(read, { [environment]: first?.[0] })[name])).toEqual(first?.[1]);
    expect(plain(readSettings(read, { [environment]: "" })[name])).toEqual(second?.[1]);
  },
);

test("the order does not look at a configuration that the environment makes needless", () => {
  const read = (asked: string) => (asked === "brightdata:retries" ? "nonsense" : undefined);
  expect(readSettings(read, { BRIGHTDATA_RETRIES: "1" }).retries).toBe(1);
});

test("the order says where a credential came from", () => {
  const read = (asked: string) => (asked === "brightdata:apiToken" ? "from-config" : undefined);
  expect(readSettings(read, {}).apiToken).toMatchObject({
    value: "from-config",
    source: "the stack's configuration (brightdata:apiToken)",
  });
  expect(readSettings(read, { BRIGHTDATA_API_TOKEN: "from-environment" }).apiToken).toMatchObject({
    value: "from-environment",
    source: "the environment (BRIGHTDATA_API_TOKEN)",
  });
});

test("the order takes an empty text for nothing, both ways", () => {
  const empty = Object.fromEntries(settings.map(([, { environment }]) => [environment, ""]));
  expect(readSettings(() => "", empty)).toEqual(DEFAULTS);
});

const given = (values: Record<string, string>) => (key: string) => ({ "brightdata:provider": "shop", ...values })[key];

test.each(single)("an explicit provider is given %s, and not the environment", (name, { key, environment }) => {
  const [first, second] = [GOOD[name][0], GOOD[name].at(-1)];
  const read = given({ [`brightdata:${key}`]: second?.[0] as string });
  const found = readSettings(read, { [environment]: first?.[0] });
  expect(plain(found[name])).toEqual(second?.[1]);
  expect(found.provider).toBe("shop");
});

test.each(settings)(
  "an explicit provider takes %s from the environment when it is given none",
  (name, { environment }) => {
    const found = readSettings(given({}), { [environment]: GOOD[name][0]?.[0] });
    expect(plain(found[name])).toEqual(GOOD[name][0]?.[1]);
  },
);

test.each(settings)("an explicit provider is given no empty text for %s", (_, { key, environment }) => {
  const read = given({ [`brightdata:${key}`]: "" });
  expect(() => readSettings(read, { [environment]: "x" })).toThrow(
    new RegExp(`from the provider "shop" \\(\`${key}\`\\) cannot be used: expected .* the argument \`${key}\``),
  );
});

const elsewhere = { "brightdata:proxyManagerUrl": "http://10.0.0.1:22999", "brightdata:baseUrl": "https://b" };
const credentials = { BRIGHTDATA_MANAGER_API_KEY: "another-manager's", BRIGHTDATA_API_TOKEN: "the-account's" };

test("an explicit provider with services of its own has no credentials of others", () => {
  const manager = readSettings(given({ "brightdata:proxyManagerUrl": "http://10.0.0.1:22999" }), credentials);
  expect(manager).not.toHaveProperty("managerApiKey");
  expect(manager.apiToken?.value).toBe("the-account's");
  const neither = readSettings(given(elsewhere), credentials);
  expect(neither).not.toHaveProperty("managerApiKey");
  expect(neither).not.toHaveProperty("apiToken");
});

test("an explicit provider with services of its own has no accounts of the environment but those with a service of their own", () => {
  const accounts = { shop: { apiToken: "the-shop's" }, abroad: { apiToken: "abroad's", baseUrl: "https://c" } };
  const managers = { fra: { url: "http://10.0.0.2:22999", apiKey: "fra's" } };
  const environment = { BRIGHTDATA_ACCOUNTS: JSON.stringify(accounts), BRIGHTDATA_MANAGERS: JSON.stringify(managers) };
  const own = { "brightdata:accounts": JSON.stringify({ own: { apiToken: "own" } }) };
  const found = readSettings(given({ ...elsewhere, ...own }), environment);
  expect(Object.keys(found.accounts)).toEqual(["abroad", "own"]);
  expect(found.managers.fra?.apiKey?.value).toBe("fra's");
  expect(() => connected(found, { account: "shop" })).toThrow(
    '`account` is "shop": no account of that name is configured (`accounts` of the provider "shop" / BRIGHTDATA_ACCOUNTS); configured are "abroad", "own". Without a `baseUrl` of their own, those in the environment are only used for the service that BRIGHTDATA_BASE_URL, or its default, leads to.',
  );
  const same = readSettings(given({}), environment);
  expect(connected(same, { account: "shop" }).apiToken?.value).toBe("the-shop's");
});

test("an explicit provider with the services of the environment has the credentials of the environment", () => {
  const urls = { BRIGHTDATA_PROXY_MANAGER_URL: "http://10.0.0.1:22999/", BRIGHTDATA_BASE_URL: "https://b" };
  const own = readSettings(given(elsewhere), { ...credentials, ...urls });
  expect([own.managerApiKey?.value, own.apiToken?.value]).toEqual(["another-manager's", "the-account's"]);
  const initial = given({ "brightdata:baseUrl": SETTINGS.baseUrl.initial as string });
  expect(readSettings(initial, credentials).apiToken?.value).toBe("the-account's");
});

test("an explicit provider is named by what cannot be used, and by where a credential came from", () => {
  expect(() => readSettings(given({ "brightdata:retries": "11" }), { BRIGHTDATA_RETRIES: "1" })).toThrow(
    'The value "11" from the provider "shop" (`retries`) cannot be used: expected a whole number from 0 to 10. Set it with the argument `retries` of the provider "shop".',
  );
  expect(readSettings(given({ "brightdata:apiToken": "abc" }), {}).apiToken?.source).toBe(
    'the provider "shop" (`apiToken`)',
  );
});

describe("named connections", () => {
  const config = (values: Record<string, object>) => (asked: string) =>
    asked in values ? JSON.stringify(values[asked]) : undefined;

  test("have their parts, and say where a credential came from and how to set it", () => {
    const read = config({
      "brightdata:managers": {
        "fra-1": { url: "http://10.0.0.1:22999", apiKey: " key " },
        fra_2: { url: "https://b" },
      },
      "brightdata:accounts": { shop: { apiToken: "token", baseUrl: "https://api.example/" } },
    });
    const { managers, accounts } = readSettings(read, {});
    const source = (key: string, name: string) => `the stack's configuration (brightdata:${key}), "${name}"`;
    expect(managers).toEqual({
      "fra-1": {
        url: "http://10.0.0.1:22999",
        apiKey: {
          value: "key",
          source: source("managers", "fra-1"),
          setting: { key: "managers.fra-1.apiKey", environment: "BRIGHTDATA_MANAGERS", secret: true },
        },
      },
      fra_2: { url: "https://b" },
    });
    expect(accounts.shop?.baseUrl).toBe("https://api.example");
    expect(accounts.shop?.apiToken).toMatchObject({ value: "token", source: source("accounts", "shop") });
    expect(howToSet(accounts.shop?.apiToken.setting as Setting)).toBe(
      "Set it with `pulumi config set --secret --path 'brightdata:accounts.shop.apiToken' <value>` or the environment variable BRIGHTDATA_ACCOUNTS.",
    );
  });

  test("come from both places, the environment before the stack's configuration for each name", () => {
    const read = config({ "brightdata:accounts": { shop: { apiToken: "old" }, news: { apiToken: "n" } } });
    const { accounts } = readSettings(read, {
      BRIGHTDATA_ACCOUNTS: '{"shop":{"apiToken":"new"},"more":{"apiToken":"m"}}',
    });
    expect(Object.entries(accounts).map(([name, { apiToken }]) => [name, apiToken.value])).toEqual([
      ["shop", "new"],
      ["news", "n"],
      ["more", "m"],
    ]);
  });

  test("are not looked at where another place comes before: that can put right what is wrong", () => {
    const read = config({ "brightdata:managers": { "fra-1": { url: "b:1" }, "fra-2": { url: "http://b" } } });
    const { managers } = readSettings(read, { BRIGHTDATA_MANAGERS: '{"fra-1":{"url":"http://a"}}' });
    expect(managers).toEqual({ "fra-1": { url: "http://a" }, "fra-2": { url: "http://b" } });
    const variables = { BRIGHTDATA_MANAGERS: '{"fra-2":{"url":"http://a"}}' };
    expect(() => readSettings(read, variables)).toThrow('the value "b:1" of `fra-1.url` cannot be used');
    expect(() => readSettings((key) => (key === "brightdata:managers" ? "[]" : undefined), variables)).toThrow(
      "The value from the stack's configuration (brightdata:managers) cannot be used",
    );
  });

  test.each([
    ["managers", { "fra/1": {} }, '"fra/1" is no name: expected letters, digits, "-" and "_", at most 63'],
    [
      "managers",
      { _fra: {} },
      '"_fra" is no name: expected letters, digits, "-" and "_", at most 63, of which the first is a letter or a digit.',
    ],
    ["managers", { a: "http://b" }, "`a` is no object: expected `url` and `apiKey`."],
    ["managers", { a: { uri: "http://b" } }, "`a.uri` is not known: expected `url` and `apiKey`."],
    ["managers", { a: {} }, "`a.url` is missing: expected an http or https URL without credentials or a query."],
    ["managers", { a: { url: "b:1" } }, 'the value "b:1" of `a.url` cannot be used: expected an http or https URL'],
    ["managers", { a: { url: "http://hunter22@b" } }, "the value of `a.url` cannot be used: expected"],
    ["managers", { a: { url: "http://b", apiKey: "hunter 22" } }, "the value of `a.apiKey` cannot be used: expected"],
    ["accounts", { a: { apiToken: 22 } }, "the value of `a.apiToken` cannot be used: expected an API token"],
    ["accounts", { a: { baseUrl: "https://b" } }, "`a.apiToken` is missing: expected an API token"],
  ] as const)("of %s as %j are refused in words", (name, value, words) => {
    const attempt = () => readSettings(config({ [`brightdata:${name}`]: value }), {});
    expect(attempt).toThrow(ConfigurationError);
    expect(attempt).toThrow(`from the stack's configuration (brightdata:${name}) cannot be used: ${words}`);
    expect(attempt).not.toThrow(/hunter/);
  });

  test("are among the credentials that are hidden, even where they cannot be used", () => {
    const read = config({ "brightdata:accounts": { shop: { apiToken: "one two", baseUrl: "https://b" } } });
    const variables = { BRIGHTDATA_MANAGERS: '{"a":{"apiKey":"key"}}', BRIGHTDATA_API_TOKEN: "token" };
    expect(credentialsIn(read, variables)).toEqual(["token", "key", "one two"]);
  });

  test("are hidden as they are used, without the blanks around them", () => {
    const variables = { BRIGHTDATA_MANAGERS: '{"a":{"apiKey":" key "}}', BRIGHTDATA_API_TOKEN: "token\n" };
    expect(credentialsIn(() => undefined, variables)).toEqual(["token", "key"]);
  });
});

test.each([
  "https://user:hunter22@api.example",
  "https://api.example/?token=hunter22",
  "https://api.example/#hunter22",
])("a message does not show the credentials in %s", (text) => {
  const attempt = () => readSettings(none, { BRIGHTDATA_BASE_URL: text });
  expect(attempt).toThrow(/^The value from the environment \(BRIGHTDATA_BASE_URL\) cannot be used: expected /);
});

test("a message never shows a credential, whatever it is", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", minLength: 8 }),
      fc.constantFrom("apiToken", "managerApiKey"),
      (text, name) => {
        const { environment } = SETTINGS[name];
        let message = "";
        try {
          readSettings(none, { [environment]: text });
        } catch (error) {
          message = (error as Error).message;
        }
        expect(message).not.toContain(text);
      },
    ),
  );
});

test.each([
  [
    "apiToken",
    "Set it with `pulumi config set --secret brightdata:apiToken <value>` or the environment variable BRIGHTDATA_API_TOKEN.",
  ],
  [
    "retries",
    "Set it with `pulumi config set brightdata:retries <value>` or the environment variable BRIGHTDATA_RETRIES.",
  ],
] as const)("a message says how to set %s", (name, sentence) => {
  expect(howToSet(SETTINGS[name])).toEqual(sentence);
});

test.each([
  "https://api.example",
  "http://localhost:8080",
  "http://127.0.0.1:22999",
  "http://127.0.0.2",
  "http://127.1",
  "http://[::1]:22999",
  "http://LOCALHOST",
])("plain http is no matter with %s", (url) => {
  expect(() => refusePlainHttp(url, "the token", SETTINGS.baseUrl)).not.toThrow();
});

test.each([
  "http://api.example",
  "http://10.0.0.1",
  "http://0.0.0.0",
  "http://127.0.0.1.example",
  "http://localhost.example",
  "http://128.0.0.1",
  "http://[::2]",
  "http://[::ffff:10.0.0.1]",
])("plain http is refused with %s", (url) => {
  const attempt = () => refusePlainHttp(url, "the token", SETTINGS.baseUrl);
  expect(attempt).toThrow(ConfigurationError);
  expect(attempt).toThrow(
    `${url} is plain http and not this machine: the token would travel in clear. Use an https URL (brightdata:baseUrl / BRIGHTDATA_BASE_URL), or a tunnel that ends on 127.0.0.1.`,
  );
});
