import { messageOf, succeeds, TUNNEL_REFUSED } from "../base/cause";
import { ConfigurationError } from "../base/errors";

// As the library looks for them: of each pair, the first that is set.
const VARIABLES = [
  ["http_proxy", "HTTP_PROXY"],
  ["https_proxy", "HTTPS_PROXY"],
] as const;

/** @throws {ConfigurationError} for a variable of the environment that names no proxy; its value may hold credentials */
export function requireProxies(environment: NodeJS.ProcessEnv = process.env): void {
  for (const pair of VARIABLES) {
    const name = pair.find((variable) => environment[variable] !== undefined);
    const url = name === undefined ? undefined : environment[name];
    if (url === undefined || url === "" || isProxy(url)) continue;
    throw new ConfigurationError(
      `The value of the environment variable ${name} cannot be used: expected the URL of a proxy, such as "http://proxy.example.com:3128". Correct it, or unset it to use none.`,
    );
  }
}

function isProxy(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^(https?|socks5?):$/.test(protocol) && succeeds(() => [username, password].map(decodeURIComponent));
}

/** A failure in the words of what has failed: where a proxy has refused the tunnel, nothing was sent through it. */
export function inWordsOfProxy(error: unknown): unknown {
  const status = /^Proxy response \((\d+)\)/.exec(messageOf(error))?.[1];
  if (status === undefined) return error;
  return Object.assign(new Error(`the proxy answered ${status} to CONNECT`), { code: TUNNEL_REFUSED });
}
