import { json, NEVER, text } from "../service";
import { logOut } from "./login";
import type { Answer, Operation } from "./operation";
import type { ManagerState } from "./state";

/** The program around the API. Both take effect once the answer is out. */
export interface ManagerProcess {
  restart(): void;
  stop(): void;
}

/** The program itself: its versions, and what starts and stops it. */
export function lifecycleOperations(state: ManagerState, program: ManagerProcess): Operation[] {
  return [
    { method: "GET", path: "/version", answer: () => json({ version: state.version, argv: "", backup_exist: false }) },
    { method: "GET", path: "/last_version", answer: () => lastVersion(state) },
    { method: "GET", path: "/node_version", answer: () => json(nodeVersion()) },
    { method: "POST", path: "/upgrade", answer: () => upgrade(state) },
    {
      method: "POST",
      path: "/restart",
      answer: () => {
        program.restart();
        return json({ result: "ok" });
      },
    },
    {
      method: "POST",
      path: "/shutdown",
      answer: () => {
        program.stop();
        return json({ result: "ok" });
      },
    },
    {
      method: "POST",
      path: "/logout",
      answer: () => {
        logOut(state);
        const { status, headers, body = "" } = json({ result: "ok" });
        return { status, headers: { ...headers, "set-cookie": "local-login=; Path=/" }, body };
      },
    },
  ];
}

function lastVersion(state: ManagerState): Answer {
  if (!state.vendorReachable) return text("getaddrinfo ENOTFOUND brightdata.com", 500);
  return json({ version: state.latestVersion, newer: isNewer(state), versions: [] });
}

const isNewer = ({ version, latestVersion }: ManagerState): boolean =>
  latestVersion.localeCompare(version, "en", { numeric: true }) > 0;

const nodeVersion = (): object => ({ current: process.versions.node, satisfied: true, recommended: ">=20.12.1" });

/** Puts the newest version on the disk; it runs from the next start on. With nothing to do the call is never answered. */
function upgrade(state: ManagerState): Answer {
  if (state.upgradeError !== undefined) return text(state.upgradeError, 403);
  if (!isNewer(state)) return NEVER;
  state.installedVersion = state.latestVersion;
  return json({ result: "ok" });
}
