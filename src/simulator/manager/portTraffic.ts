import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { covers, parseBlock } from "./netmask";
import type { RunningPort } from "./runningPort";
import type { ManagerState } from "./state";

/** An answer of the port itself, as its status line and headers have it. */
interface Refusal {
  status: number;
  reason: string;
  headers: Record<string, string>;
}

/**
 * What a request through a port gets. Nothing is passed on to anybody: every page is the vendor's test page, which says
 * where a request seems to come from.
 */
export class PortTraffic {
  readonly #state: ManagerState;

  constructor(state: ManagerState) {
    this.#state = state;
  }

  serve(number: number, request: IncomingMessage, response: ServerResponse): void {
    const port = this.#state.running.get(String(number));
    const { method = "", url = "" } = request;
    const isPage = /^http:\/\//i.test(url) && (method === "GET" || method === "HEAD");
    const refusal =
      this.#refusal(port, request) ??
      (isPage ? undefined : badGateway("a simulated port answers only GET and HEAD of http:// addresses"));
    const body = port === undefined || refusal !== undefined ? "" : JSON.stringify(this.#testPage(port));
    const { status, reason, headers } = refusal ?? PAGE;
    response.writeHead(status, reason, { ...headers, "content-length": String(Buffer.byteLength(body)) });
    response.end(body);
    if (isPage) this.#log(number, request, status, body.length);
  }

  /** The answer to CONNECT, by which a client would have a connection of its own. */
  refuseTunnel(number: number, request: IncomingMessage, socket: Duplex): void {
    const port = this.#state.running.get(String(number));
    const { status, reason, headers } = this.#refusal(port, request) ?? badGateway("a simulated port opens no tunnels");
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.on("error", () => undefined);
    socket.end(`HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\n${lines.join("")}\r\n`);
  }

  #refusal(port: RunningPort | undefined, { headers, socket }: IncomingMessage): Refusal | undefined {
    const { remoteAddress = "" } = socket;
    if (port === undefined) return badGateway("the port is being stopped");
    if (!this.#admits(port, remoteAddress, headers["proxy-authorization"])) {
      this.#state.pendingIps.add(remoteAddress);
      return UNAUTHORISED;
    }
    const disabled = this.#state.zones.find(port.config.zone)?.plan.disable;
    if (disabled) return badGateway("Disabled zone");
    return port.health === "ok" ? undefined : badGateway(port.health);
  }

  #admits({ config }: RunningPort, address: string, authorization = ""): boolean {
    const { settings, shortForm } = this.#state;
    const [user, password] = Buffer.from(authorization.replace("Basic ", ""), "base64").toString().split(":");
    if (user === "token" && password && password === settings.token_auth) return true;
    if (user === "lpm" && password && password === settings.lpm_token?.split("|")[0]) return true;
    const listed = Array.isArray(config.whitelist_ips) ? config.whitelist_ips : [];
    return ["127.0.0.1", ...listed].some((entry) => {
      const block = parseBlock(entry, shortForm);
      return block !== undefined && covers(block, address);
    });
  }

  #testPage({ config }: RunningPort): object {
    const country = config.country || this.#state.zones.find(config.zone)?.plan.country || "us";
    const geo = { city: config.city ?? "", region: config.state ?? "", latitude: 0, longitude: 0, tz: "Etc/UTC" };
    return { country: String(country).toUpperCase(), asn: { asnum: 64496, org_name: "Simulated" }, geo };
  }

  #log(port: number, { method = "", url = "" }: IncomingMessage, status: number, bytes: number): void {
    const { account, clock, requestLogs } = this.#state;
    requestLogs.push({
      uuid: account.generate(12),
      port,
      url,
      method,
      hostname: URL.canParse(url) ? new URL(url).hostname : "",
      protocol: "http",
      status_code: status,
      content_type: "other",
      timestamp: clock().getTime(),
      in_bw: bytes,
      out_bw: 0,
      success: status === 200,
    });
  }
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
