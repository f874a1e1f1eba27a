import type { JsonObject } from "../../base/json";
import { sameJson } from "../../declaration/values";
import { lifecycle } from "../../lifecycle/define";
import type { Run } from "../../lifecycle/lifecycle";
import { isUnsettled, settleSignal } from "../../lifecycle/settle";
import { managerApiKey } from "./declaration";

const ID = "apiKey";

/** Shared with the entries of the `ports` list, which are changed with the key, and which generate one where there is none. */
const LOCK = "allowlists";

/**
 * The key of the manager's API. There is one, and a new one ends the one before it for everybody: so it is taken as it is, and
 * rotated by nothing but a changed trigger. Therefore that is an update and no replacement, which could not be told from the
 * first creation.
 */
export const managerApiKeyLifecycle = lifecycle(managerApiKey, {
  // The key in the state is of no use when an update was killed that has replaced it.
  resumes: true,

  announce(inputs: JsonObject, previous?: JsonObject) {
    if (previous === undefined || sameJson(previous.triggers, inputs.triggers)) return undefined;
    return "the update will replace the Proxy Manager's API key: the one before it is useless to everybody at once.";
  },

  async create(inputs, run) {
    return { id: ID, state: { ...inputs, apiKey: await ensure(run) } };
  },

  async read(_id, inputs, run) {
    const apiKey = await current(run);
    return apiKey === undefined ? undefined : { ...inputs, apiKey };
  },

  async update(_id, state, _declared, inputs, run) {
    if (sameJson(state.triggers, inputs.triggers)) {
      const known = run.journal?.unfinished === undefined ? state.apiKey : undefined;
      // Nor does an import file tell one.
      return { ...inputs, apiKey: known ?? (await ensure(run)) };
    }
    const apiKey = await run.context.alone(LOCK, async () => {
      const before = await current(run);
      run.journal?.begin({});
      return generate(before, run);
    });
    return { ...inputs, apiKey };
  },

  /** The key stays as it is: others may use it, and the manager knows no way to end it but a new one. */
  async delete() {},

  async list(run) {
    return (await current(run)) === undefined ? [] : [ID];
  },
});

/** The key that there is, or a first one. */
const ensure = (run: Run): Promise<string> =>
  run.context.alone(LOCK, async () => (await current(run)) ?? generate(undefined, run));

async function current(run: Run, signal = run.deadline.signal): Promise<string | undefined> {
  const { manager } = run.context;
  manager.refusePlainHttp();
  return manager.apiKeys.current({ signal });
}

async function generate(before: string | undefined, run: Run): Promise<string> {
  try {
    return await run.context.manager.apiKeys.generate({ signal: run.deadline.signal });
  } catch (error) {
    if (!isUnsettled(error, run)) {
      run.journal?.takeBack();
      throw error;
    }
    const now = await current(run, settleSignal());
    if (now === undefined || now === before) throw error;
    return now;
  }
}
