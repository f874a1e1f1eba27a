import { type Answer, text } from "../service";
import { setApiList, setPortsList } from "./allowlists";
import { save } from "./configFile";
import { blockText, parseBlock } from "./netmask";
import type { ApiCall, Routes } from "./route";
import type { ManagerState } from "./state";

/**
 * The two lists of addresses: `whitelist_ip` of those that may call the API (and, with that, use every port), `wip` of
 * those that may use every port. Only the second asks for the token, and it does so of local callers too.
 */
export const whitelistRoutes: Routes = {
  "PUT /whitelist_ip": addToApi,
  "POST /add_whitelist_ip": { only: "v1", answer: addToApi },
  "DELETE /whitelist_ip": (state, call) => remove(state, apiList(state), call),
  "PUT /wip": addToPorts,
  "POST /add_wip": { only: "v1", answer: addToPorts },
  "DELETE /wip": (state, call) =>
    hasToken(state, call) ? remove(state, portsList(state), call) : text("Forbidden", 403),
};

function addToApi(state: ManagerState, call: ApiCall): Answer {
  return add(state, apiList(state), call);
}

function addToPorts(state: ManagerState, call: ApiCall): Answer {
  return hasToken(state, call) ? add(state, portsList(state), call) : text("Token required", 403);
}

/** The token must be the whole header: with `Bearer` before it, it is another one. */
const hasToken = (state: ManagerState, { headers }: ApiCall): boolean =>
  Boolean(state.settings.token_auth) && headers.authorization === state.settings.token_auth;

/** What the two lists differ in. */
interface List {
  entries: string[];
  replace: (entries: string[]) => void;
  /** How the list writes an address or block; `undefined` for what is neither. */
  normal: (ip: unknown) => string | undefined;
  /** The end of the text that asks for the missing address on a removal. */
  removal: string;
}

const apiList = (state: ManagerState): List => ({
  entries: state.settings.www_whitelist_ips ?? [],
  replace: (entries) => setApiList(state, entries),
  normal: (ip) => {
    const block = parseBlock(ip, state.shortForm);
    return block && (state.options.keepsMask ? blockText(block) : block.base);
  },
  removal: "add",
});

const portsList = (state: ManagerState): List => ({
  entries: state.settings.whitelist_ips ?? [],
  replace: (entries) => setPortsList(state, entries),
  normal: (ip) => {
    const block = parseBlock(ip, state.shortForm);
    return block && blockText(block);
  },
  removal: "remove",
});

function add(state: ManagerState, list: List, { body }: ApiCall): Answer {
  if (!body.ip) return text("You need to pass an IP to add\n", 400);
  const ip = list.normal(body.ip);
  if (ip === undefined) return text("Wrong format\n", 422);
  if (!list.entries.includes(ip)) {
    list.replace([...list.entries, ip]);
    save(state);
  }
  return text("OK");
}

function remove(state: ManagerState, list: List, { body }: ApiCall): Answer {
  if (!body.ip) return text(`You need to pass an IP to ${list.removal}\n`, 400);
  const ip = list.normal(body.ip);
  if (ip === undefined) return text("Wrong format\n", 422);
  if (!list.entries.includes(ip)) return text("IP is not whitelisted\n", 404);
  list.replace(list.entries.filter((entry) => entry !== ip));
  save(state);
  return text("OK");
}
