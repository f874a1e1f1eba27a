import { subscribe } from "node:diagnostics_channel";
import { endWithoutEngine, LAST_SECONDS } from "../pulumi/engine";

const CANCEL = "/pulumirpc.ResourceProvider/Cancel";

interface EngineConnection {
  once(event: "close", listener: () => void): unknown;
}

/**
 * Observes whether the engine goes on. It asks its processes to cancel what they do, on the first Ctrl-C. The SDK's process for
 * dynamic resources answers that and tells nobody; but Node.js tells of every request that reaches its HTTP/2 server.
 */
export class Cancellation {
  readonly #controller = new AbortController();
  readonly #connections = new WeakSet<object>();
  #underWay = 0;

  constructor() {
    subscribe("http2.server.stream.start", (message) => {
      const { headers, stream } = message as {
        headers?: Record<string, unknown>;
        stream?: { session?: EngineConnection };
      };
      if (headers?.[":path"] === CANCEL) this.#controller.abort();
      const connection = stream?.session;
      if (connection === undefined || this.#connections.has(connection)) return;
      this.#connections.add(connection);
      connection.once("close", () => this.#abandon());
    });
  }

  /** Aborted when the person who runs the update asks it to end, or when the engine is gone. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Runs an operation that the engine has asked for. */
  async during<T>(operation: () => Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await operation();
    } finally {
      this.#underWay--;
    }
  }

  /**
   * An engine that was killed does not end its processes: this one would live on, and finish a creation that the next update
   * begins as well.
   */
  #abandon(): void {
    if (this.#underWay === 0) {
      endWithoutEngine();
      return;
    }
    this.#controller.abort();
    setTimeout(() => process.exit(1), LAST_SECONDS * 1000);
  }
}
