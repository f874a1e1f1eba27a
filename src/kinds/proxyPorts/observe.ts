import { counted } from "../../base/counted";
import type { JsonObject } from "../../base/json";
import { howMade, isYoung } from "../../lifecycle/creation";
import type { Declared, Step } from "../../lifecycle/lifecycle";
import { pick } from "../../lifecycle/paths";
import { forEach } from "../../lifecycle/pool";
import type { ConfiguredPort } from "../../manager/portFields";
import { rangesOf } from "../../model/portRange";
import { stateOf } from "../proxyPort/fields";
import { ours, sayAnothers, standing } from "../proxyPort/mark";
import { portThing } from "../shared/things";
import { PORTS_AT_ONCE } from "./batch";
import { DeclaredSettings, type MemberSettings, settingsOf } from "./settings";
import { freeKey, isLeaving, ofSet, type PortState, type PortStates } from "./state";

/** The ports of a set before an update: as they are recorded, unless that is in doubt, with those that no state tells of. */
export async function observe(
  recorded: PortStates,
  declared: Declared,
  inputs: JsonObject,
  step: Step,
): Promise<PortStates> {
  const isKnown = step.isImported !== true && step.journal?.unfinished === undefined;
  const isCertain = isKnown && ![...recorded.values()].some(isLeaving);
  const found = isCertain || recorded.size === 0 ? recorded : await look(recorded, declared, step);
  return withUnrecorded(found, inputs, step);
}

interface PresentPort {
  key: string;
  state: PortState;
  record: ConfiguredPort;
}

/**
 * The ports of a set as the manager has them; those that are left out are certainly gone. One list tells of all; what it misses is
 * asked for port by port.
 */
export async function present(ports: PortStates, step: Step): Promise<PresentPort[]> {
  const records = await list(step);
  const byNumber = new Map(records.map((record) => [record.port, record]));
  const missing = [...ports.values()].flatMap(({ port }) => (port === undefined || byNumber.has(port) ? [] : [port]));
  for (const record of await unlisted(missing, step)) byNumber.set(record.port, record);
  const byMark = new Map(records.map((record) => [record.pulumiId, record]));
  const others: number[] = [];
  const found = [...ports].flatMap(([key, state]) => {
    const { port, mark } = state;
    const numberless = mark === undefined ? undefined : byMark.get(mark);
    const record = port === undefined ? numberless : ours(byNumber.get(port), state, step);
    if (record === undefined && port !== undefined && byNumber.has(port)) others.push(port);
    return record === undefined ? [] : [{ key, state, record }];
  });
  sayAnothers(others, step);
  return found;
}

async function unlisted(missing: readonly number[], { context, deadline }: Step): Promise<ConfiguredPort[]> {
  const found: ConfiguredPort[] = [];
  await forEach(missing, PORTS_AT_ONCE, async (port) => {
    const record = await context.manager.ports.get(port, deadline);
    if (record !== undefined) found.push(record);
  });
  return found;
}

/** @param declared what was declared of the set; `undefined` where all is to be known of its ports */
export async function look(ports: PortStates, declared: Declared | undefined, step: Step): Promise<PortStates> {
  const settings = declared && new DeclaredSettings(declared);
  const seen = new Map<string, PortState>();
  for (const { key, state, record } of await present(ports, step)) {
    const inputs = settings && pick(state, settings.of(key, state));
    seen.set(key, { ...(await stateOf(inputs, record, step)), ...standing(record, state, step) });
  }
  return seen;
}

/**
 * The ports that there are, together with those that an update which was cut short has made and no state tells of. They bear the
 * mark that it has noted for all, with the key of each behind it. Those that are not wanted are left where they are: meanwhile
 * another resource may have taken them over.
 */
async function withUnrecorded(ports: PortStates, inputs: JsonObject, step: Step): Promise<PortStates> {
  const known = new Map([...ports].filter(([, { port }]) => port !== undefined));
  if (step.journal?.unfinished === undefined && known.size === ports.size) return known;
  const wanted = settingsOf(inputs);
  const of = ofSet(inputs);
  const recorded = new Map([...ports].flatMap(([key, { mark }]) => (mark === undefined ? [] : [[mark, key]])));
  const [numbers, declared] = [numbersIn(known), numbersIn(wanted)];
  const taken = new Set<string>();
  const strays: number[] = [];
  const found = await latecomers(numberless(wanted, known, step), recorded, of, step);
  const unknown = found.filter(({ port }) => !numbers.has(port) && (declared.has(port) || !isAnothers(port, step)));
  for (const { key, port, state, mark } of unknown) {
    const settings = wanted.get(key);
    const isForKey = settings !== undefined && settings.port === undefined && !taken.has(key);
    if (!declared.has(port) && !isForKey && !recorded.has(mark)) {
      strays.push(port);
      continue;
    }
    const former = known.get(key);
    if (former !== undefined) known.set(freeKey(known, key, former), former);
    known.set(key, state);
    taken.add(key);
  }
  // Where the state has all, nothing has to be recorded first.
  if (taken.size === 0) step.journal?.forget();
  else step.say?.(`Took up ${counted(taken.size, "port")}${of}, which ${howMade(step.journal?.unfinished)}.`);
  if (strays.length > 0) step.say?.(orphans(strays, of));
  return known;
}

/** The ports that there are, together with all that an update which was cut short has made and that is nobody else's by now. */
export async function withAllUnrecorded(ports: PortStates, step: Step): Promise<PortStates> {
  const known = new Map(ports);
  if (step.journal?.unfinished?.facts.mark === undefined) return known;
  const numbers = numbersIn(ports);
  const found = merged(await marked(new Map(), step), await marked(new Map(), step));
  for (const { key, port, state } of found) {
    if (!numbers.has(port) && !isAnothers(port, step)) known.set(freeKey(known, key, state), state);
  }
  return known;
}

interface Marked {
  key: string;
  port: number;
  mark: string;
  state: PortState;
}

/** The keys whose ports, with whatever number is free, would be created twice. */
function numberless(wanted: ReadonlyMap<string, MemberSettings>, known: PortStates, { journal }: Step): string[] {
  if (journal?.unfinished?.facts.isNumbered === true) return [];
  return [...wanted].filter(([key, { port }]) => port === undefined && !known.has(key)).map(([key]) => key);
}

/**
 * The ports that bear marks of a set. Those of the `awaited` keys may come until the time of what was begun is over; that they have
 * not, two lists say.
 */
function latecomers(
  awaited: readonly string[],
  recorded: ReadonlyMap<string, string>,
  of: string,
  step: Step,
): Promise<Marked[]> {
  const { unfinished } = step.journal ?? {};
  const doing = `looking for ports${of} that an update which was cut short may have created`;
  return step.deadline.poll(doing, async () => {
    const isLast = unfinished === undefined || !isYoung(unfinished);
    const found = await marked(recorded, step);
    const keys = new Set(found.map(({ key }) => key));
    if (awaited.every((key) => keys.has(key))) return found;
    return isLast ? merged(found, await marked(recorded, step)) : undefined;
  });
}

/** What two lists have: one alone may be short. */
const merged = (...lists: readonly Marked[][]): Marked[] => [
  ...new Map(lists.flat().map((each) => [each.port, each])).values(),
];

/** The ports that bear marks of the update that was cut short, or marks that are `recorded`, with their keys. */
async function marked(recorded: ReadonlyMap<string, string>, step: Step): Promise<Marked[]> {
  const noted = step.journal?.unfinished?.facts.mark;
  const prefix = noted === undefined ? undefined : `${noted}/`;
  return (await list(step)).flatMap(({ port, listenPort = port, pulumiId: mark }) => {
    if (mark === undefined) return [];
    const key = prefix !== undefined && mark.startsWith(prefix) ? mark.slice(prefix.length) : recorded.get(mark);
    return key === undefined ? [] : [{ key, port, mark, state: { port, listenPort, mark } }];
  });
}

const list = ({ context, deadline }: Step): Promise<ConfiguredPort[]> => context.manager.ports.list(deadline);

const numbersIn = (ports: ReadonlyMap<string, PortState | MemberSettings>): Set<unknown> =>
  new Set([...ports.values()].map(({ port }) => port));

const isAnothers = (port: number, { context, me }: Step): boolean => context.claims.isAnothers(portThing(port), me);

const orphans = (ports: readonly number[], of: string): string => {
  const [they, them] = ports.length === 1 ? ["it is", "it"] : ["they are", "them"];
  return `An update that was cut short has created ${counted(ports.length, "port")}${of} that the program does not declare: ${rangesOf(ports)}. As another resource may have taken ${them} over since, ${they} kept. To manage ${them}, declare ${them} with \`adopt: true\`; otherwise delete ${them} in the manager.`;
};
