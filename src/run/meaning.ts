import { originOf } from "../lifecycle/mark";
import type { Intent, Purpose } from "./intents";

/** What an operation does with a resource: `of` is the mark of the one that is there. */
export type Undertaking = { kind: "create" } | { kind: "replace" | "change" | "delete"; of: string };

/** What it is to create something, in the place of a resource where there is one. */
export const creationFor = (replaced: { mark: string } | undefined): Undertaking =>
  replaced === undefined ? { kind: "create" } : { kind: "replace", of: replaced.mark };

/** What a journal is about. */
export interface Subject {
  kind: string;
  place: string | undefined;
  /** What stands for the place where nobody tells it: the place itself, if nobody does. */
  urnPlace?: string | undefined;
  /** What stands for the places where it stood before, as the program says. */
  stood?: readonly string[];
  /** Where the state has the resource that is changed, if that is another place, where the program has nothing else. */
  former?: string | undefined;
  operation: Undertaking;
  /** Stands for where the service is, and for the account there, where that is known. */
  service: string;
  account?: string | undefined;
  /** Whether what is made bears the mark: then it shows by itself which service it is with. */
  isMarked?: boolean;
  /** Whether an update that was cut short may have made more than the state tells of. */
  resumes?: boolean | undefined;
  /**
   * Whether the program says that the resource which stood at a place stands at another one by now: then what was told of it is
   * in a state that the engine has not told of yet. Default: it does not.
   */
  isExpectedElsewhere?(place: string): boolean;
}

/**
 * What an intent means to an operation: it goes on with what is `unfinished`; nothing goes on with what is `left`, and a person
 * is told; and the rest is another operation's.
 */
type IntentMeaning = "unfinished" | "left" | "another's";

/** What was begun for the same place, or with the same resource, by the operation that finds the intent. */
const MEANINGS: Readonly<Record<Purpose["kind"], Readonly<Record<Undertaking["kind"], IntentMeaning>>>> = {
  create: { create: "unfinished", replace: "unfinished", change: "left", delete: "left" },
  // What was to be replaced is gone by then, where it had to make room.
  replace: { create: "unfinished", replace: "unfinished", change: "left", delete: "left" },
  // The deletion of what is replaced goes on with it.
  change: { create: "another's", replace: "another's", change: "unfinished", delete: "unfinished" },
};

/** What has to be known besides an intent and an operation. */
interface Circumstances {
  /** Stands for the backend that the engine has. */
  backend: string;
  /** Whether several organizations may have a stack of one name there. */
  hasOrganizations: boolean;
  /** Whether the process that has written the intent lives. */
  isAlive: boolean;
  /** Whether that process certainly belongs to another update: whose engine has ended, as one at a time changes a stack. */
  isOfAnotherUpdate: boolean;
}

type Of = Pick<Intent, "purpose" | "place" | "urnPlace" | "stood" | "backend" | "service" | "account" | "isTold">;

/** @param places stand for those of the operation's resource: what was created at one of them was to take its place */
export function concerns(intent: Of, { operation }: Subject, places: readonly string[]): boolean {
  const { purpose, place, urnPlace, stood = [] } = intent;
  // Of what it replaces by force, the engine tells a creation nothing: what is deleted may be that.
  const all = [place, urnPlace, ...(operation.kind === "delete" ? stood : [])];
  return (purpose.kind !== "change" && all.some((each) => places.includes(each ?? ""))) || isOf(intent, operation);
}

/** What an intent that concerns an operation means to it. */
export function meaningOf(
  intent: Of,
  { backend, hasOrganizations, isAlive, isOfAnotherUpdate, ...subject }: Subject & Circumstances,
): IntentMeaning {
  const { operation, isMarked } = subject;
  // Of a stack of the same name with another backend. What that was told of stands in a state that cannot be seen here.
  const isForeign = intent.backend !== backend;
  if (isForeign && (operation.kind !== "create" || intent.isTold || isAlive)) return "another's";
  const meaning = MEANINGS[intent.purpose.kind][operation.kind];
  if (meaning === "left") return isAlive && !isOfAnotherUpdate ? "another's" : "left";
  const isDoubtful = isForeign || mayBeAnotherStacks(intent, subject, hasOrganizations);
  if (meaning === "unfinished" && (isDoubtful || !(isHere(intent, subject) || isMarked))) return "left";
  return meaning;
}

/** Whether what was told of may be in the state of another organization's stack: nothing but a URN says that it was begun here. */
export const mayBeAnotherStacks = (
  intent: Pick<Intent, "purpose" | "isTold">,
  { operation, place, urnPlace }: Subject,
  hasOrganizations: boolean,
): boolean =>
  hasOrganizations && intent.isTold === true && place !== undefined && place === urnPlace && !isOf(intent, operation);

/** Whether an intent is of the resource that an operation is on. */
export function isOf({ purpose }: Pick<Intent, "purpose">, operation: Undertaking): boolean {
  return purpose.kind !== "create" && operation.kind !== "create" && originOf(purpose.of) === originOf(operation.of);
}

/** Whether an intent is a change of the resource that an operation is on. */
export const isChangeOf = (intent: Pick<Intent, "purpose">, operation: Undertaking): boolean =>
  intent.purpose.kind === "change" && isOf(intent, operation);

/** Whether what was begun is with the service, and the account, of a resource. */
export function isHere({ service, account }: Pick<Intent, "service" | "account">, here: Subject): boolean {
  const isSameAccount = account === undefined || here.account === undefined || account === here.account;
  return service === here.service && isSameAccount;
}
