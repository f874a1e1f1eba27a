import { ArgumentError } from "../../base/errors";
import type { JsonObject } from "../../base/json";
import { isSame } from "../../declaration/values";
import { lifecycle } from "../../lifecycle/define";
import { type Step, UNKNOWN } from "../../lifecycle/lifecycle";
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

  announceUpdate: (state, _declared, inputs) => (isDue(state, inputs) ? ROTATION : undefined),

  // That of another manager is taken as it is.
  announceReplacement: (state, inputs) =>
    [state.manager, UNKNOWN].includes(inputs.manager) && isDue(state, inputs) ? ROTATION : undefined,

  async create(inputs, step) {
    // By `replaceOnChanges`, or where it is replaced by force.
    const isRotated = step.replaced !== undefined && isDue(step.replaced, inputs);
    return { id: ID, state: { ...inputs, apiKey: await (isRotated ? rotate(step) : ensure(step)) } };
  },

  async read(id, inputs, step, state) {
    // Earlier versions have taken any id for it.
    if (id !== ID && state.apiKey === undefined) {
      throw new ArgumentError(`${JSON.stringify(id)} is not the id of the key of a manager's API: expected "${ID}".`);
    }
    const told = await observe(step);
    const isOther = state.apiKey !== undefined && told !== state.apiKey;
    const apiKey = isOther && (await isReadOnly(step)) ? state.apiKey : told;
    if (apiKey === undefined) return undefined;
    const isImported = state.apiKey === undefined || state.imported === true;
    return { ...inputs, apiKey, ...(isImported && { imported: true }) };
  },

  async update(_id, state, _declared, inputs, step) {
    if (isDue(state, inputs)) return { ...inputs, apiKey: await rotate(step) };
    const known = step.journal?.unfinished === undefined ? state.apiKey : undefined;
    // Nor does an import file tell one.
    return { ...inputs, apiKey: known ?? (await ensure(step)) };
  },

  /** The key stays as it is: others may use it, and the manager knows no way to end it but a new one. */
  async delete() {},

  list: async (step) => ((await observe(step)) === undefined ? [] : [ID]),
});

const ROTATION =
  "the update will replace the Proxy Manager's API key: the one before it is useless to everybody at once.";

/** Whether the key is to be another. Of one that was imported, the first triggers are only recorded. */
const isDue = ({ triggers, apiKey, imported }: JsonObject, inputs: JsonObject): boolean =>
  !isSame(managerApiKey.inputs.triggers, triggers, inputs.triggers) &&
  !(triggers === undefined && (imported === true || apiKey === undefined));

async function observe(step: Step, signal = step.deadline.signal): Promise<string | undefined> {
  const { manager } = step.context;
  manager.refusePlainHttp();
  return manager.apiKeys.current({ signal });
}

/** Such a manager tells the key that it was started with, if any: one that was generated since is in no file. */
async function isReadOnly({ context, deadline }: Step): Promise<boolean> {
  const { readOnly } = await context.managerSettings.get(deadline.signal);
  return readOnly === true;
}

/** Of two that find none at the same time, one would make the other's useless. */
const alone = (step: Step, task: () => Promise<string>): Promise<string> =>
  step.context.alone(LOCK, task, step.deadline);

const ensure = (step: Step): Promise<string> =>
  alone(step, async () => (await observe(step)) ?? generate(undefined, step));

const rotate = (step: Step): Promise<string> =>
  alone(step, async () => {
    const before = await observe(step);
    await step.journal?.begin({});
    return generate(before, step);
  });

async function generate(before: string | undefined, step: Step): Promise<string> {
  try {
    return await step.context.manager.apiKeys.generate(step.deadline);
  } catch (error) {
    if (!isUnsettled(error, step)) {
      step.journal?.takeBack();
      throw error;
    }
    const now = await observe(step, settleSignal());
    if (now === undefined || now === before) throw error;
    return now;
  }
}
