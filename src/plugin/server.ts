import { type ClientHttp2Session, constants, createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import {
  create,
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { type Any, anyPack } from "@bufbuild/protobuf/wkt";
import { endWithoutEngine, LAST_SECONDS } from "../pulumi/engine";
import { StatusSchema } from "./messages/google/rpc/status_pb";

/** Codes of gRPC. */
export const CODE = { ok: 0, cancelled: 1, unknown: 2, invalidArgument: 3, unimplemented: 12, internal: 13 } as const;

/** A refusal, as gRPC carries it. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly details: Any[] = [],
  ) {
    super(message);
  }
}

/** A refusal with a message of its own, such as what there is to record of a creation that has failed. */
export const refusal = <Desc extends DescMessage>(
  words: string,
  schema: Desc,
  details: MessageInitShape<Desc>,
): RpcError => new RpcError(CODE.unknown, words, [anyPack(schema, create(schema, details))]);

/** The methods of a service that are there, by their names. */
export type Methods<Service extends DescService> = {
  [Name in keyof Service["method"]]?: (
    request: MessageShape<Service["method"][Name]["input"]>,
  ) => Promise<MessageInitShape<Service["method"][Name]["output"]>>;
};

type RpcMethod = (request: never) => Promise<Record<string, unknown>>;

export interface RunningServer {
  port: number;
  server: Http2Server;
  /** Whether something is under way. */
  isBusy(): boolean;
}

/** What is in front of a message: whether it is compressed, and its length. */
const PREFIX = 5;

const MEBIBYTE = 2 ** 20;

/** The state of thousands of ports is one message; after a failed update, it is in a header. */
const ROOM = { maxSessionMemory: 1024, maxSendHeaderBlockLength: 64 * MEBIBYTE };

/** Serves the unary methods of a service, by gRPC on a port of this machine that is free. */
export async function serve<Service extends DescService>(
  service: Service,
  methods: Methods<Service>,
): Promise<RunningServer> {
  const byPath = new Map(service.methods.map((method) => [`/${service.typeName}/${method.name}`, method]));
  const server = createServer({ ...ROOM, settings: { initialWindowSize: 4 * MEBIBYTE } });
  let underWay = 0;
  const counted = async <T>(task: Promise<T>): Promise<T> => {
    underWay++;
    return task.finally(() => underWay--);
  };
  server.on("stream", (stream: ServerHttp2Stream, headers) => {
    stream.on("error", () => {});
    const method = byPath.get(String(headers[":path"]));
    const answer = method && (Reflect.get(methods, method.localName) as RpcMethod | undefined);
    if (method === undefined || answer === undefined) {
      refuse(stream, new RpcError(CODE.unimplemented, `There is no ${String(headers[":path"])}.`));
      return;
    }
    void received(stream)
      .then((bytes) => counted(answered(method, answer, bytes)))
      .then(
        (bytes) => send(stream, bytes),
        (error: unknown) => refuse(stream, error),
      );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return { port: (server.address() as AddressInfo).port, server, isBusy: () => underWay > 0 };
}

/**
 * Ends the process with the engine's last connection, of which it has one for as long as it lives, or with the one to it, where the
 * engine ends before it has any. What is under way may still take a moment: its outcome may be written down.
 */
export function endingWith({ server, isBusy }: RunningServer, engine: ClientHttp2Session, cancel: () => void): void {
  let connections = 0;
  const end = () => {
    if (connections > 0) return;
    if (!isBusy()) return endWithoutEngine();
    cancel();
    setTimeout(() => process.exit(1), LAST_SECONDS * 1000);
  };
  server.on("session", (session) => {
    connections++;
    session.once("close", () => {
      connections--;
      end();
    });
  });
  engine.once("close", end);
}

async function received(stream: ServerHttp2Stream): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  if (bytes.length < PREFIX || bytes.length - PREFIX !== bytes.readUInt32BE(1))
    throw new RpcError(CODE.invalidArgument, "A message was cut off.");
  if (bytes[0] !== 0) throw new RpcError(CODE.unimplemented, "A message is compressed.");
  return bytes.subarray(PREFIX);
}

async function answered({ input, output }: DescMethod, answer: RpcMethod, bytes: Uint8Array): Promise<Uint8Array> {
  const made = await answer(fromBinary(input, bytes) as never);
  return toBinary(output, create(output, made));
}

const HEADERS = { ":status": 200, "content-type": "application/grpc+proto" };

/** A message as gRPC has it. */
export function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

function send(stream: ServerHttp2Stream, message: Uint8Array): void {
  if (stream.closed || stream.destroyed) return;
  stream.respond(HEADERS, { waitForTrailers: true });
  stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": String(CODE.ok) }));
  stream.end(framed(message));
}

function refuse(stream: ServerHttp2Stream, error: unknown): void {
  if (stream.closed || stream.destroyed) return;
  const { code, message, details } =
    error instanceof RpcError
      ? error
      : new RpcError(CODE.unknown, error instanceof Error ? error.message : String(error));
  const all = headersOf(code, message, details);
  const most = stream.session?.remoteSettings.maxHeaderListSize ?? MOST_READ;
  const isRead = sizeOf(all) <= Math.min(most, MOST_READ);
  stream.respond(isRead ? all : headersOf(code, `${message} ${LEFT_OUT}`, []), { endStream: true });
  // What was sent and is not read any more need not be.
  if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
}

/** Of longer headers, the engine ends the connection, and with it all that is under way. */
const MOST_READ = 16 * MEBIBYTE;

const LEFT_OUT =
  "What was done is not in the state: it is more than the engine reads of an operation that has failed. Run again on this machine: `pulumi up` takes it up.";

function headersOf(code: number, message: string, details: Any[]): Record<string, string | number> {
  const status = toBinary(StatusSchema, create(StatusSchema, { code, message, details }));
  return {
    ...HEADERS,
    "grpc-status": String(code),
    "grpc-message": inPercent(message),
    ...(details.length > 0 && { "grpc-status-details-bin": Buffer.from(status).toString("base64") }),
  };
}

/** What each header counts besides its text. */
const EACH = 32;

/** The size of headers as HTTP/2 counts it, with the date that Node.js adds. */
const sizeOf = (headers: Record<string, string | number>): number =>
  Object.entries({ ...headers, date: new Date().toUTCString() })
    .map(([name, value]) => name.length + String(value).length + EACH)
    .reduce((sum, size) => sum + size, 0);

/** As gRPC has a text in a header. */
const inPercent = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e || byte === 0x25
        ? `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
        : String.fromCharCode(byte),
    )
    .join("");
