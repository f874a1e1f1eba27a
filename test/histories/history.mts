import type { Interruption } from "./engine.mts";
import type { Edit, WideUp } from "./engines.mts";
import type { Form, Resource } from "./program.mts";

/** A program with its state. */
export interface Stack {
  /** Number of the home that its runs have, with the package's notes. */
  home: number;
  /** Number of the account, with a Proxy Manager of its own. */
  service: number;
  /** Number of the backend: two of the same name are of one place in the eyes of a program. */
  backend: number;
  /** Its name. Default: one that no other stack of the same backend has. */
  name?: string;
}

/** What goes wrong with requests. */
export interface Trouble {
  at: "remote" | "manager";
  /** How many requests get through before. */
  after: number;
  fault: string;
  /** How many it strikes. Default 1. */
  times?: number;
  /** Whether what follows comes at once. Default: when it has no effect any more. */
  isLasting?: true;
}

/** What somebody else does at a service, on its page. */
export interface Hand {
  /** `remake`: another takes its place, under the same name. `forget`: the manager loses what it was configured with. */
  act: "make" | "change" | "delete" | "remake" | "exchange" | "forget";
  /** Which of the things of that sort it is about, if there are any. */
  what: "zone" | "ip" | "password" | "allowed" | "port" | "ui" | "ban" | "all";
  pick: number;
}

/** How late the services tell of what is new. */
export interface Late {
  /** Milliseconds for which no read shows a new zone. */
  zoneMs?: number;
  /** Lists that do not show IPs that were added. */
  ipReads?: number;
  /** Whether they are as late in the runs that follow, which come at once. */
  isLasting?: true;
}

interface Happening {
  stack: number;
  trouble?: Trouble;
  interruption?: Interruption;
  unsaved?: number;
  parallel?: number;
  /** The disk is full meanwhile. */
  full?: true;
  begun?: number;
  /** The package's notes cannot be read, or not be written, meanwhile. */
  notes?: "unreadable" | "unwritable";
  /** The provider's process can do nothing else for so many milliseconds when it first checks a kind of resource. */
  busyMs?: number;
  late?: Late;
  /** What somebody does when so many requests have been answered. */
  meanwhile?: { after: number; hand: Hand };
  /** The engine is told to save its state only at the end: when it is killed, nothing is saved. */
  isSavedLast?: true;
  /** How it has to end: with `silence`, it succeeds, and nothing is said of what was cut short. Default: as the books say. */
  expects?: "success" | "silence" | "refusal";
}

export type Up = Happening &
  Omit<WideUp, keyof Happening> & {
    do: "up";
    program: Resource[];
    /** The form that its resources have from then on. Default: the one before; at first, that of dynamic resources. */
    form?: Form;
  };

export type RunStep = Up | (Happening & { do: "refresh" | "destroy"; isWithProgram?: true });

export type Step =
  | RunStep
  /** Two runs of different stacks at the same time. */
  | { do: "both"; runs: [RunStep, RunStep] }
  /** The state is that of so many runs ago. */
  | { do: "restore"; stack: number; runs: number }
  /** With the token of another account, perhaps while something goes wrong. */
  | { do: "stranger"; stack: number; what: "up" | "refresh" | "destroy"; trouble?: Trouble }
  /** With another Proxy Manager, which has ports of the same numbers, made by hand. */
  | { do: "elsewhere"; stack: number; what: "up" | "refresh" | "destroy" }
  | { do: "hand"; service: number; hand: Hand }
  /** The machine's clock is set back. */
  | { do: "clock"; backMs: number }
  /** The state gets what somebody else has made: as the engine leaves it, or as a state file that was edited has it. */
  | { do: "import"; stack: number; resource: Resource; isRead: boolean }
  | { do: "edit"; stack: number; edit: Edit }
  /** By their names, what has to be there at a service by then, and what must not. */
  | { do: "see"; service: number; there?: string[]; gone?: string[] }
  | { do: "wait"; hours: number };

/**
 * What is judged besides: that what a later resource of the program takes over stays (`late`), also where a run is not told of that
 * resource because of its targets (`untold`).
 */
export type Law = "late" | "untold";

/** Plain data that decides, with its seed, all that happens. */
export interface History {
  seed: number;
  stacks: Stack[];
  /** All accounts are at one address, and the token decides. */
  oneUrl?: true;
  strict?: Law[];
  /** Name of the scene that it plays. */
  scene?: string;
  steps: Step[];
}
