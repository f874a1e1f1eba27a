import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { fromBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import type { Metadata } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { StatusSchema } from "../../src/plugin/messages/google/rpc/status_pb";
import { ErrorResourceInitFailedSchema, ResourceProvider } from "../../src/plugin/messages/pulumi/provider_pb";
import { CODE, type Methods, RpcError, type RunningServer, refusal, serve } from "../../src/plugin/server";
import { deferred } from "./deferred";
import { begun, checkedIn, checkOf, exchanged, framed, grpcClient, pathOf, rawSession } from "./grpc";

const CHECK = pathOf("Check");

async function serving(methods: Methods<typeof ResourceProvider>): Promise<RunningServer> {
  const served = await serve(ResourceProvider, methods);
  onTestFinished(() => void served.server.close());
  return served;
}

/** Answers with what it is asked. */
const echoing = () => serving({ check: async ({ news }) => ({ inputs: news ?? {} }) });

const refusing = (error: unknown) => serving({ check: () => Promise.reject(error) });

/** Another one can be asked after it. */
async function answersStill({ port }: RunningServer): Promise<void> {
  expect(checkedIn(await grpcClient(port)(CHECK, checkOf({ a: 1 }))).inputs).toEqual({ a: 1 });
}

test("a message is answered as gRPC has it", async () => {
  const { port } = await echoing();
  const { headers, body, trailers } = await exchanged(rawSession(port), CHECK, framed(checkOf({ a: [1, "ü"] })));
  expect(headers).toMatchObject({ ":status": 200, "content-type": "application/grpc+proto" });
  expect(headers).not.toHaveProperty("grpc-status");
  expect(trailers).toEqual({ "grpc-status": "0" });
  expect([body[0], body.readUInt32BE(1)]).toEqual([0, body.length - 5]);
  expect(checkedIn(body.subarray(5)).inputs).toEqual({ a: [1, "ü"] });
});

test("an empty message is one", async () => {
  const { port } = await echoing();
  const { trailers } = await exchanged(rawSession(port), CHECK, framed(new Uint8Array()));
  expect(trailers).toEqual({ "grpc-status": "0" });
});

test("a message of 12 MB comes and goes", async () => {
  const text = "x".repeat(12 * 2 ** 20);
  const { port } = await echoing();
  const { inputs } = checkedIn(await grpcClient(port)(CHECK, checkOf({ text })));
  expect(inputs?.text === text).toBe(true);
});

test("two are under way at once, and the later one may be first", async () => {
  const first = deferred();
  const served = await serving({
    async check({ news }) {
      if (news?.n === 1) await first.promise;
      return { inputs: news ?? {} };
    },
  });
  const client = grpcClient(served.port);
  const ask = async (n: number) => checkedIn(await client(CHECK, checkOf({ n }))).inputs;
  const one = ask(1);
  expect(await ask(2)).toEqual({ n: 2 });
  expect(served.isBusy()).toBe(true);
  first.resolve();
  expect(await one).toEqual({ n: 1 });
  expect(served.isBusy()).toBe(false);
});

test.each([
  ["another service's", "/pulumirpc.Engine/Log"],
  ["one that is not served", pathOf("Call")],
  ["one that there is not", pathOf("Nothing")],
])("a method is told to be unknown: %s", async (_, path) => {
  const served = await echoing();
  await expect(grpcClient(served.port)(path, new Uint8Array(2 ** 20))).rejects.toMatchObject({
    code: CODE.unimplemented,
    details: `There is no ${path}.`,
  });
  await answersStill(served);
});

test("an error's words arrive as they are, whatever is in them", async () => {
  const words = "100 % of „Zürich“ is gone:\n\t~`a`~ 🜚 %41";
  const { port } = await refusing(new Error(words));
  const { headers, trailers } = await exchanged(rawSession(port), CHECK, framed(checkOf({})));
  const told = String(headers["grpc-message"]);
  expect(headers).toMatchObject({ ":status": 200, "grpc-status": "2" });
  expect(trailers).toEqual({});
  expect(told).toMatch(/^[\x20-\x7e]*$/);
  expect(told).toMatch(/^100 %25 of %E2%80%9EZ%C3%BCrich/);
  expect(decodeURIComponent(told)).toBe(words);
  await expect(grpcClient(port)(CHECK, checkOf({}))).rejects.toMatchObject({ code: CODE.unknown, details: words });
});

test.each([
  ["a text", "so it is", CODE.unknown, "so it is"],
  ["a refusal with a code", new RpcError(CODE.invalidArgument, "no such function"), CODE.invalidArgument, undefined],
])("what is thrown is told: %s", async (_, error, code, details = "no such function") => {
  const { port } = await refusing(error);
  await expect(grpcClient(port)(CHECK, checkOf({}))).rejects.toMatchObject({ code, details });
});

const partial = (properties: Record<string, string>) =>
  refusal("The zone is there.", ErrorResourceInitFailedSchema, { id: "web", properties, reasons: ["no answer"] });

test("what there is to record of a failure comes with it", async () => {
  const { port } = await refusing(partial({ name: "Zürich" }));
  const error = await grpcClient(port)(CHECK, checkOf({})).catch((each: { metadata: Metadata }) => each);
  const [status] = "metadata" in error ? error.metadata.get("grpc-status-details-bin") : [];
  const { code, message, details } = fromBinary(StatusSchema, status as Buffer);
  expect({ code, message }).toEqual({ code: CODE.unknown, message: "The zone is there." });
  expect(details.map((each) => anyUnpack(each, ErrorResourceInitFailedSchema))).toMatchObject([
    { id: "web", properties: { name: "Zürich" }, reasons: ["no answer"] },
  ]);
});

test("3 MB of it arrive, in as many frames as they take", async () => {
  const size = 3 * 2 ** 20;
  const served = await refusing(partial({ ports: randomBytes(size / 2).toString("hex") }));
  const block = await headerBlock(served.port, CHECK, framed(checkOf({})));
  // Base64 makes it longer by a third, and what compresses headers brings it back to about its length.
  expect(block.length).toBeGreaterThan(size);
});

test.each([
  ["the engine reads no more than 16 MiB", 12 * 2 ** 20, rawSession],
  [
    "the engine has said how much it reads",
    64 * 2 ** 10,
    (port: number) => rawSession(port, { maxHeaderListSize: 2 ** 16 }),
  ],
])("what there is to record is left out where it is too much: %s", async (_, size, sessionOf) => {
  const { port } = await refusing(partial({ ports: "x".repeat(size) }));
  const { headers } = await exchanged(sessionOf(port), CHECK, framed(checkOf({})));
  expect(headers).not.toHaveProperty("grpc-status-details-bin");
  expect(decodeURIComponent(String(headers["grpc-message"]))).toMatch(
    /^The zone is there\. What was done is not in the state: .* Run again on this machine/,
  );
});

test.each([
  ["is shorter than it says", framed(checkOf({ a: 1 }), { length: 1000 }), CODE.invalidArgument, "cut off"],
  ["is longer than it says", framed(checkOf({ a: 1 }), { length: 1 }), CODE.invalidArgument, "cut off"],
  ["ends in what is in front of it", Buffer.alloc(3), CODE.invalidArgument, "cut off"],
  ["is not there", Buffer.alloc(0), CODE.invalidArgument, "cut off"],
  ["is compressed", framed(checkOf({ a: 1 }), { flag: 1 }), CODE.unimplemented, "compressed"],
  ["is none of the method's", framed(Buffer.from([0xff, 0xff])), CODE.unknown, ""],
])("a message is refused that %s", async (_, bytes, code, words) => {
  const served = await echoing();
  const { headers } = await exchanged(rawSession(served.port), CHECK, bytes);
  expect(headers).toMatchObject({ "grpc-status": String(code) });
  expect(headers["grpc-message"]).toContain(words);
  await answersStill(served);
});

test("a stream that is cancelled while its message comes is nothing to the others", async () => {
  const served = await echoing();
  const stream = begun(rawSession(served.port), CHECK);
  stream.write(framed(checkOf({ a: 1 }), { length: 1000 }));
  await once(stream, "ready");
  stream.close(8);
  await once(stream, "close");
  await answersStill(served);
});

test.each([
  ["an answer", () => Promise.resolve({ inputs: {} })],
  ["an error", () => Promise.reject(new Error("no"))],
])("a stream that is cancelled before it has %s is nothing to the others", async (_, end) => {
  const [asked, gone] = [deferred(), deferred()];
  const served = await serving({
    async check({ news }) {
      if (news?.a === 1) return { inputs: news };
      asked.resolve();
      await gone.promise;
      return end();
    },
  });
  served.server.on("stream", (stream) => stream.once("close", () => gone.resolve()));
  const stream = begun(rawSession(served.port), CHECK);
  stream.end(framed(checkOf({})));
  await asked.promise;
  stream.close(8);
  await gone.promise;
  await expect.poll(() => served.isBusy()).toBe(false);
  await answersStill(served);
});

test("a stream that is cancelled just as its answer is sent is nothing to the others", async () => {
  const served = await serving({
    async check({ news }) {
      if (news?.a !== 1) for (const stream of streams) stream.close(8);
      return { inputs: news ?? {} };
    },
  });
  const streams = new Set<{ close(code: number): void }>();
  served.server.on("stream", (stream) => streams.add(stream));
  const stream = begun(rawSession(served.port), CHECK);
  stream.end(framed(checkOf({})));
  await once(stream, "close");
  streams.clear();
  await answersStill(served);
});

const FRAME = { data: 0, headers: 1, settings: 4, continuation: 9 };

/** The compressed headers of an answer. Node's own client takes no more than eight frames of them. */
async function headerBlock(port: number, path: string, body: Buffer): Promise<Buffer> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const frame = (type: number, flags: number, stream: number, payload: Buffer) => {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head.set([type, flags], 3);
    head.writeUInt32BE(stream, 5);
    return Buffer.concat([head, payload]);
  };
  // POST and http have numbers of their own, 3 and 6; of `:path` and `:authority`, 4 and 1, the value follows as it is.
  const text = (index: number, value: string) =>
    Buffer.concat([Buffer.from([index, value.length]), Buffer.from(value)]);
  const headers = Buffer.concat([Buffer.from([0x83, 0x86]), text(4, path), text(1, "localhost")]);
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  socket.write(frame(FRAME.settings, 0, 0, Buffer.alloc(0)));
  socket.write(frame(FRAME.headers, 4, 1, headers));
  socket.write(frame(FRAME.data, 1, 1, body));
  const parts: Buffer[] = [];
  let received = Buffer.alloc(0);
  for await (const bytes of socket) {
    received = Buffer.concat([received, bytes as Buffer]);
    while (received.length >= 9 && received.length >= 9 + received.readUIntBE(0, 3)) {
      const end = 9 + received.readUIntBE(0, 3);
      const [type, flags] = [received[3], received[4] ?? 0];
      if (type === FRAME.headers || type === FRAME.continuation) parts.push(received.subarray(9, end));
      if ((type === FRAME.headers || type === FRAME.continuation) && (flags & 4) !== 0) return Buffer.concat(parts);
      received = received.subarray(end);
    }
  }
  throw new Error("The connection has ended before the headers have.");
}
