import { describe, expect, test } from "vitest";
import { boot } from "../../../simulator/manager/boot";
import { FrontDoor } from "../../../simulator/manager/frontDoor";
import { settingsRoutes } from "../../../simulator/manager/settings";
import { type ManagerOptions, ManagerState } from "../../../simulator/manager/state";
import { whitelistRoutes } from "../../../simulator/manager/whitelist";
import { NEVER, type SimulatedResponse } from "../../../simulator/service";
import { accountWithZones, cannot, startManager } from "./harness";

describe("answers", () => {
  test("the first version is deprecated, the second is not", async () => {
    const { call } = await startManager();
    const { headers } = await call("GET /api/mode");
    expect(headers).toMatchObject({
      deprecation: "true",
      sunset: "01-Nov-23 23:59:59",
      "ratelimit-policy": "2000;w=60",
      ratelimit: "limit=2000, remaining=1999, reset=60",
    });
    const second = (await call("GET /api/v2/mode")).headers;
    expect(second).toMatchObject({ "ratelimit-policy": "2000;w=60" });
    expect(second).not.toHaveProperty("deprecation");
    expect(second).not.toHaveProperty("sunset");
  });

  test("an unknown GET is the manager's page, with a cookie that holds its token", async () => {
    const { call, manager } = await startManager();
    const token = manager.state.settings.lpm_token?.split("|")[0];
    for (const path of ["/api/nonexistent", "/api/v2/nonexistent", "/api", "/proxies"]) {
      const { status, headers, body } = await call(`GET ${path}`);
      expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=UTF-8"]);
      expect(body).toMatch(/^<!doctype html>/);
      expect(headers["set-cookie"]).toEqual([
        `lpm_token=${token}; Max-Age=31536; Path=/; Expires=Fri, 20 Nov 2026 17:28:30 GMT; HttpOnly; SameSite=Strict`,
      ]);
      expect(headers.deprecation).toBe(path.startsWith("/api") ? "true" : undefined);
    }
    const known = await call("GET /api/nonexistent", undefined, { cookie: `a=b; lpm_token=${token}` });
    expect(known.headers).not.toHaveProperty("set-cookie");
  });

  test("any other unknown route does not exist", async () => {
    const { replay } = await startManager();
    const unknown = ["POST /api/nonexistent", "PATCH /api/proxies/24000", "POST /api/proxies/24000", "DELETE /x"];
    await replay(unknown.map((line) => [line, {}, 404, cannot(line)]));
    await replay([["POST /api/refresh_zones", "{bad", 500, "Server Error"]]);
  });

  test("OPTIONS tells the methods of a path", async () => {
    const { call } = await startManager();
    const methods: [path: string, allow: string][] = [
      ["/api/settings", "GET,HEAD,PUT"],
      ["/api/v2/proxies/24000", "GET,HEAD,PUT,DELETE"],
      ["/api/logs_reset", "PUT,GET,HEAD"],
      ["/api/v2/gen_token", "POST"],
      ["/api/nonexistent", "GET,HEAD"],
      ["/", "GET,HEAD"],
    ];
    for (const [path, allow] of methods) {
      const { status, headers, body } = await call(`OPTIONS ${path}`);
      expect([status, headers.allow, body], path).toEqual([200, allow, allow]);
    }
  });

  test("a path is known in capitals, with one doubled slash, and as a whole URL", async () => {
    const { call } = await startManager();
    for (const path of ["/API/Mode", "/Api/V2/MODE/", "/api//mode", "/api/v2//mode", "http://127.0.0.1/api/mode?x"]) {
      expect((await call(`GET ${path}`)).body, path).toEqual({ logged_in: true });
    }
    for (const path of ["//api/mode", "/api///mode", "/api/mode//", "/api/%6dode", "/api/./mode", "/api/x/../mode"]) {
      expect((await call(`GET ${path}`)).headers["content-type"], path).toBe("text/html; charset=UTF-8");
    }
  });

  test("a broken escape fails, and dots are a port like any other", async () => {
    const { replay } = await startManager();
    const broken = "Server error: Failed to decode param '%zz'";
    await replay([
      ["GET /api/proxies/%zz", undefined, 500, broken],
      ["PATCH /api/v2/proxies/%zz", undefined, 500, broken],
      ["GET /api/mode%zz", undefined, 500, "Server Error"],
      ["POST /%zz", undefined, 500, "Server Error"],
      ["GET /api/proxies/%2e%2e", undefined, 400, "invalid port number"],
      ["GET /api/proxies/..", undefined, 400, "invalid port number"],
      ["POST /api/a/../<b>'&", undefined, 404, cannot("POST /api/a/../%3Cb%3E&#39;&amp;")],
    ]);
  });

  test("HEAD is answered as GET is", async () => {
    const { call } = await startManager();
    const { status, headers, body } = await call("HEAD /api/mode");
    expect([status, headers["content-length"], body]).toEqual([200, "18", ""]);
  });
});

test("the rate limit is one for each caller, method and URL, and failures are free", async () => {
  const { call } = await startManager({ rateLimit: { perMinute: 2 } });
  const remaining = async (line: string): Promise<unknown> => (await call(line)).headers.ratelimit;
  const rate = (left: number): string => `limit=2, remaining=${left}, reset=60`;
  expect(await remaining("GET /api/proxies/24999")).toBe(rate(1));
  expect(await remaining("GET /api/proxies/24999")).toBe(rate(1));
  expect(await remaining("GET /api/mode")).toBe(rate(1));
  expect(await remaining("GET /api/mode")).toBe(rate(0));
  const refused = await call("GET /api/mode");
  expect([refused.status, refused.body, refused.headers["retry-after"]]).toEqual([
    429,
    "You have exceeded the 2 requests in 60 seconds limit.",
    "60",
  ]);
  expect(await remaining("GET /api/mode?x=1")).toBe(rate(1));
  expect(await remaining("GET /api/v2/mode")).toBe(rate(1));
});

const HERE = "10.0.0.9";
const BLOCKED =
  "Connection from your IP is forbidden. If you want to access this site ask the administrator to add 10.0.0.9 to the whitelist. for more info visit https://help.brightdata.com/hc/en-us/articles/13594866940945-Security#heading-1";

const open = (options: Partial<ManagerOptions> = {}) => {
  const state = new ManagerState({ account: accountWithZones(), ...options });
  boot(state);
  const door = new FrontDoor(state, { ...settingsRoutes, ...whitelistRoutes });
  const call = async (
    line: string,
    headers: Record<string, string> = {},
    ip?: string,
    remoteAddress = HERE,
  ): Promise<SimulatedResponse> => {
    const [method = "", url = ""] = line.split(" ");
    const { pathname: path, searchParams: query } = new URL(`http://127.0.0.1${url}`);
    const text = ip === undefined ? "" : JSON.stringify({ ip });
    const length = String(Buffer.byteLength(text));
    const answer = await door.handle({
      method,
      path,
      query,
      params: {},
      headers: { "content-type": "application/json", "content-length": length, ...headers },
      bytes: Buffer.from(text),
      text,
      remoteAddress,
    });
    if (answer === NEVER) throw new Error("An answer was expected.");
    return answer;
  };
  return { state, call };
};
const statusOf = ({ status }: SimulatedResponse): number => status;

test("a caller from elsewhere is turned away and remembered", async () => {
  const { state, call } = open();
  const { status, headers, body } = await call("GET /api/settings");
  expect([status, headers?.["x-lpm-block-ip"], body]).toEqual([403, HERE, BLOCKED]);
  expect(headers).toMatchObject({ deprecation: "true", "ratelimit-policy": "2000;w=60" });
  expect([...state.pendingWwwIps]).toEqual([HERE]);
  expect(statusOf(await call("PUT /api/whitelist_ip", {}, HERE))).toBe(403);
  expect(statusOf(await call("GET /api/nonexistent"))).toBe(403);
  const page = await call("GET /");
  expect([page.status, page.headers?.["set-cookie"]]).toEqual([200, undefined]);
  expect((await call("GET /api/settings?user=a&password=b")).body).toBe("Auth Failed");
});

test("a caller from elsewhere may whitelist itself for the ports with the token, by the old call alone", async () => {
  const { state, call } = open();
  state.settings.token_auth = "the-token";
  const token = { authorization: "the-token" };
  expect(statusOf(await call("PUT /api/wip", token, "1.1.1.1"))).toBe(403);
  expect((await call("POST /api/add_wip", token, "1.1.1.1")).body).toBe("OK");
  expect((await call("POST /api/add_wip", { authorization: "bad" }, "1.1.1.1")).body).toBe("Token required");
  expect(state.settings.whitelist_ips).toEqual(["1.1.1.1"]);
});

test("a caller that is listed may use the first version freely and the second with a token", async () => {
  const { state, call } = open();
  state.settings.token_auth = "the-token";
  await call("PUT /api/whitelist_ip", {}, HERE, "127.0.0.1");
  expect(statusOf(await call("GET /api/settings"))).toBe(200);
  const refused = await call("GET /api/v2/settings");
  expect(refused).toMatchObject({
    status: 403,
    headers: { "x-powered-by": "Express", "x-lpm-block-token": "no_token" },
    body: "Valid lpm_token required to use this API",
  });
  expect(refused.headers).not.toHaveProperty("ratelimit");
  expect((await call("GET /api/v2/settings", { authorization: "bad" })).headers).toMatchObject({
    "x-lpm-block-token": "bad",
  });
  const lpmToken = state.settings.lpm_token?.split("|")[0] ?? "";
  const accepted: [string, Record<string, string>][] = [
    ["GET /api/v2/settings", { authorization: "the-token" }],
    ["GET /api/v2/settings", { authorization: lpmToken }],
    ["GET /api/v2/settings?lpm_token=the-token", {}],
    ["GET /api/v2/settings", { cookie: "lpm_token=the-token" }],
  ];
  for (const [line, headers] of accepted) expect(statusOf(await call(line, headers)), line).toBe(200);
  expect(statusOf(await call("PUT /api/v2/whitelist_ip", {}, "2.2.2.3"))).toBe(403);
  expect(statusOf(await call("PUT /api/v2/whitelist_ip", { authorization: "the-token" }, "2.2.2.3"))).toBe(200);
});

test("a caller may come from a listed block, with the page's cookie, or as a user", async () => {
  const { state, call } = open();
  state.settings.www_whitelist_ips = ["nonsense", "10.0.0.0/8"];
  expect(statusOf(await call("GET /api/settings"))).toBe(200);
  state.settings.www_whitelist_ips = ["10.1.0.0/16"];
  expect(statusOf(await call("GET /api/settings"))).toBe(403);
  const cookie = `lpm_token=${state.settings.lpm_token?.split("|")[0]}`;
  expect(statusOf(await call("GET /api/settings", { cookie }))).toBe(200);
  state.users = [{ email: "a@b.c", password: "secret" }];
  expect(statusOf(await call("GET /api/settings?user=a@b.c&password=secret"))).toBe(200);
});

test("every caller is let in as long as there is no password to protect", async () => {
  const { state, call } = open({ loggedIn: false });
  expect(statusOf(await call("GET /api/settings"))).toBe(200);
  state.records.push({ port: 24000, password: "mypw" });
  expect(statusOf(await call("GET /api/settings"))).toBe(403);
});

test("with a local login, everybody needs the cookie", async () => {
  const { call } = open({ localLogin: true });
  const refused = await call("GET /api/settings", {}, undefined, "127.0.0.1");
  expect(refused).toMatchObject({
    status: 403,
    headers: { "x-lpm-local-login": "Unauthorized" },
    body: "This Proxy Manager instance is running in local_login mode. You need to sign in to get an access to this resource",
  });
  const cookie = "local-login=pass_static";
  expect(statusOf(await call("GET /api/settings", { cookie }, undefined, "127.0.0.1"))).toBe(200);
});
