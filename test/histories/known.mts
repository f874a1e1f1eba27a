/** What goes wrong today and is being mended: by what {@link Report.wrong} says. A kept history is named by its file. */
export const KNOWN: readonly { wrong: RegExp; why: string }[] = [
  { wrong: /^\S+ \S+ is in no state when/, why: "what a state that was not saved has lost is made and bought again" },
  { wrong: /in no state.* the words are|^a state has/, why: "words call a zone lost that a state has" },
  { wrong: /which .* has and declares, is gone$/, why: "a pending deletion takes what its successor has" },
  {
    wrong: /whose allowlist is declared, was open to all$/,
    why: "a pending deletion empties the list of its successor",
  },
  {
    wrong: /is up to date, and (ui|ban|port) \S+ is not there$/,
    why: "a deletion takes what another kind, or a parallel creation, has",
  },
  {
    wrong: /up fails to the end: Zone .* differs in/,
    why: "a note of an automatic name stands in the way of the next",
  },
];

export const isKnown = (wrong: string): boolean => KNOWN.some((each) => each.wrong.test(wrong));

/** Kept histories that go wrong today. The suite fails when one of them goes right. */
export const KEPT_AND_KNOWN: ReadonlySet<string> = new Set<string>([]);
