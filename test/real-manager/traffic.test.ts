import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RealManager } from "../../scripts/real-manager/index.mts";
import type { Account } from "../../simulator/account/account";
import { send } from "../simulator/manager/harness";
import { basic } from "../simulator/manager/portClient";
import { BYTES, type Case, expectAlike, outcome, PAGE, PORT, plain, SECURE, type Step, VENDOR } from "./alike";
import { type Both, startBoth } from "./both";

// Both managers get the same requests. The real one has behind it what answers as the simulator does (`superProxy.ts`), so that what
// is compared is what a manager itself does. These differ, because
// - certificates: the real one signs with RSA and an authority of its own, so bytes of TLS differ;
// - a tunnel that is not read: the simulator is the site, too, and presents a certificate that no public authority has signed;
// - `connection` of a page: the vendor's proxy is connected as well, and its header comes through;
// - the sizes of a status check: the simulator sends it within its process;
// - the times that are logged, `cache`, `request_url` and rules with a program of their own are not simulated;
// - of requests at once, which one wins is luck.

/** The same requests with each rule. */
const timed = (title: string, rules: [action: object, type: string, time: object][]): Record<string, Case> =>
  Object.fromEntries(
    rules.map(([action, action_type, time]): [string, Case] => [
      `${title}: ${action_type}, ${JSON.stringify(time)}`,
      [
        { rules: [{ ...time, action, action_type, trigger_type: Object.keys(time)[0] }] },
        { line: `GET ${PAGE}` },
        { line: "GET http://example.com/delay/300" },
        { line: `GET ${SECURE}`, via: "tunnel" },
        ["GET /api/banlist/PORT"],
      ],
    ]),
  );

const CASES: Record<string, Case> = {
  "every method": [
    {},
    ...["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"].map((method) => ({
      line: `${method} ${PAGE}`,
      ...(/^P/.test(method) ? { body: "a body" } : {}),
    })),
  ],
  "a path instead of a URL": [{}, { line: "GET /" }, { line: "GET /x.html", headers: { host: "www.example.com" } }],
  "https as a URL": [{}, { line: `GET ${SECURE}` }],
  "TLS to the port": [{}, { line: `GET ${PAGE}`, via: "tls" }, { line: "GET /", via: "tls" }],
  "a tunnel": [
    {},
    { line: `GET ${SECURE}`, via: "tunnel" },
    { line: `POST ${SECURE}`, via: "tunnel", body: "x" },
    { line: `GET ${PAGE}`, via: "tunnel" },
    { line: "GET https://192.0.2.7/", via: "tunnel" },
  ],
  "a tunnel that the manager reads": [
    { ssl: true },
    { line: `GET ${SECURE}`, via: "tunnel" },
    { line: `POST ${SECURE}`, via: "tunnel", body: "x" },
    { line: "GET https://example.com/x.html", via: "tunnel" },
    { line: "GET https://example.com:8443/x.html", via: "tunnel" },
    { line: `GET ${PAGE}`, via: "tunnel" },
    { line: "GET https://192.0.2.7:8443/", via: "tunnel" },
  ],
  SOCKS5: [{}, { line: `GET ${PAGE}`, via: "socks" }, { line: `GET ${SECURE}`, via: "socks" }],
  "SOCKS5 to a port that reads": [{ ssl: true }, { line: `GET ${SECURE}`, via: "socks" }],
  "what the port asks for": [
    {
      country: "gb",
      city: "New York",
      state: "ny",
      zip: "1",
      asn: "5",
      session: "mine",
      os: "win",
      dns: "remote",
      vip: 3,
    },
    { line: `GET ${PAGE}` },
  ],
  "another zone": [{ zone: "mob", ip: "1.2.3.4" }, { line: `GET ${PAGE}` }],
  "an unblocker": [{ zone: "unb", ua: true, render: true }, { line: `GET ${PAGE}` }],
  "user names": [
    {},
    { line: `GET ${PAGE}`, headers: VENDOR("-country-us") },
    { line: `GET ${PAGE}`, headers: VENDOR(), via: "tunnel" },
    { line: `GET ${PAGE}`, headers: basic("country-gb", "") },
    { line: `GET ${PAGE}`, headers: basic("lum-country-fr-session-s1", "") },
    { line: `GET ${PAGE}`, headers: basic("brd-country-fr-direct", "x") },
    { line: `GET ${SECURE}`, headers: basic("country-gb", ""), via: "tunnel" },
    { line: `GET ${PAGE}`, headers: basic("token", "wrong") },
    { line: `GET ${PAGE}`, headers: basic("lpm", "lpmtok1234") },
    { line: `GET ${PAGE}`, headers: basic("nobody", "nothing") },
    { line: `GET ${PAGE}`, headers: { "x-lpm-session": "given", "x-lpm-country": "de" } },
  ],
  "an address that is not listed": [
    {},
    { line: `GET ${PAGE}`, from: "127.0.0.2" },
    { line: `GET ${SECURE}`, from: "127.0.0.2", via: "tunnel" },
    { line: `GET ${SECURE}`, from: "127.0.0.2", via: "socks" },
    { line: `GET ${PAGE}`, from: "127.0.0.2", headers: basic("lpm", "lpmtok1234") },
    { line: `GET ${PAGE}`, from: "127.0.0.2", headers: VENDOR() },
    ["PUT /api/proxies/PORT", { proxy: { whitelist_ips: ["127.0.0.0/29"] } }],
    { line: `GET ${PAGE}`, from: "127.0.0.2" },
  ],
  "the drop-in port": [
    { port: "dropin" },
    { line: `GET ${PAGE}`, headers: VENDOR("-session-s-country-us") },
    { line: `GET ${PAGE}`, from: "127.0.0.2", headers: VENDOR("-session-s-country-us") },
    { line: `GET ${PAGE}`, from: "127.0.0.2" },
    { line: `GET ${PAGE}`, headers: { "x-lpm-session": "s" } },
  ],
  sessions: [
    {},
    { line: `GET ${PAGE}` },
    ["POST /api/refresh_sessions/PORT"],
    { line: `GET ${PAGE}` },
    ["PUT /api/proxies/PORT", { proxy: { country: "us" } }],
    { line: `GET ${PAGE}` },
  ],
  "a session for each address": [{ sticky_ip: true }, { line: `GET ${PAGE}` }, { line: `GET ${PAGE}` }],
  "a null response": [
    { rules: [{ action: { null_response: true }, action_type: "null_response", trigger_type: "url", url: "mygeo" }] },
    ...["GET", "POST", "HEAD"].map((method) => ({ line: `${method} ${PAGE}` })),
    { line: "GET http://example.com/" },
    { line: "GET http://mygeo.example.com:443/", via: "tunnel" },
  ],
  "a null response in a tunnel that the manager reads": [
    {
      ssl: true,
      rules: [{ action: { null_response: true }, action_type: "null_response", trigger_type: "url", url: "a\\?b" }],
    },
    { line: `GET ${SECURE}`, via: "tunnel" },
  ],
  "a ban by status": [
    { rules: [{ status: "404", action: { ban_ip: 600_000 }, action_type: "ban_ip", trigger_type: "status" }] },
    { line: `GET ${PAGE}` },
    { line: "GET http://example.com/status/404" },
    ["GET /api/banlist/PORT"],
    { line: `GET ${PAGE}` },
  ],
  "a ban by status for one domain": [
    { rules: [{ status: "4..", action: { ban_ip_domain: 0 }, action_type: "ban_ip_domain", trigger_type: "status" }] },
    { line: "GET http://www.example.com/status/410" },
    ["GET /api/banlist/PORT?full=1"],
    { line: "GET http://www.example.com/status/410" },
    ["GET /api/banlist/PORT?full=1"],
    { line: `GET ${PAGE}` },
  ],
  "a request that is sent again": [
    { rules: [{ status: "(500|404)", action: { retry: 2 }, action_type: "retry", trigger_type: "status" }] },
    { line: "GET http://example.com/status/500" },
    { line: `GET ${PAGE}` },
  ],
  "a request that is sent again with the same IP": [
    {
      rules: [
        { status: "500", action: { retry: true, retry_same: true }, action_type: "retry_same", trigger_type: "status" },
      ],
    },
    { line: "GET http://example.com/status/500" },
    { line: `GET ${PAGE}` },
  ],
  ...timed("an answer that is late, or would be, and is not waited for", [
    [{ null_response: true }, "null_response", { min_req_time: 1 }],
    [{ null_response: true }, "null_response", { min_req_time: 150 }],
    [{ null_response: true }, "null_response", { min_req_time: 5000 }],
    [{ null_response: true }, "null_response", { min_conn_time: 150 }],
    [{ timeout_response: true }, "timeout_response", { min_req_time: 150 }],
    [{ retry: 1 }, "retry", { min_req_time: 5000 }],
    [{ ban_ip: 0 }, "ban_ip", { min_req_time: 1 }],
    [{ ban_ip: 0 }, "ban_ip", { min_req_time: 150 }],
    [{ ban_ip: 0 }, "ban_ip", { max_req_time: 150 }],
    [{ ban_ip: 0 }, "ban_ip", { max_req_time: 5000 }],
  ]),
  "a port for mail": [
    { smtp: ["198.51.100.25:587"] },
    { line: `GET ${PAGE}` },
    { line: `GET ${PAGE}`, via: "socks" },
    { line: `GET ${PAGE}`, from: "127.0.0.2" },
    ["GET /api/proxy_status/PORT"],
  ],
  "a port for mail without a number": [{ smtp: ["198.51.100.25"], ssl: true }, { line: `GET ${PAGE}` }],
  "a rule that is not active, or wrong": [
    {
      rules: [
        { status: "200", action: { retry: 1 }, action_type: "retry", trigger_type: "status", active: false },
        { status: "(", action: { retry: 1 }, action_type: "retry", trigger_type: "status" },
        { body: "no such", action: { retry: 1 }, action_type: "retry", trigger_type: "body" },
        { action: { null_response: true } },
      ],
    },
    { line: `GET ${PAGE}` },
  ],
  "a direct request": [
    { rules: [{ url: "mygeo", action: { direct: true }, action_type: "direct", trigger_type: "url" }] },
    { line: `GET ${PAGE}` },
    { line: "GET http://example.com/" },
  ],
  "a banned exit IP": [
    { ip: "1.2.3.4", max_ban_retries: 2 },
    ["POST /api/proxies/PORT/banip", { ip: "1.2.3.4" }],
    { line: `GET ${PAGE}` },
    { line: `GET ${SECURE}`, via: "tunnel" },
    ["POST /api/proxies/PORT/unbanips"],
    { line: `GET ${PAGE}` },
  ],
  "a banned exit IP in a tunnel that the manager reads": [
    { ip: "1.2.3.4", ssl: true, max_ban_retries: 2 },
    ["POST /api/proxies/PORT/banip", { ip: "1.2.3.4", domain: "www.example.com" }],
    { line: `GET ${SECURE}`, via: "tunnel" },
    { line: "GET https://example.com/", via: "tunnel" },
  ],
  "an exit IP that is banned on a port that was made anew with others, after it was banned on another of them": [
    { ip: "1.2.3.4", max_ban_retries: 2, multiply: 2 },
    ["PUT /api/proxies/PORT", { proxy: { multiply: 3 } }],
    ...["24951", "PORT"].map((port): Step => [`POST /api/proxies/${port}/banip`, { ip: "1.2.3.4" }]),
    ...["PORT", "24951", "24952"].map((port): Step => [`GET /api/banlist/${port}`]),
    { line: `GET ${PAGE}` },
    ["PUT /api/proxies/PORT", { proxy: { country: "us" } }],
    { line: `GET ${PAGE}` },
    ["POST /api/proxies/24952/unbanips"],
    ["GET /api/banlist/PORT"],
    { line: `GET ${PAGE}` },
  ],
  "an exit IP that is banned for a domain": [
    { ip: "1.2.3.4", max_ban_retries: 0 },
    ["POST /api/proxies/PORT/banip", { ip: "1.2.3.4", domain: "example.com" }],
    { line: "GET http://www.example.com/" },
    { line: "GET http://sub.example.com/" },
  ],
  "bans of odd domains": [
    {},
    ...[null, 5, 0, "", ["a", "b"], {}, true].flatMap((domain): Step[] => [
      ["POST /api/proxies/PORT/banip", { ip: "1.2.3.4", domain }],
      ["GET /api/banlist/PORT?full=1"],
      ["GET /api/banlist/PORT"],
      ["POST /api/proxies/PORT/unbanip", { ip: "1.2.3.4", domain }],
      ["GET /api/banlist/PORT?full=1"],
    ]),
    ["POST /api/proxies/PORT/banips", { ips: ["1.1.1.1", "2.2.2.2"], domain: null }],
    ["GET /api/banlist/PORT?full=1"],
  ],
  "a null response on a status": [
    {
      rules: [{ status: "200", action: { null_response: true }, action_type: "null_response", trigger_type: "status" }],
    },
    { line: `GET ${PAGE}` },
    { line: "GET http://example.com/status/404" },
  ],
  "a session of a request's own": [
    {},
    { line: `GET ${PAGE}` },
    { line: `GET ${PAGE}`, headers: { "x-lpm-session": "given" } },
    { line: `GET ${PAGE}` },
    { line: `GET ${PAGE}` },
  ],
  "a ban everywhere, which is none": [
    { rules: [{ status: "404", action: { ban_ip_global: 0 }, action_type: "ban_ip_global", trigger_type: "status" }] },
    { line: `GET ${PAGE}` },
    { line: "GET http://example.com/status/404" },
    ["GET /api/banlist/PORT"],
    { line: `GET ${PAGE}` },
  ],
  "a wrong password on the drop-in port": [
    { port: "dropin" },
    { line: `GET ${PAGE}`, headers: basic("lum-customer-hl_test1-zone-static", "wrong") },
    { line: `GET ${PAGE}`, headers: basic("lum-customer-hl_test1-zone-nosuch", "pass_static") },
    { line: `GET ${PAGE}`, headers: basic("lum-customer-hl_other-zone-static", "pass_static") },
    { line: `GET ${SECURE}`, headers: basic("lum-customer-hl_test1-zone-static", "wrong"), via: "tunnel" },
  ],
  "a zone that is not active": [
    { zone: "off" },
    { line: `GET ${PAGE}` },
    { line: `GET ${SECURE}`, via: "tunnel" },
    { line: `GET ${SECURE}`, via: "socks" },
  ],
  "a zone that there is not": [{ zone: "nosuch" }, { line: `GET ${PAGE}` }],
  headers: [
    { headers: [{ name: "x-added", value: "yes" }], debug: "full", lpm_auth: "full" },
    { line: `GET ${PAGE}` },
    { line: `GET ${SECURE}`, via: "tunnel" },
  ],
};

let both: Both;
let real: RealManager;
let simulator: Both["simulator"];
let dropin: number;
beforeAll(async () => {
  both = await startBoth();
  ({ real, simulator, dropin } = both);
});
afterAll(() => both?.stop());

test.each(Object.entries(CASES))("%s: a simulated port answers as a real one does", (_, steps) =>
  expectAlike(both, steps),
);

test.each<[string, (account: Account) => () => void]>([
  ["a zone that is not open to the address", (account) => changed(zoneIn(account), { ips: ["203.0.113.7"] })],
  ["a zone that denies the address", (account) => changed(zoneIn(account), { deniedIps: ["127.0.0.0/8"] })],
  [
    "a zone that may not ask for the domain",
    (account) => changed(zoneIn(account), { domains: { whitelist: [], blacklist: ["brdtest.com"] } }),
  ],
  ["an account without funds", (account) => changed(account.balance, { balance: 0 })],
])("%s: a simulated port answers as a real one does", async (_, change) => {
  const undo = change(simulator.account);
  try {
    await expectAlike(both, [
      { zone: "dc", password: "pass_dc" },
      { line: `GET ${PAGE}` },
      { line: `GET ${SECURE}`, via: "tunnel" },
    ]);
  } finally {
    undo();
  }
});

function zoneIn(account: Account): object {
  const zone = account.zone("dc");
  if (zone === undefined) throw new Error("there is no zone dc");
  return zone;
}

/** @returns what makes it as it was */
function changed(record: object, fields: object): () => void {
  const before = { ...record };
  Object.assign(record, fields);
  return () => void Object.assign(record, before);
}

/** What the logs and statistics say after those requests, each case with empty ones. */
const LOGGED: Record<string, Case> = {
  "plain requests": [
    {},
    { line: `GET ${PAGE}` },
    {
      line: "POST http://www.example.co.uk/status/404?a=b",
      body: "sent",
      headers: { "Content-Type": "text/plain", "X-Twice": "1" },
    },
    { line: "GET http://example.com/status/500" },
    { line: "GET http://www.example.com/x.html" },
    { line: "HEAD http://127.0.0.1/x.js" },
    { line: "GET http://a.b.example.com/x.png" },
    { line: "GET http://a.b.example.com/x.css" },
    { line: "GET http://example.com/x.mp4" },
    { line: "GET http://example.com/x.woff" },
    { line: "GET http://example.com/x.txt" },
  ],
  tunnels: [{}, { line: `GET ${SECURE}`, via: "tunnel" }, { line: `GET ${PAGE}`, via: "tunnel" }],
  "a tunnel that the manager reads": [{ ssl: true }, { line: `POST ${SECURE}`, via: "tunnel", body: "sent" }],
  SOCKS5: [{}, { line: `GET ${PAGE}`, via: "socks" }],
  "what is refused": [
    {},
    { line: `GET ${PAGE}`, headers: VENDOR() },
    { line: `GET ${SECURE}`, headers: VENDOR(), via: "tunnel" },
    { line: `GET ${SECURE}` },
  ],
  "a status check": [
    {},
    ["GET /api/proxy_status/PORT"],
    ["GET /api/proxy_status/PORT"],
    ["GET /api/proxy_status/PORT?force=1"],
  ],
  rules: [
    {
      rules: [
        { action: { null_response: true }, action_type: "null_response", trigger_type: "url", url: "null" },
        { status: "404", action: { ban_ip: 0 }, action_type: "ban_ip", trigger_type: "status" },
        { status: "500", action: { retry: 1 }, action_type: "retry", trigger_type: "status" },
      ],
    },
    { line: "GET http://example.com/null" },
    { line: "GET http://example.com/status/404" },
    { line: "GET http://example.com/status/500" },
  ],
  "a banned exit IP": [
    { ip: "1.2.3.4", max_ban_retries: 1 },
    ["POST /api/proxies/PORT/banip", { ip: "1.2.3.4" }],
    { line: `GET ${PAGE}` },
  ],
  "no logs, asked for before and after": [
    {},
    ["PUT /api/settings", { logs: 0 }],
    { line: `GET ${PAGE}` },
    ["DELETE /api/proxies/PORT"],
    ["POST /api/proxies", { proxy: { port: PORT, zone: "static" } }],
    { line: "GET http://example.com/" },
    ["PUT /api/settings", { logs: 1000 }],
  ],
  "no statistics": [
    {},
    ["PUT /api/settings", { request_stats: false }],
    { line: `GET ${PAGE}` },
    ["PUT /api/settings", { request_stats: true }],
  ],
  "no bodies": [
    {},
    ["PUT /api/settings", { har_limit: -1 }],
    { line: `GET ${PAGE}` },
    ["PUT /api/settings", { har_limit: 20 }],
    { line: `GET ${PAGE}` },
    ["PUT /api/settings", { har_limit: 1024 }],
  ],
  "a port that is deleted": [{}, { line: `GET ${PAGE}` }, ["DELETE /api/proxies/PORT"]],
  "logs that are reset for another port": [{}, { line: `GET ${PAGE}` }, ["PUT /api/logs_reset?port=1"]],
};

/** The real manager hears of a request from another of its processes. */
const TOLD_MS = 150;

const READS = [
  ...[
    "",
    "content_type=xhr",
    "status_code=4**",
    "status_code=200",
    "search=example",
    "port=24950",
    "protocol=https",
  ].map((query) => `logs?sort=timestamp&${query}`),
  ...["port_from=24950&port_to=24950", "port_from=1&port_to=2"].map((query) => `logs?sort=timestamp&${query}`),
  ...["recent_stats", "logs_suggestions", "lpm_stats", "lpm_stats?days=0"],
];

/** What each of the managers has logged of the steps of a case. */
async function loggedBy([fields, ...steps]: Case): Promise<Record<string, unknown>[]> {
  const both: Record<string, unknown>[] = [];
  const hasOwnBytes = steps.some((step) => (Array.isArray(step) ? step[0].includes("status") : step.via === "tunnel"));
  for (const { url } of [real, simulator.manager]) {
    await send(url, "PUT /api/logs_reset");
    await send(url, "POST /api/proxies", { proxy: { zone: "static", ...fields, port: PORT } });
    for (const step of steps) {
      if (Array.isArray(step)) await delay(TOLD_MS);
      await outcome(url, PORT, step);
    }
    const read = async (): Promise<Record<string, unknown>> => {
      const answers = READS.map(async (path) => [path, (await send(url, `GET /api/${path}`)).body]);
      return plain(Object.fromEntries(await Promise.all(answers)), hasOwnBytes ? BYTES : []);
    };
    await delay(TOLD_MS);
    let [seen, again] = [await read(), await read()];
    while (JSON.stringify(seen) !== JSON.stringify(again)) [seen, again] = [again, await read()];
    both.push(seen);
    await send(url, `DELETE /api/proxies/${PORT}`);
  }
  return both;
}

test.each(Object.entries(LOGGED))("%s: a simulated manager logs what a real one does", async (_, steps) => {
  const once = await loggedBy(steps);
  // Now and then, the vendor's program gives a port another session by itself.
  const [really, simulated] = isDeepStrictEqual(...(once as [object, object])) ? once : await loggedBy(steps);
  for (const path of READS) expect(simulated?.[path], path).toEqual(really?.[path]);
});

const BUSY = /ERROR: MNGR: High CPU usage|^Manager \(lum_node\.js\) = CPU: |^PID: /;

test("the log file has the same lines of what is done to ports", async () => {
  const both: string[][] = [];
  for (const { url } of [real, simulator.manager]) {
    const lines = async (limit: string): Promise<string[]> => {
      const { body } = await send(url, `GET /api/general_logs?limit=${limit}`);
      // Not the stack of an error, nor what the real one says of a machine that is busy.
      const lines = String(body)
        .split("\n")
        .filter((line) => !line.startsWith(" ") && !BUSY.test(line));
      return lines.map((line) => line.replace(/^[-\d]+ [.:\d]+ /, "").replace(String(dropin), "22225"));
    };
    const before = (await lines("x")).length;
    await send(url, "POST /api/proxies", { proxy: { zone: "static", port: PORT } });
    for (const change of [{ country: "us" }, { multiply: 2 }, { port: PORT + 5 }]) {
      await send(url, `PUT /api/proxies/${PORT}`, { proxy: { zone: "static", ...change } });
    }
    await send(url, "POST /api/proxies/abc", {});
    await send(url, `POST /api/refresh_sessions/${PORT + 5}`);
    await send(url, `PUT /api/settings`, { har_limit: 1024, whitelist_ips: ["10.0.0.1"] });
    await send(url, `PUT /api/settings`, { whitelist_ips: [] });
    await send(url, "GET /api/banlist/1");
    await send(url, `DELETE /api/proxies/${PORT + 5}`);
    await send(url, `DELETE /api/proxies/${PORT + 5}`);
    await delay(TOLD_MS);
    // Ports stop, and are changed, at once.
    both.push((await lines("x")).slice(before - 1).sort());
  }
  const [really, simulated] = both;
  expect(simulated).toEqual(really);
});

/** What is asked of the manager at once, with a new port each time. */
const RACES: Record<string, [line: string, body?: unknown][]> = {
  "four deletions": Array(4).fill([`DELETE /api/proxies/${PORT}`]),
  "four deletions of lists": Array(4).fill(["POST /api/proxies/delete", { ports: [PORT] }]),
  "four other numbers": [1, 2, 3, 4].map((n) => [
    `PUT /api/proxies/${PORT}`,
    { proxy: { port: PORT + n, zone: "static" } },
  ]),
  "one other number, four times": Array(4).fill([
    `PUT /api/proxies/${PORT}`,
    { proxy: { port: PORT + 1, zone: "static" } },
  ]),
  "four ports of one number": Array(4).fill(["POST /api/proxies", { proxy: { port: PORT + 1, zone: "static" } }]),
};

/** How far the winner is when the others arrive is a matter of luck. */
const TOO_LATE = /already being stopped and deleted|does not exist|No proxy at port|in use by another proxy/;

test.each(Object.entries(RACES))("%s at once: a simulated manager answers as a real one does", async (_, requests) => {
  const both: unknown[] = [];
  for (const { url } of [real, simulator.manager]) {
    await send(url, "POST /api/proxies", { proxy: { zone: "static", port: PORT } });
    const answers = await Promise.all(requests.map(([line, body]) => send(url, line, body)));
    const records = (await send(url, "GET /api/proxies")).body as { port: number }[];
    const ports = records.map(({ port }) => port).filter((port) => port >= PORT && port < PORT + 10);
    const results = answers.map(({ status, body }) => (TOO_LATE.test(JSON.stringify(body)) ? "too late" : status));
    both.push({ results: results.sort(), left: ports.length });
    for (const port of ports) await send(url, `DELETE /api/proxies/${port}`);
  }
  const [really, simulated] = both;
  expect(simulated).toEqual(really);
});
