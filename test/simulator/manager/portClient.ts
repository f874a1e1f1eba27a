import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls, type PeerCertificate, type TLSSocket } from "node:tls";

/** A request to a port, by method and URL or path. */
export interface PortAsk {
  line: string;
  /** How the client gets there: as to a proxy, through a tunnel, with SOCKS5, or with TLS to the port. Default `proxy`. */
  via?: "proxy" | "tunnel" | "socks" | "tls";
  headers?: Record<string, string>;
  body?: string;
  from?: string;
  /** What the client trusts. Default: everything. */
  ca?: string;
}

export interface PortAnswer {
  status: number;
  reason: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** What the client was shown, if it spoke TLS. */
  certificate?: PeerCertificate;
}

const LONGEST_MS = 3_000;

/** Sends a request to a port of this machine. */
export async function askPort(port: number, ask: PortAsk): Promise<PortAnswer> {
  const { line, via = "proxy", headers = {}, from = "127.0.0.1" } = ask;
  const [method = "", target = ""] = line.split(" ");
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  await once(socket, "connect");
  socket.setTimeout(LONGEST_MS, () => socket.destroy(new Error("no answer")));
  try {
    if (via === "proxy") return await exchange(socket, method, target, headers, ask.body);
    if (via === "tls")
      return await exchange(await secured(socket, "localhost", ask.ca), method, target, headers, ask.body);
    const { protocol, hostname, port: given, pathname, search } = new URL(target);
    const isTls = protocol === "https:";
    const there = Number(given || (isTls ? 443 : 80));
    const refusal =
      via === "tunnel"
        ? await tunnelled(socket, `${hostname}:${there}`, headers)
        : await greeted(socket, hostname, there);
    if (refusal !== undefined) return refusal;
    const stream = isTls ? await secured(socket, hostname, ask.ca) : socket;
    const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !/^proxy-/i.test(name)));
    return await exchange(stream, method, pathname + search, { host: hostname, ...own }, ask.body);
  } finally {
    socket.destroy();
  }
}

export const basic = (user: string, password: string): Record<string, string> => ({
  "proxy-authorization": `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

async function exchange(
  stream: Socket,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<PortAnswer> {
  const host = /^https?:\/\/([^/]+)/.exec(path)?.[1] ?? "geo.brdtest.com";
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const sent = { host, ...length, ...headers };
  const request = httpRequest({ createConnection: () => stream, method, path, headers: sent });
  request.end(body);
  // What is cut off has failed by then already.
  request.on("error", () => undefined);
  const [response] = await once(request, "response");
  response.on("error", () => undefined);
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  const certificate = "getPeerCertificate" in stream ? (stream as TLSSocket).getPeerCertificate() : undefined;
  return {
    status: response.statusCode,
    reason: response.statusMessage,
    headers: response.headers,
    body: text,
    ...(certificate && { certificate }),
  };
}

/** Opens a tunnel. @returns the answer, if it is refused */
async function tunnelled(
  socket: Socket,
  target: string,
  headers: Record<string, string>,
): Promise<PortAnswer | undefined> {
  const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${own.join("")}\r\n`);
  let head = "";
  while (!head.includes("\r\n\r\n")) {
    const bytes: Buffer | null = socket.read(1);
    if (bytes === null) await Promise.race([once(socket, "readable"), ended(socket)]);
    else head += bytes;
  }
  const [first = "", ...lines] = head.trimEnd().split("\r\n");
  const [, status = "", reason = ""] = /^HTTP\/1\.1 (\d+) (.*)$/.exec(first) ?? [];
  const pairs = lines.map((line) => line.split(": "));
  if (status === "200") return undefined;
  const named = Object.fromEntries(pairs.map(([name = "", value]) => [name.toLowerCase(), value]));
  return { status: Number(status), reason, headers: named, body: "" };
}

async function ended(socket: Socket): Promise<never> {
  await once(socket, "end");
  throw new Error("the port has ended the connection");
}

/** Greets as a client of SOCKS5. @returns what it was refused with */
async function greeted(socket: Socket, host: string, port: number): Promise<PortAnswer | undefined> {
  const [, method] = await said(socket, Buffer.of(5, 1, 0), 2);
  const name = Buffer.from(host);
  const number = Buffer.of(port >> 8, port & 255);
  const sent = Buffer.concat([Buffer.of(5, 1, 0, 3, name.length), name, number]);
  const [, reply] = method === 0 ? await said(socket, sent, 2) : [];
  if (reply !== 0) return { status: 0, reason: `SOCKS ${method} ${reply}`, headers: {}, body: "" };
  await said(socket, Buffer.alloc(0), 8);
  return undefined;
}

async function said(socket: Socket, sent: Buffer, count: number): Promise<Buffer> {
  socket.write(sent);
  for (;;) {
    const bytes: Buffer | null = socket.read(count);
    if (bytes !== null) return bytes;
    await Promise.race([once(socket, "readable"), ended(socket)]);
  }
}

async function secured(socket: Socket, servername: string, ca?: string): Promise<TLSSocket> {
  const trust = ca === undefined ? { rejectUnauthorized: false } : { ca };
  const stream = connectTls({ socket, ...(isIP(servername) ? {} : { servername }), ...trust });
  await once(stream, "secureConnect");
  return stream;
}
