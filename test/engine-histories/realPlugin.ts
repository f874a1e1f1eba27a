import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type ClientHttp2Session, connect, createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { type BoxEvent, Line, type Start } from "../histories/box.mts";
import { METHODS } from "../histories/providerProcess.mts";
import { type Answered, saidIn } from "../histories/wire.mts";
import { begun, framed } from "../plugin/grpc";

const PLUGIN = join(__dirname, "../../dist/plugin.js");
const PREFIX = 5;

/** What a run has done. */
export interface Ran {
  /** Calls that do something, and their resources' names. */
  steps: string[];
  /** What the engine was asked to log. */
  words: string[];
  errors: string[];
  state: unknown;
  /** The exit codes of the plugin's processes, where the engine was killed. */
  codes: unknown[];
}

/** Pulumi's engine, with the plugin as the process that it is, over connections of its own. */
export class RealPlugins {
  readonly #line: Line;
  readonly #env: NodeJS.ProcessEnv;
  #run = 0;

  constructor(box: string, env: NodeJS.ProcessEnv) {
    this.#line = new Line(box);
    this.#env = env;
    onTestFinished(() => this.#line.close());
  }

  /** @param killedAt the method after whose first answer the engine is killed, which does not hear it */
  async run(start: Start, killedAt?: BoxEvent["method"]): Promise<Ran> {
    const run = ++this.#run;
    const ran: Ran = { steps: [], words: [], errors: [], state: start.state, codes: [] };
    const log = await engineLog(ran.words);
    const plugins = new Map<number, Plugin>();
    const events = this.#line.exchange({ start: { ...start, run } });
    for (let event = events.shift(); event !== undefined; event = events.shift()) {
      const { kind, process = 0, method = "check", call = 0, urn = "", message } = event;
      if (kind === "process") plugins.set(process, new Plugin(log, this.#env));
      if (kind === "end") Object.assign(ran, { errors: event.errors ?? [], state: event.state });
      if (kind !== "call") continue;
      if (DOING.test(method)) ran.steps.push(`${method} ${urn.split("::").at(-1)}`);
      const answered = await (plugins.get(process) as Plugin).ask(METHODS[method], message);
      const command = method === killedAt ? { kill: run } : { answer: { call, ...answered } };
      events.push(...this.#line.exchange(command));
    }
    const isKilled = killedAt !== undefined;
    // Its last connections close with the engine.
    if (isKilled) log.close();
    for (const plugin of plugins.values()) ran.codes.push(await plugin.end(isKilled));
    log.close();
    return ran;
  }
}

const DOING = /^(create|update|delete|read)$/;

/** An engine's end of what the plugin says. */
async function engineLog(words: string[]): Promise<Http2Server> {
  const server = createServer();
  server.on("stream", async (stream) => {
    words.push(saidIn((await buffer(stream)).subarray(PREFIX)));
    stream.respond({ ":status": 200, "grpc-status": "0" }, { endStream: true });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return server;
}

/** A process of the plugin. */
class Plugin {
  readonly #child: ChildProcess;
  readonly #session: Promise<ClientHttp2Session>;

  constructor(engine: Http2Server, env: NodeJS.ProcessEnv) {
    const address = `127.0.0.1:${(engine.address() as AddressInfo).port}`;
    const child = spawn(process.execPath, [PLUGIN, address], { env, stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    this.#child = child;
    this.#session = connected(once(createInterface({ input: child.stdout }), "line"));
  }

  async ask(method: string, message = ""): Promise<Answered> {
    const stream = begun(await this.#session, `/pulumirpc.ResourceProvider/${method}`);
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
    const exit = once(this.#child, "exit");
    (await this.#session).destroy();
    if (!isAlone) this.#child.kill();
    const [code] = await exit;
    return code;
  }
}

async function connected(port: Promise<unknown[]>): Promise<ClientHttp2Session> {
  const session = connect(`http://127.0.0.1:${(await port)[0]}`);
  session.on("error", () => {});
  onTestFinished(() => session.destroy());
  return session;
}
