import { once } from "node:events";
import { connect, createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { Cancellation } from "../../src/dynamic/cancellation";

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

test("the engine's call to cancel aborts, on a server that was there before, and it stays so", async () => {
  const server = await listening();
  const cancellation = new Cancellation();
  expect(cancellation.signal.aborted).toBe(false);
  await call(server, "Cancel");
  expect(cancellation.signal.aborted).toBe(true);
  await call(server, "Cancel");
  expect(cancellation.signal.aborted).toBe(true);
});

test("no other call does", async () => {
  const cancellation = new Cancellation();
  const server = await listening();
  for (const method of ["Create", "Delete", "Configure", "CancelAll"]) await call(server, method);
  expect(cancellation.signal.aborted).toBe(false);
  await call(server, "Cancel");
  expect(cancellation.signal.aborted).toBe(true);
});

test("a connection that the engine's death cuts ends the waits, and then the process; an idle one does not", async () => {
  const exit = vi.spyOn(process, "exit").mockImplementation((() => undefined) as never);
  onTestFinished(() => exit.mockRestore());
  const timers = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => timers.mockRestore());
  const server = await listening();
  const cancellation = new Cancellation();
  await call(server, "Configure");
  expect(cancellation.signal.aborted).toBe(false);

  let finish = () => {};
  const operation = cancellation.during(() => new Promise<void>((resolve) => (finish = resolve)));
  await call(server, "Create");
  await vi.waitFor(() => expect(cancellation.signal.aborted).toBe(true));
  const last = timers.mock.calls.find(([, ms]) => ms === 2000)?.[0] as () => void;
  expect(exit).not.toHaveBeenCalled();
  last();
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
  finish();
  await operation;
});
