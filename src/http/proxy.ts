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

/**
 * A failure in the words of what has failed: where a proxy cannot be reached, or has refused the tunnel, nothing was sent through it.
 *
 * @param target where the request was to go
 */
export function inWordsOfProxy(error: unknown, target: URL): unknown {
  const words = messageOf(error instanceof AggregateError ? error.errors[0] : error);
  const status = /^Proxy response \((\d+)\)/.exec(words)?.[1];
  if (status !== undefined) return failed(`the proxy answered ${status} to CONNECT`);
  const isOfProxy = /^(connect|getaddrinfo) /i.test(words) && proxies().some((proxy) => isAbout(proxy, target, words));
  return isOfProxy ? failed(`the proxy cannot be reached: ${words}`) : error;
}

const failed = (words: string): Error => Object.assign(new Error(words), { code: TUNNEL_REFUSED });

const proxies = (): URL[] =>
  VARIABLES.flat().flatMap((name) => {
    const url = process.env[name] ?? "";
    return isProxy(url) ? [new URL(url)] : [];
  });

/** Whether words are about a proxy and not about the target, to which requests go without one, too. */
function isAbout(proxy: URL, target: URL, words: string): boolean {
  const isHost = proxy.hostname !== target.hostname && words.endsWith(` ${proxy.hostname}`);
  return isHost || (portOf(proxy) !== portOf(target) && new RegExp(`:${portOf(proxy)}\\b`).test(words));
}

const portOf = ({ protocol, port }: URL): string => port || (PORTS[protocol] ?? "1080");
const PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };
