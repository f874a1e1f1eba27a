import type { Outcome } from "./engine.mts";

/** What is wrong, in one line. */
export class Wrong extends Error {}

/** The person is told what cannot be known: until they look and decide, nothing goes on. */
export class Told extends Error {}

/** What came of a run, in a few lines. */
export const brief = ({ steps, errors, words, isRecorded }: Outcome): string =>
  [
    steps.join(", ") || "nothing",
    ...(isRecorded ? [] : ["NOT RECORDED"]),
    ...errors.map((error) => `ERROR ${error}`),
    ...words.map((text) => `SAYS ${text}`),
  ].join("\n    ");
