import { z } from "zod";
import { canonicalAddress } from "../../declaration/address";
import { sameJson } from "../../declaration/values";
import { ArgumentError, BrightDataError } from "../../errors";
import { isObject, type JsonObject } from "../../json";
import { type Lifecycle, PartialFailure, type Run } from "../../lifecycle/lifecycle";
import {
  booleanSchema,
  type Checks,
  failuresOf,
  inputNames,
  type Rule,
  timeoutsSchema,
} from "../../lifecycle/oldCheck";
import { type Comparison, difference } from "../../lifecycle/oldDiff";
import { pick } from "../../lifecycle/paths";
import { isUnsettled, settleSignal } from "../../lifecycle/settle";
import { addressSet } from "../../manager/portFields";
import { type GeneralSettings, MANAGER_LOG_LEVELS, type SettingsChange } from "../../manager/settings";
import { requireZone } from "../proxyPort/knownZone";

/** There is one of each manager. */
const ID = "settings";
const LONGEST_TEXT = 300;
const ANY = "0.0.0.0/0";
const LOOPBACK = "127.0.0.1";

const wholeNumber = (least: number) => {
  const expected = `expected a whole number from ${least} on.`;
  return z.number(expected).int(expected).min(least, expected).max(Number.MAX_SAFE_INTEGER, expected).optional();
};
const fullOrNone = z.enum(["full", "none"], 'expected "full" or "none".').optional();
const webhook = z
  .string("expected a URL.")
  .regex(/^https?:\/\/\S+$/, "expected a URL that begins with https:// or http://; leave it out for none.")
  .optional();
const addresses = z
  .array(
    z.string("expected a text.").refine((text) => canonicalAddress(text) !== undefined, {
      message:
        'expected an IPv4 address or CIDR block of four octets, such as "203.0.113.7" or "10.20.0.0/16". The manager takes anything else in silence.',
    }),
    "expected a list of addresses.",
  )
  .optional();

/** What can be read back; `logsSettings` cannot, for it holds credentials. */
const readable = {
  zone: z
    .string("expected a zone's name.")
    .min(1, "expected a zone's name.")
    .max(LONGEST_TEXT, `expected at most ${LONGEST_TEXT} characters.`)
    .optional(),
  wwwWhitelistIps: addresses,
  whitelistIps: addresses,
  logs: wholeNumber(0),
  log: z
    .enum(MANAGER_LOG_LEVELS, `expected ${MANAGER_LOG_LEVELS.map((level) => JSON.stringify(level)).join(", ")}.`)
    .optional(),
  harLimit: wholeNumber(-1),
  debug: fullOrNone,
  lpmAuth: fullOrNone,
  requestStats: booleanSchema,
  syncConfig: booleanSchema,
  socketInactivityTimeout: wholeNumber(1),
  bwLimitWebhookUrl: webhook,
  bwThWebhookUrl: webhook,
};

type Setting = keyof typeof readable;

const NAMES = Object.keys(readable) as Setting[];

const SETTINGS = [...NAMES, "logsSettings"];

/** What turns a setting off that is not there without a value. */
const UNSET: Partial<Record<Setting, string>> = { bwLimitWebhookUrl: "", bwThWebhookUrl: "" };

const LISTS = ["wwwWhitelistIps", "whitelistIps"] as const;

const isList = (name: string): boolean => LISTS.some((list) => list === name);

const addressesIn = (value: unknown): Set<string> => addressSet(Array.isArray(value) ? value : []);

const rules: readonly Rule[] = [
  ...LISTS.flatMap((list): Rule[] => [
    {
      reads: [list, "allowAny"],
      failure: (inputs) =>
        addressesIn(inputs[list]).has(ANY) && inputs.allowAny !== true
          ? `\`${list}\` has ${JSON.stringify(ANY)}, the whole internet: set \`allowAny: true\` if that is what you want.`
          : undefined,
    },
    {
      reads: [list],
      failure: (inputs) =>
        addressesIn(inputs[list]).has(LOOPBACK)
          ? `\`${list}\` has ${JSON.stringify(LOOPBACK)}: the manager's own machine is always allowed. Leave it out.`
          : undefined,
    },
  ]),
  {
    reads: LISTS,
    failure({ wwwWhitelistIps, whitelistIps }) {
      const ui = addressesIn(wwwWhitelistIps);
      const both = [...addressesIn(whitelistIps)].filter((ip) => ui.has(ip));
      return both.length === 0
        ? undefined
        : `\`whitelistIps\` and \`wwwWhitelistIps\` both have ${both.join(", ")}: the manager keeps an address on one of them only. Leave it out of \`whitelistIps\`: \`wwwWhitelistIps\` lets it use every port too.`;
    },
  },
];

const SECRETS = ["logsSettings"];

const checks: Checks = {
  schema: z.strictObject({
    ...readable,
    logsSettings: z.record(z.string(), z.unknown(), "expected an object.").optional(),
    allowAny: booleanSchema,
    timeouts: timeoutsSchema,
  }),
  properties: {
    "": [...NAMES, "logsSettings", "allowAny", "timeouts"],
    timeouts: ["create", "read", "update", "delete"],
  },
  rules,
  secrets: SECRETS,
};

const comparison: Comparison = {
  same: (path, left, right) =>
    isList(path) && Array.isArray(left) && Array.isArray(right)
      ? sameJson([...addressSet(left)].sort(), [...addressSet(right)].sort())
      : sameJson(left, right),
  replaces: () => false,
};

/** The general settings of the local Proxy Manager, as far as they are declared. */
export const managerSettings = {
  timeouts: { create: 60, read: 60, update: 60, delete: 60 },
  inputs: inputNames(checks),
  secrets: SECRETS,

  check: (inputs) => ({ inputs, failures: failuresOf(inputs, checks) }),

  diff: (state, declared, inputs) => ({
    ...difference(state, declared, inputs, comparison),
    // The new one has to find, and remember, the values of before the old one.
    deleteBeforeReplace: true,
  }),

  holds: (_id, state) => SETTINGS.filter((name) => state[name] !== undefined || previousIn(state)[name] !== undefined),

  without: (state, others) => ({
    ...omit(state, others),
    previous: omit(previousIn(state), others),
  }),

  async create(inputs, run) {
    const { journal } = run;
    const previous = journal?.unfinished?.facts.previous;
    try {
      return { id: ID, state: await sync({ previous }, inputs, run, (before) => journal?.begin({ previous: before })) };
    } catch (error) {
      if (!(error instanceof PartialFailure)) journal?.forget();
      throw error;
    }
  },

  async read(id, inputs, run, state) {
    if (id !== ID) {
      throw new ArgumentError(`${JSON.stringify(id)} is not the id of a manager's settings: expected "${ID}".`);
    }
    const live = await run.context.managerSettings.get(run.deadline.signal);
    if (inputs === undefined) return pick({ ...live }, NAMES);
    return { ...inputs, ...valuesIn(live, inputs), previous: previousIn(state) };
  },

  update: (_id, state, _declared, inputs, run) => sync(state, inputs, run),

  async delete(_id, state, run) {
    await sync(state, {}, run);
  },
} satisfies Lifecycle;

/** What the declared settings were before they were. */
const previousIn = ({ previous }: JsonObject): JsonObject => (isObject(previous) ? previous : {});

const omit = (values: JsonObject, names: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)));

/** The values that declared settings have. */
function valuesIn(live: GeneralSettings, inputs: JsonObject): JsonObject {
  const values: JsonObject = pick(
    { ...live },
    NAMES.filter((name) => inputs[name] !== undefined),
  );
  if (!Array.isArray(inputs.whitelistIps)) return values;
  // The manager leaves out of this list what may use every port anyway: such an address is as good as on it.
  const fixed = addressSet(live.fixedWhitelistIps);
  const implied = inputs.whitelistIps.filter((ip) => fixed.has(canonicalAddress(String(ip)) ?? ""));
  const own = live.whitelistIps.filter((ip) => !fixed.has(canonicalAddress(ip) ?? ""));
  return { ...values, whitelistIps: [...implied, ...own] };
}

/**
 * Makes the settings as they are declared, and those that are not declared any more what they were before.
 *
 * @param state what is known of them; at the creation what an update that was cut short has noted
 * @param note takes what the declared settings were, before that changes
 */
async function sync(
  state: JsonObject,
  inputs: JsonObject,
  run: Run,
  note: (previous: JsonObject) => void = () => {},
): Promise<JsonObject> {
  if (typeof inputs.zone === "string" && inputs.zone !== state.zone) await requireZone(inputs.zone, run);
  // Entries of the lists are changed one after another: this is a change of all of them.
  return run.context.alone("allowlists", async () => {
    run.context.managerSettings.forget();
    const live = await run.context.manager.settings.get({ signal: run.deadline.signal });
    const before = previousIn(state);
    const previous: JsonObject = {};
    for (const name of NAMES) {
      if (inputs[name] === undefined) continue;
      previous[name] = before[name] ?? restorable(name, live[name]) ?? UNSET[name];
    }
    const wanted = { ...before, ...pick(inputs, NAMES) };
    const change = { ...pick(wanted, differing(wanted, live)), ...unreadable(state.logsSettings, inputs.logsSettings) };
    if (Object.keys(change).length > 0) {
      note({ ...before, ...previous });
      // What is not known to have been put back is remembered until it is.
      await send(change, { ...inputs, previous: { ...before, ...previous } }, run);
    }
    return { ...inputs, previous };
  });
}

/** A value as it can be set again: the manager may have been given nonsense, which is not kept for later. */
function restorable(name: Setting, value: unknown): unknown {
  if (isList(name)) return [...addressesIn(value)].filter((ip) => canonicalAddress(ip) !== undefined);
  return readable[name].safeParse(value).success ? value : undefined;
}

/** What cannot be read is sent when something else is declared than was sent. */
const unreadable = (sent: unknown, wanted: unknown): JsonObject =>
  sameJson(sent, wanted) ? {} : { logsSettings: wanted ?? { disable: true } };

/** @throws {PartialFailure} when it may have been done */
async function send(change: JsonObject, state: JsonObject, run: Run): Promise<void> {
  const { context, deadline } = run;
  // What is not known to have been sent is sent again.
  const { logsSettings: _unsure, ...known } = state;
  const partial = (error: unknown) => new PartialFailure(ID, known, error);
  let live: GeneralSettings;
  let lost: unknown;
  try {
    live = await context.manager.settings.update(change as SettingsChange, { signal: deadline.signal });
  } catch (error) {
    if (!isUnsettled(error, run)) throw error;
    lost = error;
    if (change.logsSettings !== undefined) throw partial(lost);
    live = await context.manager.settings.get({ signal: settleSignal() }).catch(() => {
      throw partial(lost);
    });
  } finally {
    context.managerSettings.forget();
  }
  const names = differing(change, live);
  if (names.length === 0) return;
  const list = names.map((name) => `\`${name}\``).join(", ");
  throw partial(lost ?? new BrightDataError(`The Proxy Manager accepted ${list} but did not keep it.`));
}

/** The settings that are not as they are wanted. */
function differing(wanted: JsonObject, live: GeneralSettings): Setting[] {
  const values = valuesIn(live, wanted);
  return NAMES.filter(
    (name) => wanted[name] !== undefined && !comparison.same(name, values[name] ?? UNSET[name], wanted[name]),
  );
}
