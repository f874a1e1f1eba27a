import { type SimulatedRequest, type SimulatedResponse, text } from "../service";
import { isListed } from "./allowlists";
import type { ManagerState } from "./state";

const OPEN_TO_ALL = ["/version", "/add_wip", "/cloud_auth", "/lpm_stats", "/i18n"];
const OPEN_BEFORE_LOGIN = [
  "/version",
  "/creds_user",
  "/defaults",
  "/node_version",
  "/last_version",
  "/conn",
  "/lpm_stats",
];

/** What a request is refused with for its sender's address or for a missing local login, if it is. */
export function refuseCaller(
  state: ManagerState,
  request: SimulatedRequest,
  path: string,
): SimulatedResponse | undefined {
  const { remoteAddress, query } = request;
  const token = apiToken(state);
  const cloud = token !== "" && cookie(request, "lpm_token") === token;
  if (!admits(state, remoteAddress) && !OPEN_TO_ALL.includes(path) && !cloud && !isUser(state, query)) {
    if (query.get("user") && query.get("password")) return text("Auth Failed", 403);
    state.pendingWwwIps.add(remoteAddress);
    return refusal(
      `Connection from your IP is forbidden. If you want to access this site ask the administrator to add ${remoteAddress} to the whitelist. for more info visit https://help.brightdata.com/hc/en-us/articles/13594866940945-Security#heading-1`,
      { "x-lpm-block-ip": remoteAddress },
    );
  }
  if (!state.options.localLogin || OPEN_BEFORE_LOGIN.includes(path) || isUser(state, query)) return undefined;
  if (state.settings.password && cookie(request, "local-login") === state.settings.password) return undefined;
  return refusal(
    "This Proxy Manager instance is running in local_login mode. You need to sign in to get an access to this resource",
    { "x-lpm-local-login": "Unauthorized" },
  );
}

/** What a request of the second API version is refused with for its token, if it is. Local callers need none. */
export function refuseToken(state: ManagerState, request: SimulatedRequest): SimulatedResponse | undefined {
  const { headers, query } = request;
  const tokens = [apiToken(state), state.settings.token_auth].filter(Boolean);
  const sent = cookie(request, "lpm_token") || headers.authorization || query.get("lpm_token");
  if (request.remoteAddress === "127.0.0.1" || !state.loggedIn || tokens.length === 0) return undefined;
  if (tokens.includes(sent ?? "")) return undefined;
  return refusal("Valid lpm_token required to use this API", {
    "x-powered-by": "Express",
    "x-lpm-block-token": headers.authorization || query.get("lpm_token") || "no_token",
  });
}

/** Whether the address may call the API. As long as there is no password to protect, every address may. */
export function admits(state: ManagerState, address: string): boolean {
  if (!state.settings.password && !state.records.some((record) => record.password)) return true;
  return isListed(state, state.settings.www_whitelist_ips ?? [], address);
}

/** The cookie by which the manager's own page is let in. It holds a token, and every page brings it along. */
export function pageCookie(state: ManagerState, request: SimulatedRequest): Record<string, string> {
  const token = apiToken(state);
  if (!state.loggedIn || token === "" || cookie(request, "lpm_token") || !admits(state, request.remoteAddress))
    return {};
  const age = 31_536;
  const expires = new Date(state.clock().getTime() + age * 1000).toUTCString();
  return { "set-cookie": `lpm_token=${token}; Max-Age=${age}; Path=/; Expires=${expires}; HttpOnly; SameSite=Strict` };
}

export const apiToken = ({ settings }: ManagerState): string => settings.lpm_token?.split("|")[0] ?? "";

const isUser = ({ users }: ManagerState, query: URLSearchParams): boolean =>
  users.some(({ email, password }) => email === query.get("user") && password === query.get("password"));

function cookie({ headers }: SimulatedRequest, name: string): string | undefined {
  const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return value && decodeURIComponent(value);
}

const refusal = (message: string, headers: Record<string, string>): SimulatedResponse => {
  const answer = text(message, 403);
  return { ...answer, headers: { ...answer.headers, ...headers } };
};
