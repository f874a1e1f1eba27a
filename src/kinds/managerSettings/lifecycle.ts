import { canonicalAddress } from "../../declaration/address";
import type { InputsOf, StateOf } from "../../declaration/kind";
import type { Property, ValuesOf } from "../../declaration/property";
import { addressSet, isSame, sameJson } from "../../declaration/values";
import { ArgumentError, BrightDataError } from "../../errors";
import { isObject, type JsonObject } from "../../json";
import { lifecycle } from "../../lifecycle/define";
import { PartialFailure, type Run } from "../../lifecycle/lifecycle";
import { pick } from "../../lifecycle/paths";
import { isPossible } from "../../lifecycle/schema";
import { isUnsettled, settleSignal } from "../../lifecycle/settle";
import type { GeneralSettings, SettingsChange } from "../../manager/settings";
import { requireZone } from "../proxyPort/knownZone";
import { EVERYBODY } from "../shared/allowedAddress";
import { managerSettings, readableSettings } from "./declaration";

type Inputs = InputsOf<typeof managerSettings>;
type State = StateOf<typeof managerSettings>;
type Setting = keyof typeof readableSettings;

/** There is one of each manager. */
const ID = "settings";

const NAMES = Object.keys(readableSettings) as Setting[];

const SETTINGS = [...NAMES, "logsSettings"];

/** What turns a setting off that is not there without a value. */
const UNSET: Partial<Record<Setting, string>> = { bwLimitWebhookUrl: "", bwThWebhookUrl: "" };

export const managerSettingsLifecycle = lifecycle(managerSettings, {
  judge({ changed, replaces }, state, _declared, inputs) {
    // The engine forgets at a refresh that the update failed which was to put a setting back.
    const left = Object.keys(previousIn(state)).filter((name) => inputs[name] === undefined);
    // The new one has to find, and remember, the values of before the old one.
    return { changed: [...new Set([...changed, ...left])], replaces, deleteBeforeReplace: true };
  },

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
    if (inputs === undefined) return settingsOf(live);
    const declaredNames = NAMES.filter((name) => inputs[name] !== undefined);
    return { ...inputs, ...pick(UNSET, declaredNames), ...valuesIn(live, inputs), previous: previousIn(state) };
  },

  update: (_id, state, _declared, inputs, run) => sync(state, inputs, run),

  async delete(_id, state, run) {
    await sync(state, {}, run);
  },

  async list() {
    return [ID];
  },
});

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
  inputs: Inputs,
  run: Run,
  note: (previous: JsonObject) => void = () => {},
): Promise<State> {
  if (inputs.zone !== undefined && inputs.zone !== state.zone) await requireZone(inputs.zone, run);
  // Entries of the lists are changed one after another: this is a change of all of them.
  return run.context.alone("allowlists", async () => {
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
  const property: Property = readableSettings[name];
  if (property.is === "list" && Array.isArray(value))
    return [...addressSet(value)].filter((ip) => isPossible(property.items, ip));
  return isPossible(property, value) ? value : undefined;
}

/** All settings that a program could declare as they are. */
function settingsOf(live: GeneralSettings): Partial<State> {
  const settings: ValuesOf<typeof readableSettings> = {};
  for (const name of NAMES) {
    const value = restorable(name, live[name]);
    if (value !== undefined) Object.assign(settings, { [name]: value });
  }
  const isOpen = [settings.wwwWhitelistIps, settings.whitelistIps].some((list) => list?.includes(EVERYBODY));
  return isOpen ? { ...settings, allowAny: true } : settings;
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
    (name) => wanted[name] !== undefined && !isSame(readableSettings[name], values[name] ?? UNSET[name], wanted[name]),
  );
}
