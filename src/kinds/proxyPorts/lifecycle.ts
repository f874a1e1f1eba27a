import { randomBytes } from "node:crypto";
import { failuresInShort } from "../../base/inShort";
import { isObject, type JsonObject } from "../../base/json";
import { LOGICAL_NAME } from "../../declaration/kind";
import { lifecycle } from "../../lifecycle/define";
import { type Declared, PartialFailure, type Step } from "../../lifecycle/lifecycle";
import { leafPaths } from "../../lifecycle/paths";
import { numbersIn } from "../../model/portRange";
import { createdWith, proxyPortLifecycle } from "../proxyPort/lifecycle";
import { bearsMark } from "../proxyPort/mark";
import { portThing } from "../shared/things";
import { apply } from "./apply";
import { Batch, REST_OF_DELETION } from "./batch";
import { failuresAmong } from "./check";
import { proxyPorts } from "./declaration";
import { look, observe, present, withAllUnrecorded } from "./observe";
import { announcement, differingPaths, planOf } from "./plan";
import { declaredIn, inputsOfSet, isKnown, narrowed, settingsOf } from "./settings";
import { defaultsIn, ofSet, type PortState, type PortStates, portsIn, record } from "./state";

export const proxyPortsLifecycle = lifecycle(proxyPorts, {
  async create(inputs, step) {
    const mark = markOf(step);
    const { state, failure } = await ensure(new Map(), NOTHING, inputs, mark, step);
    if (failure === undefined) return { id: mark, state };
    if (portsIn(state).size > 0) throw new PartialFailure(mark, state, failure);
    step.journal?.forget();
    throw failure;
  },

  async read(id, inputs, step, state) {
    const isLookUp = inputs === undefined;
    const known = isLookUp ? numbered(id) : portsIn(state);
    if (known.size === 0) return state;
    const ports = await look(known, isLookUp ? undefined : new Set(leafPaths(inputs)), step);
    return ports.size === 0 ? undefined : record(ports, inputs ?? {});
  },

  async update(id, state, declared, inputs, step) {
    const { state: updated, failure } = await ensure(portsIn(state), declared, inputs, markOf(step), step);
    if (failure !== undefined) throw new PartialFailure(id, updated, failure);
    return updated;
  },

  async delete(_id, state, step) {
    const ports = await withAllUnrecorded(portsIn(state), step);
    if (ports.size === 0) return;
    const found = await present(ports, step);
    const batch = new Batch(found.length, ofSet(state), step, REST_OF_DELETION);
    await batch.each(found, (port) => proxyPortLifecycle.delete(String(port.record.port), port.state, step));
    if (batch.failure !== undefined) throw batch.failure;
  },

  // All its ports are with one manager: that is the same if one of them is.
  async isMarked(_id, state, step) {
    const found = await present(portsIn(state), step);
    return found.some((port) => bearsMark(port.record, port.state, step));
  },

  resumes: true,

  // Only whether they are declared: the settings of each port are compared under those that all share.
  same: (path) => (/^(ports|defaults)\./.test(path) ? true : undefined),

  judge(difference, state, declared, inputs) {
    const differing = differingPaths(planOf(portsIn(state), declared, inputs), defaultsIn(state), inputs);
    const changed = new Set([...difference.changed, ...differing]);
    changed.delete(LOGICAL_NAME);
    return { ...difference, changed: [...changed] };
  },

  holdings(id, values, next) {
    const { adopt } = values;
    const named = (port: PortState) =>
      typeof port.port === "number" ? proxyPortLifecycle.holdings(id && String(port.port), port).has : [];
    const beingMade = (mark: unknown) => (mark === undefined ? [] : [portThing(`being made (${mark})`)]);
    const ports = portsIn(values);
    const plan = next && planOf(ports, next.declared, next.inputs);
    const kept = plan === undefined ? [] : [...plan.changed, ...plan.kept];
    return {
      has: [...ports.values()].flatMap((port) => (port.port === undefined ? beingMade(port.mark) : named(port))),
      keeps: kept.flatMap(({ state }) => named(state)),
      takesOver: [...settingsOf(values).values()].flatMap(
        (settings) => proxyPortLifecycle.holdings(undefined, { adopt, ...settings }).takesOver ?? [],
      ),
    };
  },

  without(state, others) {
    const kept = [...portsIn(state)].filter(([, { port }]) => !others.has(portThing(String(port))));
    return record(new Map(kept), { ...state, defaults: isObject(state.defaults) ? defaultsIn(state) : undefined });
  },

  announceUpdate: (state, declared, inputs) =>
    isKnown(inputs) ? announcement(planOf(portsIn(state), declared, inputs), ofSet(inputs)) : undefined,

  inputsOf(state) {
    const ports = [...portsIn(state)].map(([key, port]) => [key, proxyPortLifecycle.describe(port)] as const);
    return inputsOfSet(new Map(ports));
  },

  set: {
    failures: (inputs, found) => failuresInShort([...found, ...failuresAmong(inputs)]),
    declaredIn,
    narrowed,
  },
});

const NOTHING: Declared = new Set();

async function ensure(recorded: PortStates, declared: Declared, inputs: JsonObject, mark: string, step: Step) {
  const found = await observe(recorded, declared, inputs, step);
  const made = createdWith(step.journal?.unfinished?.facts ?? {});
  const plan = planOf(found, new Set([...declared, ...made]), inputs);
  const { ports, failure } = await apply(plan, inputs, mark, step);
  return { state: record(ports, inputs), failure };
}

/** Begins the marks of the ports that are made: that of an update which was cut short, where there is one to go on with. */
function markOf({ journal }: Step): string {
  const noted = journal?.unfinished?.facts.mark;
  return typeof noted === "string" ? noted : (journal?.mark ?? randomBytes(8).toString("hex"));
}

const numbered = (id: string): PortStates => new Map([...numbersIn(id)].map((port) => [String(port), { port }]));
