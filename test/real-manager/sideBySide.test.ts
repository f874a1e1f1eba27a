import { isDeepStrictEqual } from "node:util";
import { deflateSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { DEFAULT_ZONES, type RealManager, startRealManager } from "../../scripts/real-manager/index.mts";
import { startSimulator } from "../../simulator";
import { send } from "../simulator/manager/harness";
import { apiEssence } from "./alike";

const PORT = 24_900;
const PROXY = { proxy: { port: PORT, zone: "static" } };
const AT = `/api/proxies/${PORT}`;

type Request = [line: string, sent?: unknown, headers?: Record<string, string>];

const create: Request = ["POST /api/proxies", PROXY];
const json = JSON.stringify(PROXY);
const typed = (type: string): Request => ["POST /api/proxies", json, { "content-type": type }];
const encoded = (encoding: string, body: string | Buffer): Request => [
  "POST /api/proxies",
  body,
  { "content-encoding": encoding },
];
const form = (body: string): Request => [
  "POST /api/proxies",
  body,
  { "content-type": "application/x-www-form-urlencoded" },
];
/** Each of the requests on its own, with what the manager then has. */
const each = (...requests: Request[]): Request[] =>
  requests.flatMap((request): Request[] => [request, ["GET /api/proxies_running"], [`DELETE ${AT}`]]);
const createWith = (field: string, ...values: unknown[]): Request[] =>
  each(...values.map((value): Request => ["POST /api/proxies", { proxy: { ...PROXY.proxy, [field]: value } }]));
const updateWith = (field: string, ...values: unknown[]): Request[] => [
  create,
  ...values.flatMap((value): Request[] => [
    [`PUT ${AT}`, { proxy: { zone: "static", [field]: value } }],
    [`GET ${AT}`],
  ]),
];
const lines = (...requests: string[]): Request[] => requests.map((line) => [line]);

const CASES: Record<string, Request[]> = {
  OPTIONS: lines(
    ...["settings", "proxies", "proxies/24900", "whitelist_ip", "gen_token", "proxies/24900/banip", "logs_reset"].map(
      (path) => `OPTIONS /api/${path}`,
    ),
    ...["OPTIONS /api/v2/gen_token", "OPTIONS /api/settings/", "OPTIONS /api/nothing", "OPTIONS /", "OPTIONS *"],
  ),
  "capitals and doubled slashes": lines(
    ...["GET /API/Mode", "GET /Api/V2/Mode", "HEAD /api/MODE", "GET /api//mode", "GET /api/v2//mode"],
    ...["GET //api/mode", "GET /api///mode", "GET /api/mode//", "GET /api/proxies//24900", "POST /api//nothing"],
    ...["GET /api/mode/", "POST /API/nothing", "GET http://127.0.0.1/api/mode"],
  ),
  escapes: lines(
    ...["GET /api/proxies/%zz", "PUT /api/proxies/%zz", "DELETE /api/proxies/%", "PATCH /api/proxies/%zz"],
    ...["POST /api/proxies/%zz/banip", "GET /api/v2/proxies/%zz", "GET /api/mode%zz", "GET /%zz", "POST /%zz"],
    ...["GET /api/%6dode", "GET /api/proxies/%E0%A4%A", "GET /api/proxies/24900%20", "POST /api/x%3cy"],
    ...["POST /api/<x>\"'&", "OPTIONS /api/proxies/%zz"],
  ),
  "dot segments": lines(
    ...["GET /api/proxies/%2e%2e", "GET /api/proxies/..", "GET /api/banlist/%2e%2e", "DELETE /api/proxies/%2e%2e"],
    ...["GET /api/proxies/../mode", "GET /api/./mode", "POST /api/..", "POST /api/a/../b"],
  ),
  "content types": each(
    ...[
      ...[
        "application/json; charset=iso-8859-1",
        "application/json; charset=UTF-8",
        "application/json; charset=utf-16",
      ],
      ...["application/json; charset=utf-99", 'application/json; charset="utf-8"', "application/json; charset="],
      ...["application/json;", "Application/JSON", "text/json", "application/json, text/plain"],
    ].map(typed),
    ["POST /api/proxies", Buffer.from(json, "utf16le"), { "content-type": "application/json; charset=utf-16le" }],
    ["GET /api/mode", "", { "content-type": "application/json; charset=latin1" }],
  ),
  "content encodings": each(
    encoded("gzip", gzipSync(json)),
    encoded("GZIP", gzipSync(json)),
    encoded("deflate", deflateSync(json)),
    encoded("gzip", json),
    encoded("gzip", gzipSync(json).subarray(0, 20)),
    encoded("gzip", gzipSync("x".repeat(3_000_000))),
    encoded("identity", json),
    encoded("nonsense", json),
    ["POST /api/proxies", json, { "content-encoding": "gzip", "content-type": "text/plain" }],
  ),
  "JSON that is odd": each(
    ["POST /api/proxies", `\ufeff${json}`],
    ["POST /api/proxies", `\n ${json}`],
    ...["[]", "5", "null", '"x"', " ", "", "{bad"].map((body): Request => ["POST /api/proxies", body]),
  ),
  forms: each(
    form("proxy[port]=24900&proxy[zone]=dc"),
    form("proxy%5Bport%5D=24900&proxy[rules][0][status]=200"),
    form("proxy[port]=24900&proxy[ips][]=1.1.1.1&proxy[ips][]=2.2.2.2"),
    form("proxy[port]=24900&proxy[ips]=1.1.1.1&proxy[ips]=2.2.2.2"),
    form("proxy[port]=24900&proxy[ips][30]=1.1.1.1&proxy[a][b][c]=1"),
    form("proxy[port]=24900&proxy=y"),
    form("proxy[port]=24900&proxy[zone]=a+b%20%zz&=x&proxy[e]"),
    form("proxy[port=24900"),
    form("proxy=x"),
    form(""),
    ["PUT /api/whitelist_ip", "ip=1.2.3.4", { "content-type": "application/x-www-form-urlencoded; charset=latin1" }],
  ),
  "what is no list of ports to delete": each(
    ...[0, false, null, "", "24900", 5, true, {}, [null], [PORT]].flatMap((ports): Request[] => [
      create,
      ["POST /api/proxies/delete", { ports }],
    ]),
  ),
  "multiply that is no number": createWith("multiply", "3", "0", "abc", "", true, false, null, [2], {}, -1, 1.5),
  "numbers that no list can hold": [
    ["POST /api/proxies", { proxy: { port: 1e21, zone: "static" } }],
    create,
    [`PUT ${AT}`, { proxy: { port: 1e300 } }],
    [`PUT ${AT}`, { proxy: { multiply: 1e21 } }],
    ["POST /api/proxies", { proxy: { port: PORT + 1, zone: "static", multiply: 1e21 } }],
    [`GET ${AT}`],
  ],
  "a key that the manager does not know": [
    ["POST /api/proxies", { proxy: { ...PROXY.proxy, made_by: "somebody", nested: { a: [1] } } }],
    ...lines("GET /api/proxies", `GET ${AT}`),
    [`PUT ${AT}`, { proxy: { zone: "static", country: "us" } }],
    ...lines("GET /api/proxies", `GET ${AT}`, "GET /api/proxies_running"),
    [`PUT ${AT}`, { proxy: { zone: "static", multiply: 2 } }],
    ...lines(`GET ${AT}`, "GET /api/proxies_running"),
    ["POST /api/proxy_dup", { port: PORT }],
    [`PUT ${AT}`, { proxy: { zone: "static", made_by: "" } }],
    ...lines(`GET ${AT}`),
  ],
  "a limit of the bandwidth that is none": [
    ...updateWith("bw_limit", 5, "x", true, [], {}, null, ""),
    [`DELETE ${AT}`],
    ...createWith("bw_limit", 5, "x", {}, []),
  ],
  "IPs that are no list": updateWith("ips", "1.1.1.1", "1.1.1.1", "", null, 5, 0, {}, { a: 1 }, ["2.2.2.2"]),
  "names that JavaScript knows": [
    ["POST /api/proxies", '{"proxy":{"port":24900,"zone":"static","__proto__":{"country":"us"},"constructor":1}}'],
    ...lines(`GET ${AT}`),
    [`PUT ${AT}`, '{"proxy":{"zone":"static","__proto__":{"country":"us"}}}'],
    ...lines(`GET ${AT}`),
  ],
  "pages, certificates and checks": lines(
    ...["GET /", "GET /api/nothing", "POST /", "POST /api/nothing", "GET /api/logs_har", "HEAD /api/mode"],
    ...["POST /api/refresh_sessions/1", "POST /api/proxies/delete", `DELETE ${AT}`, "GET /api/banlist/1"],
  ),
  "an expression that is broken": lines(
    ...["%5B", "(", "*", "ok", "%zz"].flatMap((search) => [
      `GET /api/logs?search=${search}`,
      `GET /api/logs_har?search=${search}`,
    ]),
  ),
  "what a ban cannot last": [
    create,
    // One that lasts a moment may or may not be over when it is asked for.
    ...["abc", null, false, "", 0, [], {}].flatMap((ms): Request[] => [
      [`POST ${AT}/banip`, { ip: "1.1.1.1", ms }],
      [`GET /api/banlist/${PORT}?full=true`],
      [`POST ${AT}/unbanips`],
    ]),
    ["POST /api/banip", { ip: "1.1.1.1", ports: PORT }],
    ["POST /api/banip", { ip: "1.1.1.1", ports: [String(PORT)] }],
  ],
  "what is no e-mail address": [5, true, [], ["a@b.c"], {}].map((email): Request => ["POST /api/lpm_user", { email }]),
  "a config file that is no text": [
    create,
    ...[undefined, {}, { config: null }, { config: true }, { config: { proxies: [] } }, { config: ["x"] }].flatMap(
      (body): Request[] => [["POST /api/config", body], ["GET /api/proxies"]],
    ),
  ],
  "the fields": lines("GET /api/consts"),
};

let real: RealManager;
let simulator: Awaited<ReturnType<typeof startSimulator>>;
beforeAll(async () => {
  real = await startRealManager();
  simulator = await startSimulator({ customer: "hl_test1", manager: { dropin: false, www: real.port } });
  for (const [name, { plan, password }] of Object.entries(DEFAULT_ZONES)) {
    simulator.account.addZone(name, plan as { type: string }).password = [password];
  }
});
async function clear(): Promise<void> {
  for (const url of [real.url, simulator.manager.url]) {
    const records = (await send(url, "GET /api/proxies")).body as { port: number }[];
    for (const { port } of records) await send(url, `DELETE /api/proxies/${port}`);
  }
}
afterEach(clear);
afterAll(async () => {
  await real?.stop();
  await simulator?.close();
});

async function answers(url: string, requests: readonly Request[]): Promise<object[]> {
  const all: object[] = [];
  for (const [line, sent, headers] of requests) {
    const asked = `${line} ${Buffer.isBuffer(sent) ? "(bytes)" : JSON.stringify(sent)} ${JSON.stringify(headers)}`;
    all.push({ asked, ...apiEssence(await send(url, line, sent, headers)) });
  }
  return all;
}

/** A ban that the real one has lifted may be back for a moment: what is unlike once has to be so again. */
test.each(Object.entries(CASES))("%s: the simulator answers as the vendor's program does", async (_, requests) => {
  const [really, simulated] = [await answers(real.url, requests), await answers(simulator.manager.url, requests)];
  if (isDeepStrictEqual(simulated, really)) return;
  await clear();
  const again = await answers(real.url, requests);
  expect(await answers(simulator.manager.url, requests)).toEqual(again);
});

test("a ban whose time is negative, or too long for a timer, is not listed", async () => {
  for (const ms of [-1, -100_000, "-5", 1e15, 2 ** 31]) {
    for (const url of [real.url, simulator.manager.url]) {
      await send(url, "POST /api/proxies", PROXY);
      await send(url, `POST ${AT}/banip`, { ip: "1.1.1.1", ms });
      await expect.poll(async () => (await send(url, `GET /api/banlist/${PORT}`)).body).toEqual({ ips: [] });
    }
  }
});
