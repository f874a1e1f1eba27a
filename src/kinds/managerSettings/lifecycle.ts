import { ArgumentError, BrightDataError } from "../../base/errors";
import { filterKeys, type JsonObject, keysIn, objectOf } from "../../base/json";
import { canonicalAddress } from "../../declaration/address";
import type { InputsOf, StateOf } from "../../declaration/kind";
import { secretsAmong } from "../../declaration/paths";
import type { Property, ValuesOf } from "../../declaration/property";
import { addressSet, isSame, sameJson } from "../../declaration/values";
import { present } from "../../http/optional";
import { lifecycle } from "../../lifecycle/define";
import { keeping, PartialFailure, type Step } from "../../lifecycle/lifecycle";
import { pick } from "../../lifecycle/paths";
import { isPossible } from "../../lifecycle/schema";
import { isUnsettled, settleSignal } from "../../lifecycle/settle";
import { INHERITED_NUMBERS } from "../../manager/portFields";
import { EVERYBODY } from "../../model/allowedAddress";
import { type GeneralSettings, readableSettings } from "../../model/generalSettings";
import { requireZone } from "../proxyPort/knownZone";
import { settingThing } from "../shared/things";
import { withWholeLists } from "../shared/wholeLists";
import {
  addressesIn,
  listsIn,
  movedBack,
  sayUndone,
  shrinking,
  withOthersAddresses,
  withoutOthersAddresses,
} from "./addresses";
import { managerSettings } from "./declaration";
import { restoreOwnNumbers } from "./ownNumbers";

type Inputs = InputsOf<typeof managerSettings>;
type State = StateOf<typeof managerSettings>;
type SettingName = keyof typeof readableSettings;

const ID = "settings";

const NAMES = keysIn(readableSettings);

/** A URL that is called is as good as a password: earlier versions had these in clear, in states and notes. */
const SECRETS: ReadonlySet<string> = new Set(secretsAmong(readableSettings));

const SETTINGS = [...NAMES, "logsSettings"];

/** What turns a setting off that is not there without a value. */
const UNSET: Partial<Record<SettingName, string>> = { bwLimitWebhookUrl: "", bwThWebhookUrl: "" };

const OFF = { disable: true };

export const managerSettingsLifecycle = lifecycle(managerSettings, {
  // What an update that was killed has changed is put back, or changed again.
  resumes: true,

  // What was to be put back.
  open: (state, inputs) => [
    ...Object.keys(previousIn(state)).filter((name) => inputs[name] === undefined),
    ...(isInClear(state) ? ["previous"] : []),
  ],

  // The new one has to find, and remember, the values of before the old one.
  judge: (difference) => ({ ...difference, deleteBeforeReplace: true }),

  announce: (inputs: JsonObject, previous?: JsonObject) => (previous === undefined ? lossesOf({}, inputs) : undefined),

  announceUpdate: (state, _declared, inputs) => lossesOf(state, { ...previousIn(state), ...inputs }),

  holdings(_id, values, next) {
    const declared = thingsIn(values);
    const wanted = new Set(thingsIn(next?.inputs ?? values));
    const open = SETTINGS.filter((name) => values[name] === undefined && previousIn(values)[name] !== undefined);
    return {
      has: [...declared, ...open.map(settingThing)],
      keeps: declared.filter((thing) => wanted.has(thing)),
      // What is declared is written over whatever is there.
      takesOver: declared,
    };
  },

  // Its lists may hold what is declared by itself, too.
  isShared: true,

  without(state, others) {
    const names = new Set(SETTINGS.filter((name) => others.has(settingThing(name))));
    return { ...omit(state, names), previous: omit(previousIn(state), names) };
  },

  create: async (inputs, step) => ({ id: ID, state: await apply({}, inputs, step) }),

  async read(id, inputs, step, state) {
    if (id !== ID) {
      throw new ArgumentError(`${JSON.stringify(id)} is not the id of a manager's settings: expected "${ID}".`);
    }
    const live = await step.context.managerSettings.get(step.deadline.signal);
    if (inputs === undefined) return sealed(settingsOf(live));
    const found = pick({ ...UNSET, ...valuesIn(live, inputs) }, differing(inputs, live));
    const values = { ...inputs, ...found, previous: previousIn(state) };
    // What is imported has stood in no state.
    return state.previous === undefined ? sealed(values) : { ...values, ...pick(state, ["hushed"]) };
  },

  update(_id, state, _declared, inputs, step) {
    if (isInClear(state)) step.say?.(IN_CLEAR);
    return apply(state, inputs, step);
  },

  async delete(_id, state, step) {
    await apply(state, {}, step).catch((error: unknown) => {
      // A deletion that fails changes no state: what it may have done stands in an intent, which has to stay.
      throw error instanceof PartialFailure ? error.cause : error;
    });
  },

  list: async () => [ID],
});

/** What is lost with settings as they are to be. */
function lossesOf(before: JsonObject, { syncConfig, requestStats }: JsonObject): string | undefined {
  const losses: string[] = [];
  if (syncConfig === true && before.syncConfig !== true)
    losses.push(
      "the update will turn `syncConfig` on: the Proxy Manager takes over what the vendor's cloud has, and loses ports that are not there.",
    );
  if (requestStats === false && before.requestStats !== false)
    losses.push("the update will turn `requestStats` off: the Proxy Manager's statistics of requests are cleared.");
  return losses.length === 0 ? undefined : losses.join(" ");
}

const isSecret = (value: unknown): boolean => typeof value === "string" && value !== "";

/** Whether there is a secret among the settings, as they are or were before. */
const holdsSecret = (values: JsonObject): boolean =>
  [values, previousIn(values)].some((some) => [...SECRETS].some((name) => isSecret(some[name])));

/** What can be told of what there was: that there was no secret, too. */
const namesInClear = (values: JsonObject): string[] =>
  Object.keys(values).filter((name) => !SECRETS.has(name) || !isSecret(values[name]));

const isInClear = (state: JsonObject): boolean => state.hushed !== true && holdsSecret(state);

const IN_CLEAR =
  "the webhook URLs stood in the state in clear so far, and are a secret from now on. Older versions of the state still have them: give the webhooks other URLs if these have a secret in them.";

const previousIn = ({ previous }: JsonObject): JsonObject => objectOf(previous);

/** What is declared: the settings, and the addresses on the lists. */
const thingsIn = (values: JsonObject): string[] => [
  ...SETTINGS.filter((name) => values[name] !== undefined).map(settingThing),
  ...addressesIn(values),
];

const omit = (values: JsonObject, names: ReadonlySet<string>): JsonObject =>
  filterKeys(values, (name) => !names.has(name));

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

/** Makes the settings as they are declared, and those that are not declared any more what they were before. */
async function apply(state: JsonObject, inputs: Inputs, step: Step): Promise<State> {
  if (inputs.zone !== undefined && inputs.zone !== state.zone) await requireZone(inputs.zone, step);
  sayUndone(inputs, step);
  let moved: JsonObject = {};
  // Entries of the lists are changed one after another: this is a change of all of them.
  const changeAlone = async () => {
    const noted = notedBefore(step);
    const before = { ...noted, ...previousIn(state) };
    const found = await step.context.manager.settings.get(step.deadline);
    const isOfLists = listsIn({ ...before, ...inputs }).length > 0;
    const live = isOfLists ? await withWholeLists(found, step) : found;
    const previous = withoutOthersAddresses(previousOf(before, live, inputs), step);
    const sent = noted.logsSettings === undefined ? state.logsSettings : undefined;
    const wanted = { ...withOthersAddresses(before, state, live, step), ...pick(inputs, NAMES) };
    const back = inputs.whitelistIps === undefined ? movedBack(wanted, state, live, step) : {};
    const change = { ...pick(wanted, shrinking(state, wanted)), ...changeOf(wanted, sent, live, inputs), ...back };
    moved = pick(
      wanted,
      INHERITED_NUMBERS.filter((name) => change[name] !== undefined || state[name] !== wanted[name]),
    );
    // What is not known to have been put back is remembered until it is.
    if (Object.keys(change).length > 0)
      await sync(change, sealed({ ...inputs, previous: { ...before, ...previous } }), step);
    return sealed({ ...inputs, previous });
  };
  const applied = step.context.alone("allowlists", changeAlone, step.deadline);
  const known = await applied.catch((error: unknown): JsonObject => {
    if (error instanceof PartialFailure) return error.state;
    throw error;
  });
  // Without them in its state, the next update does it.
  await restoreOwnNumbers(moved, step).catch(keeping(ID, omit(known, new Set(Object.keys(moved)))));
  return applied;
}

const sealed = <Values extends Partial<State>>(values: Values): Values =>
  holdsSecret(values) ? { ...values, hushed: true } : values;

/** What the declared settings are put back to when they are declared no more. */
function previousOf(before: JsonObject, live: GeneralSettings, inputs: Inputs): JsonObject {
  const declared = NAMES.filter((name) => inputs[name] !== undefined);
  const values = declared.map((name) => [name, before[name] ?? restorable(name, live[name]) ?? UNSET[name]]);
  return { ...(inputs.logsSettings !== undefined && { logsSettings: OFF }), ...Object.fromEntries(values) };
}

/** @param sent where the manager was told to deliver its logs; `undefined` where that is not known */
function changeOf(wanted: JsonObject, sent: unknown, live: GeneralSettings, inputs: Inputs): JsonObject {
  const readable = pick(wanted, differing(wanted, live));
  const delivery = inputs.logsSettings ?? (isToTurnOff(sent ?? wanted.logsSettings, live) ? OFF : undefined);
  // A manager that delivers its logs changes their number only when it is told again where they go.
  const unreadable = readable.logs === undefined && sameJson(sent, delivery) ? undefined : delivery;
  return { ...readable, ...present({ logsSettings: unreadable }) };
}

/** What the settings were before a run that was cut short has changed them, but for those that are another resource's by now. */
function notedBefore({ context, journal, me }: Step): JsonObject {
  const others = SETTINGS.filter((name) => context.claims.isAnothers(settingThing(name), me));
  return omit(previousIn(journal?.unfinished?.facts ?? {}), new Set(others));
}

/** Whether logs may be delivered. A manager that is not in the cloud delivers none, and refuses even to stop that. */
const isToTurnOff = (delivery: unknown, { zagent }: GeneralSettings): boolean =>
  delivery !== undefined && zagent !== false;

/** A value as it can be set again: the manager may have been given nonsense, which is not kept for later. */
function restorable(name: SettingName, value: unknown): unknown {
  const property: Property = readableSettings[name];
  if (property.is === "list" && Array.isArray(value))
    return [...addressSet(value)].filter((ip) => isPossible(property.items, ip));
  return isPossible(property, value) ? value : undefined;
}

function settingsOf(live: GeneralSettings): Partial<State> {
  const values = NAMES.map((name) => [name, restorable(name, live[name])]);
  const settings: ValuesOf<typeof readableSettings> = present(Object.fromEntries(values));
  const isOpen = [settings.wwwWhitelistIps, settings.whitelistIps].some((list) => list?.includes(EVERYBODY));
  return isOpen ? { ...settings, allowAny: true } : settings;
}

/** @param state what is kept where it is not known whether the change was made */
async function sync(change: JsonObject, state: JsonObject, step: Step): Promise<void> {
  const { context, deadline, journal } = step;
  const { settings, url } = context.manager;
  const { logsSettings: _unsure, ...known } = state;
  const fail = keeping(ID, change.logsSettings === undefined ? state : known);
  await journal?.begin(
    { previous: pick(previousIn(state), namesInClear(previousIn(state))) },
    `An update that was cut short may have changed settings of the Proxy Manager at ${url}, and no state tells what they were before. Look at its settings.`,
  );
  let live: GeneralSettings;
  let lost: unknown;
  try {
    live = await settings.update(change, deadline);
  } catch (error) {
    if (!isUnsettled(error, step)) {
      journal?.takeBack();
      throw error;
    }
    lost = error;
    if (change.logsSettings !== undefined) return fail(lost);
    live = await settings.get({ signal: settleSignal() }).catch(() => fail(lost));
  } finally {
    context.managerSettings.forget();
  }
  const names = differing(change, live);
  if (names.length === 0) return;
  const list = names.map((name) => `\`${name}\``).join(", ");
  fail(lost ?? new BrightDataError(`The Proxy Manager accepted ${list} but did not keep it.`));
}

function differing(wanted: JsonObject, live: GeneralSettings): SettingName[] {
  const values = valuesIn(live, wanted);
  return NAMES.filter(
    (name) => wanted[name] !== undefined && !isSame(readableSettings[name], values[name] ?? UNSET[name], wanted[name]),
  );
}
