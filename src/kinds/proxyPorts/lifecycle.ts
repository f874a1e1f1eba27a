import { randomBytes } from "node:crypto";
import { isObject, type JsonObject } from "../../base/json";
import { LOGICAL_NAME } from "../../declaration/kind";
import { isSame, sameJson } from "../../declaration/values";
import { lifecycle } from "../../lifecycle/define";
import { containsUnknown } from "../../lifecycle/diff";
import { type Declared, PartialFailure, type Run } from "../../lifecycle/lifecycle";
import { keysOf, leafPaths, pathOf, pick } from "../../lifecycle/paths";
import { forEach } from "../../lifecycle/pool";
import { isPortField, portField } from "../../manager/portFields";
import { bearsMark, borneBy, madeWith, proxyPortLifecycle, stateOf as stateOfPort } from "../proxyPort/lifecycle";
import { portThing } from "../shared/things";
import { announcement } from "./announcement";
import { apply, PORTS_AT_ONCE } from "./apply";
import { failuresAmong, inShort } from "./check";
import { proxyPorts } from "./declaration";
import { Failures } from "./failures";
import { numbersIn } from "./ids";
import { observe } from "./observe";
import { planOf } from "./plan";
import { Progress } from "./progress";
import { DeclaredSettings, namesIn, settingsOf } from "./settings";
import { defaultsIn, type PortState, type PortStates, portsIn, stateOf } from "./state";
import { withAllUnrecorded, withUnrecorded } from "./takeUp";
import { ofSet } from "./title";

export const proxyPortsLifecycle = lifecycle(proxyPorts, {
  failures: (inputs, found) => inShort([...found, ...failuresAmong(inputs)]),

  announceUpdate: announcement,

  resumes: true,

  // Only whether they are declared: the settings of each port are compared under those that all share.
  same: (path) => (/^(ports|defaults)\./.test(path) ? true : undefined),

  judge(difference, state, declared, inputs) {
    const plan = planOf(portsIn(state), new DeclaredSettings(declared), settingsOf(inputs));
    const [before, shared] = [defaultsIn(state), isObject(inputs.defaults) ? inputs.defaults : {}];
    const differing = [
      ...Object.keys(shared).flatMap((name) =>
        isSameSetting(name, before[name], shared[name]) ? [] : [["defaults", name]],
      ),
      ...[...plan.removed, ...plan.added].map(({ key }) => ["ports", key]),
      ...plan.changed.flatMap(({ key, paths }) => [
        ["ports", key],
        ...paths.map((path) => ["ports", key, ...keysOf(path)]),
      ]),
    ];
    const changed = new Set([...difference.changed, ...differing.map(pathOf)]);
    changed.delete(LOGICAL_NAME);
    return { ...difference, changed: [...changed] };
  },

  holds(_id, state) {
    const beingMade = (mark: unknown) => (mark === undefined ? [] : [portThing(`being made (${mark})`)]);
    return [...portsIn(state).values()].flatMap(({ port, mark }) =>
      typeof port === "number" ? [portThing(port)] : beingMade(mark),
    );
  },

  keeps(_id, state, declared, inputs) {
    const { changed, kept } = planOf(portsIn(state), new DeclaredSettings(declared), settingsOf(inputs));
    const numbers = [...changed, ...kept].map(({ state: { port } }) => port);
    return numbers.flatMap((port) => (typeof port === "number" ? [portThing(port)] : []));
  },

  adopts: (inputs) =>
    [...settingsOf(inputs).values()].flatMap((settings) =>
      proxyPortLifecycle.adopts({ adopt: inputs.adopt, ...settings }),
    ),

  without(state, others) {
    const kept = [...portsIn(state)].filter(([, { port }]) => !others.has(portThing(String(port))));
    return stateOf(new Map(kept), { ...state, defaults: withSecrets(state) });
  },

  declaredIn(state, declared) {
    const settings = new DeclaredSettings(declared);
    const shared = defaultsIn(state);
    const ports = [...portsIn(state)].filter(([key]) => settings.has(key));
    const own = ports.map(([key, port]) => [key, ownSettings(port, settings.ownPaths(key), shared)]);
    const beside = [...declared].filter((path) => !/^ports(\.|$)/.test(path));
    const found = { ...pick({ ...state, defaults: shared }, beside), ports: Object.fromEntries(own) };
    return pick(found, new Set([...declared].map((path) => pathOf(keysOf(path).slice(0, 1)))));
  },

  async create(inputs, run) {
    const mark = markOf(run);
    const found = await withUnrecorded(new Map(), inputs, run);
    const { ports, failure } = await apply(found, madeWith(run.journal?.unfinished?.facts ?? {}), inputs, mark, run);
    const state = stateOf(ports, inputs);
    if (failure === undefined) return { id: mark, state: state as never };
    if (ports.size > 0) throw new PartialFailure(mark, state, failure);
    run.journal?.forget();
    throw failure;
  },

  async read(id, inputs, run, state) {
    const isLookUp = inputs === undefined;
    const known = isLookUp ? numbered(id) : portsIn(state);
    if (known.size === 0) return state;
    const ports = await look(known, isLookUp ? undefined : new Set(leafPaths(inputs)), run);
    return ports.size === 0 ? undefined : (stateOf(ports, inputs ?? {}) as never);
  },

  async update(id, state, declared, inputs, run) {
    const recorded = portsIn(state);
    const isCertain = run.isImported !== true && run.journal?.unfinished === undefined;
    const present = isCertain || recorded.size === 0 ? recorded : await look(recorded, declared, run);
    const found = await withUnrecorded(present, inputs, run);
    const made = madeWith(run.journal?.unfinished?.facts ?? {});
    const { ports, failure } = await apply(found, new Set([...declared, ...made]), inputs, markOf(run), run);
    const updated = stateOf(ports, inputs);
    if (failure !== undefined) throw new PartialFailure(id, updated, failure);
    return updated as never;
  },

  // All its ports are with one manager: that is the same if one of them is.
  async isMarked(_id, state, run) {
    const ports = portsIn(state);
    const present = await observe(ports, run);
    return [...present].some(([key, record]) => bearsMark(record, ports.get(key) as never, run));
  },

  async delete(_id, state, run) {
    const ports = await withAllUnrecorded(portsIn(state), run);
    if (ports.size === 0) return;
    const present = [...(await observe(ports, run))];
    const failures = new Failures(present.length, run.deadline);
    const progress = new Progress(present.length, ofSet(state), run.say);
    let tried = 0;
    await forEach(
      present,
      PORTS_AT_ONCE,
      async ([key, { port }]) => {
        tried++;
        await proxyPortLifecycle
          .delete(String(port), ports.get(key) as never, run)
          .catch((error: unknown) => failures.add(key, error));
        progress.step();
      },
      () => failures.isOver,
    );
    const failure = failures.error(tried);
    if (failure !== undefined) throw failure;
  },
});

const isSameSetting = (name: string, before: unknown, now: unknown): boolean =>
  sameJson(before, now) || (isPortField(name) && !containsUnknown(now) && isSame(portField(name), before, now));

/** Begins the marks of the ports that are made: that of an update which was cut short, where there is one to go on with. */
function markOf({ journal }: Run): string {
  const noted = journal?.unfinished?.facts.mark;
  return typeof noted === "string" ? noted : (journal?.mark ?? randomBytes(8).toString("hex"));
}

/**
 * The states of the ports that are there.
 *
 * @param declared what was declared of the set; `undefined` where all is to be known of its ports
 */
async function look(ports: PortStates, declared: Declared | undefined, run: Run): Promise<Map<string, PortState>> {
  const settings = declared && new DeclaredSettings(declared);
  const seen = new Map<string, PortState>();
  for (const [key, record] of await observe(ports, run)) {
    const port = ports.get(key) ?? {};
    const inputs = settings && pick(port, settings.of(key, port));
    seen.set(key, { ...(await stateOfPort(inputs as never, record, run)), ...borneBy(record, run) } as PortState);
  }
  return seen;
}

const numbered = (id: string): PortStates => new Map([...numbersIn(id)].map((port) => [String(port), { port }]));

const withSecrets = (state: JsonObject): JsonObject | undefined =>
  isObject(state.defaults) ? defaultsIn(state) : undefined;

/** The settings that stand with a port: its own, and those in which it differs from what all share. */
function ownSettings(port: PortState, own: readonly string[], shared: JsonObject): JsonObject {
  const ownNames = namesIn(own);
  const names = Object.entries(port).flatMap(([name, value]) => {
    if (!isPortField(name) || name === "port" || value === undefined || ownNames.has(name)) return [];
    return isSame(portField(name), value, shared[name]) ? [] : [name];
  });
  return pick(port, [...own, ...names]);
}
