import { createServer } from "node:net";
import { inspect } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type Handler, json } from "../../simulator/service";
import type { Call } from "../../src/http/call";
import { Log } from "../../src/http/log";
import { ANYTHING } from "../../src/http/success";
import { LOG_LEVELS } from "../../src/settings/values";
import { failure, serve, transportTo } from "./loopback";

const TOKEN = "tok-0123456789";
const SECRETS = [TOKEN, 'pass"word<1>', "hook&header", "proxy-pass", "bare key", "cookie=1"];

const CALL: Call = {
  operation: "make the thing",
  request: "POST /thing",
  query: { auth_header: "hook&header" },
  headers: { authorization: "bare key" },
  body: {
    proxy: {
      password: 'pass"word<1>',
      ext_proxies: ["user:proxy-pass@203.0.113.7:8080"],
      headers: [{ name: "Cookie", value: "cookie=1" }],
    },
  },
};

const echo = `Do not use ${SECRETS.join(" or ")}`;
const escaped = echo.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const answers: Record<string, Handler> = {
  "as text": () => ({ status: 400, body: echo }),
  "as text, just where it is cut": () => ({ status: 400, body: `${"x".repeat(495)}${TOKEN}` }),
  "as JSON": () => ({ status: 400, body: JSON.stringify({ error: echo }) }),
  "as JSON with a code": () => ({ status: 400, body: JSON.stringify({ error: { code: TOKEN, message: echo } }) }),
  "as JSON of no known shape": () => ({ status: 400, body: JSON.stringify([{ why: echo }]) }),
  "as JSON with escapes": () => ({
    status: 400,
    body: JSON.stringify({ error: echo }).replace(
      /[a-z]/g,
      (a) => `\\u${a.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  }),
  "as JSON cut short": () => ({ status: 400, body: JSON.stringify({ error: echo }).slice(0, -2) }),
  "as an HTML page": () => ({ status: 400, body: `<html><pre>${echo}</pre></html>` }),
  "as an escaped HTML page": () => ({ status: 404, body: `<html><pre>${escaped}</pre></html>` }),
  "in a header": () => ({ status: 400, headers: { "x-brd-error": echo } }),
  "in a header beside a 2xx": () => ({ status: 200, headers: { "x-brd-error": echo }, body: echo }),
  "as a validation error": () => ({
    status: 422,
    body: JSON.stringify({ errors: [{ msg: echo, field: TOKEN }, { why: echo }] }),
  }),
  "whole request": (request) => ({
    status: 500,
    body: `${JSON.stringify(request.headers)} ${request.query} ${request.text}`,
  }),
  "in an answer that cannot be read": () => ({ status: 200, body: echo }),
  "in an answer cut short": () => ({ status: 200, body: `{"password":"${TOKEN}` }),
  "in an answer of another shape": () => ({ status: 200, body: JSON.stringify({ a: echo, ok: TOKEN }) }),
  "in a redirect": () => ({ status: 302, headers: { location: `/other?${TOKEN}` }, body: echo }),
};

function expectNone(text: string): void {
  for (const secret of SECRETS) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(inspect(secret).slice(1, -1));
    expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
  }
  // Nor half of one, where a message was cut.
  expect(text).not.toContain(TOKEN.slice(0, 4));
}

describe.each(LOG_LEVELS)(
  "at level %s no secret is in the error or the log when the service sends it back",
  (level) => {
    test.each(Object.entries(answers))("%s", async (_, answer) => {
      const service = await serve(answer);
      const lines: string[] = [];
      const log = new Log(level, (line) => lines.push(line));
      const transport = transportTo(service.url, { token: TOKEN, log, retries: 0 });
      const error = await failure(transport.json(CALL, z.object({ ok: z.boolean() })));
      // As it is printed when nobody catches it: stack, causes and properties.
      expectNone(inspect(error, { depth: 10, showHidden: true }));
      expectNone(JSON.stringify(error));
      expectNone(lines.join("\n"));
      expect(lines.length > 0).toBe(level === "debug");
    });
  },
);

const url = "https://hooks.example.com/services/T0/XKCD?signature=0123456789";

test.each([
  ["parts of the request", { secretParts: { target: { endpoint: url, port: 4711 }, list: ["bucket-7"] } }],
  [
    "what the caller names",
    { secrets: [url, "/services/T0/XKCD?signature=0123456789", "0123456789", "4711", "bucket-7"] },
  ],
])("what is secret under any key is hidden: %s", async (_, secret) => {
  const words = `no ${url}, /services/T0/XKCD?signature=0123456789, signature 0123456789, port 4711 or bucket-7`;
  const service = await serve(() => ({ status: 400, body: words }));
  const error = await failure(transportTo(service.url).send({ ...CALL, ...secret }, ANYTHING));
  expect(error).toMatchObject({
    serviceMessage: "no [secret], [secret], signature [secret], port [secret] or [secret]",
  });
});

test("what is secret under any key is hidden in the names of an answer's parts too", async () => {
  const service = await serve(() => json({ "bucket-7": 5 }));
  const call: Call = { ...CALL, secretParts: ["bucket-7"] };
  const error = await failure(transportTo(service.url).json(call, z.record(z.string(), z.string())));
  expect(error.message).toContain("(`[secret]`: expected a text, but it is a number)");
});

test("no secret is in the error about an answer that is no HTTP", async () => {
  const server = createServer((socket) => {
    socket.once("data", () => socket.end(`${echo}\r\n\r\n`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("No port.");
  const error = await failure(transportTo(`http://127.0.0.1:${address.port}`, { token: TOKEN }).send(CALL, ANYTHING));
  expect(error.name).toBe("ConnectionError");
  expectNone(inspect(error, { depth: 10, showHidden: true }));
});

test("no secret is in a transport that is printed", async () => {
  expectNone(inspect(transportTo("http://127.0.0.1:1", { token: TOKEN }), { depth: 10, showHidden: true }));
});
