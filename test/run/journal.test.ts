import { rmSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import type * as journals from "../../src/run/journal";
import {
  A,
  adviceOf,
  aProcess,
  BACKEND,
  CREATE,
  change,
  contentOf,
  folder,
  meaningOf,
  note,
  notes,
  OPERATIONS,
  remove,
  replace,
  time,
} from "./journalSetup";

const B = "m.bbbbbbbbbbbb";

/** What an operation finds that an earlier process has begun for the same place, or with the same resource. */
async function meaningsOf(
  begun: journals.Operation,
  {
    isTold = false,
    more = {},
    begunWith = {},
  }: { isTold?: boolean; more?: Partial<journals.Subject>; begunWith?: Partial<journals.Subject> } = {},
  between: () => void = () => {},
): Promise<Record<string, string>> {
  vi.stubEnv("PULUMI_BACKEND_URL", BACKEND);
  const earlier = (await aProcess()).open(begun, begunWith);
  earlier.begin({ name: "web" }, "It was made.");
  if (isTold) earlier.tell();
  between();
  const next = await aProcess();
  return Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, operation]) => [name, meaningOf(next.open(operation, more))]),
  );
}

const NOBODYS = { create: "another's", replace: "another's", change: "another's", delete: "another's" };

describe("what an earlier process has begun", () => {
  const CREATION = { create: "unfinished", replace: "unfinished", change: "left", delete: "left" };
  const CHANGE = { create: "another's", replace: "another's", change: "unfinished", delete: "unfinished" };

  test("what an earlier process has begun is gone on with by what does the same, and told where nothing does any more", async () => {
    expect(await meaningsOf(CREATE)).toEqual(CREATION);
  });

  test("what was begun in the place of a resource is gone on with also where that had to make room", async () => {
    expect(await meaningsOf(replace(A))).toEqual(CREATION);
  });

  test("what an earlier process has begun with a resource is gone on with by its next change, and by its deletion", async () => {
    expect(await meaningsOf(change(A))).toEqual(CHANGE);
    for (const file of notes()) rmSync(file);
    expect(await meaningsOf(change(`${A}.123456`))).toEqual(CHANGE);
  });

  test("what an earlier process has begun is the same where the engine was told of it, as long as no state that is seen has it", async () => {
    for (const [begun, meanings] of [
      [CREATE, CREATION],
      [replace(A), CREATION],
      [change(A), CHANGE],
    ] as const) {
      expect(await meaningsOf(begun, { isTold: true })).toEqual(meanings);
      for (const file of notes()) rmSync(file);
    }
  });

  test.each([
    ["another place", { place: "other" }],
    ["another kind", { kind: "ZoneIps" }],
    ["no place that is known", { place: undefined }],
  ])("what an earlier process has begun as a creation is another's for %s", async (_, more) => {
    expect(await meaningsOf(CREATE, { more })).toEqual(NOBODYS);
  });

  test.each([
    ["another place", { place: "other" }],
    ["no place that is known", { place: undefined }],
  ])(
    "what an earlier process has begun with a resource, or in its place, is found by its mark: %s",
    async (_, more) => {
      expect(await meaningsOf(change(A), { more })).toEqual(CHANGE);
      for (const file of notes()) rmSync(file);
      expect(await meaningsOf(replace(A), { more })).toEqual({ ...CREATION, create: "another's" });
    },
  );

  test("what an earlier process has begun with another resource of the same place is another's, but for what was to come in its place", async () => {
    expect(await meaningsOf(change(B))).toEqual(NOBODYS);
    for (const file of notes()) rmSync(file);
    expect(await meaningsOf(replace(B))).toEqual(CREATION);
  });

  test.each([
    ["another service", { service: "there" }],
    ["another account", { account: "theirs" }],
  ])(
    "what an earlier process has begun with %s is left, unless a mark shows by itself what it is",
    async (_, begunWith) => {
      const more = { account: "ours" };
      expect(await meaningsOf(CREATE, { begunWith, more })).toEqual({ ...CREATION, create: "left", replace: "left" });
      for (const file of notes()) rmSync(file);
      expect(await meaningsOf(change(A), { begunWith, more })).toEqual({ ...CHANGE, change: "left", delete: "left" });
      for (const file of notes()) rmSync(file);
      expect(await meaningsOf(CREATE, { begunWith, more: { ...more, isMarked: true } })).toEqual({
        ...CREATION,
        create: "unfinished elsewhere",
        replace: "unfinished elsewhere",
      });
    },
  );

  test.each([
    [undefined, "ours"],
    ["ours", undefined],
  ])(
    "what an earlier process has begun with an account of which one is not known may be here: %s, %s",
    async (before, now) => {
      expect(await meaningsOf(CREATE, { begunWith: { account: before }, more: { account: now } })).toEqual(CREATION);
    },
  );

  describe("for a stack of another backend", () => {
    const elsewhere = () => vi.stubEnv("PULUMI_BACKEND_URL", "file:///another");

    test("what an earlier process has begun for a stack of another backend is told to the creation at the same place, and never gone on with", async () => {
      expect(await meaningsOf(CREATE, {}, elsewhere)).toEqual({ ...NOBODYS, create: "left" });
      for (const file of notes()) rmSync(file);
      expect(await meaningsOf(replace(A), {}, elsewhere)).toEqual({ ...NOBODYS, create: "left" });
    });

    test("what an earlier process has begun for a stack of another backend is another's as a change, and where a state there may have it", async () => {
      expect(await meaningsOf(change(A), {}, elsewhere)).toEqual(NOBODYS);
      expect(await meaningsOf(CREATE, { isTold: true }, elsewhere)).toEqual(NOBODYS);
    });

    test("what an earlier process has begun for a stack of another backend is not forgotten by telling of it here", async () => {
      await meaningsOf(CREATE, {}, elsewhere);
      const { open } = await aProcess();
      open().tell();
      expect(contentOf(note()).facts).toEqual({ name: "web" });
    });
  });
});

describe("a journal", () => {
  test("a journal hands over what was noted", async () => {
    const began = (await aProcess()).open();
    expect([began.unfinished, began.outcome]).toEqual([undefined, undefined]);
    began.begin({ name: "web" }, "It was made.");
    expect(began.outcome).toBe(began.mark);
    const next = (await aProcess()).open();
    expect(next.unfinished).toMatchObject({
      began: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      mark: began.mark,
      facts: { name: "web" },
      advice: "It was made.",
    });
    expect(next.outcome).toBe(began.mark);
  });

  test("a journal goes on with a creation under the same mark, and with a change under another", async () => {
    const created = (await aProcess()).open();
    expect(created.mark).toMatch(/^m\.[\w-]{12}$/);
    created.begin({});
    const { open } = await aProcess();
    expect(open().mark).toBe(created.mark);
    expect(open(CREATE, { place: "other" }).mark).not.toBe(created.mark);

    const first = (await aProcess()).open(change(`${A}.123456`));
    expect(first.mark).toMatch(/^m\.a{12}\.[\w-]{6}$/);
    first.begin({});
    const { open: again } = await aProcess();
    expect(again(change(A)).mark).toMatch(/^m\.a{12}\.[\w-]{6}$/);
    expect(again(change(A)).mark).not.toBe(first.mark);
    expect(again(change(A)).outcome).toBe(first.mark);
  });

  test("a journal finds nothing unfinished that it has begun itself", async () => {
    const journal = (await aProcess()).open();
    journal.begin({ name: "web" });
    expect(journal.unfinished).toBeUndefined();
  });

  test("a journal finds the latest of what was begun", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    for (const name of ["first", "second"]) {
      (await aProcess()).open(change(A)).begin({ name });
      vi.setSystemTime(Date.now() + 1000);
    }
    expect((await aProcess()).open(change(A)).unfinished?.facts).toEqual({ name: "second" });
  });

  test("a journal notes a creation anew under its mark: there is one note of it", async () => {
    (await aProcess()).open().begin({ name: "first" });
    (await aProcess()).open().begin({ name: "second" });
    expect(contentOf(note()).facts).toEqual({ name: "second" });
  });

  test("a journal forgets all that it went on with, once and again", async () => {
    for (const name of ["first", "second"]) (await aProcess()).open(change(A)).begin({ name });
    const { open } = await aProcess();
    open(CREATE, { place: "other" }).begin({ name: "other" });
    const journal = open(change(A));
    journal.begin({ name: "third" });
    for (let times = 0; times < 2; times++) journal.forget();
    expect(contentOf(note()).facts).toEqual({ name: "other" });
    expect([journal.unfinished, journal.outcome]).toEqual([undefined, undefined]);
  });

  test("a journal takes back what it has noted itself: what was noted before still holds", async () => {
    (await aProcess()).open(change(A)).begin({ name: "first" });
    const journal = (await aProcess()).open(change(A));
    journal.takeBack();
    journal.begin({ name: "second" });
    expect(notes()).toHaveLength(2);
    for (let times = 0; times < 2; times++) journal.takeBack();
    expect(contentOf(note()).facts).toEqual({ name: "first" });
    expect(journal.outcome).toBe(journal.unfinished?.mark);
  });

  test("a journal takes back what it has noted over a note with the same mark", async () => {
    (await aProcess()).open().begin({ name: "first" });
    const journal = (await aProcess()).open();
    journal.begin({ name: "second" });
    expect(contentOf(note()).facts).toEqual({ name: "second" });
    journal.takeBack();
    expect(contentOf(note()).facts).toEqual({ name: "first" });
  });

  test("a journal closes with its resource: all that was begun with it, or in its place, is forgotten, and nothing else", async () => {
    const { open } = await aProcess();
    open(change(A)).begin({});
    open(change(`${A}.123456`), { place: "other" }).begin({});
    open(replace(A), { place: "third" }).begin({});
    open(change(B)).begin({ stays: true });
    const { open: later } = await aProcess();
    later(remove(A)).close();
    expect(contentOf(note()).facts).toEqual({ stays: true });
  });

  test("a journal closes no creation of its place that another resource stands at meanwhile", async () => {
    (await aProcess()).open().begin({ name: "web" });
    (await aProcess()).open(remove(A)).close();
    expect((await aProcess()).open().unfinished?.facts).toEqual({ name: "web" });
  });

  test("a journal tells a person once of what is left", async () => {
    (await aProcess()).open(replace(A)).begin({}, "Another was made.");
    const { open } = await aProcess();
    const journal = open(change(A));
    expect(adviceOf(journal)).toEqual(["Another was made."]);
    journal.tell();
    expect(adviceOf(journal)).toEqual([]);
    expect(notes()).toEqual([]);
    expect(adviceOf(open(change(A)))).toEqual([]);
  });

  test("a journal tells nobody of what a resource of the program has, nor of what needs no word", async () => {
    (await aProcess()).open(CREATE).begin({});
    expect(adviceOf((await aProcess()).open(change(A)))).toEqual([]);
    (await aProcess()).open(CREATE).begin({}, "Another was made.", "zone web");
    const journal = (await aProcess()).open(change(A));
    const asked: string[] = [];
    const isHad = (thing: string) => asked.push(thing) > 0;
    expect(journal.advice(isHad)).toEqual([]);
    expect(asked).toEqual(["zone web"]);
    expect(adviceOf(journal)).toEqual(["Another was made."]);
  });
});

describe("what the engine was told of", () => {
  test("what the engine was told of is unfinished no more to this process, but stays noted: the engine may not live to record it", async () => {
    const { open } = await aProcess();
    const journal = open();
    journal.begin({ name: "web" });
    journal.tell();
    expect(open().unfinished).toBeUndefined();
    expect(note()).toMatch(/\.told\.json$/);
    expect((await aProcess()).open().unfinished?.facts).toEqual({ name: "web" });
  });

  test("what the engine was told of is unfinished again once it has begun anew", async () => {
    (await aProcess()).open().begin({ name: "first" });
    const next = await aProcess();
    const journal = next.open();
    journal.tell();
    journal.begin({ name: "second" });
    expect(next.open().unfinished?.facts).toEqual({ name: "second" });
  });

  test("what the engine was told of is history once a state has the mark", async () => {
    const journal = (await aProcess()).open();
    journal.begin({});
    journal.tell();
    const next = await aProcess();
    next.recognize(B);
    note();
    next.recognize(journal.mark);
    expect(notes()).toEqual([]);
    expect(next.open().unfinished).toBeUndefined();
  });

  /** Three changes of a resource that were begun one after the other, each knowing of those before it, and one of another. */
  async function changes(isTold: boolean): Promise<string[]> {
    vi.useFakeTimers({ toFake: ["Date"] });
    const marks: string[] = [];
    for (const [of, name] of [
      [A, "first"],
      [A, "second"],
      [A, "third"],
      [B, "another"],
    ] as const) {
      const journal = (await aProcess()).open(change(of));
      journal.begin({ name });
      if (isTold) journal.tell();
      marks.push(journal.mark);
      vi.setSystemTime(Date.now() + 1000);
    }
    return marks;
  }

  test("what the engine was told of with a resource is history together with what was begun with it before, not with what began later", async () => {
    const marks = await changes(false);
    (await aProcess()).recognize(marks[1] as string);
    expect(notes().map((file) => contentOf(file).facts)).toEqual(
      expect.arrayContaining([{ name: "third" }, { name: "another" }]),
    );
    expect(notes()).toHaveLength(2);
  });

  test("what the engine was told of with a resource is history with all before it once the engine has answered the program", async () => {
    await changes(true);
    const { acknowledge, placeId, open } = await aProcess();
    expect(notes()).toHaveLength(4);
    acknowledge(new Set([placeId("Zone", "place")]), 0);
    expect(notes()).toEqual([]);
    await changes(false);
    const journal = (await aProcess()).open(change(A), { place: "other" });
    journal.begin({ name: "fourth" });
    journal.tell();
    open(CREATE, { place: "other" }).begin({ name: "untold" });
    acknowledge(new Set([placeId("Zone", "other")]), 0);
    const facts = notes().map((file) => contentOf(file).facts);
    expect(facts).toHaveLength(2);
    expect(facts).toEqual(expect.arrayContaining([{ name: "another" }, { name: "untold" }]));
  });

  test("what the engine was told of is also what was gone on with, and not begun anew", async () => {
    (await aProcess()).open().begin({ name: "web" });
    (await aProcess()).open().tell();
    expect(note()).toMatch(/\.told\.json$/);
  });

  test("what the engine was told of is history once the engine has answered the program, which says so by its place", async () => {
    const { open, acknowledge, placeId } = await aProcess();
    for (const place of ["told", "other"]) {
      const journal = open(CREATE, { place });
      journal.begin({ place });
      journal.tell();
    }
    open(CREATE, { place: "untold" }).begin({ place: "untold" });
    const program = await aProcess();
    program.acknowledge(new Set([placeId("Zone", "told"), placeId("Zone", "untold"), placeId("ZoneIps", "other")]), 0);
    expect(notes().map((file) => contentOf(file).facts)).toEqual(
      expect.arrayContaining([{ place: "other" }, { place: "untold" }]),
    );
    expect(notes()).toHaveLength(2);
    acknowledge(new Set(), 0);
    rmSync(folder, { recursive: true });
    acknowledge(new Set([placeId("Zone", "told")]), 0);
  });

  test("what the engine was told of and is in no state that is seen is gone on with", async () => {
    const before = (await aProcess()).open();
    before.begin({ name: "web" });
    before.tell();
    const next = await aProcess();
    const journal = next.open();
    await journal.settle(time());
    expect(journal.unfinished?.facts).toEqual({ name: "web" });
    expect(journal.mark).toBe(before.mark);
  });
});
