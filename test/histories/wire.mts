import { BinaryReader } from "@bufbuild/protobuf/wire";

/** What is in front of a message of gRPC: whether it is compressed, and its length. */
const PREFIX = 5;

/** A refusal, as gRPC carries it: in bytes, its status with details, where it has some. */
export interface Refusal {
  code: number;
  message: string;
  status?: string;
}

export type Answered = { result: Record<string, never>; message: string } | { error: Refusal };

type Hearer = (given: never) => void;

/** The connections of a plugin's process: HTTP/2 in memory, as far as `src/plugin` uses it. */
export class Wire {
  readonly #hearers = new Map<string, Hearer>();
  readonly #hear: (words: string) => void;
  readonly #closings: (() => void)[] = [];
  readonly #session = { once: (_event: string, hearer: () => void) => this.#closings.push(hearer) };

  /** @param hear hears what the plugin has the engine log */
  constructor(hear: (words: string) => void) {
    this.#hear = hear;
  }

  readonly server = {
    on: (event: string, hearer: Hearer) => {
      this.#hearers.set(event, hearer);
      if (event === "session") this.#tell(event, this.#session);
    },
    once: () => {},
    listen: (_port: number, _host: string, listening: () => void) => listening(),
    address: () => ({ port: 1 }),
  };

  /** What the plugin has for a connection to its engine. */
  readonly engine = {
    closed: false,
    destroyed: false,
    on: () => {},
    once: (_event: string, hearer: () => void) => this.#closings.push(hearer),
    unref: () => {},
    request: () => {
      let close = () => {};
      return {
        on: (event: string, hearer: () => void) => {
          if (event === "close") close = hearer;
        },
        resume: () => {},
        end: (bytes: Uint8Array) => {
          this.#hear(saidIn(bytes.subarray(PREFIX)));
          close();
        },
      };
    },
  };

  /** The engine's connections are closed, the one from it and the one to it. */
  close(): void {
    for (const closing of this.#closings) closing();
  }

  /** @param message in bytes */
  ask(method: string, message = ""): Promise<Answered> {
    return new Promise((resolve) => {
      const stream = new Stream(Buffer.from(message, "base64"), resolve);
      this.#tell("stream", stream, { ":path": `/pulumirpc.ResourceProvider/${method}` });
    });
  }

  #tell(event: string, ...given: unknown[]): void {
    (this.#hearers.get(event) as ((...given: unknown[]) => void) | undefined)?.(...given);
  }
}

/** One call, on the plugin's side. */
class Stream {
  readonly closed = false;
  readonly destroyed = false;
  readonly readableEnded = true;
  readonly #message: Buffer;
  readonly #answer: (answered: Answered) => void;

  constructor(message: Buffer, answer: (answered: Answered) => void) {
    this.#message = message;
    this.#answer = answer;
  }

  on(): void {}

  once(): void {}

  *[Symbol.iterator](): Iterator<Buffer> {
    const prefix = Buffer.alloc(PREFIX);
    prefix.writeUInt32BE(this.#message.length, 1);
    yield Buffer.concat([prefix, this.#message]);
  }

  respond(headers: Record<string, string | number>): void {
    const { "grpc-status": code, "grpc-message": words = "", "grpc-status-details-bin": status } = headers;
    if (code === undefined) return;
    const message = decodeURIComponent(String(words));
    const details = status === undefined ? {} : { status: String(status) };
    this.#answer({ error: { code: Number(code), message, ...details } });
  }

  end(bytes: Buffer): void {
    this.#answer({ result: {}, message: bytes.subarray(PREFIX).toString("base64") });
  }
}

const SEVERITY = 1;
const MESSAGE = 2;
const WARNING = 2;

/** What a request to log something says, in the form that dynamic resources print it in. */
export function saidIn(request: Uint8Array): string {
  const reader = new BinaryReader(request);
  let severity = 0;
  let words = "";
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === SEVERITY) severity = reader.int32();
    else if (field === MESSAGE) words = reader.string();
    else reader.skip(type);
  }
  return `brightdata: ${severity === WARNING ? "warning: " : ""}${words}`;
}
