import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { create, type DescMethod, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { expect, onTestFinished, test, vi } from "vitest";
import { startSimulator } from "../../simulator";
import { EngineLog } from "../../src/plugin/engineLog";
import { LogRequestSchema, LogSeverity } from "../../src/plugin/messages/pulumi/engine_pb";
import { ResourceProvider } from "../../src/plugin/messages/pulumi/provider_pb";
import { methodsOf } from "../../src/plugin/methods";
import { PluginProvider, type Speech } from "../../src/plugin/provider";
import { serve } from "../../src/plugin/server";
import { lifecycle } from "../dynamic/adapterSetup";
import { deferred } from "./deferred";
import { grpcClient, pathOf } from "./grpc";

type Heard = { path: unknown; severity: LogSeverity; message: string; urn: string; stream: number; ephemeral: boolean };

/** An engine that writes down what it is told, and answers when it may. */
async function engine(mayAnswer: Promise<void> = Promise.resolve()) {
  const heard: Heard[] = [];
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  server.on("stream", async (stream, headers) => {
    const bytes = await buffer(stream);
    expect(bytes.readUInt32BE(1)).toBe(bytes.length - 5);
    const { severity, message, urn, streamId, ephemeral } = fromBinary(LogRequestSchema, bytes.subarray(5));
    heard.push({ path: headers[":path"], severity, message, urn, stream: streamId, ephemeral });
    await mayAnswer;
    stream.respond({ ":status": 200, "grpc-status": "0" }, { endStream: true });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { heard, server, sessions, log: new EngineLog(addressOf(server)) };
}

const addressOf = (server: Http2Server): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Asks a server what the engine asks. */
function asking(port: number) {
  const call = grpcClient(port);
  return async <M extends "handshake" | "configure" | "check" | "create" | "cancel">(method: M, request: object) => {
    const { input, output, name }: DescMethod = ResourceProvider.method[method];
    const answer = await call(pathOf(name), toBinary(input, create(input, request as never)));
    return fromBinary(output, answer) as MessageShape<(typeof ResourceProvider.method)[M]["output"]>;
  };
}

const URN = "urn:pulumi:dev::shop::brightdata:index:Zone::web";

const speech = (words: string, more: Partial<Speech> = {}): Speech => ({
  words,
  isWarning: false,
  isProgress: false,
  urn: URN,
  ...more,
});

test("what is told has its severity and its resource", async () => {
  const { heard, log } = await engine();
  log.tell(speech("The zone costs 3 €."));
  log.tell(speech("It is paid for.", { isWarning: true, urn: undefined }));
  await log.heard;
  const common = { path: "/pulumirpc.Engine/Log", stream: 0, ephemeral: false };
  expect(heard).toEqual([
    { ...common, severity: LogSeverity.INFO, message: "The zone costs 3 €.", urn: URN },
    { ...common, severity: LogSeverity.WARNING, message: "It is paid for.", urn: "" },
  ]);
});

test("the engine hears one after the other, in the order in which they are told", async () => {
  const may = deferred();
  const { heard, log } = await engine(may.promise);
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`);
  for (const words of lines) log.tell(speech(words));
  await expect.poll(() => heard.length).toBe(1);
  may.resolve();
  await log.heard;
  expect(heard.map(({ message }) => message)).toEqual(lines);
});

test("a resource's progress is of one stream, that of another resource of another", async () => {
  const { heard, log } = await engine();
  const said = { isProgress: true };
  log.tell(speech("waits", said));
  log.tell(speech("other", { ...said, urn: `${URN}2` }));
  log.tell(speech("a line that stays"));
  log.tell(speech("waits still", said));
  await log.heard;
  expect(heard.map(({ message, ephemeral }) => [message, ephemeral])).toEqual([
    ["waits", true],
    ["other", true],
    ["a line that stays", false],
    ["waits still", true],
  ]);
  const [first, second, third, fourth] = heard.map(({ stream }) => stream);
  expect(fourth).toBe(first);
  expect(new Set([first, second, third]).size).toBe(3);
});

test("a plugin that is started by hand tells the engine which greets it, and of resources", async () => {
  const { heard, server } = await engine();
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const { PULUMI_DEBUG_PROVIDERS: _, ...environment } = process.env;
  const child = spawn(process.execPath, [join(__dirname, "../../dist/plugin.js")], {
    env: { ...environment, ...simulator.environment() },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  const ask = asking(Number(line));
  await ask("handshake", { engineAddress: addressOf(server) });
  await ask("configure", { args: { apiToken: simulator.token } });
  const news = { plan: { type: "static", ipsType: "shared", country: "us" } };
  const { inputs = {} } = await ask("check", { urn: URN, name: "web", news });
  simulator.account.addZone(String(inputs.name), { type: "static" });
  await ask("create", { urn: URN, properties: inputs });
  expect(heard).toMatchObject([
    { message: expect.stringContaining("in plain text"), severity: LogSeverity.WARNING },
    { message: expect.stringContaining("the new one gets another name"), severity: LogSeverity.INFO, urn: URN },
  ]);

  await ask("cancel", {});
  const next = await engine();
  await ask("handshake", { engineAddress: addressOf(next.server) });
  await ask("configure", { args: { apiToken: simulator.token } });
  expect(next.heard).toMatchObject([{ message: expect.stringContaining("in plain text") }]);
  expect(heard).toHaveLength(2);
});

test("how far an operation has come is heard before it ends, and does not stay", async () => {
  const { heard, log } = await engine();
  const now = vi.spyOn(performance, "now");
  onTestFinished(() => now.mockRestore());
  const answers = [undefined, "there"];
  const life = lifecycle({
    async create(_inputs, { deadline }) {
      now.mockReturnValue(0).mockReturnValueOnce(-10_000);
      await deadline.poll("waiting for the thing", async () => answers.shift());
      return { id: "1", state: {} };
    },
  });
  const served = { lifecycleOf: () => life, lookupOf: async () => undefined };
  const provider = new PluginProvider(served, undefined, process.cwd(), (said) => log.tell(said));
  const about = { version: "1.2.3", schema: () => "{}", spelled: (words: string) => words, runtime: undefined };
  const { port, server } = await serve(
    ResourceProvider,
    methodsOf(provider, about, () => log.heard),
  );
  onTestFinished(() => void server.close());
  const urn = URN.replace("Zone", "Test");
  await asking(port)("create", { urn, properties: {} });
  expect(heard).toMatchObject([
    { message: "waiting for the thing, 10 s so far, at most 11 s in all", urn, ephemeral: true, stream: 1 },
  ]);
});

test("an engine that is gone fails nothing, nor does one that goes", async () => {
  const { server, sessions, log } = await engine();
  log.tell(speech("heard"));
  await log.heard;
  for (const session of sessions) session.destroy();
  server.close();
  log.tell(speech("too late"));
  log.tell(speech("too late, too"));
  await log.heard;
  await expect(log.heard).resolves.toBeUndefined();
});

test("an engine is told on after it has closed its connection", async () => {
  const { heard, sessions, log } = await engine();
  log.tell(speech("before"));
  await log.heard;
  for (const session of sessions) session.destroy();
  await expect.poll(() => sessions.size).toBe(0);
  log.tell(speech("after"));
  await log.heard;
  expect(heard.map(({ message }) => message)).toEqual(["before", "after"]);
});

test("an address that leads nowhere fails nothing: what an operation has made is answered all the same", async () => {
  const log = new EngineLog("127.0.0.1:none");
  log.tell(speech("lost"));
  log.tell(speech("lost, too"));
  await expect(log.heard).resolves.toBeUndefined();
});
