import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { hostOf } from "./address";
import { DEFAULTS } from "./fields";
import { hangUp } from "./hangUp";
import { badGateway, CUT, isNone } from "./ownAnswers";
import { wishesOf } from "./portAccess";
import type { PortRecord } from "./portRecord";
import { type Carried, carry, type PortRequest } from "./portTraffic";
import { greetSocks } from "./socks";
import type { ManagerState } from "./state";
import { type Page, pageOf, siteUrl } from "./upstream";

/** A client's connection to a port. */
interface Line {
  number: number;
  /** The client's own, whatever is spoken within it: its bytes are the traffic. */
  socket: Socket;
  remoteAddress: string;
  counted: { read: number; written: number };
  /** Whatever is said goes to a mail server. */
  isMail?: boolean;
  /** Of a tunnel that the manager reads (`ssl`): who has opened it. */
  read?: { host: string; authorization: Readonly<Record<string, string>> };
  /** Of a tunnel that it does not: the site at its other end, and the user name that led there. */
  site?: { host: string; username: string };
}

/** Answers the clients of all ports, in whichever protocol they begin to speak. */
export class PortServer {
  readonly #state: ManagerState;
  readonly #lines = new WeakMap<Duplex, Line>();
  readonly #http = createServer({ maxHeaderSize: 80_000 }, (request, response) => {
    this.#answer(request, response).catch(() => response.destroy());
  });

  constructor(state: ManagerState) {
    this.#state = state;
    this.#http.on("connect", (request, socket, head) => this.#connect(request, socket, head));
  }

  serve(socket: Socket, number: number): void {
    const counted = { read: 0, written: 0 };
    const line = { number, socket, remoteAddress: socket.remoteAddress ?? "", counted };
    const config: Partial<PortRecord> = this.#state.running.get(String(number))?.config ?? {};
    const { smtp, socket_inactivity_timeout = DEFAULTS.socket_inactivity_timeout } = config;
    // What is no time ends the manager's process, and with it the connection.
    if (typeof socket_inactivity_timeout !== "number" || !(socket_inactivity_timeout >= 0))
      return void socket.destroy();
    socket.setTimeout(socket_inactivity_timeout, () => socket.destroy());
    if (Array.isArray(smtp) && smtp.length > 0)
      this.#open(line, socket, mailRequest(line, smtp)).catch(() => socket.destroy());
    else this.#listen(line, socket);
  }

  /** Waits for the first byte, which tells the protocol. */
  #listen(line: Line, stream: Duplex): void {
    stream.once("data", (bytes: Buffer) => {
      stream.pause();
      stream.unshift(bytes);
      const [first = 0] = bytes;
      if (first === 22) this.#speakTls(line, stream);
      else if (line.isMail || (first > 32 && first < 127 && line.read === undefined)) this.#speakHttp(line, stream);
      else if (first === 5 && stream === line.socket) this.#speakSocks(line).catch(() => stream.destroy());
      else hangUp(stream);
    });
    stream.resume();
  }

  #speakHttp(line: Line, stream: Duplex): void {
    this.#lines.set(stream, line);
    this.#http.emit("connection", stream);
    stream.resume();
  }

  /** With the manager's certificate, which is for a whole domain, or with that of a site. */
  #speakTls(line: Line, stream: Duplex): void {
    const { certificates } = this.#state;
    const named = (name: string): string => (line.site === undefined && isIP(name) === 0 ? domainOf(name) : name);
    const secure = new TLSSocket(stream as Socket, {
      isServer: true,
      secureContext: line.site === undefined ? certificates.own : certificates.context(line.site.host),
      SNICallback: (name, done) => done(null, certificates.context(named(name))),
    });
    secure.on("error", () => secure.destroy());
    this.#speakHttp(line, secure);
  }

  async #speakSocks(line: Line): Promise<void> {
    const { socket, number, remoteAddress } = line;
    const port = this.#state.running.get(String(number));
    const caller = { remoteAddress, headers: {} };
    const admits = (): boolean => port !== undefined && wishesOf(this.#state, port, caller) !== undefined;
    const destination = await greetSocks(socket, admits);
    if (destination === undefined) return;
    line.counted = bytesOf(socket);
    const url = `${destination.host}:${destination.port}`;
    const request = { ...caller, method: "CONNECT", url, body: "" };
    const tunnel = destination.port === 80 ? line : (await this.#opened(line, request)).tunnel;
    if (tunnel === undefined) hangUp(socket);
    else this.#listen(tunnel, socket);
  }

  #connect(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const line = this.#lines.get(socket);
    if (line === undefined) return void socket.destroy();
    socket.on("error", () => socket.destroy());
    if (head.length > 0) socket.unshift(head);
    this.#open(line, socket, { ...this.#outgoing(line, request), url: request.url ?? "" }).catch(() =>
      socket.destroy(),
    );
  }

  /** Opens a tunnel, and says so. A mail server speaks first. */
  async #open(line: Line, socket: Duplex, request: PortRequest): Promise<void> {
    const isMail = socket === line.socket && request.names === undefined;
    socket.pause();
    const { answer, tunnel } = await this.#opened(line, request);
    if (answer === CUT) return void socket.destroy();
    if (isNone(answer)) return;
    const headers = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const isSaid = !isMail || (tunnel === undefined && answer.headers["x-lpm-error"] === undefined);
    if (isSaid) socket.write(`HTTP/1.1 ${answer.status} ${answer.reason}\r\n${headers.join("")}\r\n`);
    if (tunnel === undefined) hangUp(socket);
    else this.#listen({ ...tunnel, isMail }, socket);
  }

  /** Waits until the port's `throttle` lets the request pass. @returns what says that it is over */
  async #turn(line: Line, request: PortRequest): Promise<() => void> {
    const port = this.#state.running.get(String(line.number));
    const limit = Number(port?.config.throttle);
    const isHeld = port !== undefined && limit > 0 && wishesOf(this.#state, port, request) !== undefined;
    return isHeld ? port.throttle.enter(limit, request.url) : () => undefined;
  }

  async #opened(line: Line, request: PortRequest): Promise<{ answer: Page; tunnel?: Line }> {
    const port = this.#state.running.get(String(line.number));
    const host = request.url.replace(/:\d+$/, "");
    if (port !== undefined && isRead(port.config, request.url) && wishesOf(this.#state, port, request) !== undefined) {
      const { "proxy-authorization": sent } = request.headers;
      const authorization = sent === undefined ? {} : { "proxy-authorization": sent };
      return { answer: OPEN, tunnel: { ...line, read: { host, authorization } } };
    }
    const over = await this.#turn(line, request);
    const carried = carry(this.#state, line.number, request);
    const { answer, username = "" } = carried;
    if (line.socket.closed) over();
    else line.socket.once("close", over);
    if (answer.status === 200) {
      line.socket.once("close", () => log(line, carried));
      return { answer, tunnel: { ...line, site: { host, username } } };
    }
    log(line, carried);
    return { answer };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const line = this.#lines.get(request.socket);
    if (line === undefined) return void response.destroy();
    const chunks: Buffer[] = [];
    request.on("error", () => response.destroy());
    const over = line.site === undefined ? await this.#turn(line, this.#outgoing(line, request)) : () => undefined;
    response.once("close", over);
    if (response.closed) return over();
    for await (const chunk of request) chunks.push(chunk);
    const outgoing = this.#outgoing(line, request, Buffer.concat(chunks).toString());
    const carried = this.#carried(line, request, outgoing);
    if (carried.answer === CUT) return void line.socket.destroy();
    if (isNone(carried.answer)) return;
    const { status, reason, headers, body, afterMs } = carried.answer;
    if (afterMs !== undefined) await this.#state.pause(afterMs);
    response.once("close", () => log(line, carried));
    response.writeHead(status, reason, headers);
    if (body !== "") response.write(body);
    response.end();
  }

  #carried(line: Line, { url = "" }: IncomingMessage, outgoing: PortRequest): Carried {
    const unlogged = (answer: Page): Carried => ({ answer, username: undefined, log: () => undefined });
    if (hostOf(outgoing.url) === undefined) return unlogged(badGateway("Invalid URL"));
    if (line.site !== undefined) return unlogged(pageOf(this.#state.account, line.site.username, outgoing));
    return url.startsWith("https:")
      ? unlogged(badGateway("Wrong protocol"))
      : carry(this.#state, line.number, outgoing);
  }

  #outgoing(
    line: Line,
    { method = "", url = "", headers: sent, rawHeaders, socket }: IncomingMessage,
    body = "",
  ): PortRequest {
    const headers = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]));
    const target = targetOf(line, url, headers.host ?? "", socket instanceof TLSSocket ? socket : undefined);
    const names = rawHeaders.filter((_, index) => index % 2 === 0);
    const { remoteAddress } = line;
    return { method, url: target, headers: { ...headers, ...line.read?.authorization }, names, body, remoteAddress };
  }
}

/** The address that is asked for: of the manager as a proxy, of the site at a tunnel's end, or of that which is read. */
function targetOf({ read, site }: Line, url: string, host: string, tls: TLSSocket | undefined): string {
  if (site !== undefined) return siteUrl(tls === undefined ? "http" : "https", host, url);
  if (read === undefined || tls === undefined) return url.startsWith("http:") ? url : `http://${host}${url}`;
  const named = tls.servername ? `${tls.servername}${/:\d+/.exec(host) ?? ""}` : host;
  return `https://${url.replace(/^(https?:\/\/[^/]+)?\//, `${named}/`)}`;
}

/** The request that a port for mail makes of a connection. */
function mailRequest({ remoteAddress }: Line, servers: readonly unknown[]): PortRequest {
  const [host = "", port] = String(servers[Math.floor(Math.random() * servers.length)]).split(":");
  return { method: "CONNECT", url: `${host}:${Number(port) || 25}`, headers: {}, body: "", remoteAddress };
}

const OPEN: Page = { status: 200, reason: "OK", headers: {}, body: "" };

/** What is no TLS as a rule, and what is sent to an IP address, is not read. */
function isRead({ ssl, smtp }: PortRecord, target: string): boolean {
  if (!ssl || (Array.isArray(smtp) && smtp.length > 0)) return false;
  return /:443$/.test(target) || !/^\d+\.\d+\.\d+\.\d+:|:(43|80)$|^app\.multiloginapp\.com:/.test(target);
}

const domainOf = (host: string): string => (/\..*\./.test(host) ? host.slice(host.indexOf(".") + 1) : host);

const bytesOf = ({ bytesRead, bytesWritten }: Socket): Line["counted"] => ({ read: bytesRead, written: bytesWritten });

function log(line: Line, carried: Carried): void {
  const { read, written } = bytesOf(line.socket);
  carried.log(written - line.counted.written, read - line.counted.read);
  line.counted = { read, written };
}
