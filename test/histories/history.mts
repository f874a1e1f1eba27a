import type { Interruption, UpOptions } from "./engine.mts";
import type { Edit, WideRun } from "./engines.mts";
import type { Resource } from "./program.mts";

/** A program with its state. */
export interface Stack {
  /** Number of the home that its runs have, with the package's notes. */
  home: number;
  /** Number of the account, with a Proxy Manager of its own. */
  service: number;
  /** Number of the backend: two of the same name are of one place in the eyes of a program. */
  backend: number;
}

/** What goes wrong with requests. */
export interface Trouble {
  at: "remote" | "manager";
  /** How many requests get through before. */
  after: number;
  fault: string;
  /** How many it strikes. Default 1. */
  times?: number;
}

interface Happening {
  stack: number;
  trouble?: Trouble;
  interruption?: Interruption;
  unsaved?: number;
  /** The disk is full meanwhile. */
  full?: true;
  parallel?: number;
  begun?: number;
}

/** What only Pulumi's own engine can do with an update. */
type WideUp = Pick<WideRun, "targetDependents" | "exclude" | "excludeDependents" | "continueOnError" | "isOldSdk">;

export type Up = Happening & WideUp & Omit<UpOptions, keyof Happening> & { do: "up"; program: Resource[] };

export type RunStep = Up | (Happening & { do: "refresh" | "destroy"; isWithProgram?: true });

export type Step =
  | RunStep
  /** Two runs of different stacks at the same time. */
  | { do: "both"; runs: [RunStep, RunStep] }
  /** The state is that of so many runs ago. */
  | { do: "restore"; stack: number; runs: number }
  /** With the token of another account. */
  | { do: "stranger"; stack: number; what: "up" | "refresh" | "destroy" }
  /** The state gets what somebody else has made: as the engine leaves it, or as a state file that was edited has it. */
  | { do: "import"; stack: number; resource: Resource; isRead: boolean }
  | { do: "edit"; stack: number; edit: Edit }
  | { do: "wait"; hours: number };

/** Plain data that decides, with its seed, all that happens. */
export interface History {
  seed: number;
  stacks: Stack[];
  steps: Step[];
}
