import type { JsonObject } from "../../base/json";
import { leftBehind, UnknownOutcomeError } from "../../lifecycle/creation";
import { type Declared, PartialFailure, type Run } from "../../lifecycle/lifecycle";
import { leafPaths } from "../../lifecycle/paths";
import { forEach } from "../../lifecycle/pool";
import { requireZone } from "../proxyPort/knownZone";
import { proxyPortLifecycle } from "../proxyPort/lifecycle";
import { portThing } from "../shared/things";
import { Failures, inShort } from "./failures";
import { type Existing, type Missing, planOf, type Staying } from "./plan";
import { Progress } from "./progress";
import { DeclaredSettings, type PortInputs, type Settings, settingsOf } from "./settings";
import { freeKey, type PortState, type PortStates } from "./state";
import { ofSet } from "./title";

/**
 * How many ports are worked on at a time. To make, change and delete a port took the vendor's manager 15.0 ms with one at a time,
 * 12.2 with 4, 11.2 with 16 and 13.3 with 32 (`bench/concurrency.mts`).
 */
export const PORTS_AT_ONCE = 16;

/** What has become of the ports of a set. */
export interface Applied {
  ports: PortStates;
  /** Why not all is as declared; `undefined` where it is. */
  failure: Error | undefined;
}

/**
 * Makes the ports of a set what is declared, one by one as a ProxyPort: removed ports before changed ones before added ones.
 * What fails with one port is no reason to leave the others.
 *
 * @param mark begins the mark of each port that is made
 */
export async function apply(
  found: PortStates,
  declared: Declared,
  inputs: JsonObject,
  mark: string,
  run: Run,
): Promise<Applied> {
  const wanted = settingsOf(inputs);
  const { removed, changed, added, kept } = planOf(found, new DeclaredSettings(declared), wanted);
  const steps = removed.length + changed.length + added.length;
  const progress = new Progress(steps, ofSet(inputs), run.say);
  const failures = new Failures(steps, run.deadline);
  const ports = new Map([...kept, ...changed].map(({ key, state }) => [key, state]));
  const left = new Map(removed.map((port) => [port, port.state]));
  const numbers = new Set([...wanted.values()].map(({ port }) => port));
  const released: number[] = [];
  let tried = 0;

  const all = <Step extends { key: string }>(stage: readonly Step[], task: (step: Step) => Promise<void>) =>
    forEach(
      stage,
      PORTS_AT_ONCE,
      async (step) => {
        tried++;
        try {
          await task(step);
        } catch (error) {
          failures.add(step.key, error);
        }
        progress.step();
      },
      () => failures.isOver,
    );

  const remove = async (port: Existing) => {
    const number = port.state.port as number;
    const mayGo = run.context.claims.isAnothers(portThing(number), run.me);
    if (!numbers.has(number) && mayGo) released.push(number);
    else await proxyPortLifecycle.delete(String(number), port.state as never, run);
    left.delete(port);
  };

  const change = async ({ key, state, wanted: settings, declared: was }: Staying) => {
    try {
      const changedNow = await proxyPortLifecycle.update(
        String(state.port),
        state as never,
        was,
        complete(settings, inputs),
        runOf(key),
      );
      ports.set(key, ownOf(changedNow, settings));
    } catch (error) {
      if (error instanceof PartialFailure) ports.set(key, uncertain(error.state));
      throw error;
    }
  };

  const add = async ({ key, wanted: settings }: Missing) => {
    try {
      await zoneIsThere(settings);
      const { id, state } = await proxyPortLifecycle.create(complete(settings, inputs), runOf(key));
      run.context.claims.made(run.me ?? {}, [portThing(id)]);
      ports.set(key, ownOf(state, settings));
    } catch (error) {
      if (error instanceof PartialFailure) ports.set(key, uncertain(error.state));
      else if (error instanceof UnknownOutcomeError) ports.set(key, { mark: `${mark}/${key}` });
      throw error;
    }
  };

  const runOf = (key: string): Run => ({
    ...run,
    // One note stands for all ports of the set.
    journal: { mark: `${mark}/${key}`, unfinished: undefined, begin: () => {}, forget: () => {}, takeBack: () => {} },
  });

  // The manager may have to learn of a zone first: that is waited for once, and not by each port.
  const zones = new Map<string, Promise<void>>();
  const zoneIsThere = ({ zone }: JsonObject): Promise<void> => {
    const known = zones.get(String(zone)) ?? requireZone(String(zone), run);
    zones.set(String(zone), known);
    return known;
  };

  await all(removed, remove);
  await all(changed, change);
  const blocked = new Set([...left.keys()].map(({ key }) => key));
  if (added.length > 0)
    run.journal?.begin({ mark, declared: leafPaths(inputs) }, adviceOn(added.length, ofSet(inputs), run));
  const numbered = added.filter(isNumbered);
  // First those that name their numbers: the manager could give these away.
  for (const stage of [numbered, added.filter((port) => !isNumbered(port))]) {
    await all(
      stage.filter(({ key }) => !blocked.has(key)),
      add,
    );
  }
  if (released.length > 0) run.say?.(keptPorts(released, ofSet(inputs)));

  const result = new Map<string, PortState>();
  for (const key of wanted.keys()) {
    const state = ports.get(key);
    if (state !== undefined) result.set(key, state);
  }
  for (const [{ key }, state] of left) result.set(freeKey(result, key, state), state);
  return { ports: result, failure: failures.error(tried) };
}

const isNumbered = ({ wanted: { port } }: Missing): boolean => port !== undefined;

/** What a ProxyPort would be given. */
const complete = (settings: Settings, { adopt }: JsonObject): PortInputs =>
  ({ ...(adopt === true && { adopt }), ...settings }) as PortInputs;

/** The state of a port without what the set has for all. */
const ownOf = (state: JsonObject, { adopt }: Settings): PortState => ({ ...state, adopt });

/** What is known of a port that has been made, and perhaps not as it was to be: with a mark, not even that is certain. */
const uncertain = (state: PortState): PortState =>
  state.mark === undefined && state.port !== undefined
    ? { port: state.port, listenPort: state.port, ...(state.bears !== undefined && { bears: state.bears }) }
    : state;

const adviceOn = (count: number, of: string, { context }: Run): string =>
  leftBehind(
    `${count.toLocaleString("en")} proxy ports${of} at ${context.manager.url}`,
    "If they are there, declare them with `adopt: true` to manage them, or delete them in the manager.",
  );

const keptPorts = (numbers: readonly number[], of: string): string =>
  `${numbers.length === 1 ? "Port" : "Ports"} ${inShort(numbers.map(String))}${of} ${
    numbers.length === 1 ? "belongs to another resource" : "belong to other resources"
  } of this program now, and ${numbers.length === 1 ? "is" : "are"} kept.`;
