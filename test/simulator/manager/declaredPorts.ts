import { expect, onTestFinished } from "vitest";
import type { JsonObject } from "../../../src/base/json";
import { managerSettingsLifecycle as managerSettings } from "../../../src/kinds/managerSettings/lifecycle";
import { proxyPortLifecycle as proxyPort } from "../../../src/kinds/proxyPort/lifecycle";
import { Context } from "../../../src/lifecycle/context";
import { Deadline } from "../../../src/lifecycle/deadline";
import type { Step } from "../../../src/lifecycle/lifecycle";
import { leafPaths } from "../../../src/lifecycle/paths";
import { fromServicePort, toServicePort } from "../../../src/manager/portFields";
import { readSettings } from "../../../src/settings/settings";
import { send, TEST_PAGE } from "./harness";
import { askPort } from "./portClient";

/** What becomes of a port with these fields: it is refused when it is checked, warned of when it has been made, or works. */
type Becomes = "refused" | "warned" | "works";

/** What a request through it comes to, if it is made all the same: its status, or why there is none. */
type Carries = number | "no answer" | "nobody listens";

export type Row = [fields: JsonObject, becomes: Becomes, carries: Carries];

const rule = (fields: JsonObject): JsonObject => ({ rules: [{ action: { retry: 1 }, ...fields }] });
const header = (name: string, value = "v"): JsonObject => ({ headers: [{ name, value }] });
const all = (field: string, becomes: Becomes, carries: Carries, ...values: unknown[]): Row[] =>
  values.map((value) => [{ [field]: value }, becomes, carries]);

/** What people type, and what becomes of it; tried on the vendor's own program. */
export const DECLARED: readonly Row[] = [
  [{}, "works", 200],
  ...["*.jpg", "(?i)shop", "(", "[a-"].map((url): Row => [rule({ url }), "refused", 502]),
  ...["a`b", "$" + "{x}"].map((url): Row => [rule({ url }), "refused", 200]),
  ...["\\.jpg$", "^http://shop\\.", "/^shop/i", "shop|store"].map((url): Row => [rule({ url }), "works", 200]),
  ...["*x", "(?i)x"].map((body): Row => [rule({ body }), "refused", 200]),
  ...["4**", "(", "4xx", "403,429", ">=400", "200-299", 42].map((status): Row => [rule({ status }), "refused", 200]),
  ...["4..", "(403|429)", "^5", 403].map((status): Row => [rule({ status }), "works", 200]),
  [{ rules: [{ status: 403 }] }, "refused", 502],
  [{ rules: [{ url: "mygeo" }] }, "refused", 502],
  [{ rules: [{ status: 403, action: {} }] }, "works", 200],
  [rule({ status: 200, action: { retryPort: 24_999 } }), "warned", "no answer"],
  [rule({ status: 403, action: { retryPort: "24999" } }), "warned", 200],
  [rule({ status: 200, action: { retryPort: "abc" } }), "refused", "no answer"],
  [rule({ status: 200, action: { retryPort: 70_000 } }), "refused", "no answer"],
  [rule({ status: 403, action: { retry: "often" } }), "refused", 200],
  [rule({ status: 403, action: { banIp: "10min" } }), "refused", 200],
  [rule({ triggerCode: "function trigger(opt) { return false; }" }), "refused", 200],
  [rule({ type: "before_send", triggerCode: "(opt) => true" }), "refused", 200],
  [rule({ type: "before_send", triggerCode: "function trigger(opt) {" }), "refused", 200],
  ...["1;", " 2;", "-3;"].map(
    (start): Row => [rule({ type: "before_send", triggerCode: `${start}function trigger(opt) {}` }), "refused", 200],
  ),
  [rule({ type: "sometime", triggerCode: "function trigger(opt) { return true; }" }), "refused", 200],

  ...["x y", "x:", "x\t", "", "ä"].map((name): Row => [header(name), "refused", 502]),
  ...["a\nb", "a\r\nb", "€", "a\0b"].map((value): Row => [header("x", value), "refused", 502]),
  ...["", "ü", " v ", "a\tb"].map((value): Row => [header("x", value), "works", 200]),
  ...["content-length", "Content-Length"].map((name): Row => [header(name, "5"), "refused", "no answer"]),
  [header("proxy-authorization", "Basic eDp5"), "refused", 200],
  ...["cookie", "host", "user-agent", "accept-encoding"].map((name): Row => [header(name), "works", 200]),

  ...all("extProxies", "refused", 502, ["bad host!"], ["u:p#w@127.0.0.98:22225"], ["127.0.0.98:99999"]),
  ...all("extProxies", "refused", 502, ["ftp://127.0.0.98:22225"], ["u:p:127.0.0.98:22225"]),
  ...all("extProxies", "refused", 200, ["127.0.0.98:22225:u:p"]),
  ...all("extProxies", "works", 200, ["127.0.0.98:22225"], ["u:p@127.0.0.98:22225"], ["http://127.0.0.98:22225"], []),

  ...all("iface", "warned", "nobody listens", "10.9.9.9", "198.51.100.1"),
  ...all("iface", "refused", "nobody listens", "999.1.1.1"),
  ...all("iface", "refused", 200, "localhost", "::1", "*", "any", "127.0.0.1:24000"),
  ...all("iface", "works", 200, "127.0.0.1", "0.0.0.0"),
  ...all("whitelistIps", "refused", 200, ["any"], ["10.0.0.0/33"], "10.0.0.1", ["example.com"]),
  ...all("user", "refused", 200, "a:b"),
  ...all("userPassword", "refused", 200, "a:b"),

  [{ multiplyIps: true }, "refused", 200],
  [{ multiplyVips: true }, "refused", 200],
  [{ multiplyUsers: true }, "refused", 200],
  [{ multiplyIps: true, ips: ["203.0.113.1", "203.0.113.2"] }, "warned", 200],
  [{ multiplyUsers: true, users: ["ann", "bob"] }, "warned", 200],
  [{ users: ["ann"] }, "warned", 200],
  [{ ips: ["203.0.113.1"] }, "warned", 200],
  [{ ips: ["203.0.113.1"], poolSize: 1 }, "works", 200],
  [{ vips: ["v1", "v2"], poolSize: 1 }, "warned", 200],
  ...all("ips", "refused", 200, ["203.0.113.1,203.0.113.2"], ["203.0.113.1 203.0.113.2"], ["203.0.113.0/24"], ["x"]),
  ...all("ip", "refused", 200, "x", "203.0.113.0/24", "203.0.113.1,203.0.113.2"),
  ...all("ip", "refused", 407, "::1"),
  ...all("ip", "works", 200, "203.0.113.1"),

  ...all("country", "refused", 200, "usa", "United States", "u", "us,gb"),
  ...all("country", "works", 200, "us", "US", "any"),
  ...all("state", "refused", 200, "us-ny", "ny:"),
  ...all("zip", "refused", 200, "10001-1234"),
  ...all("asn", "refused", 200, "AS7922", "comcast", "7922,5"),
  ...all("os", "refused", 200, "win-10"),
  ...all("session", "refused", 200, "a.b", "a-b", "true", "", false),
  ...all("session", "refused", 407, "a:b"),
  ...all("session", "works", 200, "mine", true),
  ...all("routeErr", "refused", 200, "drop"),
  ...all("dns", "refused", 200, "8.8.8.8"),
  ...all("proxy", "refused", 200, "http://brd.superproxy.io", "brd.superproxy.io:33335", "super proxy"),
  ...all("proxy", "warned", 200, "zproxy.lum-superproxy.io"),
  ...all("proxy", "works", 200, "brd.superproxy.io"),
  ...all("proxyPort", "refused", 200, 0, 70_000),
  ...all("proxyPort", "warned", 200, 33_335),
  ...all("proxyPort", "works", 200, 22_225),
  ...all("socketInactivityTimeout", "refused", 200, 999),
  ...all("socketInactivityTimeout", "works", 200, 0, 1000, 120_000),
  ...all("poolSize", "refused", 200, -1),
  ...all("throttle", "refused", "no answer", -1),
  ...all("throttle", "refused", 200, 1.5, true),
  ...all("throttle", "works", 200, 0, 5),
  ...all("lpmAuth", "refused", 200, "true"),
  ...all("debug", "refused", 200, "yes"),
  ...all("tlsLib", "refused", 200, "openssl"),
  ...all("testUrl", "refused", 200, "geo.brdtest.com"),
  ...all("harLimit", "refused", 200, -2),
  ...all("reverseLookupFile", "refused", 200, "/nosuch/", "C:\\nosuch\\", "/nosuch/..", ".nosuch/."),
  ...all("reverseLookupFile", "works", 200, "/nosuch", "nosuch.txt", "hosts."),
  ...all("reverseLookupValues", "refused", 200, ["example.com 203.0.113.7"], ["203.0.113.7=example.com"]),
  ...all("reverseLookupValues", "works", 200, ["203.0.113.7 example.com"]),
  ...all(
    "bwLimit",
    "refused",
    200,
    { days: 30, bytes: 0 },
    { days: 0, bytes: 1 },
    { days: 1, bytes: 1, start: "soon" },
    { days: 30 },
    { bytes: 1 },
    {},
  ),

  ...all("zone", "refused", 200, ""),
  ...all("zone", "warned", 407, "off"),
  ...all("zone", "works", 200, "dc"),
  ...all("proxyType", "refused", 200, "temporary", ""),
  ...all("proxyType", "works", 200, "persist"),
  ...all("internalName", "refused", 200, ""),
  ...all("internalName", "works", 200, "shop eu"),
  ...all("customer", "refused", 200, ""),
  ...all("customer", "warned", 200, "hl_other"),
  ...all("password", "refused", 200, ""),
  ...all("password", "works", 200, "wrong", "a:b"),
  ...all("preset", "works", 200, "rotating", "session_long", "nonsense"),
  ...all("multiply", "refused", 200, -1, 1.5),
  ...all("multiply", "works", 200, 0, 1, 2),
  ...all("city", "refused", 200, ""),
  ...all("city", "refused", 502, ["berlin"]),
  ...all("city", "works", 200, "New York", "new-york", "new_york"),
  ...all("vip", "refused", 200, "5", 0, -1, 1.5),
  ...all("vip", "works", 200, 5),
  ...all("extProxyUsername", "refused", 200, "u:v"),
  ...all("extProxyUsername", "works", 200, "u"),
  ...all("extProxyPassword", "refused", 200, ""),
  ...all("extProxyPassword", "works", 200, "p"),
  ...all("extProxyPort", "refused", 200, "24000", 0, 70_000),
  ...all("extProxyPort", "works", 200, 24_000),
  ...[
    "stickyIp",
    "rotateSession",
    "keepSession",
    "sessionTermination",
    "overrideHeaders",
    "ua",
    "followRedirect",
  ].flatMap((flag) => [...all(flag, "refused", 200, "yes"), ...all(flag, "works", 200, true)]),
  ...all("render", "refused", 200, "on"),
  ...all("render", "warned", 200, true),
  ...all("render", "works", 200, false),
  ...["reverseLookupDns", "info", "ssl", "insecure", "avCheck"].flatMap((flag) => [
    ...all(flag, "refused", 200, "on"),
    ...all(flag, "works", 200, true),
  ]),
  [{ zone: "unb", ssl: false }, "warned", 200],
  [{ zone: "unb", ssl: true }, "works", 200],
  [{ zone: "unb", render: true }, "works", 200],
  ...all("proxyConnectionType", "refused", 200, "tcp", ""),
  ...all("proxyConnectionType", "works", 200, "http", "https", "socks"),
  ...all("proxyCountry", "refused", 200, "china"),
  ...all("proxyCountry", "works", 200, "cn"),
  ...["proxyRetry", "maxBanRetries"].flatMap((count) => [
    ...all(count, "refused", 200, -1, 1.5, "2"),
    ...all(count, "works", 200, 0, 3),
  ]),
  ...all("timezone", "refused", 200, ""),
  ...all("timezone", "works", 200, "Europe/Berlin", "auto"),
  ...all("resolution", "works", 200, "1920x1080", "wide"),
  ...all("webrtc", "refused", 200, true),
  ...all("webrtc", "works", 200, "none"),
  ...all("logs", "refused", 200, -1, "all", true),
  ...all("logs", "works", 200, 0, 10),
  ...all("smtp", "refused", 200, "127.0.0.1:25"),
  ...all("smtp", "works", 200, []),
];

const IPS = ["198.51.100.9", "198.51.100.10"];
const GIPS = { vips: ["v1"], poolSize: 1 };
const PROXIES = ["127.0.0.98:22225"];

/** What a port is declared as, one after the other. In the end it is to carry requests as one that is made so. */
export const UPDATES: readonly JsonObject[][] = [
  [{ debug: "full", multiply: 2 }, {}, { country: "us" }],
  [{ lpmAuth: "full" }, { multiply: 2 }, { multiply: 2, country: "us" }],
  [
    { debug: "full", lpmAuth: "full", users: ["ann"], multiplyUsers: true },
    { users: ["bob"], multiplyUsers: true },
    { users: ["bob"], multiplyUsers: true, country: "us" },
  ],
  [
    { debug: "full", ips: IPS, poolSize: 2 },
    { ips: IPS.slice(1), poolSize: 1 },
    { ips: IPS.slice(1), poolSize: 1, country: "us" },
  ],
  [{ debug: "full" }, { ...GIPS }, { ...GIPS, country: "us" }],
  [{ vip: 5 }, {}],
  [{ vip: 5, multiply: 2 }, { country: "us" }, { country: "us", stickyIp: true }],
  [{ vip: 5 }, {}, { multiply: 2 }, { vip: 7, multiply: 2 }],
  ...["ip", "vip"].flatMap((name) => {
    const [flag, list] = [`multiply${name === "ip" ? "Ips" : "Vips"}`, { [`${name}s`]: IPS, multiply: 2 }];
    return [
      [list, { ...list, [flag]: true }],
      [{ ...list, [flag]: true }, list],
      [
        { ...list, debug: "full" },
        { ...list, [flag]: true },
        { ...list, [flag]: true, country: "us" },
      ],
    ];
  }),
  [{ ips: IPS, poolSize: 2 }, GIPS],
  [GIPS, { ips: IPS, poolSize: 2 }],
  [
    { ips: IPS, poolSize: 2 },
    { ...GIPS, ips: [] },
  ],
  [{ ...GIPS, ips: [] }],
  [{ session: "abc", extProxies: PROXIES }, { session: "abc" }],
  [
    { session: "abc", extProxies: PROXIES },
    { session: "abc", extProxies: [] },
  ],
  [{ session: "abc", extProxies: PROXIES }, {}],
  [{ session: "abc", extProxies: [] }],
];

/** Expressions of which an update would make something else. */
export const CUT: readonly string[] = [
  ...["5..", " 404 not found", "-1 results", "\t5x", "007", "0", "12345678901234567890", "5\n", "true", "false"],
];

/** The vendor's process of the port ends over it, and comes back. */
export const DEADLY: Row = [header("trailer"), "refused", "no answer"];

/** The same of the manager's settings, with a request through a port of no fields of its own. */
export const SETTINGS: readonly [fields: JsonObject, becomes: "refused" | "works"][] = [
  [{ socketInactivityTimeout: 60 }, "refused"],
  [{ socketInactivityTimeout: 0 }, "refused"],
  [{ socketInactivityTimeout: 1000 }, "works"],
  [{ logs: -1 }, "refused"],
  [{ logs: "1000" }, "refused"],
  [{ logs: 0 }, "works"],
  [{ log: "verbose" }, "refused"],
  [{ log: "error" }, "works"],
  [{ harLimit: 0 }, "works"],
  [{ harLimit: -1 }, "works"],
  [{ debug: true }, "refused"],
  [{ debug: "full", lpmAuth: "full" }, "works"],
  [{ requestStats: "no" }, "refused"],
  [{ requestStats: false }, "works"],
  [{ whitelistIps: "10.0.0.1" }, "refused"],
  [{ whitelistIps: ["any"] }, "refused"],
  [{ whitelistIps: ["10.0.0.0/33"] }, "refused"],
  [{ whitelistIps: ["0.0.0.0/0"] }, "refused"],
  [{ whitelistIps: [] }, "works"],
  [{ whitelistIps: ["10.0.0.1"], wwwWhitelistIps: ["10.0.0.2"] }, "works"],
  [{ bwLimitWebhookUrl: "example.com/hook" }, "refused"],
  [{ bwLimitWebhookUrl: "https://example.com/hook" }, "works"],
  [{ bwThWebhookUrl: "example.com/hook" }, "refused"],
  [{ bwThWebhookUrl: "https://example.com/hook" }, "works"],
  [{ syncConfig: "yes" }, "refused"],
  [{ syncConfig: true }, "works"],
  [{ logsSettings: "s3" }, "refused"],
  [{ allowAny: "yes" }, "refused"],
  [{ allowAny: true, whitelistIps: ["0.0.0.0/0"] }, "works"],
  [{ logs: 1.5 }, "refused"],
  [{ harLimit: "1mb" }, "refused"],
  [{ lpmAuth: true }, "refused"],
  [{ wwwWhitelistIps: [""] }, "refused"],
  [{ socketInactivityTimeout: "60s" }, "refused"],
  [{ zone: "" }, "refused"],
  [{ zone: "dc" }, "works"],
];

function contextOf(url: string): Context {
  return new Context(readSettings(() => undefined, { BRIGHTDATA_PROXY_MANAGER_URL: url, BRIGHTDATA_LOG: "off" }));
}

function runOf(url: string, said: string[] = []): Step {
  const deadline = new Deadline(60, "timeouts.test");
  onTestFinished(() => deadline.release());
  return { context: contextOf(url), deadline, say: (words) => void said.push(words) };
}

const carried = (port: number): Promise<Carries> =>
  askPort(port, { line: `GET ${TEST_PAGE}` }).then(
    ({ status }) => status,
    ({ message }: Error) => (/ECONNREFUSED/.test(message) ? "nobody listens" : "no answer"),
  );

/** Makes a port at a manager, and changes it to each that follows. */
export async function declareInTurn(
  url: string,
  [first = {}, ...others]: readonly JsonObject[],
  port: number,
): Promise<void> {
  const base = { zone: "static", port };
  let before: JsonObject = { ...base, ...first };
  let { state } = await proxyPort.create(before, runOf(url));
  for (const fields of others) {
    const inputs = { ...base, ...fields };
    state = await proxyPort.update(String(port), state, new Set(leafPaths(before)), inputs, runOf(url));
    const found = await proxyPort.read(String(port), inputs, runOf(url), state);
    expect(proxyPort.diff(found ?? {}, new Set(leafPaths(inputs)), inputs).changed).toEqual([]);
    // What it has can be declared.
    const all = (await proxyPort.read(String(port), undefined, runOf(url), {})) ?? {};
    expect(proxyPort.check(proxyPort.describe(all), undefined).failures).toEqual([]);
    before = inputs;
  }
}

/** What a port goes on with to the vendor after these declarations, and one that is made as the last of them says. */
export async function bothWays(
  url: string,
  steps: readonly JsonObject[],
  port: number,
  usernameAt: (port: number) => unknown,
): Promise<{ updated: unknown[]; made: unknown[] }> {
  const last = Object.fromEntries(
    Object.entries(steps.at(-1) ?? {}).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  );
  const numbers = last.multiply === 2 ? [port, port + 1] : [port];
  const after = async (declared: readonly JsonObject[]) => {
    await declareInTurn(url, declared, port);
    const usernames: unknown[] = [];
    for (const number of numbers) usernames.push(await usernameAt(number));
    await send(url, `DELETE /api/proxies/${port}`);
    return usernames;
  };
  return { updated: await after(steps), made: await after([last]) };
}

/** The expressions of a port's rule that an update has brought, as the manager has them, and as they are read. */
export async function expressionsAt(url: string, text: string, port: number): Promise<unknown[]> {
  await declareInTurn(url, [{}, { rules: [{ body: text, url: text, action: { banIp: 60 } }] }], port);
  const { body } = await send(url, `GET /api/proxies/${port}`);
  const { rules } = fromServicePort(body as JsonObject);
  await send(url, `DELETE /api/proxies/${port}`);
  const [kept, read] = [(body as { rules: JsonObject[] }).rules[0], rules?.[0]];
  return [kept?.body, kept?.url, read?.body, read?.url];
}

/** Makes a port at a manager as its row says. */
export async function becomesOf(url: string, [fields]: Row, port: number): Promise<[Becomes, Carries]> {
  const inputs = { zone: "static", port, ...fields };
  const said: string[] = [];
  const isRefused = proxyPort.check(inputs, undefined).failures.length > 0;
  if (isRefused) {
    // The text of its headers may be longer than a text of a port.
    const { status } = await send(url, "POST /api/proxies", { proxy: toServicePort(inputs as JsonObject) });
    expect(status).toBe(200);
  } else await proxyPort.create(inputs, runOf(url, said));
  const result = await carried(port);
  await send(url, `DELETE /api/proxies/${port}`);
  return [isRefused ? "refused" : said.length > 0 ? "warned" : "works", result];
}

/** Makes a manager's settings as they are declared, sends a request through a port, and puts them back. */
export async function settingsCarry(url: string, inputs: JsonObject, port: number): Promise<Carries> {
  const { id, state } = await managerSettings.create(inputs, runOf(url));
  await send(url, "POST /api/proxies", { proxy: { port } });
  const result = await carried(port);
  await send(url, `DELETE /api/proxies/${port}`);
  await managerSettings.delete(id, state, runOf(url));
  return result;
}

export const isRefusedSetting = (inputs: JsonObject): boolean =>
  managerSettings.check(inputs, undefined).failures.length > 0;
