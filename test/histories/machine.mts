import * as crypto from "node:crypto";
import type { Simulator, SimulatorOptions } from "../../simulator/index.ts";
import { Chance } from "./chance.mts";
import { Disk } from "./disk.mts";
import { Modules } from "./modules.mts";
import { Network } from "./network.mts";
import { globalsOf, Time, timersOf } from "./time.mts";

/** What a process has for itself, besides what all have. */
export interface Own {
  process: object;
  console: object;
  modules: Readonly<Record<string, unknown>>;
  /** Globals besides. */
  globals?: Readonly<Record<string, unknown>>;
  /** Whom all belongs to that is waited for. */
  owner: () => object;
}

type StartSimulator = (options: SimulatorOptions) => Promise<Simulator>;

/** A machine with its time, its disk and its connections, which it has anew for each history: a seed decides all that happens. */
export class Machine {
  readonly time = new Time();
  readonly disk = new Disk(() => this.time.shown);
  readonly network = new Network(this.time);
  /** Where the homes are that stacks have. */
  readonly homes: string = "/home";
  /** Numbers of the processes that live. */
  readonly alive = new Set<number>();
  /** Processes whose engine is gone, and what ends them. */
  readonly abandoned = new Set<() => void>();
  #chance = new Chance(0);
  #processes = 1000;
  #addresses = 1000;
  readonly #atRest: (() => void)[] = [];
  #startSimulator: StartSimulator | undefined;

  restart(seed: number): void {
    this.time.restart();
    this.disk.restart();
    this.network.restart(new Chance(seed + 1));
    this.#chance = new Chance(seed);
    this.#processes = 1000;
    this.#addresses = 1000;
    this.alive.clear();
    this.abandoned.clear();
    for (const task of this.#atRest.splice(0)) task();
  }

  /** Does something when nothing goes on any more: between two histories. */
  atRest(task: () => void): void {
    this.#atRest.push(task);
  }

  /** The address of an engine, which no other has. */
  nextEngine(): string {
    return `127.0.0.1:${++this.#addresses}`;
  }

  nextProcess(): number {
    this.alive.add(++this.#processes);
    return this.#processes;
  }

  bytes(length: number): Buffer {
    return this.#chance.bytes(length);
  }

  /** Modules of a process. */
  modules({ process, console, modules, globals, owner }: Own): Modules {
    const chance = () => this.#chance;
    const random = Object.assign(Object.create(Math) as Math, { random: () => chance().fraction() });
    return new Modules({
      modules: {
        "node:crypto": randomness(chance),
        "node:timers/promises": timersOf(this.time, owner),
        ...modules,
      },
      globals: { ...globalsOf(this.time, owner), Math: random, process, console, ...globals },
    });
  }

  async simulator(options: SimulatorOptions): Promise<Simulator> {
    if (this.#startSimulator === undefined) {
      const own = { process, console, modules: { "node:http": this.network.http }, owner: () => this };
      const { startSimulator } = this.modules(own).require("pulumi-brightdata/simulator") as {
        startSimulator: StartSimulator;
      };
      this.#startSimulator = startSimulator;
    }
    return this.#startSimulator({ ...options, clock: () => new Date(this.time.now) });
  }
}

/** The key that the processes of a user share: those of a program, whose disk is another, have it, too. */
export const KEY = Buffer.alloc(32, "key");

const randomness = (chance: () => Chance) => ({
  ...crypto,
  // What takes long on purpose need not take long here.
  scryptSync: (secret: string, salt: string, length: number) =>
    crypto.createHash("sha512").update(`${secret} ${salt}`).digest().subarray(0, length),
  randomBytes(length: number) {
    const drawn = chance().bytes(length);
    return length === KEY.length ? KEY : drawn;
  },
  randomInt: (from: number, to?: number) =>
    to === undefined ? chance().below(from) : from + chance().below(to - from),
  randomUUID: () =>
    chance()
      .bytes(16)
      .toString("hex")
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
});
