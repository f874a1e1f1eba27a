import type { JsonObject } from "../../src/base/json.ts";

/** A resource in the state. */
export interface Entry {
  urn: string;
  id: string;
  inputs: JsonObject;
  outputs: JsonObject;
  /** What the program gave when that was recorded: for the books. */
  declared: JsonObject;
  initErrors: string[];
  /** URNs of what it depends on. */
  dependencies?: string[] | undefined;
  /** The URN of what it is deleted with. */
  deletedWith?: string | undefined;
  /** The name of its explicit provider. */
  provider?: string | undefined;
  /** The component that it is in, by its type and name. */
  parent?: string | undefined;
  /** It has been replaced, and is to be deleted at the end of the run, or of a later one. */
  doomed?: boolean;
  /** It has been deleted to make room for its replacement, which is not there yet. */
  recreated?: boolean;
  /** It stays where it is when it goes from the state. */
  retained?: boolean;
  /** It is to be replaced. */
  tainted?: boolean;
  /** It has the type of the plugin's resources. */
  isNative?: true;
}

/** Where a run is broken off. Calls are those that do something: create, update, read and delete. */
export interface Interruption {
  /**
   * `kill`: the engine and its provider are gone. `cancel`: Ctrl-C. `engine`: it is gone alone, and its provider finds out;
   * `engine unseen`: the provider, with an older Node.js, does not. `provider`: that is gone alone.
   */
  by: "kill" | "cancel" | "engine" | "engine unseen" | "provider";
  when: "before call" | "after call" | "made" | "recorded" | "request" | "answer";
  /** How many of those come before. */
  after: number;
}

/** How a run goes. */
export interface Manner {
  interruption?: Interruption;
  /** After so many changes of the state, no more can be saved. */
  unsaved?: number;
  /** The state is saved only at the end. */
  isSavedLast?: true;
  /** Another configuration than the stack's. */
  config?: Readonly<Record<string, string>>;
  /** Other variables of the environment besides the stack's. */
  env?: Readonly<Record<string, string>>;
  /** `--parallel`; default: no limit. */
  parallel?: number;
  /** The provider can do nothing else for so many milliseconds when it first checks a kind of resource. */
  busyMs?: number;
}

export interface UpOptions extends Manner {
  /** URNs that `--replace` names. */
  replace?: string[];
  /** URNs that `--target` names; none is the same as no such option. */
  target?: string[];
  /** `--refresh` */
  refresh?: boolean;
  /** Whether the program registers all at once, where none depends on another; otherwise it waits for each. */
  together?: boolean;
  /** Another provider's resource fails after so many of these. */
  bystander?: number;
}

/** What came of a run. */
export interface Outcome {
  /** Such as `create Zone z`; what stays the same is not among them. */
  steps: string[];
  errors: string[];
  /** What the provider printed. */
  words: string[];
  /** Whether it ended in good order with all that it did in the state. */
  isRecorded: boolean;
}

/** How an engine reaches its provider. */
export interface Place {
  config: Readonly<Record<string, string>>;
  /** The configurations of explicit providers, by their names. */
  providers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  env: Readonly<Record<string, string>>;
}
