import { z } from "zod";
import { sameJson } from "../../declaration/values";
import type { JsonObject } from "../../json";
import type { Lifecycle, Run } from "../../lifecycle/lifecycle";
import { triggersSchema } from "../../lifecycle/oldAction";
import { type Checks, failuresOf, inputNames, timeoutsSchema } from "../../lifecycle/oldCheck";
import { difference } from "../../lifecycle/oldDiff";
import { isUnsettled, settleSignal } from "../../lifecycle/settle";

const ID = "apiKey";

/** Shared with the entries of the `ports` list, which are changed with the key, and which generate one where there is none. */
const LOCK = "allowlists";

const checks: Checks = {
  schema: z.strictObject({ triggers: triggersSchema, timeouts: timeoutsSchema }),
  properties: { "": ["triggers", "timeouts"], timeouts: ["create", "read", "update", "delete"] },
};

/**
 * The key of the manager's API. There is one, and a new one ends the one before it for everybody: so it is taken as it is, and
 * rotated by nothing but a changed trigger. Therefore that is an update and no replacement, which could not be told from the
 * first creation.
 */
export const managerApiKey = {
  timeouts: { create: 60, read: 60, update: 60, delete: 60 },
  inputs: inputNames(checks),
  secrets: ["apiKey"],

  check: (inputs) => ({ inputs, failures: failuresOf(inputs, checks) }),

  announce(inputs: JsonObject, previous?: JsonObject) {
    if (previous === undefined || sameJson(previous.triggers, inputs.triggers)) return undefined;
    return "the update will replace the Proxy Manager's API key: the one before it is useless to everybody at once.";
  },

  diff(state, declared, inputs) {
    const comparison = {
      same: (_path: string, left: unknown, right: unknown) => sameJson(left, right),
      replaces: () => false,
    };
    return { ...difference(state, declared, inputs, comparison), deleteBeforeReplace: false };
  },

  async create(inputs, run) {
    const apiKey = await run.context.alone(LOCK, async () => (await current(run)) ?? generate(undefined, run));
    return { id: ID, state: { ...inputs, apiKey } };
  },

  async read(_id, inputs, run) {
    const apiKey = await current(run);
    return apiKey === undefined ? undefined : { ...inputs, apiKey };
  },

  async update(_id, state, _declared, inputs, run) {
    if (sameJson(state.triggers, inputs.triggers)) return { ...inputs, apiKey: state.apiKey ?? (await current(run)) };
    const apiKey = await run.context.alone(LOCK, async () => generate(await current(run), run));
    return { ...inputs, apiKey };
  },

  /** The key stays as it is: others may use it, and the manager knows no way to end it but a new one. */
  async delete() {},
} satisfies Lifecycle;

async function current(run: Run, signal = run.deadline.signal): Promise<string | undefined> {
  const { manager } = run.context;
  manager.refusePlainHttp();
  return manager.apiKeys.current({ signal });
}

async function generate(before: string | undefined, run: Run): Promise<string> {
  try {
    return await run.context.manager.apiKeys.generate({ signal: run.deadline.signal });
  } catch (error) {
    if (!isUnsettled(error, run)) throw error;
    const now = await current(run, settleSignal());
    if (now === undefined || now === before) throw error;
    return now;
  }
}
