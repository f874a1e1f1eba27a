import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { fromBinary } from "@bufbuild/protobuf";
import { expect, onTestFinished, test } from "vitest";
import { EngineLog } from "../../src/plugin/engineLog";
import { LogRequestSchema, LogSeverity } from "../../src/plugin/messages/pulumi/engine_pb";
import type { Speech } from "../../src/plugin/provider";
import { deferred } from "./deferred";

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
