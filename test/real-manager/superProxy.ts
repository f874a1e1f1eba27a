import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { TLSSocket } from "node:tls";
import type { Account } from "../../simulator";
import { turnedAway } from "../../simulator/manager/admission";
import { Certificates } from "../../simulator/manager/certificates";
import { exitHeaders, pageOf, siteUrl } from "../../simulator/manager/upstream";
import { LOOPBACK } from "../../simulator/service";

export const SUPER_PROXY = "127.0.0.98";

/**
 * Stands for the vendor's proxy behind the real manager, and for all sites behind that: it answers with the page that the
 * simulator's ports answer with.
 */
export async function startSuperProxy(account: Account): Promise<{ stop(): void; usernames: string[] }> {
  const certificates = new Certificates();
  const usernames: string[] = [];
  const tunnels = new WeakMap<object, string>();
  const credentialsOf = ({ headers }: IncomingMessage): { username: string; password: string } => {
    const text = Buffer.from((headers["proxy-authorization"] ?? "").replace("Basic ", ""), "base64").toString();
    const [username = "", password = ""] = text.split(":");
    return { username, password };
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const tunnelled = tunnels.get(request.socket);
    const username = tunnelled ?? credentialsOf(request).username;
    usernames.push(username);
    const isTls = request.socket instanceof TLSSocket;
    const { method = "", url: target = "", headers: given } = request;
    const url = siteUrl(isTls ? "https" : "http", given.host, target);
    const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
    const comer = { ...credentialsOf(request), url, address: LOOPBACK };
    const turned = tunnelled === undefined ? turnedAway(account, comer) : undefined;
    const page = turned ?? pageOf(account, username, { method, url, headers, body });
    const exit = tunnelled === undefined && turned === undefined ? exitHeaders(account, username) : {};
    await delay(page.afterMs);
    // Whether the connection is kept is between each two of them.
    response.removeHeader("connection");
    response.sendDate = false;
    response.writeHead(page.status, page.reason, { ...exit, ...page.headers });
    response.end(page.body);
  };
  const http = createServer();
  // A request may end before all of it has come, and may expect whatever it likes.
  for (const event of ["request", "checkExpectation"])
    http.on(event, (request, response) => void answer(request, response).catch(() => response.destroy()));
  http.on("connect", (request, socket: Socket, head) => {
    const { username, password } = credentialsOf(request);
    usernames.push(username);
    socket.on("error", () => undefined);
    const turned = turnedAway(account, { username, password, url: request.url ?? "", address: LOOPBACK });
    if (turned !== undefined) {
      const lines = Object.entries(turned.headers).map((pair) => `${pair.join(": ")}\r\n`);
      socket.end(`HTTP/1.1 ${turned.status} ${turned.reason}\r\n${lines.join("")}\r\n`);
      return;
    }
    const exit = Object.entries(exitHeaders(account, username)).map((pair) => `${pair.join(": ")}\r\n`);
    socket.write(`HTTP/1.1 200 OK\r\n${exit.join("")}\r\n`);
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
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (bytes: Buffer) => {
      socket.pause();
      socket.unshift(bytes);
      const secureContext = certificates.context("brd.superproxy.io");
      const stream = bytes[0] === 22 ? new TLSSocket(socket, { isServer: true, secureContext }) : socket;
      stream.on("error", () => undefined);
      http.emit("connection", stream);
      stream.resume();
    });
  });
  server.listen(22_225, SUPER_PROXY);
  await once(server, "listening");
  return { usernames, stop: () => void server.close() };
}
