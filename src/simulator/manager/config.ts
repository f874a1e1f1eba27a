import { json } from "../service";
import { boot } from "./boot";
import { shownFile } from "./configFile";
import type { Answer, Operation } from "./operation";
import type { ManagerState } from "./state";

/** The config file as text, every secret of the manager included; the token can be read here without a new one. */
export const configOperations = (state: ManagerState): Operation[] => [
  { method: "GET", path: "/config", answer: () => json({ config: shownFile(state) }) },
  { method: "POST", path: "/config", answer: ({ body }) => replace(state, body.config) },
];

/** Even a file that is not JSON is taken; the manager then starts as if it were empty. */
function replace(state: ManagerState, file: unknown): Answer {
  if (!state.options.readOnly) state.configFile = String(file);
  boot(state);
  return json({ result: "ok" });
}
