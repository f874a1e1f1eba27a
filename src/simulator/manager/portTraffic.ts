import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { apiToken } from "./access";
import { isListed } from "./allowlists";
import type { RunningPort } from "./runningPort";
import type { ManagerState } from "./state";

/** An answer of the port itself, as its status line and headers have it. */
interface Refusal {
  status: number;
  reason: string;
  headers: Record<string, string>;
}

/**
 * Answers a request through a port. Nothing is passed on to anybody: every page is the vendor's test page, which says
 * where a request seems to come from.
 */
export function servePort(
  state: ManagerState,
  number: number,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const port = state.running.get(String(number));
  const { method = "", url = "" } = request;
  const isPage = /^http:\/\//i.test(url) && (method === "GET" || method === "HEAD");
  const refusal =
    refusalOf(state, port, request) ??
    (isPage ? undefined : badGateway("a simulated port answers only GET and HEAD of http:// addresses"));
  const body = port === undefined || refusal !== undefined ? "" : JSON.stringify(testPage(state, port));
  const { status, reason, headers } = refusal ?? PAGE;
  response.writeHead(status, reason, { ...headers, "content-length": String(Buffer.byteLength(body)) });
  response.end(body);
  if (!isPage) return;
  state.requestLogs.push({
    uuid: state.account.generate(12),
    port: number,
    url,
    method,
    hostname: URL.canParse(url) ? new URL(url).hostname : "",
    protocol: "http",
    status_code: status,
    content_type: "other",
    timestamp: state.clock().getTime(),
    in_bw: body.length,
    out_bw: 0,
    success: status === 200,
  });
}

/** Answers CONNECT, by which a client would have a connection of its own. */
export function refuseTunnel(state: ManagerState, number: number, request: IncomingMessage, socket: Duplex): void {
  const refusal = refusalOf(state, state.running.get(String(number)), request);
  const { status, reason, headers } = refusal ?? badGateway("a simulated port opens no tunnels");
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on("error", () => undefined);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\n${lines.join("")}\r\n`);
}

function refusalOf(
  state: ManagerState,
  port: RunningPort | undefined,
  { headers, socket }: IncomingMessage,
): Refusal | undefined {
  const { remoteAddress = "" } = socket;
  if (port === undefined) return badGateway("the port is being stopped");
  if (!admits(state, port, remoteAddress, headers["proxy-authorization"])) {
    state.pendingIps.add(remoteAddress);
    return UNAUTHORISED;
  }
  if (state.zones.find(port.config.zone)?.plan.disable) return badGateway("Disabled zone");
  return port.health === "ok" ? undefined : badGateway(port.health);
}

function admits(state: ManagerState, { config }: RunningPort, address: string, authorization = ""): boolean {
  const [user, password] = Buffer.from(authorization.replace("Basic ", ""), "base64").toString().split(":");
  if (user === "token" && password && password === state.settings.token_auth) return true;
  if (user === "lpm" && password && password === apiToken(state)) return true;
  return isListed(state, Array.isArray(config.whitelist_ips) ? config.whitelist_ips : [], address);
}

function testPage(state: ManagerState, { config }: RunningPort): object {
  const country = config.country || state.zones.find(config.zone)?.plan.country || "us";
  const geo = { city: config.city ?? "", region: config.state ?? "", latitude: 0, longitude: 0, tz: "Etc/UTC" };
  return { country: String(country).toUpperCase(), asn: { asnum: 64496, org_name: "Simulated" }, geo };
}

const PAGE: Refusal = { status: 200, reason: "OK", headers: { "content-type": "application/json; charset=utf-8" } };

const UNAUTHORISED: Refusal = {
  status: 407,
  reason: "Proxy Authentication Required",
  headers: { "proxy-authenticate": 'Basic realm="Proxy Manager"' },
};

const badGateway = (why: string): Refusal => ({
  status: 502,
  reason: "Proxy Manager - Bad Gateway",
  headers: { "x-lpm-error": why },
});
