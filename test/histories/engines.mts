import type { Entry, Manner, Outcome, Place, UpOptions } from "./engine.mts";
import type { Machine } from "./machine.mts";
import type { Declaration, Form } from "./program.mts";
import type { DynamicStart, PluginProcess, ProviderProcess, Start } from "./providerProcess.mts";

/** How the engine itself can be run, and an imitation cannot. */
export interface WideManner extends Manner {
  /** It is killed when it has begun, and noted in the state, so many changes besides one. */
  begun?: number;
}

/** The same of an update. */
export interface WideUp extends UpOptions, WideManner {
  targetDependents?: true;
  /** URNs that `--exclude` names. */
  exclude?: string[];
  excludeDependents?: true;
  continueOnError?: true;
  /** The program's SDK takes a registration that failed for one that succeeded where there is an id: 3.216 to 3.245. */
  isOldSdk?: true;
}

/** The same of a refresh and a deletion. */
export interface WideOther extends WideManner {
  /** `--run-program` */
  program?: readonly Declaration[];
}

/** What a person does with a state by hand. */
export type Edit =
  | { what: "taint" | "forget"; urn: string }
  | { what: "rename"; to: string }
  /** Nothing is protected any more. */
  | { what: "unprotect" };

/** What plays the runs of one stack: an imitation of Pulumi's engine, or the engine itself. */
export interface StackEngine {
  /** What it is set to is one of those that it has had, or the one that it has without some of its entries. */
  state: Entry[];
  up(program: readonly Declaration[], options?: WideUp): Promise<Outcome>;
  preview(program: readonly Declaration[]): Promise<Outcome>;
  refresh(manner?: WideOther): Promise<Outcome>;
  import(entry: Entry, isRead: boolean, form: Form): Promise<Outcome>;
  /** Of the engine itself. */
  edit?(edit: Edit): void;
  destroy(manner?: WideOther): Promise<Outcome>;
}

/** What an engine is made for. */
export interface Site extends Place {
  machine: Machine;
  /** Name of the stack. */
  stack: string;
  /** Decides what the engine leaves to chance. */
  seed: number;
  /** Default: in memory. */
  plugins?: Plugins;
  /** Starts a process of dynamic resources. Default: that of their provider. */
  processOf?(start: DynamicStart): PluginProcess | ProviderProcess;
}

/** Where processes of the plugin are started. */
export interface Plugins {
  /** Listens as an engine does, and returns its address. */
  listen(): Promise<string>;
  start(start: Start): Plugin;
}

/** A process of the plugin, as a run has it. */
export type Plugin = Pick<PluginProcess, "answer" | "cancel" | "recorded" | "end" | "kill" | "abandon" | "occupy">;

export type EngineOf = (site: Site) => StackEngine;

/** The engine itself has gone wrong, which says nothing of its provider: a history ends there. */
export class EngineFault extends Error {}
