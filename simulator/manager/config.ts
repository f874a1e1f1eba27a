import { type Answer, json } from "../service";
import { boot } from "./boot";
import { load, shownFile } from "./configFile";
import { Crash } from "./crash";
import type { ManagerProcess } from "./lifecycle";
import type { ApiCall, Routes } from "./route";
import type { ManagerState } from "./state";

/** The config file as text, every secret of the manager included; the token can be read here without a new one. */
export const configRoutes = ({ stop }: ManagerProcess): Routes => ({
  "GET /config": (state) => json({ config: shownFile(state) }),
  "POST /config": (state, call) => {
    const isStuck = [...state.running.values()].some(({ stuck }) => stuck);
    const answer = replace(state, call);
    const numbers = load(state).records.map(({ port }) => port);
    if (state.options.hangs && (isStuck || new Set(numbers).size < numbers.length)) stop();
    return answer;
  },
});

/** Even a text that is not JSON is taken; the manager then starts as if it were empty. */
function replace(state: ManagerState, { body: { config: file } }: ApiCall): Answer {
  if (!state.options.readOnly) {
    if (typeof file !== "string") throw new Crash(`${NO_TEXT} Received ${received(file)}`);
    state.configFile = file;
  }
  boot(state);
  return json({ result: "ok" });
}

const NO_TEXT = 'The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView.';

function received(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === "object") return `an instance of ${Array.isArray(value) ? "Array" : "Object"}`;
  return `type ${typeof value} (${value})`;
}
