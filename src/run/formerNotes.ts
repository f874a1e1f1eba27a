import { rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ownFolder, quietly } from "../base/disk";
import { isObject, type JsonObject } from "../base/json";
import { entriesOf, type IntentFile, type IntentReading, read } from "./intentFiles";

/** What earlier versions have noted of what they began. A process that one of them was killed in may have left some. */

const NOTE = /^([\w-]+)~([^~]+?)(\.told)?\.json$/;

const notesFolder = (): string => ownFolder("notes");

/** The files of notes, which are intents in another form: one object each, and in the name whether they were told. */
export function notesIn(folder = notesFolder()): IntentFile[] {
  return (quietly(() => entriesOf(folder)) ?? []).flatMap((entry) => {
    const [, place, mark, told] = NOTE.exec(entry) ?? [];
    if (place === undefined || mark === undefined) return [];
    const file = join(folder, entry);
    return [{ file, place, mark, read: () => read(file, (text) => meaningOf(text, told !== undefined)) }];
  });
}

function meaningOf(text: string, isTold: boolean): IntentReading {
  const noted = objectIn(text);
  // It was renamed into place: half of one is what a loss of power leaves, or another hand.
  if (noted === undefined) return { is: "damaged", why: "it is no JSON object" };
  const { follows } = noted;
  // The names of notes: a place and a mark each.
  const marks = Array.isArray(follows) ? follows.map((name) => String(name).split("~")[1] ?? "") : [];
  return { is: "open", begun: { ...noted, ...(marks.length === 0 ? {} : { follows: marks }) }, isTold };
}

function objectIn(text: string): JsonObject | undefined {
  const value = quietly((): unknown => JSON.parse(text));
  return isObject(value) ? value : undefined;
}

const CREATION = /^[0-9a-f]{32}\.json$/;

/**
 * Takes away what versions before the marks have noted of creations. Its files are named after the hash of a place that is
 * reckoned differently by now, so that nothing can go on with them: a person is told what they say.
 */
export function reportCreations(say: (words: string) => void, isOld: (ms: number) => boolean): void {
  const folder = ownFolder("creations");
  const files = (quietly(() => entriesOf(folder)) ?? []).filter((entry) => CREATION.test(entry));
  const begun = files.flatMap((entry) => {
    const reading = read(join(folder, entry), (text) => meaningOf(text, false));
    const noted = reading?.is === "open" ? reading.begun : undefined;
    return noted !== undefined && !isOld(Date.parse(String(noted.began))) ? [wordsOf(noted)] : [];
  });
  for (const entry of files) quietly(() => rmSync(join(folder, entry), { force: true }));
  quietly(() => rmdirSync(folder));
  if (begun.length === 0) return;
  say(
    `Updates with an earlier version of this package were cut short, and may have created what no state has: ${begun.join("; ")}. This version does not go on with it: look for it at the service, and adopt or delete it. It is not noted any longer.`,
  );
}

/** No secret is among the facts. */
function wordsOf({ began, facts }: JsonObject): string {
  const named = isObject(facts)
    ? Object.entries(facts).filter(([, value]) => /^(string|number)$/.test(typeof value))
    : [];
  const what = named.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(", ");
  return `${what === "" ? "something" : `something with ${what}`}, begun at ${began}`;
}
