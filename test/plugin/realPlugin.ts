import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type ClientHttp2Session, createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { type Answered, saidIn } from "../histories/wire.mts";
import { begun, framed, pathOf, rawSession } from "./grpc";

const PLUGIN = join(__dirname, "../../dist/plugin.js");
const PREFIX = 5;

/** An engine's end of what the plugin says. */
export async function engineLog(hear: (words: string) => void): Promise<Http2Server> {
  const server = createServer();
  server.on("stream", async (stream) => {
    hear(saidIn((await buffer(stream)).subarray(PREFIX)));
    stream.respond({ ":status": 200, "grpc-status": "0" }, { endStream: true });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return server;
}

export const addressOf = (server: Http2Server): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;

/** The plugin as the process that it is. */
export class RealPlugin {
  readonly child: ChildProcess;
  readonly exit: Promise<unknown>;
  readonly #session: Promise<ClientHttp2Session>;

  /** @param engine the address of the engine's log */
  constructor(engine: string, env: NodeJS.ProcessEnv) {
    this.child = spawn(process.execPath, [PLUGIN, engine], { env, stdio: ["ignore", "pipe", "inherit"] });
    this.exit = once(this.child, "exit");
    onTestFinished(() => void this.child.kill("SIGKILL"));
    this.#session = once(createInterface({ input: this.child.stdout as NodeJS.ReadableStream }), "line").then(
      ([port]) => rawSession(Number(port)),
    );
  }

  /** @param message in bytes, as text */
  async ask(method: string, message = ""): Promise<Answered> {
    const stream = begun(await this.#session, pathOf(method));
    const parts: Buffer[] = [];
    let headers: Record<string, unknown> = {};
    const hear = (heard: object) => {
      headers = { ...headers, ...heard };
    };
    stream.on("response", hear);
    stream.on("trailers", hear);
    stream.on("data", (part: Buffer) => parts.push(part));
    stream.end(framed(Buffer.from(message, "base64")));
    await once(stream, "close");
    const { "grpc-status": code, "grpc-message": words = "", "grpc-status-details-bin": status } = headers;
    if (code === "0") return { result: {}, message: Buffer.concat(parts).subarray(PREFIX).toString("base64") };
    const details = status === undefined ? {} : { status: String(status) };
    return { error: { code: Number(code), message: decodeURIComponent(String(words)), ...details } };
  }

  /** @param isAlone whether nobody ends it: it finds out that its engine is gone */
  async end(isAlone: boolean): Promise<unknown> {
    (await this.#session).destroy();
    if (!isAlone) this.child.kill();
    const [code] = (await this.exit) as [unknown];
    return code;
  }
}
