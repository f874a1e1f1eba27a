import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Account } from "../../simulator";
import { Certificates } from "../../simulator/manager/certificates";
import { exitHeaders, pageOf } from "../../simulator/manager/upstream";

export const SUPER_PROXY = "127.0.0.98";

/**
 * Stands for the vendor's proxy behind the real manager, and for all sites behind that: it answers with the page that the
 * simulator's ports answer with.
 */
export async function startSuperProxy(account: Account): Promise<{ stop(): void; usernames: string[] }> {
  const certificates = new Certificates();
  const usernames: string[] = [];
  const tunnels = new WeakMap<object, string>();
  const usernameOf = ({ headers }: IncomingMessage): string =>
    Buffer.from((headers["proxy-authorization"] ?? "").replace("Basic ", ""), "base64")
      .toString()
      .split(":")[0] ?? "";
  const http = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const tunnelled = tunnels.get(request.socket);
    const username = tunnelled ?? usernameOf(request);
    usernames.push(username);
    const isTls = request.socket instanceof TLSSocket;
    const { method = "", url: target = "", headers: given } = request;
    const url = /^http/.test(target) ? target : `${isTls ? "https" : "http"}://${given.host}${target}`;
    const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
    const page = pageOf(account, username, { method, url, headers, body });
    const exit = tunnelled === undefined ? exitHeaders(account, username) : {};
    // Whether the connection is kept is between each two of them.
    response.removeHeader("connection");
    response.sendDate = false;
    response.writeHead(page.status, page.reason, { ...exit, ...page.headers });
    response.end(page.body);
  });
  http.on("connect", (request, socket: Socket, head) => {
    const username = usernameOf(request);
    usernames.push(username);
    const exit = Object.entries(exitHeaders(account, username)).map((pair) => `${pair.join(": ")}\r\n`);
    socket.write(`HTTP/1.1 200 OK\r\n${exit.join("")}\r\n`);
    socket.on("error", () => undefined);
    if (head.length > 0) socket.unshift(head);
    socket.once("data", (bytes: Buffer) => {
      socket.pause();
      socket.unshift(bytes);
      const context = certificates.context((request.url ?? "").replace(/:\d+$/, ""));
      const stream = bytes[0] === 22 ? new TLSSocket(socket, { isServer: true, secureContext: context }) : socket;
      stream.on("error", () => undefined);
      tunnels.set(stream, username);
      http.emit("connection", stream);
      stream.resume();
    });
    socket.resume();
  });
  const server = createTcpServer((socket) => void http.emit("connection", socket));
  server.listen(22_225, SUPER_PROXY);
  await once(server, "listening");
  return { usernames, stop: () => void server.close() };
}
