import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test, vi } from "vitest";
import { ResourceProvider } from "../../src/plugin/messages/pulumi/provider_pb";
import { endingWith, serve } from "../../src/plugin/server";
import { deferred } from "./deferred";
import { begun, checkOf, framed, grpcClient, pathOf, rawSession } from "./grpc";
import { engineLog } from "./realPlugin";

const PLUGIN = join(__dirname, "../../dist/plugin.js");

/** Listens, and is connected with the plugin whose port it is told. */
const ENGINE = `
  const { connect, createServer } = require("node:http2");
  const engine = createServer().listen(0, "127.0.0.1", () => console.log(engine.address().port));
  require("node:readline").createInterface({ input: process.stdin }).on("line", (port) => {
    connect("http://127.0.0.1:" + port, () => console.log("connected"));
  });
`;

function started(...args: string[]): { child: ChildProcess; line: () => Promise<string> } {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, line: async () => String((await lines.next()).value) };
}

test("the plugin prints its port alone, and ends when its engine is killed", async () => {
  const engine = started("-e", ENGINE);
  const plugin = started(PLUGIN, `127.0.0.1:${await engine.line()}`);
  const ended = once(plugin.child, "exit");
  const port = await plugin.line();
  expect(port).toMatch(/^\d+$/);
  engine.child.stdin?.write(`${port}\n`);
  expect(await engine.line()).toBe("connected");
  engine.child.kill("SIGKILL");
  expect(await ended).toEqual([1, null]);
  expect(await plugin.line()).toBe("undefined");
});

test("the plugin ends when its engine is killed before it connects", async () => {
  const engine = started("-e", ENGINE);
  const plugin = started(PLUGIN, `127.0.0.1:${await engine.line()}`);
  const ended = once(plugin.child, "exit");
  expect(await plugin.line()).toMatch(/^\d+$/);
  engine.child.kill("SIGKILL");
  expect(await ended).toEqual([1, null]);
});

test("the plugin serves on after its last connection while its engine listens", async () => {
  const engine = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void engine.close());
  await once(engine, "listening");
  const followed = once(engine, "session");
  const plugin = started(PLUGIN, `127.0.0.1:${(engine.address() as AddressInfo).port}`);
  const port = Number(await plugin.line());
  await followed;
  const asked = once(engine, "session");
  const session = connect(`http://127.0.0.1:${port}`);
  await once(session, "connect");
  session.close();
  const [question] = await asked;
  await once(question, "close");
  expect(String(await grpcClient(port)(pathOf("GetPluginInfo"), new Uint8Array()))).toMatch(/\d+\.\d+\.\d+/);
  expect(plugin.child.exitCode).toBe(null);
});

test("what is under way when the last connection closes is cancelled, and has a moment to end", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const exit = vi.spyOn(process, "exit").mockImplementation((() => {}) as never);
  onTestFinished(() => {
    vi.useRealTimers();
    exit.mockRestore();
  });
  const asked = deferred();
  const cancelled = deferred();
  const served = await serve(ResourceProvider, {
    async check() {
      asked.resolve();
      await cancelled.promise;
      return {};
    },
  });
  onTestFinished(() => void served.server.close());
  const engine = await engineLog(() => {});
  const cancel = vi.fn(() => cancelled.resolve());
  const closed = deferred();
  endingWith(served, rawSession((engine.address() as AddressInfo).port), cancel);
  served.server.on("session", (session) => session.once("close", () => closed.resolve()));
  const [first, second] = [rawSession(served.port), rawSession(served.port)];
  begun(first, pathOf("Check")).end(framed(checkOf({})));
  await Promise.all([asked.promise, once(second, "connect")]);
  second.destroy();
  await closed.promise;
  expect(cancel).not.toHaveBeenCalled();
  first.destroy();
  await cancelled.promise;
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2000);
  expect(exit.mock.calls).toEqual([[1]]);
});
