import { createHash } from "node:crypto";
import { BrightDataError, NotFoundError } from "../base/errors";
import type { JsonObject } from "../base/json";
import type { InputsOf, Kind, StateOf } from "../declaration/kind";
import { canonicalJson, sameJson } from "../declaration/values";
import { POLL_SECONDS } from "../declaration/waiting";
import { type Action, action, meant, type OutputsOf } from "./action";
import { type Lifecycle, PartialFailure, type Step } from "./lifecycle";

/** An action that the service goes on with by itself, once it is started: it is waited for, unless the program says otherwise. */
export interface Job<K extends Kind> extends Pick<Action<K>, "announce" | "cancel"> {
  /** The output that holds the id of what was started; as an input it names something to take up in its place. */
  handle: string;
  /** Starts it, and returns its id. What the inputs ask for is noted as `asked`. */
  start(inputs: InputsOf<K>, asked: string, step: Step): Promise<string>;
  /** Tells how far it has come, in outputs with a `status` among them. */
  look(id: string, inputs: InputsOf<K>, step: Step): Promise<Partial<OutputsOf<K>>>;
  /** The statuses at which it ends, and the good one among them. */
  ends: { well: string; badly: readonly string[] };
  /** Why it ended badly, or that nobody knows, and what helps. */
  failure(id: string, state: StateOf<K>): BrightDataError;
  /** Whether it is called off with its resource, where it is still going on. */
  isCanceled?: boolean;
  /** What it is called, such as `delivery "dl_1"`. */
  title(id: string): string;
  noun: string;
}

/** The status of what may have been started, and whose id nobody knows. None of the service's, which are single words. */
export const OUTCOME_UNKNOWN = "outcome unknown";

/** The life of a job's resource: what was started is kept and waited for, and never started twice. */
export function job<K extends Kind>(kind: K, behavior: Job<K>): Lifecycle {
  // Of no kind in particular from here on.
  const definition = behavior as unknown as Job<Kind>;
  const { handle } = definition;
  const once = action(kind, actionOf(kind, definition));

  return {
    ...once,
    // One may have started what another has taken up, to which it belongs as well.
    isShared: true,
    isSame: ({ asked }, inputs) => isAsked(asked, fingerprint(inputs, kind, handle)),
    diff(state, declared, inputs) {
      const named = inputs[handle];
      const isKept = named === undefined || named === state[handle];
      const difference = once.diff(isKept ? { ...state, [handle]: named } : state, declared, inputs);
      // What has not ended well is not what was declared.
      const open = isAsDeclared(definition, state, inputs) ? [] : ["status"];
      return { ...difference, changed: [...difference.changed, ...open] };
    },
    announceReplacement(state, inputs, fate) {
      const id = state[handle];
      const isLost = definition.isCanceled === true && fate === "deleted" && !hasEnded(definition, state);
      if (typeof id !== "string" || !isLost || inputs[handle] === id) return undefined;
      return `${definition.title(id)} is canceled with the resource that is replaced, if it is still running.`;
    },
  };
}

/** A job as an action that ends when the job does. */
function actionOf(kind: Kind, definition: Job<Kind>): Action<Kind> {
  const { handle, noun } = definition;
  const thingOf = (id: string) => `${kind.name} ${id}`;
  return {
    holdings(id, state) {
      const held = id ?? state[handle];
      const has = typeof held === "string" && !hasEnded(definition, state) ? [thingOf(held)] : [];
      return { has, ...(id === undefined && { takesOver: has }) };
    },

    announce(inputs) {
      const id = inputs[handle];
      if (id === undefined) return definition.announce(inputs);
      return `the update will start nothing, and take up ${typeof id === "string" ? definition.title(id) : `${noun} that there is`}.`;
    },

    async perform(inputs, step) {
      const named = inputs[handle];
      if (typeof named !== "string") {
        const id = await begin(definition, fingerprint(inputs, kind, handle), inputs, step);
        return { id, outputs: await finish(definition, id, { ...inputs, [handle]: id }, step) };
      }
      // A wrong id is found out before it is kept.
      const found = await definition.look(named, inputs, step);
      return { id: named, outputs: await finish(definition, named, { ...inputs, ...found }, step) };
    },

    resume: (id, state, step) => finish(definition, id, isUnknown(state) ? state : { ...state, [handle]: id }, step),

    async cancel(id, state, step) {
      if (hasEnded(definition, state)) return;
      // Its own replacement, at the same place, may be made after it is deleted.
      const { mark } = step.me ?? {};
      if (step.context.claims.isAnothers(thingOf(id), { mark })) {
        step.say?.(`The replacement takes up ${definition.title(id)}, which goes on.`);
      } else await definition.cancel?.(id, state, step);
    },
  };
}

const IF_GONE =
  " If the service no longer has it, change a value of `triggers`: that starts another one, which may cost money again.";

type Ends = Pick<Job<Kind>, "ends">;

const hasEnded = ({ ends }: Ends, { status }: JsonObject): boolean =>
  [ends.well, ...ends.badly].some((end) => end === status);

const isUnknown = ({ status }: JsonObject): boolean => status === OUTCOME_UNKNOWN;

const isAsDeclared = ({ ends }: Ends, { status }: JsonObject, { wait }: JsonObject): boolean =>
  status === ends.well || (wait === false && status !== OUTCOME_UNKNOWN);

async function begin(definition: Job<Kind>, asked: string, inputs: JsonObject, step: Step): Promise<string> {
  const { handle, title, start } = definition;
  const noted = step.journal?.unfinished?.facts;
  const begun = isAsked(noted?.asked, asked) ? noted?.[handle] : undefined;
  if (typeof begun === "string") {
    step.say?.(`Took up ${title(begun)}, which an update that was cut short had begun.`);
    return begun;
  }
  const id = await start(inputs, asked, step);
  const advice = `An update that was cut short has begun ${title(id)}, which may be in no state. Give its id as \`${handle}\` to take it up, or see to it in the control panel.`;
  await step.journal?.begin({ asked, [handle]: id }, advice);
  const words = title(id);
  step.say?.(`${words.charAt(0).toUpperCase()}${words.slice(1)} has begun.`);
  return id;
}

async function finish(definition: Job<Kind>, id: string, begun: JsonObject, step: Step): Promise<JsonObject> {
  const title = definition.title(id);
  let state = begun;
  const look = async () => {
    state = { ...state, ...(await definition.look(id, state, step)) };
    return hasEnded(definition, state) || state.wait === false ? state : undefined;
  };
  const pace = typeof state.pollInterval === "number" ? state.pollInterval : POLL_SECONDS;
  const waiting = () => {
    const { status } = state;
    return `waiting for ${title} to end${typeof status === "string" ? ` (its status is ${JSON.stringify(status)})` : ""}`;
  };
  if (!hasEnded(definition, state) && !isUnknown(state)) {
    await step.deadline.poll(waiting, look, pace).catch((error: unknown) => {
      if (!(error instanceof BrightDataError)) throw new PartialFailure(id, state, error);
      const words = `${error.message} The service may still be at it: the next \`pulumi up\` waits for ${title} again, and starts nothing anew.${error instanceof NotFoundError ? IF_GONE : ""}`;
      throw new PartialFailure(id, state, new BrightDataError(words, { cause: error }));
    });
  }
  if (isAsDeclared(definition, state, state)) return state;
  throw new PartialFailure(id, state, definition.failure(id, state));
}

/**
 * Stands for what inputs ask for; the same in every process. How it is waited for does not count. Of secrets it has so little that
 * nothing can be learnt, and enough to tell that another one was given.
 */
function fingerprint(inputs: JsonObject, kind: Kind, handle: string): string {
  const asked = Object.entries(inputs).filter(([name, value]) => {
    const property = kind.inputs[name];
    return name !== handle && property?.onChange !== "recorded" && !sameJson(meant(value, property), property?.default);
  });
  const isSecret = ([name]: [string, unknown]) => kind.inputs[name]?.secret === true;
  const secrets = asked.filter(isSecret);
  const open = digest(asked.filter((each) => !isSecret(each)));
  return `${open}.${secrets.length === 0 ? NO_SECRETS : digest(secrets).slice(0, SECRET_DIGITS)}`;
}

const SECRET_DIGITS = 3;

/** Tells a note of no secrets from one of an earlier version, which says nothing of them. */
const NO_SECRETS = "0";

const digest = (values: [string, unknown][]): string =>
  createHash("sha256")
    .update(canonicalJson(Object.fromEntries(values)))
    .digest("hex");

/** Whether what was noted is what is asked for. */
export const isAsked = (noted: unknown, asked: string): boolean =>
  noted === asked || (typeof noted === "string" && asked.startsWith(`${noted}.`));
