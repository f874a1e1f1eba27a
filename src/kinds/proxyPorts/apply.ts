import { grouped } from "../../base/counted";
import type { JsonObject } from "../../base/json";
import { present } from "../../http/optional";
import { leftBehind, UnknownOutcomeError } from "../../lifecycle/creation";
import { PartialFailure, type Step } from "../../lifecycle/lifecycle";
import { leafPaths } from "../../lifecycle/paths";
import { requireZone } from "../proxyPort/knownZone";
import { proxyPortLifecycle } from "../proxyPort/lifecycle";
import { portThing } from "../shared/things";
import { Batch, keysInShort } from "./batch";
import { type Make, noting } from "./noting";
import type { Existing, Missing, Staying, Steps } from "./plan";
import { type MemberSettings, settingsOf } from "./settings";
import { freeKey, leaving, ofSet, type PortState, type PortStates } from "./state";

export interface Applied {
  ports: PortStates;
  /** Why not all is as declared; `undefined` where it is. */
  failure: Error | undefined;
}

interface SetWork {
  readonly inputs: JsonObject;
  readonly wanted: ReadonlyMap<string, MemberSettings>;
  /** Begins the mark of each port that is made. */
  readonly mark: string;
  readonly step: Step;
  /** By key, the ports that stay or have been made. */
  readonly ports: Map<string, PortState>;
  /** Those that are to go and are still there. */
  readonly left: Set<Existing>;
  readonly released: number[];
  /** The manager may have to learn of a zone first: that is waited for once, and not by each port. */
  readonly zones: Map<string, Promise<void>>;
}

/** Makes the ports what is declared, one by one as a ProxyPort: removed ones before changed ones before added ones. */
export async function apply(plan: Steps, inputs: JsonObject, mark: string, step: Step): Promise<Applied> {
  const { removed, changed, added, kept } = plan;
  const of = ofSet(inputs);
  const work: SetWork = {
    ...{ inputs, wanted: settingsOf(inputs), mark, step, left: new Set(removed), released: [], zones: new Map() },
    ports: new Map([...kept, ...changed].map(({ key, state }) => [key, state])),
  };
  const batch = new Batch(removed.length + changed.length + added.length, of, step);
  await batch.each(removed, (port) => remove(port, work));
  await batch.each(changed, (port) => change(port, work));
  const blocked = new Set([...work.left].map(({ key }) => key));
  const free = added.filter(({ key }) => !blocked.has(key));
  const facts = { mark, declared: leafPaths(inputs) };
  const advice = adviceOn(added.length, of, step);
  const [numbered, others] = [noting({ ...facts, isNumbered: true }, advice, step), noting(facts, advice, step)];
  // First those that name their numbers: the manager could give these away.
  await batch.each(free.filter(isNumbered), (port) => add(port, work, numbered));
  await batch.each(
    free.filter((port) => !isNumbered(port)),
    (port) => add(port, work, others),
  );
  if (work.released.length > 0) step.say?.(keptPorts(work.released, of));
  return { ports: inOrder(work), failure: batch.failure };
}

async function remove(port: Existing, { wanted, step, left, released }: SetWork): Promise<void> {
  const number = Number(port.state.port);
  const { claims } = step.context;
  const isAnothers = claims.isAnothers(portThing(number), step.me);
  if (isAnothers && ![...wanted.values()].some((settings) => settings.port === number)) released.push(number);
  else {
    // Another that has it, too, since its deletion was not recorded, may be compared from now on.
    claims.note("deleted", proxyPortLifecycle.holdings(String(number), port.state).has);
    await proxyPortLifecycle.delete(String(number), port.state, step);
  }
  left.delete(port);
}

async function change({ key, state, wanted, declared }: Staying, work: SetWork): Promise<void> {
  try {
    const inputs = complete(wanted, work);
    const updated = await proxyPortLifecycle.update(String(state.port), state, declared, inputs, runOf(key, work));
    work.ports.set(key, ownOf(updated, wanted));
  } catch (error) {
    if (error instanceof PartialFailure) work.ports.set(key, ownOf(error.state, wanted));
    throw error;
  }
}

async function add({ key, wanted }: Missing, work: SetWork, make: Make): Promise<void> {
  const { ports, mark, step } = work;
  try {
    await zoneIsThere(String(wanted.zone), work);
    const { id, state } = await make((part) =>
      proxyPortLifecycle.create(complete(wanted, work), runOf(key, { mark, step: part })),
    );
    step.context.claims.made(step.me ?? {}, [portThing(id)]);
    ports.set(key, ownOf(state, wanted));
  } catch (error) {
    if (error instanceof PartialFailure) ports.set(key, uncertain(error.state));
    else if (error instanceof UnknownOutcomeError) ports.set(key, { mark: `${mark}/${key}` });
    throw error;
  }
}

/** One intent stands for all ports of the set. */
const runOf = (key: string, { mark, step }: Pick<SetWork, "mark" | "step">): Step => ({
  ...step,
  journal: {
    mark: `${mark}/${key}`,
    unfinished: undefined,
    begin: async () => {},
    forget: () => {},
    takeBack: () => {},
  },
});

function zoneIsThere(zone: string, { zones, step }: SetWork): Promise<void> {
  const known = zones.get(zone) ?? requireZone(zone, step);
  zones.set(zone, known);
  return known;
}

/** The ports in the order of the program, and behind them those that could not be removed. */
function inOrder({ wanted, ports, left }: SetWork): PortStates {
  const ordered = new Map<string, PortState>();
  for (const key of wanted.keys()) {
    const state = ports.get(key);
    if (state !== undefined) ordered.set(key, state);
  }
  for (const { key, state } of left) ordered.set(freeKey(ordered, key, state), leaving(state));
  return ordered;
}

const isNumbered = ({ wanted: { port } }: Missing): boolean => port !== undefined;

const complete = (settings: MemberSettings, { inputs: { adopt } }: SetWork): JsonObject => ({
  ...(adopt === true && { adopt }),
  ...settings,
});

const ownOf = (state: JsonObject, { adopt }: MemberSettings): PortState => ({ ...state, adopt });

/** What is known of a port that has been made, and perhaps not as it was to be: with a mark, not even that is certain. */
const uncertain = (state: PortState): PortState =>
  state.mark === undefined && state.port !== undefined
    ? { ...present({ bears: state.bears, marked: state.marked }), port: state.port, listenPort: state.port }
    : state;

const adviceOn = (count: number, of: string, { context }: Step): string =>
  leftBehind(
    `${grouped(count)} proxy ports${of} at ${context.manager.url}`,
    "If they are there, declare them with `adopt: true` to manage them, or delete them in the manager.",
  );

const keptPorts = (numbers: readonly number[], of: string): string => {
  const named = `${keysInShort(numbers.map(String))}${of}`;
  return numbers.length === 1
    ? `Port ${named} belongs to another resource of this program now, and is kept.`
    : `Ports ${named} belong to other resources of this program now, and are kept.`;
};
