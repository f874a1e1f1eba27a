/** What goes wrong today and is being mended: by what a report says. A kept history is named by its file. */
export const KNOWN: readonly { wrong: RegExp; why: string }[] = [];

export const isKnown = (wrong: string): boolean => KNOWN.some((each) => each.wrong.test(wrong));

/** Kept histories that go wrong today. The suite fails when one of them goes right. */
export const KEPT_AND_KNOWN: ReadonlySet<string> = new Set<string>();
