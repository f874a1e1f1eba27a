import { Engine, type Entry, type Manner, type Outcome, type Place, type UpOptions } from "./engine.mts";
import type { Machine } from "./machine.mts";
import type { Declaration } from "./program.mts";

/** What plays the runs of one stack: an imitation of Pulumi's engine, or the engine itself. */
export interface StackEngine {
  /** What it is set to is one of those that it has had. */
  state: Entry[];
  up(program: readonly Declaration[], options?: UpOptions): Promise<Outcome>;
  preview(program: readonly Declaration[]): Promise<Outcome>;
  refresh(manner?: Manner): Promise<Outcome>;
  import(entry: Entry, isRead: boolean): Promise<Outcome>;
  destroy(manner?: Manner): Promise<Outcome>;
}

/** What an engine is made for. */
export interface Site extends Place {
  machine: Machine;
  /** Name of the stack. */
  stack: string;
  /** Decides what the engine leaves to chance. */
  seed: number;
}

export type EngineOf = (site: Site) => StackEngine;

export const imitation: EngineOf = ({ machine, ...place }) => new Engine(machine, place);

/** The engine itself has gone wrong, which says nothing of its provider: a history ends there. */
export class EngineFault extends Error {}
