import { expect, test } from "vitest";
import { type Deleting, type Deletion, deletion, notFound, refusalToLose } from "../../src/run/decisions";

const words = (first: string, rest = ""): string[] => [`${first} kept${rest}.`];
const ONE = "zone a belongs to another resource of this program now, and is";
const TWO = "zone a, zone b belong to other resources of this program now, and are";
const AWAITED =
  "zone a is kept: another resource of this program is to take it over. Should that fail, and the program not ask for it again, declare it again, with `adopt: true` where the resource has that input, or delete it by hand.";
const LIST = "allowedIps of zone web";
const NOTHING = ": nothing is deleted";

const of = (given: Partial<Deleting>): Deletion =>
  deletion({ things: ["zone a", "zone b"], others: [], awaited: [], mayHaveMore: false, isGoing: false, ...given });

test.each<[string, Partial<Deleting>, Deletion]>([
  ["deletes all where nobody else has any", {}, { gone: ["zone a", "zone b"], words: [] }],
  ["keeps what another has", { others: ["zone a"] }, { gone: ["zone b"], words: words(ONE) }],
  [
    "says that it may be the replacement's where there is one",
    { things: ["zone a"], others: ["zone a"], isReplaced: true },
    { gone: undefined, words: words(ONE.replace("another", "its replacement or another"), NOTHING) },
  ],
  [
    "deletes nothing where another has the only thing",
    { things: ["zone a"], others: ["zone a"] },
    { gone: undefined, words: words(ONE, NOTHING) },
  ],
  [
    "deletes nothing where others have all",
    { others: ["zone a", "zone b"] },
    { gone: undefined, words: words(TWO, NOTHING) },
  ],
  [
    "looks for more than others have where a creation had no known outcome",
    { others: ["zone a", "zone b"], mayHaveMore: true },
    { gone: [], words: words(TWO) },
  ],
  [
    "keeps what another is to take over, and says what to do should it not",
    { others: ["zone a"], awaited: ["zone a"] },
    { gone: ["zone b"], words: [AWAITED] },
  ],
  [
    "tells of what another has, and of what another is to take over",
    { others: ["zone a", "zone b"], awaited: ["zone a"] },
    { gone: undefined, words: [...words(ONE.replace("zone a", "zone b"), NOTHING), AWAITED] },
  ],
  [
    "keeps what another has of a list, and names the list alone",
    { things: [LIST, `a in ${LIST}`, `b in ${LIST}`], others: [LIST, `a in ${LIST}`] },
    { gone: [`b in ${LIST}`], words: words(ONE.replace("zone a", LIST)) },
  ],
  [
    "keeps a list that another is to take over, with all that stands on it",
    { things: [LIST, `a in ${LIST}`], others: [LIST, `a in ${LIST}`], awaited: [LIST, `a in ${LIST}`] },
    { gone: undefined, words: [AWAITED.replace("zone a", LIST)] },
  ],
  [
    "does not say by what a run tells one password from another",
    { things: ["password •1f2e of zone web"], others: ["password •1f2e of zone web"] },
    { gone: undefined, words: words(ONE.replace("zone a", "a password of zone web"), NOTHING) },
  ],
  ["looks for what there may be where the state names nothing", { things: [] }, { gone: [], words: [] }],
  ["leaves alone what goes with a thing that is made anew", { isGoing: true }, { gone: undefined, words: [] }],
  [
    "leaves alone what goes with such a thing, and says what another has",
    { others: ["zone a"], isGoing: true },
    { gone: undefined, words: words(ONE) },
  ],
  [
    "leaves alone what goes with such a thing, also where there may be more",
    { mayHaveMore: true, isGoing: true },
    { gone: undefined, words: [] },
  ],
])("a deletion %s", (_, given, outcome) => {
  expect(of(given)).toEqual(outcome);
});

test.each([
  [20, ""],
  [21, " and 1 more"],
  [25, " and 5 more"],
])("a deletion names 20 things at most, here of %i", (number, more) => {
  const things = Array.from({ length: number }, (_, index) => `zone z${index}`);
  const named = things.slice(0, 20).join(", ");
  expect(of({ things, others: things }).words).toEqual([
    `${named}${more} belong to other resources of this program now, and are kept: nothing is deleted.`,
  ]);
});

test.each([
  { things: [], unheard: { file: "f", code: "ENOSPC", is: "unwritten" as const } },
  { things: ["zone a"], unheard: undefined },
])("nothing speaks against losing $things where $unheard is what is not known", ({ things, unheard }) => {
  expect(refusalToLose("Zone a", things, unheard)).toBeUndefined();
});

test("what is not there is named with its connection, and so is what is like it", () => {
  const found = { connection: undefined, isDeclared: false, others: ["web"] };
  const nothing = "There is nothing with the id";
  expect(notFound("wbe", found)).toBe(`${nothing} "wbe" to look up; the most similar is "web".`);
  const named = { ...found, connection: "other" };
  expect(notFound("wbe", named)).toBe(`${nothing} "other/wbe" to look up; the most similar is "other/web".`);
  expect(notFound("wbe", { ...named, others: undefined })).toBe(`${nothing} "other/wbe" to look up.`);
});
