import type { Simulator, SimulatorOptions } from "../../simulator";
import type { JsonObject } from "../../src/base/json";
import { CONNECTION } from "../../src/declaration/connection";
import { LIFECYCLES } from "../../src/generated/lifecycles";
import type { Lifecycle } from "../../src/lifecycle/lifecycle";
import { PROVIDER_NAME } from "../../src/settings/settings";
import { askOf } from "../histories/hands.mts";
import { claim } from "./claim";
import { type Declaration, Engine, type Entry, kindOf, type Outcome } from "./engine";
import { nativeProvider } from "./nativeServed";
import { argsOf, declared, type Sample } from "./sample";
import { askBy } from "./samples/prerequisites";
import { dynamicProvider, machine, type Served } from "./served";
import { changes, type Ledger, ledgerOf, type World, worldOf } from "./world";

const NAME = "it";

export const NOTHING: Outcome = { steps: [], errors: [] };

const LEFT = /an update that was cut short (may have|has) (created|made|added|begun|changed|had|refreshed)/i;

const ODD_WORDS = /defect of pulumi-brightdata|\[object Object\]|\bundefined\b|\bNaN\b/;

/** A sample on a stage of its own: a simulator, an engine with an empty state, and what was there before. */
export class Scene {
  readonly sample: Sample;
  readonly simulator: Simulator;
  readonly engine: Engine;
  readonly args: JsonObject;
  readonly ledger: Ledger;
  readonly before: World;
  readonly #changes: ReadonlyMap<string, JsonObject>;

  constructor(sample: Sample, simulator: Simulator, engine: Engine) {
    this.sample = sample;
    this.simulator = simulator;
    this.engine = engine;
    this.args = argsOf(sample.args, simulator);
    this.#changes = new Map(
      Object.entries(sample.changes).map(([name, change]) => [name, argsOf(change.args, simulator)]),
    );
    this.before = worldOf(simulator);
    this.ledger = ledgerOf(simulator);
  }

  /** The arguments that a change of the sample gives. */
  changed(name: string): JsonObject {
    return this.#changes.get(name) ?? {};
  }

  /** The one resource of the sample that is in the state. */
  get entry(): Entry {
    const [entry, ...more] = this.engine.state;
    if (entry === undefined || more.length > 0) throw new Error(`The state has ${this.engine.state.length} resources.`);
    return entry;
  }

  /** Whether something has been replaced and could not be deleted: only its owner knows that it may be taken over. */
  get awaitsDeletion(): boolean {
    return this.engine.state.some(({ doomed }) => doomed === true);
  }

  /** The program with the sample's one resource. */
  async program(change: JsonObject = {}, name = NAME, aliases: string[] = []): Promise<[Declaration]> {
    const declaration = await declared(this.sample, name, { ...this.args, ...change });
    return [{ ...declaration, options: { ...declaration.options, aliases } }];
  }

  /** The program with the name of a connection. */
  async named(connection: string): Promise<[Declaration]> {
    const [{ properties }] = await this.program();
    return this.program({ [CONNECTION[lifecycleOf(properties).service]]: connection });
  }

  /** What the life of the resource in the state consists of. */
  get lifecycle(): Lifecycle {
    return lifecycleOf(this.entry.outputs);
  }

  async up(program: readonly Declaration[]): Promise<Outcome> {
    const outcome = await this.engine.up(program);
    claim("errors of up", outcome.errors, []);
    return outcome;
  }

  /**
   * Runs a task while the resources are with a provider that leads to other services, also where their state is with another one:
   * so the engine does it with `--run-program`.
   *
   * @param isAlike whether there is a thing of somebody else's like the sample's
   */
  async elsewhere(isAlike: boolean, task: (other: Simulator) => Promise<void>): Promise<void> {
    // No two accounts have the same IPs.
    const other = await simulatorOf(this.sample, { seed: "elsewhere" }, 10);
    const { config } = this.engine;
    const elsewhere = { ...config, ...configOf(other) };
    try {
      if (isAlike) {
        await this.passes(1000);
        const theirs = await declared(this.sample, "theirs", argsOf(this.sample.args, other));
        const { errors } = await new Engine(dynamicProvider, elsewhere).up([theirs]);
        claim("errors of up elsewhere", errors, []);
      }
      this.engine.config = { ...elsewhere, [PROVIDER_NAME]: "elsewhere" };
      await task(other);
    } finally {
      this.engine.config = config;
      await other.close();
    }
  }

  /** Runs a task while the provider of the resources has the token of another account, as in the wrong shell. */
  async withAnotherToken(task: (other: Simulator) => Promise<void>): Promise<void> {
    const other = await simulatorOf(this.sample, { seed: "another account", customer: "hl_another" });
    const { config } = this.engine;
    try {
      this.engine.config = { ...config, "brightdata:apiToken": other.token, "brightdata:baseUrl": other.remote.url };
      await task(other);
    } finally {
      this.engine.config = config;
      await other.close();
    }
  }

  /** Somebody makes a thing of the same identity first. */
  async placeForeign(): Promise<void> {
    await this.meanwhile(this.sample.foreign?.place(this.simulator));
    for (const what of Object.keys(this.ledger) as (keyof Ledger)[]) this.ledger[what] = 0;
  }

  /** Somebody does something else than the engine. */
  async meanwhile(task: void | Promise<void>): Promise<void> {
    await machine.time.until(Promise.resolve(task));
  }

  /** From now on, the services answer 500 to all that would change something, but for the first so many. */
  refuseChanges(succeeding: number): void {
    for (const { service } of [this.simulator.remote, this.simulator.manager]) {
      for (const method of ["POST", "PUT", "DELETE"]) {
        service.faults.add({ method, kind: "respond", after: succeeding, times: Number.POSITIVE_INFINITY });
      }
    }
  }

  /** Nothing goes wrong any more. */
  calmDown(): void {
    this.simulator.remote.service.faults.clear();
    this.simulator.manager.service.faults.clear();
  }

  passes(milliseconds: number): Promise<void> {
    return machine.time.pass(milliseconds);
  }

  /** Whether the person was told what cannot be known after this trouble, as the sample allows. */
  mayNotKnow(trouble: string): boolean {
    const told = (this.sample.unknowable ?? []).find(
      ({ faults, words }) => faults.test(trouble) && this.engine.words.some((text) => words.test(text)),
    );
    const { leaves } = told ?? {};
    if (leaves !== undefined)
      this.#leaves.push(...Object.keys(worldOf(this.simulator)).filter((name) => leaves.test(name)));
    return told !== undefined;
  }

  /**
   * The service has what the state says, once, and everything else is as it was; and that stays so when it is looked at and
   * run again.
   */
  async isCalm(program: readonly Declaration[]): Promise<void> {
    const look = () => {
      const world = worldOf(this.simulator);
      const { outputs } = this.entry;
      const others = changes(this.before, world, [...this.sample.touches(outputs), ...this.leftOf(outputs)]);
      claim("what else was touched", others, []);
      const own = Object.fromEntries(this.sample.touches(outputs).map((name) => [name, world[name]]));
      const is = this.sample.holds(world, outputs, this.before);
      if (!is) claim<unknown>("the service has not what the state says", own, outputs);
    };
    look();
    claim("preview", await this.engine.preview(program), NOTHING);
    claim("refresh", await this.engine.refresh(), NOTHING);
    claim("up again", await this.engine.up(program), NOTHING);
    look();
  }

  /** An update with a change is killed, and the program goes back, without a refresh: all is as it was. */
  async goesBackFromKilled(change: string): Promise<void> {
    const program = await this.program();
    await this.up(program);
    await this.engine.killedUp(await this.program(this.changed(change)));
    await this.up(program);
    await this.isCalm(program);
    await this.ends();
  }

  /** What was made, and is in no state, was told of. */
  isAccountedFor(): void {
    const world = worldOf(this.simulator);
    const outputs = this.engine.state.map((entry) => entry.outputs);
    const own = outputs.flatMap((each) => this.sample.touches(each));
    const others = changes(this.before, world, [...own, ...this.#leaves]);
    const isAsStated = outputs.every((each) => this.sample.holds(world, each, this.before));
    if (others.length === 0 && isAsStated) return;
    if (!this.engine.words.some((text) => LEFT.test(text))) claim("what is left, and nobody was told of", others, []);
  }

  /** After a refresh and one more update all is calm. */
  async settles(program: readonly Declaration[]): Promise<void> {
    claim("errors of refresh", (await this.engine.refresh()).errors, []);
    await this.up(program);
    await this.isCalm(program);
  }

  /** No more was bought than that many creations, and something besides, may buy. */
  hasPaid(creations: number, besides: Partial<Ledger> = {}): void {
    for (const [what, bought] of Object.entries(this.ledger) as [keyof Ledger, number][]) {
      const most = (this.sample.price?.[what] ?? 0) * creations + (besides[what] ?? 0);
      if (bought > most) claim(`${what} that were paid for`, bought, most);
    }
  }

  /** Destroys everything, and nothing is left but what has to be. */
  async ends(): Promise<void> {
    const left = this.engine.state.flatMap(({ outputs }) => this.leftOf(outputs));
    this.#leaves.push(...left);
    claim("errors of destroy", (await this.engine.destroy()).errors, []);
    this.isEmpty();
  }

  isEmpty(): void {
    claim("what is left in the state", this.engine.state, []);
    claim("what is left", changes(this.before, worldOf(this.simulator), this.#leaves), []);
  }

  /** Remembers what the resources of the state will leave. */
  leftOf(outputs: JsonObject): string[] {
    this.#leaves.push(...(this.sample.leaves?.touched(outputs) ?? []));
    return this.#leaves;
  }

  /** Another resource takes the place of the one in the state. */
  isTakenOver(outputs: JsonObject): void {
    this.leftOf(outputs);
    if (this.sample.forgets !== undefined) this.#leaves.push(...this.sample.touches(outputs));
  }

  readonly #leaves: string[] = [];

  /** Nothing that anybody was told, or can read in a log, holds a secret, or calls itself a defect. */
  speaksWell(): void {
    const { words, secrets } = this.engine;
    const known = [...secrets, this.simulator.token].filter((secret) => secret.length >= 5);
    const telling = words.filter((text) => known.some((secret) => text.includes(secret)));
    claim("words that hold a secret", telling, []);
    const odd = words.filter((text) => ODD_WORDS.test(text));
    claim("words that are none for a person", odd, []);
  }
}

const lifecycleOf = (properties: JsonObject): Lifecycle => LIFECYCLES[kindOf(properties)] as Lifecycle;

const configOf = ({ token, remote, manager }: Simulator): Readonly<Record<string, string>> => ({
  "brightdata:apiToken": token,
  "brightdata:baseUrl": remote.url,
  "brightdata:proxyManagerUrl": manager.url,
  "brightdata:managers": JSON.stringify({ one: { url: manager.url }, two: { url: manager.url } }),
  "brightdata:accounts": JSON.stringify({ one: { apiToken: token }, two: { apiToken: token } }),
});

/** A simulator in which there is what a sample needs, and which has given out so many IPs before. */
async function simulatorOf(
  { simulator: options, prepare }: Sample,
  own: SimulatorOptions,
  ips = 0,
): Promise<Simulator> {
  const simulator = await machine.simulator({ ...own, ...options });
  simulator.account.allocateIps(ips);
  askBy(simulator, askOf(machine, simulator));
  await machine.time.until(Promise.resolve(prepare?.(simulator)));
  return simulator;
}

/** Runs a task on a scene, in time that passes by itself, and asks of it what holds of all. */
export async function onScene(
  sample: Sample,
  task: (scene: Scene) => Promise<void>,
  served: Served = process.env.LAWS_PROTOCOL === "native" ? nativeProvider : dynamicProvider,
): Promise<void> {
  machine.restart(0);
  const simulator = await simulatorOf(sample, { seed: "laws" });
  const engine = new Engine(served, { ...configOf(simulator), "brightdata:logLevel": "debug" });
  const scene = new Scene(sample, simulator, engine);
  await task(scene);
  scene.speaksWell();
  claim("calls without a zone", simulator.account.sweeps, []);
}
