import { deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { parseBody } from "../../../simulator/manager/requestBody";
import { startManager } from "./harness";

const parsed = (body: string | Buffer, headers: Record<string, string> = {}): unknown => {
  const bytes = Buffer.from(body);
  return parseBody({
    method: "POST",
    path: "/",
    query: new URLSearchParams(),
    params: {},
    headers: { "content-type": "application/json", "content-length": String(bytes.length), ...headers },
    bytes,
    text: bytes.toString(),
    remoteAddress: "127.0.0.1",
  });
};
const form = (body: string): unknown => parsed(body, { "content-type": "application/x-www-form-urlencoded" });

const BODY = { a: "ä" };
const JSON_BODY = JSON.stringify(BODY);

test.each([
  "application/json",
  "Application/JSON",
  "application/json; charset=UTF-8",
  'application/json ; charset="utf-8"',
  "application/json; profile=x; charset=utf-8",
])("JSON is known by %s", (type) => {
  expect(parsed(JSON_BODY, { "content-type": type })).toEqual(BODY);
});

test.each(["", "text/json", "application/json;", "application/json; charset=", "application/json, text/plain"])(
  "JSON is not looked for under %j",
  (type) => {
    expect(parsed(JSON_BODY, { "content-type": type })).toEqual({});
  },
);

test.each(["iso-8859-1", "utf-99", "utf-16"])("JSON of the charset %s is refused", (charset) => {
  expect(parsed(JSON_BODY, { "content-type": `application/json; charset=${charset}` })).toBeUndefined();
});

test("JSON may be UTF-16, begin with a byte order mark, and be no object but a list", () => {
  const type = { "content-type": "application/json; charset=utf-16le" };
  expect(parsed(Buffer.from(JSON_BODY, "utf16le"), type)).toEqual(BODY);
  expect(parsed(`\ufeff${JSON_BODY}`)).toEqual(BODY);
  expect(parsed("[1]")).toEqual([1]);
  for (const wrong of ["5", "null", '"x"', " ", "{bad"]) expect(parsed(wrong), wrong).toBeUndefined();
});

test("a body is there only where a length or a transfer encoding says so", () => {
  expect(parsed("")).toEqual({});
  expect(parsed("", { "content-type": "application/json; charset=latin1" })).toBeUndefined();
  const request = {
    method: "POST",
    path: "/",
    query: new URLSearchParams(),
    params: {},
    text: "",
    remoteAddress: "",
  };
  const headers = { "content-type": "application/json; charset=latin1" };
  expect(parseBody({ ...request, headers, bytes: Buffer.alloc(0) })).toEqual({});
});

test.each([
  ["gzip", gzipSync(JSON_BODY)],
  ["GZIP", gzipSync(JSON_BODY)],
  ["deflate", deflateSync(JSON_BODY)],
  ["identity", Buffer.from(JSON_BODY)],
])("a body compressed as %s is understood", (encoding, body) => {
  expect(parsed(body, { "content-encoding": encoding })).toEqual(BODY);
});

test.each([
  ["gzip", "of what is not compressed", Buffer.from(JSON_BODY)],
  ["gzip", "that is cut short", gzipSync(JSON_BODY).subarray(0, 20)],
  ["gzip", "of too much", gzipSync(`"${"x".repeat(3_000_000)}"`)],
  ["identity", "of too much", Buffer.from(`"${"x".repeat(3_000_000)}"`)],
  ["br", "that is not known", Buffer.from(JSON_BODY)],
])("a body compressed as %s %s is refused", (encoding, _, body) => {
  expect(parsed(body, { "content-encoding": encoding })).toBeUndefined();
});

test.each([
  ["ip=1.2.3.4&note=a+b%20c", { ip: "1.2.3.4", note: "a b c" }],
  ["proxy[port]=24055&proxy%5Bzone%5D=dc", { proxy: { port: "24055", zone: "dc" } }],
  ["p[ips][]=1&p[ips][]=2", { p: { ips: ["1", "2"] } }],
  ["p[ips][30]=1", { p: { ips: ["1"] } }],
  ["p[rules][0][status]=200", { p: { rules: [{ status: "200" }] } }],
  ["p[a]=1&p[a]=2&p=b", { p: { a: ["1", "2"], b: true } }],
  ["p[a=1&=x&&q", { "p[a": "1", q: "" }],
  ["a=%zz%20b&c=%20", { a: "%zz%20b", c: " " }],
])("the form %s is read", (body, fields) => {
  expect(form(body)).toEqual(fields);
});

test("a form of another charset than UTF-8 is refused", () => {
  expect(parsed("a=1", { "content-type": "application/x-www-form-urlencoded; charset=latin1" })).toBeUndefined();
});

test("a port can be made by a form and by compressed JSON", async () => {
  const { call, manager } = await startManager({ dropin: false });
  const type = { "content-type": "application/x-www-form-urlencoded" };
  expect((await call("POST /api/proxies", "proxy[port]=24055&proxy[zone]=dc", type)).status).toBe(200);
  const zipped = gzipSync(JSON.stringify({ proxy: { port: 24056 } }));
  expect((await call("POST /api/proxies", zipped, { "content-encoding": "gzip" })).status).toBe(200);
  expect((await call("POST /api/proxies", "{}", { "content-encoding": "gzip" })).body).toBe("Server Error");
  expect(manager.state.records.map(({ port }) => port)).toEqual([24055, 24056]);
});
