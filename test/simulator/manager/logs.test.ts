import { expect, test } from "vitest";
import type { RequestLog } from "../../../simulator/manager";
import { NOW, startManager } from "./harness";

const EMPTY = { version: "1.2", creator: { name: "Proxy Manager", version: "1.570.247" }, pages: [], entries: [] };

const log = (uuid: string, fields: Partial<RequestLog> = {}): RequestLog => ({
  uuid,
  port: 24000,
  url: `http://example.com/${uuid}`,
  method: "GET",
  hostname: "example.com",
  protocol: "http",
  status_code: 200,
  content_type: "other",
  timestamp: NOW.getTime(),
  in_bw: 100,
  out_bw: 10,
  success: 1,
  ...fields,
});

const LOGS = [
  log("a"),
  log("b", { port: 24001, status_code: 404, success: 1, timestamp: NOW.getTime() - 10 * 86_400_000 }),
  log("c", { protocol: "https", content_type: "xhr", in_bw: 5, username: "brd-session-xy42" }),
];

test("the logs and statistics are empty before anything has gone through the ports", async () => {
  const { replay, call } = await startManager();
  await replay([
    ["GET /api/logs", undefined, 200, { log: EMPTY, total: 0, skip: 0, sum_out: 0, sum_in: 0 }],
    ["GET /api/logs_suggestions", undefined, 200, { ports: [], status_codes: [], protocols: [] }],
    [
      "GET /api/recent_stats",
      undefined,
      200,
      { ports: {}, status_code: [], hostname: [], protocol: [], total: 0, success: 0, ssl_enable: false },
    ],
    ["GET /api/lpm_stats", undefined, 200, { total_requests: 0, recent_requests: 0 }],
    ["POST /api/log_level", { level: "notice" }, 200, "OK"],
  ]);
  const har = await call("GET /api/logs_har");
  expect(har.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "content-disposition": "attachment; filename=data.har",
  });
  expect(har.body).toBe(JSON.stringify({ log: EMPTY }, null, 4));
});

test("the logs are searched, sorted and cut", async () => {
  const { call, manager } = await startManager();
  manager.state.requestLogs = LOGS;
  const search = async (query: string): Promise<unknown> => {
    const { body } = await call(`GET /api/logs?${query}`);
    return (body as { log: { entries: { uuid: string }[] } }).log.entries.map(({ uuid }) => uuid).join("");
  };
  const found: Record<string, string> = {};
  for (const query of [
    "",
    "port=24001",
    "port_from=24001&port_to=24010",
    "status_code=404",
    "status_code=2**",
    "content_type=xhr",
    "protocol=http",
    "search=com/a",
    "search=y42",
    "sort=status_code",
    "sort_desc=1",
    "sort=in_bw",
    "limit=2",
    "limit=1&skip=1",
  ]) {
    found[query] = (await search(query)) as string;
  }
  expect(found).toEqual({
    "": "abc",
    "port=24001": "b",
    "port_from=24001&port_to=24010": "b",
    "status_code=404": "b",
    "status_code=2**": "ac",
    "content_type=xhr": "c",
    "protocol=http": "ab",
    "search=com/a": "a",
    "search=y42": "c",
    "sort=status_code": "acb",
    "sort_desc=1": "cba",
    "sort=in_bw": "cab",
    "limit=2": "ab",
    "limit=1&skip=1": "b",
  });
  const { body } = await call("GET /api/logs?limit=1&skip=1&protocol=http");
  expect(body).toMatchObject({
    total: 2,
    skip: 1,
    sum_out: 20,
    sum_in: 200,
    log: {
      entries: [{ uuid: "b", details: { port: 24001, bw: 110, success: 1 }, response: { status: 404 } }],
    },
  });
});

test("the statistics count requests by port, status, host and protocol", async () => {
  const { call, data, manager, replay } = await startManager();
  await data("POST /api/proxies", { port: 24000 }, []);
  for (const each of LOGS) manager.state.addRequest(each);
  expect((await call("GET /api/recent_stats")).body).toMatchObject({
    ports: { 24000: { key: 24000, reqs: 2, in_bw: 105, out_bw: 20, success: 2 }, 24001: { reqs: 1, success: 1 } },
    status_code: [
      { key: 200, reqs: 2 },
      { key: 404, reqs: 1 },
    ],
    hostname: [{ key: "example.com", reqs: 3 }],
    protocol: [
      { key: "http", reqs: 2 },
      { key: "https", reqs: 1 },
    ],
    total: 3,
    success: 3,
    ssl_enable: true,
    ssl_warning: true,
  });
  const values = { ports: [24000, 24001], status_codes: [200, 404], protocols: ["http", "https"] };
  await replay([
    ["GET /api/logs_suggestions", undefined, 200, values],
    ["GET /api/lpm_stats", undefined, 200, { total_requests: 3, recent_requests: 2 }],
    ["GET /api/lpm_stats?days=30", undefined, 200, { total_requests: 3, recent_requests: 3 }],
  ]);
});

test("the logs are cleared, and no more of them kept than the settings say", async () => {
  const { call, manager, replay } = await startManager();
  manager.state.requestLogs = [...LOGS];
  const left = (): string => manager.state.requestLogs.map(({ uuid }) => uuid).join("");
  await call("PUT /api/settings", { logs: 2 });
  await call("GET /api/logs");
  expect(left()).toBe("ac");
  manager.state.requestLogs = [...LOGS];
  await replay([["PUT /api/logs_reset?port=24000", undefined, 200, "ok"]]);
  expect(left()).toBe("b");
  await replay([["GET /api/logs_reset", undefined, 200, "ok"]]);
  expect(left()).toBe("");
  expect((await call("GET /api/v2/logs_reset")).headers["content-type"]).toBe("text/html; charset=UTF-8");
});

test("the end of the log file can be read", async () => {
  const { call, manager } = await startManager();
  manager.state.logLines.splice(0);
  for (const line of ["one", "two", "three"]) manager.state.log("MNGR", line);
  const line = (message: string): string => `2026-11-20 08:42:54.000 NOTICE: MNGR: ${message}\n`;
  expect((await call("GET /api/general_logs")).body).toBe(["one", "two", "three"].map(line).join(""));
  expect((await call("GET /api/general_logs?limit=2")).body).toBe(line("three"));
});

test.each(["logs", "logs_har"])("%s fail for an expression that is broken", async (path) => {
  const { call } = await startManager();
  const { status, body } = await call(`GET /api/${path}?search=%5B`);
  expect([status, body]).toEqual([500, expect.stringMatching(/^Server error: Invalid regular expression: \/\[\//)]);
});
