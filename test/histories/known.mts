/** What goes wrong today and is being mended: by what a report says. A kept history is named by its file. */
export const KNOWN: readonly { wrong: RegExp; why: string }[] = [
  {
    wrong: /^ProxyPort \w+ is up to date, and port \d+ is not there$/,
    why: "a port that another resource has adopted, in an update of that alone, is deleted when that moves to another number",
  },
  {
    wrong: /^a state has (port|zone) \S+, and the words are: .*\b(is in no state|may have created)\b/,
    why: "what a killed update has made is called lost although a resource of the same update takes it over a moment later",
  },
];

export const isKnown = (wrong: string): boolean => KNOWN.some((each) => each.wrong.test(wrong));

/** Kept histories that go wrong today. The suite fails when one of them goes right. */
export const KEPT_AND_KNOWN: ReadonlySet<string> = new Set<string>([
  "another-adopts-it-by-target-and-moves-away-the-port-is-gone",
  "killed-and-another-adopts-the-zone-by-then-words-that-it-is-in-no-state",
  "state-not-saved-and-another-has-the-port-by-then-words-that-it-is-in-no-state",
]);
