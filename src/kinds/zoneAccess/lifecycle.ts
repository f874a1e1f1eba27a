import { ArgumentError } from "../../base/errors";
import { ownIn } from "../../base/json";
import type { InputsOf, StateOf } from "../../declaration/kind";
import { sameJson } from "../../declaration/values";
import { present } from "../../http/optional";
import { lifecycle } from "../../lifecycle/define";
import { existsAlready } from "../../lifecycle/existing";
import { PartialFailure, type Step } from "../../lifecycle/lifecycle";
import { isUnsettled, lossOf } from "../../lifecycle/settle";
import { listThing, zoneThing } from "../shared/things";
import { isGone, unlessGone } from "../zone/gone";
import { zoneNames } from "../zone/zoneNames";
import { begunOn, type Entries, note, replacedLists, sayLeft, withBegun, withdrawUnsure } from "./begun";
import { zoneAccess } from "./declaration";
import {
  ADDED_IN_ORDER,
  ANY,
  holding,
  holdingsOf,
  isLimited,
  isOpened,
  isReadable,
  LISTS,
  type List,
  type ListName,
  listed,
  NAMES,
  oneByOne,
  type ReadableList,
  without,
} from "./lists";

type Inputs = InputsOf<typeof zoneAccess>;
type State = StateOf<typeof zoneAccess>;

export const zoneAccessLifecycle = lifecycle(zoneAccess, {
  resumes: true,

  // What the service cannot be asked for shows no difference.
  open: ({ unsettled }) => (Array.isArray(unsettled) && unsettled.length > 0 ? ["unsettled"] : []),

  // With the zone, its lists go: if it stays after all, it is closed as it was.
  holdings(id, state) {
    const zone = id ?? state.zone;
    if (typeof zone !== "string") return { has: [] };
    const names = NAMES.filter((name) => state[name] !== undefined);
    const has = names.flatMap((name) => holdingsOf(zone, name, state[name], id === undefined));
    return { has, standsOn: [zoneThing(zone)] };
  },

  without(state, others) {
    const { zone } = state;
    const rest = { ...state };
    for (const name of NAMES) {
      const left = state[name]?.filter((entry) => !others.has(holding(zone, name, entry)));
      if (left === undefined || (left.length === 0 && others.has(listThing(zone, name)))) delete rest[name];
      else rest[name] = left;
    }
    return rest;
  },

  announceUpdate: ({ allowedIps }, _declared, { zone, allowedIps: wanted }) =>
    isLimited(allowedIps) && (wanted === undefined || sameJson(wanted, [ANY]))
      ? `${opened(zone)}${wanted === undefined ? ", unless another resource declares the list" : ""}.`
      : undefined,

  announceReplacement({ zone, allowedIps, account }, { zone: next, account: other }, fate) {
    if ((next === zone && other === account) || !isLimited(allowedIps) || fate !== "deleted") return undefined;
    const condition = typeof next === "string" ? "" : "if `zone` changes, which is not known yet: ";
    return `${condition}${opened(zone)}, unless the zone is deleted, too, or another resource declares the list.`;
  },

  create: async (inputs, step) => ({ id: inputs.zone, state: await change(inputs.zone, undefined, inputs, step) }),

  async read(zone, inputs, step, { unsettled, ...left }) {
    if (await isGone(zone, step)) return undefined;
    const isLeft = (name: ListName) => inputs?.[name] === undefined && (left[name] ?? []).length > 0;
    // An update that has failed may have put entries on a list that its inputs, which are not recorded, declare.
    const open = new Set([...(unsettled ?? []), ...NAMES.filter(isLeft)]);
    const state: Partial<State> = { ...inputs, zone, ...(open.size > 0 && { unsettled: [...open] }) };
    for (const name of NAMES) {
      const list = LISTS[name];
      // What is to be taken off a list that is not declared stays known until it is.
      if (open.has(name)) state[name] ??= left[name];
      if (!isReadable(list) || (inputs !== undefined && inputs[name] === undefined)) continue;
      const known = state[name] ?? [];
      const present = await listed(list, zone, known, step, "shared");
      // The service may write an address in another way than the program does.
      if (without(list, known, present).length + without(list, present, known).length > 0) state[name] = present;
    }
    return state;
  },

  update: (zone, state, _declared, inputs, step) => change(zone, state, inputs, step),

  async delete(zone, state, step) {
    const known = withBegun(state, begunOn(zone, step));
    for (const name of NAMES) {
      const isSure = !known.unsettled?.includes(name);
      await unlessGone(zone, step, () => withdraw(LISTS[name], zone, known[name] ?? [], isSure, step));
    }
  },

  keep: (zone, state, step, journal) => note(zone, state, begunOn(zone, step), { ...step, journal }),

  // Who may use a zone is a program's matter where it is not everybody.
  async list(step) {
    const { account } = step.context;
    const { signal } = step.deadline;
    const names = await zoneNames(step);
    const [allowed, denied] = [await account.allowedIps.get(signal), await account.deniedIps.get(signal)];
    return names.filter((zone) => isLimited(ownIn(allowed, zone)) || (ownIn(denied, zone) ?? []).length > 0);
  },
});

const opened = (zone: unknown): string =>
  `zone ${zone} loses its allowed client addresses: everybody who knows a password may use it`;

/** @param known what the resource has; `undefined` where it is created */
async function change(zone: string, known: Partial<State> | undefined, inputs: Inputs, step: Step): Promise<State> {
  const begun = begunOn(zone, step, known === undefined);
  const had = known ?? replacedLists(zone, inputs, step);
  await refuseForeign(zone, had, begun, inputs, step);
  if (known === undefined) await sayLeft(zone, inputs, step);
  const before = withBegun(had, begun);
  await note(zone, before, inputs, step);
  const changing = new AccessChange(zone, before, inputs, step);
  try {
    // What has to be added comes before anything is removed: in between, a zone is never open to more than before or after.
    for (const name of ADDED_IN_ORDER) await changing.ensure(name);
    for (const name of NAMES) await changing.sync(name);
    return { ...inputs };
  } catch (error) {
    const partial = changing.kept();
    if (partial !== undefined) throw new PartialFailure(zone, partial, error);
    step.journal?.takeBack();
    throw error;
  }
}

/**
 * A list that somebody keeps already is not emptied because a program did not know of it.
 *
 * @param had what the resource has, whose lists are its own, as of one that it replaces: of an import file, what that names alone
 * @param begun what an update that was cut short may have put there
 */
async function refuseForeign(
  zone: string,
  had: Partial<State>,
  begun: Partial<State>,
  inputs: Inputs,
  step: Step,
): Promise<void> {
  if (inputs.adopt === true) return;
  for (const name of NAMES) {
    const list = LISTS[name];
    const [{ [name]: wanted }, { [name]: own }] = [inputs, had];
    if (!isReadable(list) || wanted === undefined || (own !== undefined && step.isImported !== true)) continue;
    const agreed = [...wanted, ...(own ?? []), ...(begun[name] ?? []), ANY];
    const foreign = without(list, await list.read(zone, step), agreed);
    if (foreign.length === 0) continue;
    const what = `Zone ${JSON.stringify(zone)} has ${list.words} that \`${name}\` does not declare: ${foreign.join(", ")}`;
    const adoption = "set `adopt: true` to take the list over";
    if (had.zone === undefined)
      throw existsAlready(what, [
        "declare them too",
        "change no list in a forced replacement",
        `${adoption}, and they are removed from it`,
      ]);
    throw new ArgumentError(
      `${what}. Nothing was changed. Declare them too, or ${adoption}: then they are removed from it.`,
    );
  }
}

class AccessChange {
  /** What may stand on the lists, and has to be taken off them then, if it breaks off. */
  readonly #entries: Entries;
  readonly #touched = new Set<ListName>();
  /** The lists of which it is not known whether they have what was sent last, or whether it was ever declared. */
  readonly #unsettled: Set<string>;

  constructor(
    readonly zone: string,
    readonly before: Partial<State>,
    readonly inputs: Inputs,
    readonly step: Step,
  ) {
    const { allowedIps, deniedIps, allowedDomains, deniedDomains } = before;
    this.#entries = present({ allowedIps, deniedIps, allowedDomains, deniedDomains });
    this.#unsettled = new Set(before.unsettled);
  }

  async ensure(name: ListName): Promise<void> {
    const { [name]: wanted } = this.inputs;
    if (wanted === undefined) return;
    const list = LISTS[name];
    const known = this.before[name] ?? [];
    const missing = without(list, wanted, known);
    const unsent = this.#unsettled.has(name) ? wanted : missing;
    const add = (entries: readonly string[]) => this.#attempt(name, () => list.add(this.zone, entries, this.step));
    try {
      if (isReadable(list)) await this.#reach(list, (present) => without(list, wanted, present), add);
      else if (unsent.length > 0) await add(unsent);
      this.#entries[name] = [...known, ...missing];
    } catch (error) {
      // What was refused never came on the list, and could not be taken off it.
      if (this.#touched.has(name)) {
        this.#entries[name] = [...known, ...missing];
        if (!isReadable(list)) this.#unsettled.add(name);
      }
      throw error;
    }
  }

  async sync(name: ListName): Promise<void> {
    const { [name]: wanted } = this.inputs;
    const list = LISTS[name];
    const surplus = without(list, this.before[name] ?? [], wanted ?? []);
    const isSure = !this.#unsettled.has(name);
    const attempt = (entries: readonly string[]) =>
      this.#attempt(name, () => list.remove(this.zone, entries, this.step));
    // Of several requests, each is an attempt: where one is refused, what those before have taken off is gone.
    const remove = (entries: readonly string[]) =>
      isReadable(list) ? oneByOne(entries, this.step, (entry) => attempt([entry])) : attempt(entries);
    const attempted = { ...list, remove: (_zone: string, entries: readonly string[]) => remove(entries) };
    if (surplus.length > 0) await withdraw(attempted, this.zone, surplus, isSure, this.step);
    if (wanted !== undefined && isReadable(list)) {
      const unwanted = (present: readonly string[]) => without(list, present, wanted);
      await this.#reach(list, unwanted, remove);
    }
    this.#unsettled.delete(name);
    if (wanted === undefined) delete this.#entries[name];
    else this.#entries[name] = wanted;
  }

  /** What is known where it breaks off; `undefined` where nothing was changed. */
  kept(): Partial<State> | undefined {
    if (this.#touched.size === 0) return undefined;
    const { adopt, timeouts } = this.inputs;
    const open = this.#unsettled.size === 0 ? {} : { unsettled: [...this.#unsettled] };
    return { ...present({ zone: this.zone, adopt, timeouts }), ...this.#entries, ...open };
  }

  async #attempt(name: ListName, send: () => Promise<unknown>): Promise<void> {
    this.step.deadline.requireGoing(`before the ${LISTS[name].words} were changed`);
    try {
      await send();
      this.#touched.add(name);
    } catch (error) {
      if (isUnsettled(error, this.step)) this.#touched.add(name);
      throw error;
    }
  }

  /** Changes a list, each entry once, until nothing is left to do. A change whose answer is lost is judged by the list. */
  async #reach(
    list: ReadableList,
    left: (present: readonly string[]) => string[],
    change: (entries: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const sent = new Set<string>();
    let lost: unknown;
    const waiting = `waiting for the ${list.words} of zone ${JSON.stringify(this.zone)} to be as declared`;
    await this.step.deadline.poll(waiting, async () => {
      const remaining = left(await list.read(this.zone, this.step));
      if (remaining.length === 0) return true;
      if (lost !== undefined) throw lost;
      const unsent = remaining.filter((entry) => !sent.has(list.key(entry)));
      if (unsent.length === 0) return undefined;
      for (const entry of unsent) sent.add(list.key(entry));
      lost = await lossOf(change(unsent), this.step);
      return undefined;
    });
  }
}

/** @param isSure whether all entries have come on the list, where nobody can read it */
async function withdraw(
  list: List,
  zone: string,
  entries: readonly string[],
  isSure: boolean,
  step: Step,
): Promise<void> {
  if (!isReadable(list) && !isSure) return withdrawUnsure(list, zone, entries, step);
  const left = async () => {
    const present = isReadable(list) ? await listed(list, zone, entries, step) : entries;
    const others = without(list, present, entries);
    return without(list, present, [...others, ANY]);
  };
  const unwanted = await left();
  // What no list has is removed all the same: one that is there is never left because a list was short.
  const sent = unwanted.length > 0 ? unwanted : without(list, entries, [ANY]);
  if (sent.length === 0 || (await isOpened(list, zone, sent, step))) return;
  try {
    await list.remove(zone, sent, step);
  } catch (error) {
    if (!isReadable(list) || (await left().catch(() => sent)).length > 0) throw error;
  }
  if (!isReadable(list)) return;
  const waiting = `waiting for entries to leave the ${list.words} of zone ${JSON.stringify(zone)}`;
  await step.deadline.poll(waiting, async () => (await left()).length === 0 || undefined);
  if (list.words !== LISTS.allowedIps.words) return;
  // Nobody may have thought of that who takes the last one away.
  const allowed = await list.read(zone, step).catch(() => undefined);
  if (allowed?.every((entry) => entry === ANY)) {
    step.say?.(`Zone ${zone} has no allowed client addresses any more: everybody who knows a password may use it.`);
  }
}
