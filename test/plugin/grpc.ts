import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type Settings } from "node:http2";
import { create, fromBinary, type JsonObject, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { Client, credentials, type ServiceError } from "@grpc/grpc-js";
import { onTestFinished } from "vitest";
import { ResourceProvider } from "../../src/plugin/messages/pulumi/provider_pb";

const { check } = ResourceProvider.method;
const UNLIMITED = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };

export const pathOf = (method: string): string => `/pulumirpc.ResourceProvider/${method}`;

/** The request of a check, which can be of any size. */
export const checkOf = (news: JsonObject): Uint8Array => toBinary(check.input, create(check.input, { news }));

export const checkedIn = (bytes: Uint8Array): MessageShape<typeof check.output> => fromBinary(check.output, bytes);

/** A client as other programs have it. */
export function grpcClient(port: number): (path: string, message: Uint8Array) => Promise<Uint8Array> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), UNLIMITED);
  onTestFinished(() => client.close());
  const asIs = (bytes: Uint8Array) => Buffer.from(bytes);
  return (path, message) =>
    new Promise((resolve, reject) => {
      client.makeUnaryRequest(path, asIs, asIs, message, (error: ServiceError | null, answer?: Buffer) => {
        if (error !== null) reject(error);
        else resolve(answer ?? Buffer.alloc(0));
      });
    });
}

/** A message with what stands in front of it. */
export function framed(message: Uint8Array, { flag = 0, length = message.length } = {}): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(flag);
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
}

export function rawSession(port: number, settings: Settings = {}): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${port}`, { settings });
  session.on("error", () => {});
  onTestFinished(() => session.destroy());
  return session;
}

export function begun(session: ClientHttp2Session, path: string): ClientHttp2Stream {
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  stream.on("error", () => {});
  return stream;
}

const named = (headers: object): Record<string, unknown> => Object.fromEntries(Object.entries(headers));

/** All that comes back for bytes that are sent: headers, what follows, trailers. */
export async function exchanged(session: ClientHttp2Session, path: string, bytes: Uint8Array) {
  const stream = begun(session, path);
  const parts: Buffer[] = [];
  let trailers: object = {};
  stream.on("data", (part: Buffer) => parts.push(part));
  stream.on("trailers", (received) => {
    trailers = received;
  });
  stream.end(bytes);
  const [[headers]] = await Promise.all([once(stream, "response"), once(stream, "close")]);
  return { headers: named(headers), body: Buffer.concat(parts), trailers: named(trailers) };
}
