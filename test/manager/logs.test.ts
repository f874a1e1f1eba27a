import { expect, test } from "vitest";
import type { RequestLog } from "../../simulator";
import { ArgumentError, ResponseFormatError } from "../../src/base/errors";
import type { LogFilter } from "../../src/model/requestLog";
import { failure, NOW, startManager } from "./harness";

const log = (uuid: string, fields: Partial<RequestLog> = {}): RequestLog => ({
  uuid,
  port: 24000,
  url: `http://example.com/${uuid}`,
  method: "GET",
  hostname: "example.com",
  protocol: "http",
  status_code: 200,
  content_type: "html",
  timestamp: NOW.getTime(),
  in_bw: 100,
  out_bw: 10,
  success: 1,
  ...fields,
});

async function start() {
  const started = await startManager();
  const logs = [
    log("a"),
    log("b", { port: 24001, status_code: 502, success: 0, in_bw: 0 }),
    log("c", { port: 24002, protocol: "https", content_type: "xhr", username: "lum-session-x1" }),
  ];
  for (const each of logs) started.manager.state.addRequest(each);
  return started;
}

const ENTRY = {
  uuid: "a",
  startedDateTime: NOW.toISOString(),
  time: 0,
  context: "RESPONSE",
  port: 24000,
  protocol: "http",
  contentType: "html",
  success: true,
  inBw: 100,
  outBw: 10,
  request: { method: "GET", url: "http://example.com/a", host: "example.com", headers: [], body: "" },
  response: { status: 200, statusText: "", headers: [], mimeType: "unknown", size: 0, body: "" },
};

test("the requests through the ports are read, with what they sum up to", async () => {
  const { client, requests, request } = await start();
  const page = await client.logs.list();
  expect(page).toMatchObject({ total: 3, skip: 0, inBw: 200, outBw: 30 });
  expect(page.entries.map(({ uuid }) => uuid)).toEqual(["a", "b", "c"]);
  expect(page.entries[0]).toEqual(ENTRY);
  expect(requests).toEqual([request({ method: "GET", path: "/api/logs" })]);
});

test.each<[LogFilter, Record<string, string>, string[]]>([
  [{ port: 24001 }, { port: "24001" }, ["b"]],
  [{ portFrom: 24001 }, { port_from: "24001", port_to: "65535" }, ["b", "c"]],
  [{ portTo: 24001 }, { port_from: "1", port_to: "24001" }, ["a", "b"]],
  [{ portFrom: 24001, portTo: 24001 }, { port_from: "24001", port_to: "24001" }, ["b"]],
  [{ statusCode: 502 }, { status_code: "502" }, ["b"]],
  [{ statusCode: "2**" }, { status_code: "2**" }, ["a", "c"]],
  [{ contentType: "xhr" }, { content_type: "xhr" }, ["c"]],
  [{ protocol: "https" }, { protocol: "https" }, ["c"]],
  [{ search: "/b$" }, { search: "/b$" }, ["b"]],
  [{ search: "x1" }, { search: "x1" }, ["c"]],
  [{ skip: 1, limit: 1 }, { skip: "1", limit: "1" }, ["b"]],
  [{ sort: "statusCode", descending: true, limit: 1 }, { sort: "status_code", sort_desc: "true", limit: "1" }, ["b"]],
  [{ sort: "inBw", descending: false, limit: 1 }, { sort: "in_bw", limit: "1" }, ["b"]],
])("the requests through the ports are filtered by %j", async (filter, query, uuids) => {
  const { client, requests, request } = await start();
  const { entries } = await client.logs.list(filter);
  expect(entries.map(({ uuid }) => uuid)).toEqual(uuids);
  expect(requests).toEqual([request({ method: "GET", path: "/api/logs", query })]);
  const har = JSON.parse(await client.logs.har(filter));
  expect(har.log.entries.map(({ uuid }: { uuid: string }) => uuid)).toEqual(uuids);
  expect(requests[1]).toEqual(request({ method: "GET", path: "/api/logs_har", query }));
});

test.each<LogFilter>([
  { limit: 0 },
  { limit: 1.5 },
  { skip: -1 },
  { port: 0 },
  { portFrom: Number.NaN },
  { portTo: -5 },
])("the requests through the ports are not asked for by %j", async (filter) => {
  const { client, requests } = await start();
  await failure(client.logs.list(filter), ArgumentError);
  await failure(client.logs.har(filter), ArgumentError);
  expect(requests).toEqual([]);
});

test("the requests through the ports come without the password towards the vendor, and as far as they are known", async () => {
  const { client, answer } = await start();
  const details = { port: 24000, username: "u", password: "zone-pass", in_bw: null, timeline: [{ end: null }] };
  const entry = {
    uuid: "a",
    startedDateTime: NOW.toISOString(),
    time: null,
    details,
    request: {
      method: "CONNECT",
      url: "example.com:443",
      headers: [{ name: "a", value: "b" }],
      postData: { text: "in" },
    },
    response: {
      status: "unknown",
      headers: [{ name: "set-cookie", value: ["a=1", "b=2"] }],
      content: { text: "out" },
    },
  };
  const body = { log: { version: "1.2", entries: [entry] }, total: 1, skip: 0, sum_in: 0, sum_out: 0 };
  answer(200, body);
  expect((await client.logs.list()).entries).toEqual([
    {
      uuid: "a",
      startedDateTime: NOW.toISOString(),
      port: 24000,
      username: "u",
      request: {
        method: "CONNECT",
        url: "example.com:443",
        headers: [{ name: "a", value: "b" }],
        body: "in",
      },
      response: {
        statusText: "",
        headers: [
          { name: "set-cookie", value: "a=1" },
          { name: "set-cookie", value: "b=2" },
        ],
        body: "out",
      },
    },
  ]);
  answer(200, { log: body.log });
  const { password: _, ...kept } = details;
  expect(JSON.parse(await client.logs.har())).toEqual({
    log: { version: "1.2", entries: [{ ...entry, details: kept }] },
  });
});

test("the requests through the ports are read also where the manager has answered one by itself, with numbers", async () => {
  const { client, answer } = await start();
  const headers = [
    { name: "content-type", value: "text/html" },
    { name: "content-length", value: 24 },
    { name: "x-lpm-timeout", value: 3000 },
  ];
  const entry = {
    uuid: "a",
    startedDateTime: NOW.toISOString(),
    time: 3000,
    details: { port: 24000 },
    request: { method: "GET", url: "http://example.com/", headers: [] },
    response: { status: 504, statusText: "Proxy manager tunnel timeout", headers, content: { text: "" } },
  };
  answer(200, { log: { entries: [entry] }, total: 1, skip: 0, sum_in: 0, sum_out: 0 });
  const { entries } = await client.logs.list();
  expect(entries[0]?.response.headers).toEqual(headers.map(({ name, value }) => ({ name, value: String(value) })));
});

test("the statistics count the requests by what they have in common", async () => {
  const { client, requests, request } = await start();
  const count = (key: string, reqs: number, success: number, inBw: number) => ({
    key,
    reqs,
    success,
    inBw,
    outBw: 10 * reqs,
    bypassBw: 0,
    bypassCost: 0,
  });
  expect(await client.logs.stats()).toEqual({
    total: 3,
    success: 2,
    ports: [count("24000", 1, 1, 100), count("24001", 1, 0, 0), count("24002", 1, 1, 100)],
    statusCodes: [count("200", 2, 2, 200), count("502", 1, 0, 0)],
    hostnames: [count("example.com", 3, 2, 200)],
    protocols: [count("http", 2, 1, 100), count("https", 1, 1, 100)],
    sslEnable: false,
    sslWarning: false,
  });
  expect(requests).toEqual([request({ method: "GET", path: "/api/recent_stats" })]);
});

test("the statistics warn of ports that do not analyse SSL", async () => {
  const { client, withPorts } = await start();
  await withPorts({ port: 24000 });
  expect(await client.logs.stats()).toMatchObject({ sslEnable: true, sslWarning: true });
});

test("the manager's log is read from its end", async () => {
  const { client, manager, requests, request } = await start();
  manager.state.logLines.splice(0, Number.POSITIVE_INFINITY, "one", "two", "three");
  expect(await client.logs.tail(2)).toEqual(["two", "three"]);
  expect(await client.logs.tail()).toEqual(["one", "two", "three"]);
  expect(requests).toEqual([
    request({ method: "GET", path: "/api/general_logs", query: { limit: "3" } }),
    request({ method: "GET", path: "/api/general_logs", query: { limit: "101" } }),
  ]);
});

test("the manager's log may end in the middle of a line", async () => {
  const { client, answer } = await start();
  answer(200, "one\ntwo\nthr");
  expect(await client.logs.tail(2)).toEqual(["two", "thr"]);
});

test("the manager's log may be empty", async () => {
  const { client, answer } = await start();
  answer(200, "");
  expect(await client.logs.tail(2)).toEqual([]);
});

test("the manager's log is not the manager's page", async () => {
  const { client, answer } = await start();
  answer(200, "<!doctype html><html></html>");
  await failure(client.logs.tail(), ResponseFormatError);
});

test.each([0, -1, 2.5])("the manager's log is not read by %d lines", async (lines) => {
  const { client, requests } = await start();
  await failure(client.logs.tail(lines), ArgumentError);
  expect(requests).toEqual([]);
});
