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

/** A request whose end nothing tells of fails all the same, rather than the whole test. */
const LONGEST_MS = 30_000;

const ENDED = "the port has ended the connection";

/** Sends a request to a port of this machine, and gives up when it is quiet for as long as that. */
export async function askPort(port: number, ask: PortAsk, quietMs = 3_000): Promise<PortAnswer> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: ask.from ?? "127.0.0.1" });
  // Whoever reads at that moment hears of an error as well.
  socket.on("error", () => undefined);
  socket.setTimeout(quietMs, () => socket.destroy(new Error("no answer")));
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end of an answer in ${LONGEST_MS / 1000} s`)), LONGEST_MS);
  });
  try {
    await Promise.race([once(socket, "connect"), over]);
    return await Promise.race([asked(socket, ask), over]);
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

async function asked(socket: Socket, ask: PortAsk): Promise<PortAnswer> {
  const { line, via = "proxy", headers = {} } = ask;
  const [method = "", target = ""] = line.split(" ");
  if (via === "proxy") return exchange(socket, method, target, headers, ask.body);
  if (via === "tls") return exchange(await secured(socket, "localhost", ask.ca), method, target, headers, ask.body);
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
  return exchange(stream, method, pathname + search, { host: hostname, ...own }, ask.body);
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
  while (!head.includes("\r\n\r\n")) head += await said(socket, 1);
  const [first = "", ...lines] = head.trimEnd().split("\r\n");
  const [, status = "", reason = ""] = /^HTTP\/1\.1 (\d+) (.*)$/.exec(first) ?? [];
  const pairs = lines.map((line) => line.split(": "));
  if (status === "200") return undefined;
  const named = Object.fromEntries(pairs.map(([name = "", value]) => [name.toLowerCase(), value]));
  return { status: Number(status), reason, headers: named, body: "" };
}

/** Greets as a client of SOCKS5. @returns what it was refused with */
async function greeted(socket: Socket, host: string, port: number): Promise<PortAnswer | undefined> {
  socket.write(Buffer.of(5, 1, 0));
  const [, method] = await said(socket, 2);
  let reply: number | undefined;
  if (method === 0) {
    const name = Buffer.from(host);
    socket.write(Buffer.concat([Buffer.of(5, 1, 0, 3, name.length), name, Buffer.of(port >> 8, port & 255)]));
    [, reply] = await said(socket, 2);
  }
  if (reply !== 0) return { status: 0, reason: `SOCKS ${method} ${reply}`, headers: {}, body: "" };
  await said(socket, 8);
  return undefined;
}

/** Waits for that many bytes, and leaves what comes after them to be read. */
async function said(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes: Buffer | null = socket.read(count);
    if (bytes?.length === count) return bytes;
    // Its events may be over before anybody listens to them.
    if (socket.readableEnded || socket.destroyed) throw socket.errored ?? new Error(ENDED);
    await Promise.race(["readable", "end", "close"].map((event) => once(socket, event)));
  }
}

async function secured(socket: Socket, servername: string, ca?: string): Promise<TLSSocket> {
  const trust = ca === undefined ? { rejectUnauthorized: false } : { ca };
  const stream = connectTls({ socket, ...(isIP(servername) ? {} : { servername }), ...trust });
  await once(stream, "secureConnect");
  return stream;
}
