import { type Answer, json, NEVER, text } from "../service";
import { logOut } from "./login";
import type { Routes } from "./route";
import type { ManagerState } from "./state";

/** The program around the API. Both take effect once the answer is out. */
export interface ManagerProcess {
  restart(): void;
  stop(): void;
}

/** The program itself: its versions, and what starts and stops it. */
export const lifecycleRoutes = ({ restart, stop }: ManagerProcess): Routes => ({
  "GET /version": ({ version }) => json({ version, argv: "", backup_exist: false }),
  "GET /last_version": lastVersion,
  "GET /node_version": () => json({ current: process.versions.node, satisfied: true, recommended: ">=20.12.1" }),
  "POST /upgrade": upgrade,
  "POST /restart": () => {
    restart();
    return json({ result: "ok" });
  },
  "POST /shutdown": () => {
    stop();
    return json({ result: "ok" });
  },
  "POST /logout": (state) => {
    logOut(state);
    const answer = json({ result: "ok" });
    return { ...answer, headers: { ...answer.headers, "set-cookie": "local-login=; Path=/" } };
  },
});

function lastVersion(state: ManagerState): Answer {
  if (!state.vendorReachable) return text("getaddrinfo ENOTFOUND brightdata.com", 500);
  return json({ version: state.latestVersion, newer: isNewer(state), versions: [] });
}

const isNewer = ({ version, latestVersion }: ManagerState): boolean =>
  latestVersion.localeCompare(version, "en", { numeric: true }) > 0;

/** Puts the newest version on the disk; it runs from the next start on. With nothing to do the call is never answered. */
function upgrade(state: ManagerState): Answer {
  if (state.upgradeError !== undefined) return text(state.upgradeError, 403);
  if (!isNewer(state)) return NEVER;
  state.installedVersion = state.latestVersion;
  return json({ result: "ok" });
}
