import { messageOf } from "../base/cause";
import type { JsonObject } from "../base/json";
import type { Service } from "../declaration/connection";
import type { DefaultTimeouts, Kind } from "../declaration/kind";
import type { Prices } from "../settings/values";
import type { Who } from "./claims";
import type { Context } from "./context";
import type { Deadline } from "./deadline";

/** Stands in the inputs of `check` and `diff` for a value that is not known before the update has run. */
export const UNKNOWN = Symbol("unknown");

/** Paths of the inputs that the program gave, such as `plan.country`. */
export type Declared = ReadonlySet<string>;

/** The names that lead to a secret, from the outermost on; `*` is every key of a map. */
export type SecretPath = readonly string[];

/** What the engine asks of one resource, as the operation that does it is told: a creation, a read, an update or a deletion. */
export interface Step {
  context: Context;
  deadline: Deadline;
  /** Absent where the resource cannot be told from others. */
  journal?: Journal;
  /** The resource itself, as it claims things, where that is known. */
  me?: Who;
  /** The state of the resource in whose place one is created. */
  replaced?: JsonObject;
  /** Waits until the engine has told of the resources of the same kind that the program announces to share what this one has. */
  others?(): Promise<void>;
  /** Whether nobody has looked yet whether the state is true: it came from an import file, or the resource is only looked up. */
  isImported?: boolean;
  /** Tells the person who runs the update something. */
  say?(words: string): void;
  /** Words of a service, which may echo what it was given, without the resource's secrets. */
  hide?(words: string): string;
}

/** What is known of a resource that the program declares, besides its inputs. */
export interface ResourceFacts {
  /** The resource's logical name; absent where it is not known. */
  name?: string | undefined;
  /** Stands for the resource's place, the same in every run; absent where it is not known. */
  place?: string | undefined;
  /** Whether it is certainly to be created: what an import file has is there already, and is checked like a creation. */
  isCreated?: boolean | undefined;
  /** Where the inputs have secrets besides those that are declared to be: messages do not show them. */
  secrets?: readonly SecretPath[] | undefined;
  /** The inputs that the resource at that place had before this run, as far as that is known. */
  former?: JsonObject | undefined;
  /** The inputs of the resource of a kind that has a name at the same service. */
  named?(kind: string, name: unknown): JsonObject | undefined;
}

/** The intents that concern one operation: they say what has begun until a state tells of it, for the run after a kill. */
export interface Journal {
  /** A name for the resource's creation that no other has, for things that can be marked with one. */
  readonly mark: string;
  /** The intent of an earlier operation on this resource that no state tells of. */
  readonly unfinished: Noted | undefined;
  /**
   * Writes an intent, with what helps to find what a request creates. It is safe on the disk when the promise is fulfilled: then
   * the request may be sent.
   *
   * @param times the service's, and when it can come no more where that is before the operation's time is over
   */
  begin(
    facts: Noted["facts"],
    advice?: Noted["advice"],
    thing?: Noted["thing"],
    times?: Pick<Noted, "serviceTime" | "until">,
  ): Promise<void>;
  /** Closes what it has begun or found: certainly nothing was created. */
  forget(): void;
  /** Takes back the intent that it has written, of which nothing has come: what was begun before still holds. */
  takeBack(): void;
}

/** What an intent says to the operation that takes it up. */
export interface Noted {
  /** ISO 8601. */
  began: string;
  /** When the time is over that it may take: until then, it may still come. Earlier versions have not said it. */
  until?: string | undefined;
  /** What time it was at the service when it began, as far as that was known. */
  serviceTime?: string | undefined;
  mark: string;
  /** No secrets. */
  facts: JsonObject;
  /** What a person should know of it where no later operation goes on with it, in whole sentences. */
  advice?: string | undefined;
  /** What is created, as resources claim it: of what another one has, nobody has to know. */
  thing?: string | undefined;
  /** Whether the service was at another URL, or of another account: only a mark shows whether it is the same. */
  isElsewhere?: boolean;
  /** Whether the engine was told what became of it. Whether it has recorded that is another question. */
  isTold?: boolean;
  /** Where it stands; absent where it could not be written. */
  at?: { readonly file: string };
}

export interface Checked {
  inputs: JsonObject;
  /** A sentence each: the property's path, its value unless it is a secret, what was expected and what to do. */
  failures: string[];
}

export interface Difference {
  /** Paths whose values differ, or that are declared now and were not, or the other way round. */
  changed: string[];
  /** Those of them that cannot be changed in place. */
  replaces: string[];
  /** Whether the old one has to go before the new one can come. */
  deleteBeforeReplace: boolean;
}

/** What the program has a resource be from now on: what of its state was declared before, and the inputs of now. */
export interface Next {
  declared: Declared;
  inputs: JsonObject;
}

/** What a resource has to do with things at its service, each named by what it is there, such as `zone web`. */
export interface Holdings {
  /** Default: its kind and id. */
  has: readonly string[];
  /** What it keeps of that. Default: what its next inputs do not take away. */
  keeps: readonly string[];
  /**
   * What inputs certainly take over; `undefined` where these are written over whatever is there. Default: of a creation, with
   * `adopt`, all.
   */
  takesOver: readonly string[] | undefined;
  /** What has come, in place of what other resources had, by what a state says was done. Default: nothing. */
  brought: readonly string[];
  /** What the things of a state stand on: where one of these is made anew, they are gone with the former one. Default: nothing. */
  standsOn: readonly string[];
}

/** What becomes of what is replaced: another resource may have it, or have deleted it, in this run. */
export type Fate = "deleted" | "another's" | "gone";

/**
 * The life of a kind of resource, in plain values: nothing here knows Pulumi's protocol. A state holds the inputs that were
 * declared, with the values that the service has, and the outputs.
 */
export interface Lifecycle {
  readonly declaration: Kind;
  readonly service: Service;
  /** What an id looks like without the name of a connection before it. */
  readonly localId: RegExp;
  readonly timeouts: DefaultTimeouts;
  readonly inputs: readonly string[];
  readonly secrets?: readonly SecretPath[];
  /** Names of the outputs whose values no other thing has. */
  readonly identity?: readonly string[];
  /** The name nearest to a proposed one that the service gives out. Pure. */
  nearestName?(proposed: string): string;
  /**
   * Checks the inputs and completes them. Pure.
   *
   * @param previous the inputs that there are; `undefined` for a creation, a replacement's too
   */
  check(inputs: JsonObject, previous: JsonObject | undefined, about?: ResourceFacts): Checked;
  /** Compares the state with the inputs. Pure. */
  diff(state: JsonObject, declared: Declared, inputs: JsonObject): Difference;
  create(inputs: JsonObject, step: Step): Promise<{ id: string; state: JsonObject }>;
  /** What is going to happen and what it costs, in words that a person should read in the preview. Otherwise as `check`. */
  announce?(inputs: JsonObject, previous?: JsonObject, prices?: Prices, about?: ResourceFacts): string | undefined;
  /** What an update is going to do, where the difference of the inputs does not show it all. Otherwise as `announce`. */
  announceUpdate?(
    state: JsonObject,
    declared: Declared,
    inputs: JsonObject,
    prices?: Prices,
    about?: ResourceFacts,
  ): string | undefined;
  /** What a replacement keeps, makes anew and takes away, in words that a person should read in the preview. */
  announceReplacement?(state: JsonObject, inputs: JsonObject, fate: Fate): string | undefined;
  /** Whether what was begun, by the facts of its intent, is what inputs ask for. Default: nobody can tell. Pure. */
  isSame?(facts: JsonObject, inputs: JsonObject): boolean;
  /** Whether the next update, even where nothing differs, and the deletion look for what was begun by one that was cut short. */
  readonly resumes?: boolean;
  /**
   * Absent where there is nothing to read: the state stays as it is.
   *
   * @param inputs what was declared, with the values last known; `undefined` for a look-up by id alone
   * @param state all that was known, outputs included; empty for a look-up by id alone
   * @returns `undefined` when the thing is certainly gone
   */
  read?(id: string, inputs: JsonObject | undefined, step: Step, state: JsonObject): Promise<JsonObject | undefined>;
  update(id: string, state: JsonObject, declared: Declared, inputs: JsonObject, step: Step): Promise<JsonObject>;
  delete(id: string, state: JsonObject, step: Step): Promise<void>;
  /**
   * Leaves it to what replaces it, which rewrites what there is: without that, somebody would get in meanwhile.
   *
   * @param journal that of what replaces it
   */
  keep?(id: string, state: JsonObject, step: Step, journal: Journal): Promise<void>;
  /**
   * What a resource has to do with things at its service. Pure.
   *
   * @param id `undefined` for inputs alone: then only what these name for certain
   * @param values its state, or its inputs
   * @param next what the state is to become
   */
  holdings(id: string | undefined, values: JsonObject, next?: Next): Holdings;
  /** Whether several resources of a program may name the same things. */
  readonly isShared?: boolean;
  /** Whether somebody gets in by what it has: it is removed from what it stands on where that may stay. */
  readonly letsIn?: boolean;
  readonly set?: SetOfThings;
  /** The state without the things that are another's by now. Needed where {@link holdings} may name several. */
  without?(state: JsonObject, others: ReadonlySet<string>): JsonObject;
  /** Whether what there is bears the mark of the resource, or one that was made for its place: then it is nobody else's. */
  isMarked?(id: string, state: JsonObject, step: Step): Promise<boolean>;
  /** The ids of all that there is of the kind. Absent where the service cannot tell, or where nothing exists by itself. */
  list?(step: Step): Promise<string[]>;
  /** The ids among which a person may have meant one that there is not; at most one list of the service. */
  suggestions?(step: Step): Promise<string[]>;
  /** The smallest inputs that declare what a state has: no defaults, and nothing that is secret or cannot be read. Pure. */
  describe?(state: JsonObject): JsonObject;
}

/** What only a resource needs that is a set of things. */
export interface SetOfThings {
  /** What is wrong with inputs, where the declaration cannot say it all; `found` is what it says. */
  failures(inputs: JsonObject, found: readonly string[]): string[];
  /** The inputs that a state stands for, where these paths of them were declared: not just what it has there. */
  declaredIn(state: JsonObject, declared: Declared): JsonObject;
  /** A state that has all that there is without what these inputs do not declare. */
  narrowed(state: JsonObject, inputs: JsonObject): JsonObject;
}

/** The thing exists, but is not as it was asked to be. What is known of it is kept: it may cost money. */
export class PartialFailure extends Error {
  constructor(
    readonly id: string,
    readonly state: JsonObject,
    cause: unknown,
  ) {
    super(messageOf(cause), { cause });
  }
}

/** For `catch`, where what has failed may have had an effect: keeps what is known. */
export const keeping =
  (id: string, state: JsonObject) =>
  (cause: unknown): never => {
    throw cause instanceof PartialFailure ? cause : new PartialFailure(id, state, cause);
  };
