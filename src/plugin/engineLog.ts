import { type ClientHttp2Session, connect } from "node:http2";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { once } from "../base/once";
import { LogRequestSchema, LogSeverity } from "./messages/pulumi/engine_pb";
import type { Speech } from "./provider";
import { framed } from "./server";

/** The engine's log, in the order in which things are said. A log that is not heard fails nothing. */
export class EngineLog {
  readonly #address: string;
  #session: ClientHttp2Session | undefined;
  #told: Promise<void> = Promise.resolve();
  readonly #streamsOf = new Map<string, number>();

  constructor(address: string) {
    this.#address = address;
  }

  tell({ words, isWarning, isProgress, urn = "" }: Speech): void {
    const request = {
      severity: isWarning ? LogSeverity.WARNING : LogSeverity.INFO,
      message: words,
      urn,
      // Of one stream, the next line takes the place of the one before.
      streamId: isProgress ? this.#streamOf(urn) : 0,
      ephemeral: isProgress,
    };
    this.#told = this.#told.then(() => this.#send(request)).catch(() => {});
  }

  /** Fulfilled when the engine has heard all that was told so far. */
  get heard(): Promise<void> {
    return this.#told;
  }

  /** The connection to the engine, which may fail: it keeps no process alive. */
  connection(): ClientHttp2Session {
    if (this.#session === undefined || this.#session.closed || this.#session.destroyed) {
      this.#session = connect(`http://${this.#address}`);
      this.#session.on("error", () => {});
      this.#session.unref();
    }
    return this.#session;
  }

  #streamOf(urn: string): number {
    return once(this.#streamsOf, urn, () => this.#streamsOf.size + 1);
  }

  #send(request: MessageInitShape<typeof LogRequestSchema>): Promise<void> {
    const message = toBinary(LogRequestSchema, create(LogRequestSchema, request));
    return new Promise((resolve) => {
      const stream = this.connection().request({
        ":method": "POST",
        ":path": "/pulumirpc.Engine/Log",
        "content-type": "application/grpc+proto",
        te: "trailers",
      });
      stream.on("error", () => {});
      stream.on("close", resolve);
      stream.resume();
      stream.end(framed(message));
    });
  }
}
