import { hostOf } from "./address";

/** A request that went through a port. */
export interface RequestLog {
  uuid: string;
  port: number;
  url: string;
  method: string;
  hostname: string;
  protocol: string;
  /** `unknown` of a tunnel. */
  status_code: number | "unknown";
  /** As the manager sorts them: `xhr`, `html`, `other` and so on. */
  content_type: string;
  /** In milliseconds since 1970. */
  timestamp: number;
  /** Bytes received and sent. */
  in_bw: number;
  out_bw: number;
  /** 1 or 0. */
  success: number;
  /** Whether it went to the vendor's proxy. Default `true`. */
  lum_traffic?: boolean;
  username?: string;
  password?: string;
  super_proxy?: string;
  proxy_peer?: string;
  remote_address?: string;
  /** What it was sent for: `RESPONSE`, or `STATUS CHECK` by the manager itself. */
  context?: string;
  /** The rules that were followed. */
  rules?: readonly object[];
  /** The session of each time that it was sent. */
  sessions?: readonly string[];
  request_headers?: Readonly<Record<string, string>>;
  request_body?: string;
  status_message?: string;
  response_headers?: Readonly<Record<string, string>>;
  response_body?: string;
  /** Bytes of the whole body. */
  content_size?: number;
}

/** The line that the manager writes of it to its log file: with the password. */
export function lineOf(log: RequestLog, tookMs: number): string {
  const { remote_address, method, url, status_code, status_message, username, password, super_proxy } = log;
  const auth = username === undefined ? "no_auth" : `${username}:${password}`;
  const bytes = log.in_bw + log.out_bw;
  return `${remote_address} ${method} ${url} ${status_code} ${status_message} ${tookMs}ms ${bytes} ${super_proxy ?? "no_proxy"} ${auth} ip `;
}

/** What the address of a request says: of a tunnel it is `host:port`. */
export function addressed(url: string): { hostname: string; protocol: string } {
  const [, tunnelled, port] = /^([^/]+?):(\d+)$/.exec(url) ?? [];
  if (tunnelled !== undefined) return { hostname: rootOf(tunnelled), protocol: port === "443" ? "https" : "http" };
  const [, protocol] = /^(\w+):\/\//.exec(url) ?? [];
  if (protocol === undefined) return { hostname: url, protocol: "https" };
  return { hostname: rootOf(hostOf(url) ?? ""), protocol: protocol.toLowerCase() };
}

const SECOND_LEVEL = ["com", "biz", "net", "org", "xxx", "edu", "gov", "ac", "co", "or", "ne", "kr", "jp", "jpn", "cn"];

/** The domain that somebody has registered, as far as the manager can tell. */
function rootOf(host: string): string {
  const labels = host.split(".");
  if (/^\d+(\.\d+){3}$/.test(host) || labels.length < 3) return host;
  return labels.slice(SECOND_LEVEL.includes(labels.at(-2) ?? "") ? -3 : -2).join(".");
}

const KINDS: readonly [RegExp, string][] = [
  [/json/, "xhr"],
  [/html/, "html"],
  [/javascript/, "js"],
  [/css/, "css"],
  [/image/, "img"],
  [/audio|video/, "media"],
  [/font/, "font"],
];

export const kindOf = (contentType = ""): string =>
  KINDS.find(([pattern]) => pattern.test(contentType))?.[1] ?? "other";

export const isSuccess = (status: RequestLog["status_code"]): number =>
  Number(/([123]..|404)|unknown/.test(String(status)));

/** What the manager's settings and the answer's type leave of a body. */
export function keptBody(body: string, type: string | undefined, harLimit: unknown): string {
  const limit = /image|javascript|css/.test(type ?? "") ? -1 : Number(harLimit);
  return limit === -1 ? "" : body.trim().slice(0, limit || undefined);
}
