import { createHash, randomBytes } from "node:crypto";

/**
 * A mark says who a resource is, wherever it stands in its program by now. It is made for a creation, stands in its intent,
 * with the service where that keeps one, and in the state afterwards. A change with an intent gives the state a mark with another
 * end: by it, a state tells whether it knows of the change.
 */
export const newMark = (): string => `m.${randomBytes(MARK_BYTES).toString("base64url")}`;

/** 72 bits: it is in the state of every resource. */
const MARK_BYTES = 9;

/** The mark that a state has after a change with an intent. */
export const changed = (mark: string): string => `${originOf(mark)}.${randomBytes(CHANGE_BYTES).toString("base64url")}`;

const CHANGE_BYTES = 4;

const OWNER = /^[md]\.[\w-]+/;

/** A mark without the end that a change has given it, or a set of things to one of them; any other text as it is. */
export const originOf = (mark: string): string => OWNER.exec(mark)?.[0] ?? mark;

/** Whether a mark is of this kind: earlier versions have given others. */
export const isMark = (text: string): boolean => OWNER.test(text);

/** The mark of a state that has none, since an earlier version has written it: the same each time. */
export const derivedMark = (kind: string, place: string | undefined, id: string): string =>
  `d.${createHash("sha256")
    .update(JSON.stringify([kind, place ?? "", id]))
    .digest("base64url")
    .slice(0, DERIVED_LENGTH)}`;

const DERIVED_LENGTH = 12;
