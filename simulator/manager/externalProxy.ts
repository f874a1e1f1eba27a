import type { Fields } from "./fields";

/** A proxy of another vendor's, as a port goes through it in place of a zone. */
export interface ExternalProxy {
  username: string;
  /** Why it cannot be reached, as far as what is written of it tells. */
  refusal: string | undefined;
}

/** The proxy of a session's number. */
export function externalProxyOf(config: Fields, session: number): ExternalProxy | undefined {
  const { ext_proxies: proxies, ext_proxy_username: username, ext_proxy_port: port } = config;
  if (!Array.isArray(proxies) || proxies.length === 0) return undefined;
  const text = String(proxies[session % proxies.length]).trim();
  const [, authority = ""] = /^(?:(?:https?|socks5?):\/\/)?([^/?#]*)/.exec(text) ?? [];
  const at = authority.lastIndexOf("@");
  const [user = ""] = authority.slice(0, Math.max(at, 0)).split(":");
  const [, host = "", number = String(port || "")] = /^([\w.-]*)(?::(\d*))?/.exec(authority.slice(at + 1)) ?? [];
  return { username: user || String(username ?? ""), refusal: refusalOf(host, number, authority.slice(at + 1)) };
}

function refusalOf(host: string, number: string, authority: string): string | undefined {
  if (Number(number) > 65_535) return `Port should be >= 0 and < 65536. Received type string ('${number}').`;
  const isHost = /^[\w.-]+(?::\d*)?(?::.*)?$/.test(authority) && (host.includes(".") || host === "localhost");
  return isHost ? undefined : `getaddrinfo ENOTFOUND ${host}`;
}
