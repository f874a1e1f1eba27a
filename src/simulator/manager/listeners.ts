import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { LOOPBACK } from "../service";
import { refuseTunnel, servePort } from "./portTraffic";
import type { ManagerState } from "./state";

/** What listens for the ports, one server for each number. None of them keeps a process alive. */
export class Listeners {
  readonly #state: ManagerState;
  readonly #servers = new Map<number, Server>();

  constructor(state: ManagerState) {
    this.#state = state;
  }

  /** Listens on the numbers too. @returns those on which another program does */
  async open(numbers: Iterable<number>): Promise<number[]> {
    const opened = await Promise.all(
      [...numbers].map(async (number) => ((await this.#isOpened(number)) ? [] : [number])),
    );
    return opened.flat();
  }

  /** Ends what listens on any other number, with its connections. */
  async keepOnly(numbers: ReadonlySet<number>): Promise<void> {
    const others = [...this.#servers].filter(([number]) => !numbers.has(number));
    await Promise.all(
      others.map(async ([number, server]) => {
        this.#servers.delete(number);
        const closed = once(server, "close");
        server.close();
        server.closeAllConnections();
        await closed;
      }),
    );
  }

  async #isOpened(number: number): Promise<boolean> {
    if (this.#servers.has(number)) return true;
    const server = createServer((request, response) => servePort(this.#state, number, request, response));
    server.on("connect", (request, socket) => refuseTunnel(this.#state, number, request, socket));
    try {
      server.listen(number, this.#state.options.host ?? LOOPBACK).unref();
      await once(server, "listening");
    } catch {
      return false;
    }
    this.#servers.set(number, server);
    return true;
  }
}
