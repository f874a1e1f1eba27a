import { ArgumentError, InvalidRequestError } from "../../base/errors";
import type { InputsOf, StateOf } from "../../declaration/kind";
import { present } from "../../http/optional";
import { lifecycle } from "../../lifecycle/define";
import { existsAlready } from "../../lifecycle/existing";
import { PartialFailure, type Run } from "../../lifecycle/lifecycle";
import { isUnsettled } from "../../lifecycle/settle";
import { listThing, zoneThing } from "../shared/things";
import { isGone, unlessGone } from "../zone/gone";
import { zoneNames } from "../zone/zoneNames";
import { begunOn, note, withBegun } from "./begun";
import { zoneAccess } from "./declaration";
import { ANY, holding, LISTS, type List, type ListName, listNamed, NAMES, oneByOne, without } from "./lists";

type Inputs = InputsOf<typeof zoneAccess>;
type State = StateOf<typeof zoneAccess>;

export const zoneAccessLifecycle = lifecycle(zoneAccess, {
  resumes: true,

  judge(difference, { unsettled }) {
    // What the service cannot be asked for shows no difference, and the engine forgets at a refresh that the update failed.
    const open = Array.isArray(unsettled) && unsettled.length > 0 ? ["unsettled"] : [];
    return { ...difference, changed: [...difference.changed, ...open] };
  },

  holds(id, state) {
    const zone = id ?? state.zone;
    if (typeof zone !== "string") return [];
    return NAMES.filter((name) => state[name] !== undefined).flatMap((name) => holdings(zone, name, state[name]));
  },

  without(state, others) {
    const { zone } = state;
    const rest = { ...state };
    for (const name of NAMES) {
      if (others.has(listThing(zone, name))) delete rest[name];
      else if (state[name] !== undefined)
        rest[name] = state[name].filter((entry) => !others.has(holding(zone, name, entry)));
    }
    return rest;
  },

  // With the zone, its lists go: if it stays after all, it is closed as it was.
  standsOn: ({ zone }) => (typeof zone === "string" ? [zoneThing(zone)] : []),

  async create(inputs, run) {
    const { zone } = inputs;
    return { id: zone, state: await change(zone, undefined, inputs, run) };
  },

  async read(zone, inputs, run, { unsettled }) {
    if (await isGone(zone, run)) return undefined;
    const state: Partial<State> = { ...inputs, zone, ...(unsettled === undefined ? {} : { unsettled }) };
    for (const name of NAMES) {
      const { read, ...list } = listNamed(name);
      if (read === undefined || (inputs !== undefined && inputs[name] === undefined)) continue;
      const present = await read(zone, run);
      // The service may write an address in another way than the program does.
      if (!sameEntries(list, state[name], present)) state[name] = present;
    }
    return state;
  },

  async update(zone, state, _declared, inputs, run) {
    return change(zone, state, inputs, run);
  },

  async delete(zone, state, run) {
    const known = withBegun(state, begunOn(zone, run));
    for (const name of NAMES) {
      const isSure = !known.unsettled?.includes(name);
      await unlessGone(zone, run, () => withdraw(listNamed(name), zone, known[name] ?? [], isSure, run));
    }
  },

  // Who may use a zone is a program's matter where it is not everybody.
  async list(run) {
    const { access } = run.context.remote;
    const options = { signal: run.deadline.signal };
    const [names, allowed, denied] = [
      await zoneNames(run),
      await access.listAllowedIps("*", options),
      await access.listDeniedIps("*", options),
    ];
    const isLimited = (zone: string) =>
      (allowed[zone] ?? []).some((ip) => ip !== ANY) || (denied[zone] ?? []).length > 0;
    return names.filter(isLimited);
  },
});

/** What a list is called among the things that resources have: the whole of one that can be read, each entry of another. */
function holdings(zone: string, name: ListName, entries: unknown): string[] {
  if (listNamed(name).read !== undefined) return [listThing(zone, name)];
  const known = Array.isArray(entries) ? entries.filter((entry) => typeof entry === "string") : [];
  return known.map((entry) => holding(zone, name, entry));
}

function sameEntries(list: Pick<List, "key">, left: unknown, right: unknown): boolean {
  const [some, others] = [left, right].map((entries) => (Array.isArray(entries) ? entries.map(String) : []));
  return without(list, some ?? [], others ?? []).length === 0 && without(list, others ?? [], some ?? []).length === 0;
}

/** @param known what the resource has; `undefined` where it is created */
async function change(zone: string, known: Partial<State> | undefined, inputs: Inputs, run: Run): Promise<State> {
  const begun = begunOn(zone, run);
  await refuseForeign(zone, known, begun, inputs, run);
  const before = withBegun(known ?? {}, begun);
  note(zone, before, inputs, run);
  try {
    return await sync(zone, before, inputs, run);
  } catch (error) {
    if (!(error instanceof PartialFailure)) run.journal?.takeBack();
    throw error;
  }
}

/**
 * A list that somebody keeps already is not emptied because a program did not know of it.
 *
 * @param known what the resource has, whose lists are its own: each entry of one that an import file names, and no other
 * @param begun what an update that was cut short may have put there
 */
async function refuseForeign(
  zone: string,
  known: Partial<State> | undefined,
  begun: Partial<State>,
  inputs: Inputs,
  run: Run,
): Promise<void> {
  if (inputs.adopt === true) return;
  for (const name of NAMES) {
    const list = listNamed(name);
    const { [name]: wanted } = inputs;
    const own = known?.[name];
    if (list.read === undefined || wanted === undefined || (own !== undefined && run.isImported !== true)) continue;
    const agreed = [...wanted, ...(own ?? []), ...(begun[name] ?? []), ANY];
    const foreign = without(list, await list.read(zone, run), agreed);
    if (foreign.length === 0) continue;
    const title = JSON.stringify(zone);
    const what = `Zone ${title} has ${list.words} that \`${name}\` does not declare: ${foreign.join(", ")}`;
    if (known === undefined)
      throw existsAlready(what, ["declare them too", `${ADOPTION}, and they are removed from it`]);
    throw new ArgumentError(
      `${what}. Nothing was changed. Declare them too, or ${ADOPTION}: then they are removed from it.`,
    );
  }
}

const ADOPTION = "set `adopt: true` to take the list over";

/** Runs a change of a list, and notes whether the list may have been changed. */
type Attempt = (change: () => Promise<unknown>) => Promise<void>;

/** A change of the lists, and how far it has come. */
interface Progress {
  readonly zone: string;
  /** What is known to have been put on the lists. */
  readonly before: Partial<State>;
  readonly inputs: Inputs;
  readonly run: Run;
  /** What may stand on the lists, and has to be taken off them then, if it breaks off. */
  readonly entries: Partial<Record<ListName, string[]>>;
  /** The lists that may have been changed. */
  readonly touched: Set<ListName>;
  /** The lists that nobody can read, and of which it is not known whether they have what was sent last. */
  readonly unsettled: Set<string>;
}

/**
 * Makes the declared lists what they should be, and takes back what was put on those that are no longer declared. Whatever has
 * to be added comes before anything is removed: in between, a zone is never open to more than before or after.
 *
 * @param before what is known to have been put on the lists
 * @throws {PartialFailure} when something was, or may have been, changed
 */
async function sync(zone: string, before: Partial<State>, inputs: Inputs, run: Run): Promise<State> {
  const { allowedIps, deniedIps, allowedDomains, deniedDomains } = before;
  const entries = present({ allowedIps, deniedIps, allowedDomains, deniedDomains });
  const unsettled = new Set(before.unsettled);
  const touched = new Set<ListName>();
  const progress = { zone, before, inputs, run, entries, touched, unsettled };
  try {
    for (const name of NAMES) await add(name, progress);
    for (const name of NAMES) await remove(name, progress);
    return { ...inputs };
  } catch (error) {
    if (touched.size === 0) throw error;
    const { adopt, timeouts } = inputs;
    const open = unsettled.size === 0 ? {} : { unsettled: [...unsettled] };
    throw new PartialFailure(zone, { ...present({ zone, adopt, timeouts }), ...entries, ...open }, error);
  }
}

/** Puts on a list what is declared and not there. */
async function add(name: ListName, progress: Progress): Promise<void> {
  const { zone, before, inputs, run, entries, touched, unsettled } = progress;
  const { [name]: wanted } = inputs;
  if (wanted === undefined) return;
  const list = listNamed(name);
  const known = before[name] ?? [];
  const missing = without(list, wanted, known);
  const unsent = unsettled.has(name) ? wanted : missing;
  const attempt = attemptOn(name, progress);
  try {
    if (list.read !== undefined) await complete(list, zone, wanted, run, attempt);
    else if (unsent.length > 0) await attempt(() => list.add(zone, unsent, run));
    entries[name] = [...known, ...missing];
  } catch (error) {
    // What was refused never came on the list, and could not be taken off it.
    if (touched.has(name)) {
      entries[name] = [...known, ...missing];
      if (list.read === undefined) unsettled.add(name);
    }
    throw error;
  }
}

/** Takes off a list what is not declared. */
async function remove(name: ListName, progress: Progress): Promise<void> {
  const { zone, before, inputs, run, entries, unsettled } = progress;
  const { [name]: wanted } = inputs;
  const list = listNamed(name);
  const surplus = without(list, before[name] ?? [], wanted ?? []);
  const attempt = attemptOn(name, progress);
  if (wanted !== undefined && list.read !== undefined) await clear(list, zone, wanted, run, attempt);
  else if (surplus.length > 0) await attempt(() => withdraw(list, zone, surplus, !unsettled.has(name), run));
  unsettled.delete(name);
  if (wanted === undefined) delete entries[name];
  else entries[name] = wanted;
}

const attemptOn =
  (name: ListName, { touched, run }: Progress): Attempt =>
  async (change) => {
    try {
      await change();
      touched.add(name);
    } catch (error) {
      if (isUnsettled(error, run)) touched.add(name);
      throw error;
    }
  };

/** Adds to a list that can be read what is missing, and waits until it is there. */
const complete = (list: List, zone: string, wanted: readonly string[], run: Run, attempt: Attempt): Promise<void> =>
  reach(list, zone, run, {
    left: (present) => without(list, wanted, present),
    change: (entries) => attempt(() => list.add(zone, entries, run)),
  });

/** Removes from a list that can be read all but what is wanted, and waits until it is gone. */
const clear = (list: List, zone: string, wanted: readonly string[], run: Run, attempt: Attempt): Promise<void> =>
  reach(list, zone, run, {
    left: (present) => without(list, present, wanted),
    change: (entries) => oneByOne(entries, (entry) => attempt(() => list.remove(zone, [entry], run))),
  });

/** Changes a list, each entry once, until nothing is left to do. A change whose answer is lost is judged by the list. */
async function reach(
  list: List,
  zone: string,
  run: Run,
  { left, change }: { left(present: readonly string[]): string[]; change(entries: readonly string[]): Promise<void> },
): Promise<void> {
  const sent = new Set<string>();
  let lost: unknown;
  await run.deadline.poll(
    `waiting for the ${list.words} of zone ${JSON.stringify(zone)} to be as declared`,
    async () => {
      const remaining = left((await list.read?.(zone, run)) ?? []);
      if (remaining.length === 0) return true;
      if (lost !== undefined) throw lost;
      const unsent = remaining.filter((entry) => !sent.has(list.key(entry)));
      if (unsent.length === 0) return undefined;
      for (const entry of unsent) sent.add(list.key(entry));
      await change(unsent).catch((error: unknown) => {
        if (!isUnsettled(error, run)) throw error;
        lost = error;
      });
      return undefined;
    },
  );
}

/**
 * Takes entries off a list, those of them that still stand there, and waits until they are gone.
 *
 * @param isSure whether all of them have come on the list, where nobody can read it
 */
async function withdraw(
  list: List,
  zone: string,
  entries: readonly string[],
  isSure: boolean,
  run: Run,
): Promise<void> {
  if (list.read === undefined && !isSure) return withdrawUnsure(list, zone, entries, run);
  const left = async () => {
    const present = list.read === undefined ? entries : await list.read(zone, run);
    const others = without(list, present, entries);
    return without(list, present, [...others, ANY]);
  };
  const unwanted = await left();
  if (unwanted.length === 0) return;
  try {
    await list.remove(zone, unwanted, run);
  } catch (error) {
    if (list.read === undefined || (await left().catch(() => unwanted)).length > 0) throw error;
  }
  if (list.read === undefined) return;
  await run.deadline.poll(
    `waiting for entries to leave the ${list.words} of zone ${JSON.stringify(zone)}`,
    async () => (await left()).length === 0 || undefined,
  );
  if (list === LISTS.allowedIps) await warnOfOpenZone(zone, run);
}

/** Takes off a list what may never have come there. That the service refuses to is no reason to try it for ever. */
async function withdrawUnsure(list: List, zone: string, entries: readonly string[], run: Run): Promise<void> {
  for (const entry of entries) {
    try {
      await list.remove(zone, [entry], run);
    } catch (error) {
      if (!(error instanceof InvalidRequestError) || (await isGone(zone, run))) throw error;
      run.say?.(
        `The service refuses to remove ${entry} from the ${list.words} of zone ${JSON.stringify(zone)}. Whether an earlier update has put it there is not known: look at the zone's access settings in the control panel.`,
      );
    }
  }
}

/** A zone without allowed addresses is open, and nobody may have thought of that who takes the last one away. */
async function warnOfOpenZone(zone: string, run: Run): Promise<void> {
  const left = await LISTS.allowedIps.read(zone, run).catch(() => undefined);
  if (left?.every((entry) => entry === ANY)) {
    run.say?.(`Zone ${zone} has no allowed client addresses any more: everybody who knows a password may use it.`);
  }
}
