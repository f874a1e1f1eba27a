import { once } from "node:events";
import { connect, createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type * as cancellation from "../../src/engine/cancellation";

/** A server such as the one that the engine speaks to; it answers everything alike. */
async function listening(): Promise<Http2Server> {
  const server = createServer();
  server.on("stream", (stream) => {
    stream.respond();
    stream.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.close();
    await once(server, "close");
  });
  return server;
}

/** Calls a method on a server as the engine does. */
async function call(server: Http2Server, method: string): Promise<void> {
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const stream = client.request({ ":method": "POST", ":path": `/pulumirpc.ResourceProvider/${method}` });
  stream.resume();
  stream.end();
  await once(stream, "close");
  client.close();
}

let cancelled: AbortSignal;

beforeEach(async () => {
  vi.resetModules();
});

async function load(): Promise<void> {
  ({ cancelled } = await vi.importActual<typeof cancellation>("../../src/engine/cancellation"));
}

test("the engine's call to cancel aborts, on a server that was there before, and it stays so", async () => {
  const server = await listening();
  await load();
  expect(cancelled.aborted).toBe(false);
  await call(server, "Cancel");
  expect(cancelled.aborted).toBe(true);
  await call(server, "Cancel");
  expect(cancelled.aborted).toBe(true);
});

test("no other call does", async () => {
  await load();
  const server = await listening();
  for (const method of ["Create", "Delete", "Configure", "CancelAll"]) await call(server, method);
  expect(cancelled.aborted).toBe(false);
  await call(server, "Cancel");
  expect(cancelled.aborted).toBe(true);
});
