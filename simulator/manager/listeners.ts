import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { LOOPBACK } from "../service";
import { PortServer } from "./portServer";
import type { ManagerState } from "./state";

/** What listens for the ports, one server for each number. None of them keeps a process alive. */
export class Listeners {
  readonly #state: ManagerState;
  #ports: PortServer | undefined;
  readonly #servers = new Map<number, { server: Server; sockets: Set<Socket> }>();

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
      others.map(async ([number, { server, sockets }]) => {
        this.#servers.delete(number);
        const closed = once(server, "close");
        server.close();
        for (const socket of sockets) socket.destroy();
        await closed;
      }),
    );
  }

  async #isOpened(number: number): Promise<boolean> {
    if (this.#servers.has(number)) return true;
    const sockets = new Set<Socket>();
    this.#ports ??= new PortServer(this.#state);
    const ports = this.#ports;
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket)).on("error", () => undefined);
      ports.serve(socket, number);
    });
    try {
      server.listen(number, this.#state.options.host ?? LOOPBACK).unref();
      await once(server, "listening");
    } catch {
      return false;
    }
    this.#servers.set(number, { server, sockets });
    return true;
  }
}
