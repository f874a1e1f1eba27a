import { z } from "zod";
import { BrightDataError } from "../errors";
import type { JsonObject } from "../http/case";
import { type Action, action } from "./action";
import { booleanSchema, timeoutsSchema } from "./check";
import { type Lifecycle, PartialFailure, type Run } from "./lifecycle";

/** An action that the service goes on with by itself, once it is started: it is waited for, unless the program says otherwise. */
export interface Job extends Omit<Action, "manner" | "perform" | "resume"> {
  /** Inputs that are secrets. */
  secrets: readonly string[];
  /** Starts it. */
  start(inputs: JsonObject, run: Run): Promise<{ id: string; outputs: JsonObject }>;
  /** Tells how far it has come, in outputs with a `status` among them. */
  look(id: string, state: JsonObject, run: Run): Promise<JsonObject>;
  /** The statuses at which it ends, and the good one among them. */
  ends: { well: string; badly: readonly string[] };
  /** Why it ended badly, and what helps. */
  failure(id: string, state: JsonObject): BrightDataError;
  /** What it is called, such as `delivery "dl_1"`. */
  title(id: string): string;
}

/** The seconds between two looks, where the program does not say: the service's own pace. */
const POLL_SECONDS = 10;

/** Inputs that say how long and how often to look. */
export const waitingSchemas = {
  wait: booleanSchema,
  pollInterval: z
    .number("expected seconds, from 1 to 3600.")
    .min(1, "expected at least 1 second.")
    .max(3600, "expected at most 3600 seconds (an hour).")
    .optional(),
  timeouts: timeoutsSchema,
};

/** The life of a job's resource: what was started is kept and waited for, and never started twice. */
export function job(definition: Job): Lifecycle {
  const { ends, secrets } = definition;
  const isOver = ({ status }: JsonObject) => status === ends.well || ends.badly.includes(status as string);

  async function finish(id: string, begun: JsonObject, run: Run): Promise<JsonObject> {
    const title = definition.title(id);
    let state = begun;
    const look = async () => {
      state = { ...state, ...(await definition.look(id, state, run)) };
      return isOver(state) || state.wait === false ? state : undefined;
    };
    const pace = typeof state.pollInterval === "number" ? state.pollInterval : POLL_SECONDS;
    try {
      if (!isOver(state)) await run.deadline.poll(() => waitingFor(title, state.status), look, pace);
    } catch (error) {
      throw new PartialFailure(id, state, error instanceof BrightDataError ? goesOn(error, title) : error);
    }
    if (state.status === ends.well || state.wait === false) return state;
    throw new PartialFailure(id, state, definition.failure(id, state));
  }

  const once = action({
    ...definition,
    manner: ["wait", "pollInterval"],
    async perform(inputs, run) {
      const { id, outputs } = await definition.start(inputs, run);
      return { id, outputs: await finish(id, { ...inputs, ...outputs }, run) };
    },
    resume: finish,
    async cancel(id, state, run) {
      if (!isOver(state)) await definition.cancel?.(id, state, run);
    },
  });

  return {
    ...once,
    secrets,
    diff(state, declared, inputs) {
      const difference = once.diff(state, declared, inputs);
      // The engine forgets at a refresh that the update before it failed. What has not ended well is not what was declared.
      const isOpen = inputs.wait !== false && state.status !== ends.well;
      return isOpen ? { ...difference, changed: [...difference.changed, "status"] } : difference;
    },
    update(id, state, declared, inputs, run) {
      const declaredNames = new Set([...declared].map((path) => path.split(".")[0]));
      const outputs = Object.fromEntries(Object.entries(state).filter(([name]) => !declaredNames.has(name)));
      // With the inputs of now: whether and how often to look may be what has changed.
      return once.update(id, { ...outputs, ...inputs }, declared, inputs, run);
    },
  };
}

const waitingFor = (title: string, status: unknown): string =>
  `waiting for ${title} to end${typeof status === "string" ? ` (its status is ${JSON.stringify(status)})` : ""}`;

const goesOn = (error: BrightDataError, title: string): BrightDataError =>
  new BrightDataError(
    `${error.message} The service may still be at it: the next \`pulumi up\` waits for ${title} again, and starts nothing anew.`,
    { cause: error },
  );
