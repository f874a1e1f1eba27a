import { expect, onTestFinished, vi } from "vitest";
import { type LoggedRequest, type Simulator, type SimulatorOptions, startSimulator } from "../../simulator";
import type { JsonObject } from "../../src/base/json";
import { Context } from "../../src/lifecycle/context";
import { Deadline } from "../../src/lifecycle/deadline";
import type { Declared, Journal, Lifecycle, Noted, Step } from "../../src/lifecycle/lifecycle";
import { leafPaths, pick } from "../../src/lifecycle/paths";
import { readSettings } from "../../src/settings/settings";

/** A simulator, and what the lifecycles need to work on it. */
export interface Stage extends Simulator {
  context: Context;
  /** What an operation works with: all the time in the world, unless it is told otherwise. */
  step(deadline?: Deadline): Step;
  /** Another process: nothing is remembered. */
  anotherContext(settings?: Record<string, string>): Context;
}

/**
 * A simulator that ends with the test, which fails if a call has swept over the whole account. Requests are not repeated
 * unless `settings` says so: what is tested is what the lifecycles do about a failure.
 */
export async function stage(options: SimulatorOptions = {}, settings: Record<string, string> = {}): Promise<Stage> {
  const simulator = await startSimulator({ seed: "lifecycle", ...options });
  onTestFinished(async () => {
    await simulator.close();
    expect(simulator.account.sweeps).toEqual([]);
  });
  const anotherContext = (more: Record<string, string> = {}) => {
    const given = { BRIGHTDATA_RETRIES: "0", BRIGHTDATA_LOG: "off", ...simulator.environment(), ...settings, ...more };
    return new Context(readSettings(() => undefined, given));
  };
  const context = anotherContext();
  return Object.assign(Object.create(simulator) as Simulator, {
    context,
    anotherContext,
    step: (deadline?: Deadline): Step => ({ context, deadline: deadline ?? unhurried() }),
  });
}

export function unhurried(): Deadline {
  const deadline = new Deadline(3600, "timeouts.test");
  onTestFinished(() => deadline.release());
  return deadline;
}

/** A deadline that is over when `expire` is called. */
export function controlledDeadline(): { deadline: Deadline; expire: () => void } {
  const timers = vi.spyOn(globalThis, "setTimeout");
  const deadline = new Deadline(60, "timeouts.create");
  const expire = timers.mock.calls[0]?.[0] as () => void;
  timers.mockRestore();
  onTestFinished(() => deadline.release());
  return { deadline, expire };
}

/** Runs a task that looks again and again with the given request, and ends its time when it has done so often enough. */
export async function outOfTime<T>(
  scene: Stage,
  request: string,
  task: (step: Step) => Promise<T>,
  looks = 5,
): Promise<Error> {
  const { deadline, expire } = controlledDeadline();
  const before = count(scene, request);
  const ended = failure(task(scene.step(deadline)));
  await vi.waitFor(() => expect(count(scene, request)).toBeGreaterThanOrEqual(before + looks));
  expire();
  return ended;
}

/** What the things of a journal, and their notes, are marked with. */
export const MARK = "m.mark";

/** A journal that remembers what is noted, and tells of a creation whose time has just run out. */
export function notebook(facts?: JsonObject): Journal & { begun: JsonObject[]; isForgotten: boolean } {
  const began = "2026-01-01T00:00:00.000Z";
  const unfinished: Noted | undefined = facts && { began, until: new Date().toISOString(), mark: MARK, facts };
  const book = {
    mark: MARK,
    unfinished,
    begun: [] as JsonObject[],
    isForgotten: false,
    begin: async (noted: JsonObject) => void book.begun.push(noted),
    forget: () => {
      book.isForgotten = true;
    },
    takeBack: () => void book.begun.pop(),
  };
  return book;
}

/** A deadline of an update that is cancelled when `cancel` is called. */
export function cancellableDeadline(): { deadline: Deadline; cancel: () => void } {
  const controller = new AbortController();
  const deadline = new Deadline(3600, "timeouts.create", () => {}, controller.signal);
  onTestFinished(() => deadline.release());
  return { deadline, cancel: () => controller.abort() };
}

/** A deadline that is cancelled when the first request of a kind, such as `POST /zone`, comes to a service. */
export function cancelledBy({ requests }: Stage["remote"]["service"], request: string): Deadline {
  const { deadline, cancel } = cancellableDeadline();
  const push = requests.push.bind(requests);
  requests.push = (...received) => {
    if (received.some(({ method, path }) => `${method} ${path}` === request)) cancel();
    return push(...received);
  };
  return deadline;
}

export const declaredIn = (inputs: JsonObject): Declared => new Set(leafPaths(inputs));

type Readable = Lifecycle & {
  read: (id: string, inputs: JsonObject | undefined, step: Step, state: JsonObject) => Promise<JsonObject | undefined>;
};

/** Reads what was made as a refresh does, and returns what the next `up` would find different. */
export async function drift(
  lifecycle: Readable,
  id: string,
  state: JsonObject,
  inputs: JsonObject,
  step: Step,
): Promise<string[]> {
  const read = await lifecycle.read(id, pick(state, declaredIn(inputs)), step, state);
  if (read === undefined) throw new Error(`${id} is gone`);
  return lifecycle.diff(read, declaredIn(inputs), inputs).changed;
}

/** The smallest inputs for each thing that a kind lists, by its id: they are accepted, and change nothing. */
export async function described(lifecycle: Lifecycle, step: Step): Promise<Record<string, JsonObject>> {
  const { list, read, describe } = lifecycle;
  if (list === undefined || read === undefined || describe === undefined) throw new Error("it lists nothing");
  const all: Record<string, JsonObject> = {};
  for (const id of await list(step)) {
    const state = await read(id, undefined, step, {});
    if (state === undefined) throw new Error(`${id} is listed and not there`);
    const inputs = describe(state);
    expect(lifecycle.check(inputs, undefined).failures).toEqual([]);
    expect(lifecycle.diff(state, declaredIn(inputs), inputs)).toMatchObject({ changed: [], replaces: [] });
    expect(await drift({ ...lifecycle, read }, id, state, inputs, step)).toEqual([]);
    all[id] = inputs;
  }
  return all;
}

const line = ({ method, path }: LoggedRequest) => `${method} ${path}`;

/** The requests that change something, `METHOD /path` each. Generating a key is one, for all that it is a GET. */
export const changes = ({ remote, manager }: Simulator): string[] =>
  [...remote.service.requests, ...manager.service.requests]
    .map(line)
    .filter((request) => !request.startsWith("GET ") || request.endsWith("/gen_token"));

/** How many requests of that method and path there were. */
export const count = ({ remote, manager }: Simulator, request: string): number =>
  [...remote.service.requests, ...manager.service.requests].filter((logged) => line(logged) === request).length;

export function forgetRequests({ remote, manager }: Simulator): void {
  remote.service.requests.length = 0;
  manager.service.requests.length = 0;
}

/** The error that a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("value" in outcome) throw new Error(`It succeeded: ${JSON.stringify(outcome.value)}`);
  expect(outcome.error).toBeInstanceOf(Error);
  return outcome.error as Error;
}
