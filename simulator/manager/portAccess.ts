import { apiToken } from "./access";
import { isListed } from "./allowlists";
import type { RunningPort } from "./runningPort";
import type { ManagerState } from "./state";
import { PREFIXES, parseUsername, type Wishes } from "./username";

/** Who asks a port for something. */
export interface Caller {
  remoteAddress: string;
  /** By name in lower case. */
  headers: Readonly<Record<string, string>>;
}

/** What a request asks for that the port lets in, beside what the port does; `undefined` if it does not let it in. */
export function wishesOf(
  state: ManagerState,
  port: RunningPort,
  { remoteAddress, headers }: Caller,
): Wishes | undefined {
  const [user = "", password = ""] = credentials(headers["proxy-authorization"]);
  const byHeader = Object.fromEntries(
    BY_HEADER.flatMap((part) => (headers[`x-lpm-${part}`] ? [[part, headers[`x-lpm-${part}`]]] : [])),
  );
  const ofUser = isOpenTo(port, user, password);
  if (ofUser !== undefined) return { ...ofUser, ...byHeader };
  const { password: _, auth: __, ...wishes } = user.includes(",") ? {} : parseUsername(user);
  const verdict = isKnown(state, port, user, password) ?? isListed(state, listOf(port), remoteAddress);
  return verdict ? { ...wishes, ...byHeader } : undefined;
}

/** The password that a client has for the vendor's proxy, where it has one of its own. */
export function givenPassword(port: RunningPort, { headers }: Caller): string | undefined {
  const [user = "", password = ""] = credentials(headers["proxy-authorization"]);
  if (isOpenTo(port, user, password) !== undefined) return undefined;
  const { auth, tool, ...wishes } = parseUsername(user);
  const isForManager = auth !== undefined || tool !== undefined || ["token", "lpm"].some((name) => name in wishes);
  return password === "" || isForManager || user.includes(",") ? undefined : password;
}

/** The session of its own that a client names, by a header or as the port's user. */
export function ownSession(port: RunningPort, { headers }: Caller): unknown {
  const [user = "", password = ""] = credentials(headers["proxy-authorization"]);
  return headers["x-lpm-session"] || isOpenTo(port, user, password)?.session;
}

const BY_HEADER = ["session", "country", "state", "city", "zip", "asn", "ip"];

/** User name and password of a header. */
export const credentials = (authorization = ""): string[] =>
  Buffer.from(authorization.replace("Basic ", ""), "base64").toString().split(":");

const listOf = ({ config }: RunningPort): readonly unknown[] =>
  Array.isArray(config.whitelist_ips) ? config.whitelist_ips : [];

/** What the port's own user asks for after the e-mail address, which a program may have written in hexadecimal digits. */
function isOpenTo({ config }: RunningPort, user: string, password: string): Wishes | undefined {
  if (!config.user || password !== config.user_password) return undefined;
  const email = String(config.user);
  for (const text of [user.replace(",", "@"), user, Buffer.from(user, "hex").toString()]) {
    if (text === email) return {};
    if (text.startsWith(`${email}-`)) return parseUsername(text.slice(email.length + 1));
  }
  return undefined;
}

/** Whether the name and password let the request in; `undefined` where the address decides. */
function isKnown(state: ManagerState, { config }: RunningPort, user: string, password: string): boolean | undefined {
  const token = apiToken(state);
  if (user === "token" && password !== "" && password === state.settings.token_auth) return true;
  if (user === "lpm" && password !== "" && password === token) return true;
  if (!PREFIXES.some((prefix) => user.startsWith(`${prefix}-`)) || password === "") return undefined;
  const { customer, zone, auth } = parseUsername(user);
  // Only the drop-in port, which has no type, goes by the vendor's user names.
  if (customer && zone) return config.proxy_type === undefined;
  return auth === "token" ? [state.settings.token_auth, token].includes(password) : undefined;
}
