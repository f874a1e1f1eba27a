import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A way to a service on which one request is held, and then lost or left without its answer. */
export class BadConnection {
  url = "";
  readonly #target: string;
  readonly #method: string;
  readonly #arrives: boolean;
  #struck = false;
  #hold = (): void => {};
  #release = (): void => {};
  /** Resolves when the request is held. */
  readonly held = new Promise<void>((resolve) => {
    this.#hold = resolve;
  });
  readonly #released = new Promise<void>((resolve) => {
    this.#release = resolve;
  });

  /**
   * @param method of the first request that is struck
   * @param arrives whether the service gets the request; its answer is lost in any case
   */
  private constructor(target: string, method: string, arrives: boolean) {
    this.#target = target;
    this.#method = method;
    this.#arrives = arrives;
  }

  static async to(target: string, method: string, arrives: boolean): Promise<BadConnection> {
    const connection = new BadConnection(target, method, arrives);
    const server = createServer((request, response) => void connection.#pass(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    connection.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return connection;
  }

  /** Cuts the connection of the request that is held. */
  cut(): void {
    this.#release();
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const isStruck = !this.#struck && request.method === this.#method;
    if (isStruck) this.#struck = true;
    const answer = isStruck && !this.#arrives ? undefined : await this.#forward(request, body);
    if (isStruck || answer === undefined) {
      this.#hold();
      await this.#released;
      request.socket.resetAndDestroy();
      return;
    }
    const type = answer.headers.get("content-type");
    response.writeHead(answer.status, type === null ? {} : { "content-type": type });
    response.end(await answer.text());
  }

  #forward({ method = "GET", url, headers }: IncomingMessage, body: string): Promise<Response> {
    const type = headers["content-type"];
    return fetch(`${this.#target}${url}`, {
      method,
      headers: type === undefined ? {} : { "content-type": type },
      ...(body !== "" && { body }),
    });
  }
}
