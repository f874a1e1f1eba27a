import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { Subject, Undertaking } from "../../src/run/meaning";
import { foundByPeers, programFile } from "../../src/run/runFiles";
import {
  A,
  adviceOf,
  aProcess,
  BACKEND,
  CREATE,
  change,
  contentOf,
  files,
  folder,
  home,
  isTold,
  meaningOf,
  OPERATIONS,
  onlyFile,
  remove,
  replace,
  time,
} from "./journalSetup";

const B = "m.bbbbbbbbbbbb";

/** What an operation finds that an earlier process has begun for the same place, or with the same resource. */
async function meaningsOf(
  begun: Undertaking,
  {
    isTold = false,
    more = {},
    begunWith = {},
    url = BACKEND,
  }: { isTold?: boolean; more?: Partial<Subject>; begunWith?: Partial<Subject>; url?: string } = {},
  between: () => void = () => {},
): Promise<Record<string, string>> {
  vi.stubEnv("PULUMI_BACKEND_URL", url);
  const earlier = (await aProcess()).open(begun, begunWith);
  await earlier.begin({ name: "web" }, "It was made.");
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

  test("is gone on with by what does the same, and told where nothing does any more", async () => {
    expect(await meaningsOf(CREATE)).toEqual(CREATION);
  });

  describe("at a place that only a URN tells", () => {
    const more = { place: "its URN", urnPlace: "its URN" };
    const begunWith = more;
    const LEFT = { create: "left", replace: "left", change: "left", delete: "left" };

    test("is nobody's to go on with once it is told: a stack of the name in another organization may have it", async () => {
      expect(await meaningsOf(CREATE, { isTold: true, more, begunWith })).toEqual(LEFT);
      expect(
        await meaningsOf(CREATE, { isTold: true, more, begunWith: { place: "a place", urnPlace: "its URN" } }),
      ).toEqual(LEFT);
    });

    test("is gone on with where it was cut short, where its resource is known, and where there are no organizations", async () => {
      expect(await meaningsOf(CREATE, { more, begunWith })).toEqual(CREATION);
      const replacing = await meaningsOf(replace(A), { isTold: true, more, begunWith });
      expect(replacing).toMatchObject({ create: "left", replace: "unfinished" });
      for (const url of ["file:///states", "s3://states"])
        expect(await meaningsOf(CREATE, { isTold: true, more, begunWith, url })).toEqual(CREATION);
    });
  });

  test("with a resource, again and again, is noted once in what follows it", async () => {
    for (let number = 0; number < 6; number++) {
      const { open } = await aProcess();
      await open(change(A)).begin({ number });
    }
    const longest = Math.max(...files().map((file) => (contentOf(file).follows as string[] | undefined)?.length ?? 0));
    expect(longest).toBe(5);
  });

  test("what was begun in the place of a resource is gone on with also where that had to make room", async () => {
    expect(await meaningsOf(replace(A))).toEqual(CREATION);
  });

  test("with a resource is gone on with by its next change, and by its deletion", async () => {
    expect(await meaningsOf(change(A))).toEqual(CHANGE);
    for (const file of files()) rmSync(file);
    expect(await meaningsOf(change(`${A}.123456`))).toEqual(CHANGE);
  });

  test("is the same where the engine was told of it, as long as no state that is seen has it", async () => {
    for (const [begun, meanings] of [
      [CREATE, CREATION],
      [replace(A), CREATION],
      [change(A), CHANGE],
    ] as const) {
      expect(await meaningsOf(begun, { isTold: true })).toEqual(meanings);
      for (const file of files()) rmSync(file);
    }
  });

  test.each([
    ["another place", { place: "other" }],
    ["another kind", { kind: "ZoneIps" }],
    ["no place that is known", { place: undefined }],
  ])("as a creation is another's for %s", async (_, more) => {
    expect(await meaningsOf(CREATE, { more })).toEqual(NOBODYS);
  });

  test.each([
    ["another place", { place: "other" }],
    ["no place that is known", { place: undefined }],
  ])("with a resource, or in its place, is found by its mark: %s", async (_, more) => {
    expect(await meaningsOf(change(A), { more })).toEqual(CHANGE);
    for (const file of files()) rmSync(file);
    expect(await meaningsOf(replace(A), { more })).toEqual({ ...CREATION, create: "another's" });
  });

  test("with another resource of the same place is another's, but for what was to come in its place", async () => {
    expect(await meaningsOf(change(B))).toEqual(NOBODYS);
    for (const file of files()) rmSync(file);
    expect(await meaningsOf(replace(B))).toEqual(CREATION);
  });

  test.each([
    ["another service", { service: "there" }],
    ["another account", { account: "theirs" }],
  ])("with %s is left, unless a mark shows by itself what it is", async (_, begunWith) => {
    const more = { account: "ours" };
    expect(await meaningsOf(CREATE, { begunWith, more })).toEqual({ ...CREATION, create: "left", replace: "left" });
    for (const file of files()) rmSync(file);
    expect(await meaningsOf(change(A), { begunWith, more })).toEqual({ ...CHANGE, change: "left", delete: "left" });
    for (const file of files()) rmSync(file);
    expect(await meaningsOf(CREATE, { begunWith, more: { ...more, isMarked: true } })).toEqual({
      ...CREATION,
      create: "unfinished elsewhere",
      replace: "unfinished elsewhere",
    });
  });

  test.each([
    [undefined, "ours"],
    ["ours", undefined],
  ])("with an account of which one is not known may be here: %s, %s", async (before, now) => {
    expect(await meaningsOf(CREATE, { begunWith: { account: before }, more: { account: now } })).toEqual(CREATION);
  });

  describe("for a stack of another backend", () => {
    const elsewhere = () => vi.stubEnv("PULUMI_BACKEND_URL", "file:///another");

    test("is told to the creation at the same place, and never gone on with", async () => {
      expect(await meaningsOf(CREATE, {}, elsewhere)).toEqual({ ...NOBODYS, create: "left" });
      for (const file of files()) rmSync(file);
      expect(await meaningsOf(replace(A), {}, elsewhere)).toEqual({ ...NOBODYS, create: "left" });
    });

    test("is another's as a change, and where a state there may have it", async () => {
      expect(await meaningsOf(change(A), {}, elsewhere)).toEqual(NOBODYS);
      expect(await meaningsOf(CREATE, { isTold: true }, elsewhere)).toEqual(NOBODYS);
    });

    test("is not forgotten by telling of it here", async () => {
      await meaningsOf(CREATE, {}, elsewhere);
      const { open } = await aProcess();
      open().tell();
      expect(contentOf(onlyFile()).facts).toEqual({ name: "web" });
    });
  });
});

test("a journal hands over what was noted", async () => {
  const began = (await aProcess()).open();
  expect([began.unfinished, began.outcome]).toEqual([undefined, undefined]);
  await began.begin({ name: "web" }, "It was made.");
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
  await created.begin({});
  const { open } = await aProcess();
  expect(open().mark).toBe(created.mark);
  expect(open(CREATE, { place: "other" }).mark).not.toBe(created.mark);

  const first = (await aProcess()).open(change(`${A}.123456`));
  expect(first.mark).toMatch(/^m\.a{12}\.[\w-]{6}$/);
  await first.begin({});
  const { open: again } = await aProcess();
  expect(again(change(A)).mark).toMatch(/^m\.a{12}\.[\w-]{6}$/);
  expect(again(change(A)).mark).not.toBe(first.mark);
  expect(again(change(A)).outcome).toBe(first.mark);
});

test("a journal finds nothing unfinished that it has begun itself", async () => {
  const journal = (await aProcess()).open();
  await journal.begin({ name: "web" });
  expect(journal.unfinished).toBeUndefined();
});

test("a journal finds the latest of what was begun", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  for (const name of ["first", "second"]) {
    await (await aProcess()).open(change(A)).begin({ name });
    vi.setSystemTime(Date.now() + 1000);
  }
  expect((await aProcess()).open(change(A)).unfinished?.facts).toEqual({ name: "second" });
});

test("a journal notes a creation anew under its mark, over what it went on with: neither is lost by a kill in between", async () => {
  const names = ["first", "second", "third"];
  for (const name of names) await (await aProcess()).open().begin({ name });
  // Of the first, nothing had come when the second was begun.
  expect(files().map((file) => contentOf(file).facts)).toEqual(
    expect.arrayContaining([{ name: "second" }, { name: "third" }]),
  );
  expect(files()).toHaveLength(2);
  const { open, recognize } = await aProcess();
  expect(open().unfinished?.facts).toEqual({ name: "third" });
  recognize(open().mark);
  expect(files()).toEqual([]);
});

test("a journal notes what is begun later as later, whatever the clock says", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  for (const name of ["first", "second"]) {
    await (await aProcess()).open().begin({ name });
    vi.setSystemTime(Date.now() - 60_000);
  }
  expect((await aProcess()).open().unfinished?.facts).toEqual({ name: "second" });
});

test("a journal forgets all that it went on with, once and again", async () => {
  for (const name of ["first", "second"]) await (await aProcess()).open(change(A)).begin({ name });
  const { open } = await aProcess();
  await open(CREATE, { place: "other" }).begin({ name: "other" });
  const journal = open(change(A));
  await journal.begin({ name: "third" });
  for (let times = 0; times < 2; times++) journal.forget();
  expect(contentOf(onlyFile()).facts).toEqual({ name: "other" });
  expect([journal.unfinished, journal.outcome]).toEqual([undefined, undefined]);
});

test("a journal takes back what it has noted itself: what was noted before still holds", async () => {
  await (await aProcess()).open(change(A)).begin({ name: "first" });
  const journal = (await aProcess()).open(change(A));
  journal.takeBack();
  await journal.begin({ name: "second" });
  expect(files()).toHaveLength(2);
  for (let times = 0; times < 2; times++) journal.takeBack();
  expect(contentOf(onlyFile()).facts).toEqual({ name: "first" });
  expect(journal.outcome).toBe(journal.unfinished?.mark);
});

test("a journal takes back what it has noted over a note with the same mark", async () => {
  await (await aProcess()).open().begin({ name: "first" });
  const journal = (await aProcess()).open();
  await journal.begin({ name: "second" });
  expect((await aProcess()).open().unfinished?.facts).toEqual({ name: "second" });
  journal.takeBack();
  expect(contentOf(onlyFile()).facts).toEqual({ name: "first" });
});

test("a journal notes more of what it has begun, and takes it all back", async () => {
  await (await aProcess()).open().begin({ name: "former" });
  vi.useFakeTimers({ toFake: ["Date"] });
  const journal = (await aProcess()).open();
  const names = Array.from({ length: 9 }, (_, index) => `begun ${index}`);
  for (const name of names) await journal.begin({ name });
  expect((await aProcess()).open().unfinished?.facts).toEqual({ name: "begun 8" });
  journal.takeBack();
  expect(contentOf(onlyFile()).facts).toEqual({ name: "former" });
  expect(journal.outcome).toBe(journal.unfinished?.mark);
});

test("a journal closes with its resource: all that was begun with it, or in its place, is forgotten, and nothing else", async () => {
  const { open } = await aProcess();
  await open(change(A)).begin({});
  await open(change(`${A}.123456`), { place: "other" }).begin({});
  await open(replace(A), { place: "third" }).begin({});
  await open(change(B)).begin({ stays: true });
  const { open: later } = await aProcess();
  later(remove(A)).close();
  expect(contentOf(onlyFile()).facts).toEqual({ stays: true });
});

test("a journal closes nothing of its resource that was begun with another service, where it may be still", async () => {
  for (const place of ["place", "other"]) {
    await (await aProcess()).open(change(A), { place }).begin({ place });
    const { open } = await aProcess();
    const elsewhere = open(remove(A), { service: "there", isMarked: true });
    expect(elsewhere.unfinished).toMatchObject({ isElsewhere: true });
    elsewhere.close();
    const here = open(remove(A));
    expect(here.unfinished?.facts).toEqual({ place });
    here.close();
    expect(files()).toEqual([]);
  }
});

test("a journal closes no creation of its place that another resource stands at meanwhile", async () => {
  await (await aProcess()).open().begin({ name: "web" });
  (await aProcess()).open(remove(A)).close();
  expect((await aProcess()).open().unfinished?.facts).toEqual({ name: "web" });
});

test("a journal tells a person once of what is left", async () => {
  await (await aProcess()).open(replace(A)).begin({}, "Another was made.");
  const { open } = await aProcess();
  const journal = open(change(A));
  expect(adviceOf(journal)).toEqual(["Another was made."]);
  journal.tell();
  expect(adviceOf(journal)).toEqual([]);
  expect(files()).toEqual([]);
  expect(adviceOf(open(change(A)))).toEqual([]);
});

test("a journal tells nobody of what a resource of the program has, nor of what needs no word", async () => {
  await (await aProcess()).open(CREATE).begin({});
  expect(adviceOf((await aProcess()).open(change(A)))).toEqual([]);
  await (await aProcess()).open(CREATE).begin({}, "Another was made.", "zone web");
  const journal = (await aProcess()).open(change(A));
  const asked: string[] = [];
  const isHad = (thing: string) => asked.push(thing) > 0;
  expect(journal.advice(isHad)).toEqual([]);
  expect(asked).toEqual(["zone web"]);
  expect(adviceOf(journal)).toEqual(["Another was made."]);
});

test("what nobody can tell yet whether a resource has stays noted when what it was to replace is deleted", async () => {
  await (await aProcess()).open(replace(A)).begin({ name: "new" }, "Another was made.", "zone new");
  const journal = (await aProcess()).open(remove(A));
  expect(journal.advice(() => undefined)).toEqual([]);
  journal.close();
  const next = (await aProcess()).open(remove(A));
  expect(adviceOf(next)).toEqual(["Another was made."]);
  next.close();
  expect(files()).toEqual([]);
});

test("what the engine was told of is unfinished no more to this process, but stays noted: the engine may not live to record it", async () => {
  const { open } = await aProcess();
  const journal = open();
  await journal.begin({ name: "web" });
  journal.tell();
  expect(open().unfinished).toBeUndefined();
  expect(isTold(onlyFile())).toBe(true);
  expect((await aProcess()).open().unfinished?.facts).toEqual({ name: "web" });
});

test("what the engine was told of is unfinished again once it has begun anew", async () => {
  await (await aProcess()).open().begin({ name: "first" });
  const next = await aProcess();
  const journal = next.open();
  journal.tell();
  await journal.begin({ name: "second" });
  expect(next.open().unfinished?.facts).toEqual({ name: "second" });
});

test("what the engine was told of with a resource is gone on with where it asks again with the state of before, as an error hook may have it do", async () => {
  for (const again of [change(A), remove(A)]) {
    const { open, recognize, acknowledge } = await aProcess();
    const journal = open(change(A));
    await journal.begin({ count: 2 });
    journal.tell();
    recognize(A);
    const repeated = open(again);
    expect(repeated.unfinished?.facts).toEqual({ count: 2 });
    await repeated.begin({ count: 3 });
    repeated.tell();
    recognize(repeated.mark);
    expect(open(change(repeated.mark)).unfinished).toBeUndefined();
    acknowledge(new Set([repeated.mark]));
    expect(files()).toEqual([]);
  }
});

test("what the engine was told of stays noted where it asks again with what it was told: it may not have saved that", async () => {
  const { open, recognize } = await aProcess();
  const journal = open();
  await journal.begin({ name: "web" });
  journal.tell();
  recognize(journal.mark);
  expect(isTold(onlyFile())).toBe(true);
  const repeated = open(change(journal.mark));
  expect([repeated.unfinished, adviceOf(repeated)]).toEqual([undefined, []]);
  await repeated.begin({ name: "web", disabled: true });
  repeated.tell();
  expect(files()).toHaveLength(2);
  const [, third] = [recognize(repeated.mark), open(change(repeated.mark))];
  expect([third.unfinished, adviceOf(third)]).toEqual([undefined, []]);
  (await aProcess()).recognize(repeated.mark);
  expect(files()).toEqual([]);
});

test("what was begun in the place of a resource, by who could not know of it, is no history of its next change", async () => {
  const before = (await aProcess()).open();
  await before.begin({ name: "one" }, "One was made.", "zone one");
  before.tell();
  const forced = (await aProcess()).open();
  await forced.begin({ name: "two" }, "Two was made.", "zone two");
  const { open, recognize } = await aProcess();
  recognize(before.mark, ["zone one"]);
  const journal = open(change(before.mark));
  // Nobody can tell yet whether a resource has it.
  expect(journal.advice(() => undefined)).toEqual([]);
  await journal.begin({ count: 2 });
  journal.tell();
  const next = await aProcess();
  next.recognize(journal.mark);
  expect(contentOf(onlyFile()).thing).toBe("zone two");
  expect(adviceOf(next.open(change(journal.mark)))).toEqual(["Two was made."]);
});

test("what the engine was told of is history once a state has the mark", async () => {
  const journal = (await aProcess()).open();
  await journal.begin({});
  journal.tell();
  const next = await aProcess();
  next.recognize(B);
  onlyFile();
  next.recognize(journal.mark);
  expect(files()).toEqual([]);
  expect(next.open().unfinished).toBeUndefined();
});

test("what was begun of another thing under a mark that a state has with its own stays", async () => {
  const journal = (await aProcess()).open();
  await journal.begin({ name: "first" }, undefined, "zone first");
  journal.tell();
  // A program that tells of no state, as where a replacement is forced, leads to the same mark.
  const forced = (await aProcess()).open();
  await forced.begin({ name: "second" }, undefined, "zone second");
  forced.tell();
  expect(files()).toHaveLength(2);
  const { open, recognize } = await aProcess();
  recognize(forced.mark, ["zone first"]);
  expect(contentOf(onlyFile()).facts).toEqual({ name: "second" });
  expect(open().unfinished?.facts).toEqual({ name: "second" });
  // A refresh asks again, and so does the next update.
  recognize(forced.mark, ["zone first"]);
  (await aProcess()).recognize(forced.mark, ["zone first"]);
  onlyFile();
  recognize(forced.mark, ["zone second"]);
  expect(files()).toEqual([]);
});

test("what was begun at a place is found by what stands for it where nobody tells that", async () => {
  const journal = (await aProcess()).open(CREATE, { urnPlace: "its URN" });
  await journal.begin({ name: "a" }, "A zone may be there.");
  expect((await aProcess()).open(remove(A), { place: "another" }).advice(() => false)).toEqual([]);
  expect((await aProcess()).open(remove(A), { place: "its URN" }).advice(() => false)).toEqual([
    "A zone may be there.",
  ]);
});

test("what was begun for a resource that stood elsewhere before is told where that is deleted, as the engine tells nothing of what it replaces by force", async () => {
  const journal = (await aProcess()).open(CREATE, { stood: ["before", "its former URN"] });
  await journal.begin({ name: "a" }, "A zone may be there.");
  journal.tell();
  const adviceOf = async (operation: Undertaking, place: string) =>
    (await aProcess()).open(operation, { place }).advice(() => false);
  for (const place of ["before", "its former URN"])
    expect(await adviceOf(remove(A), place)).toEqual(["A zone may be there."]);
  expect(await adviceOf(remove(A), "another")).toEqual([]);
  // Another resource may stand there by now.
  for (const operation of [CREATE, replace(A), change(A)]) expect(await adviceOf(operation, "before")).toEqual([]);
  expect((await aProcess()).open(CREATE, { place: "before" }).unfinished).toBeUndefined();
});

test("what was begun at a place is gone on with, or told, where the program says that its resource stands elsewhere by now", async () => {
  const journal = (await aProcess()).open(CREATE, { urnPlace: "its URN" });
  await journal.begin({ name: "a" }, "A zone may be there.");
  for (const former of ["place", "its URN"]) {
    const opened = async (operation: Undertaking) =>
      (await aProcess()).open(operation, { place: "new", stood: [former] });
    for (const operation of [CREATE, replace(A)])
      expect((await opened(operation)).unfinished?.facts).toEqual({ name: "a" });
    for (const operation of [change(A), remove(A)]) {
      const later = await opened(operation);
      expect(later.unfinished).toBeUndefined();
      expect(later.advice(() => false)).toEqual(["A zone may be there."]);
    }
  }
  expect((await aProcess()).open(CREATE, { place: "new", stood: ["another"] }).unfinished).toBeUndefined();
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
    await journal.begin({ name });
    if (isTold) journal.tell();
    marks.push(journal.mark);
    vi.setSystemTime(Date.now() + 1000);
  }
  return marks;
}

test("what the engine was told of with a resource is history together with what was begun with it before, not with what began later", async () => {
  const marks = await changes(false);
  (await aProcess()).recognize(marks[1] as string);
  expect(files().map((file) => contentOf(file).facts)).toEqual(
    expect.arrayContaining([{ name: "third" }, { name: "another" }]),
  );
  expect(files()).toHaveLength(2);
});

test("what the engine was told of with a resource is history with all before it once the engine has answered the program", async () => {
  const [, , third = "", another = ""] = await changes(true);
  const { acknowledge } = await aProcess();
  expect(files()).toHaveLength(4);
  acknowledge(new Set([third, B]));
  expect(contentOf(onlyFile()).mark).toBe(another);
});

test("what the engine was told of is also what was gone on with, and not begun anew", async () => {
  await (await aProcess()).open().begin({ name: "web" });
  (await aProcess()).open().tell();
  expect(isTold(onlyFile())).toBe(true);
});

test("what the engine was told of is history once the engine has answered the program, which says so by its mark", async () => {
  const { open, acknowledge } = await aProcess();
  const marks: string[] = [];
  for (const place of ["told", "other"]) {
    const journal = open(CREATE, { place });
    await journal.begin({ place });
    journal.tell();
    marks.push(journal.mark);
  }
  const program = await aProcess();
  program.acknowledge(new Set([marks[0] as string, A]));
  expect(contentOf(onlyFile()).facts).toEqual({ place: "other" });
  acknowledge(new Set());
  rmSync(folder, { recursive: true });
  acknowledge(new Set(marks));
});

test("what the engine was told of is history also where a full disk kept that from being noted", async () => {
  const journal = (await aProcess()).open();
  await journal.begin({ name: "web" });
  expect(isTold(onlyFile())).toBe(false);
  (await aProcess()).acknowledge(new Set([journal.mark]));
  expect(files()).toEqual([]);
});

test("what the engine was told of is not history by an answer from another backend, which may have a copy of the state", async () => {
  const journal = (await aProcess()).open();
  await journal.begin({ name: "web" });
  journal.tell();
  vi.stubEnv("PULUMI_BACKEND_URL", "file:///another");
  (await aProcess()).acknowledge(new Set([journal.mark]));
  expect(contentOf(onlyFile()).facts).toEqual({ name: "web" });
  vi.stubEnv("PULUMI_BACKEND_URL", BACKEND);
  (await aProcess()).acknowledge(new Set([journal.mark]));
  expect(files()).toEqual([]);
});

test("what the engine was told of is history by its answer to a program that knows neither its backend nor its home", async () => {
  const engine = "127.0.0.1:45678";
  const journal = (await aProcess(engine)).open();
  await journal.begin({ name: "web" });
  journal.tell();
  const file = join(home, "elsewhere/brightdata/runs", basename(programFile(engine, "a-run")));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
  foundByPeers(file);
  vi.stubEnv("PULUMI_BACKEND_URL", "file:///another");
  vi.stubEnv("PULUMI_HOME", join(home, "elsewhere"));
  const { acknowledge } = await aProcess();
  const marks = new Set([journal.mark]);
  acknowledge(marks, { engine });
  acknowledge(marks, { file });
  acknowledge(marks, { engine: "127.0.0.1:45679", file });
  expect(files()).toHaveLength(1);
  acknowledge(marks, { engine, file });
  expect(files()).toEqual([]);
});

test("what the engine was told of is not history by a state of another backend, which may be a copy", async () => {
  const journal = (await aProcess()).open();
  await journal.begin({ name: "web" });
  journal.tell();
  vi.stubEnv("PULUMI_BACKEND_URL", "file:///another");
  (await aProcess()).recognize(journal.mark);
  expect(contentOf(onlyFile()).facts).toEqual({ name: "web" });
  vi.stubEnv("PULUMI_BACKEND_URL", BACKEND);
  (await aProcess()).recognize(journal.mark);
  expect(files()).toEqual([]);
});

test("what the engine was told of is not history by an answer that it gives before it saves its state", async () => {
  vi.stubEnv("PULUMI_SKIP_CHECKPOINTS", "true");
  const journal = (await aProcess()).open();
  await journal.begin({ name: "web" });
  journal.tell();
  const next = await aProcess();
  next.acknowledge(new Set([journal.mark]));
  expect(contentOf(onlyFile()).isSavedLast).toBe(true);
  next.recognize(journal.mark);
  expect(files()).toEqual([]);
});

test("what the engine was told of is another's where the program says that its resource stands elsewhere by now", async () => {
  const before = (await aProcess()).open();
  await before.begin({ name: "web" });
  before.tell();
  const { open } = await aProcess();
  const asked: string[] = [];
  const isExpectedElsewhere = (place: string) => asked.push(place) > 0;
  const journal = open(CREATE, { isExpectedElsewhere });
  expect(journal.mark).toBe(before.mark);
  await journal.settle(time());
  expect(asked).toEqual(["place"]);
  expect(journal.unfinished).toBeUndefined();
  expect(journal.mark).not.toBe(before.mark);
  // Until a state with its mark is seen, it is not forgotten.
  expect(contentOf(onlyFile()).facts).toEqual({ name: "web" });
});

test("what the engine was told of stays noted where its former place is deleted, and the program says that it stands elsewhere", async () => {
  const before = (await aProcess()).open(replace(A));
  await before.begin({ name: "new" }, "Another was made.");
  before.tell();
  const journal = (await aProcess()).open(remove(A), { isExpectedElsewhere: () => true });
  await journal.settle(time());
  expect(adviceOf(journal)).toEqual([]);
  journal.close();
  expect((await aProcess()).open(replace(A)).unfinished?.facts).toEqual({ name: "new" });
});

test("what the engine was told of stays unfinished where only that which it was not told of could stand elsewhere", async () => {
  await (await aProcess()).open().begin({ name: "web" });
  const journal = (await aProcess()).open(CREATE, { isExpectedElsewhere: () => true });
  await journal.settle(time());
  expect(journal.unfinished?.facts).toEqual({ name: "web" });
});

test("what the engine was told of and a state is seen to have while the operation waits for its turn is history", async () => {
  const before = (await aProcess()).open();
  await before.begin({ name: "web" });
  const next = await aProcess();
  const journal = next.open();
  next.recognize(before.mark);
  await journal.settle(time());
  expect(journal.unfinished).toBeUndefined();
  expect(journal.mark).not.toBe(before.mark);
});

test("what the engine was told of and is in no state that is seen is gone on with", async () => {
  const before = (await aProcess()).open();
  await before.begin({ name: "web" });
  before.tell();
  const next = await aProcess();
  const journal = next.open();
  await journal.settle(time());
  expect(journal.unfinished?.facts).toEqual({ name: "web" });
  expect(journal.mark).toBe(before.mark);
});

test("of two creations at one place, of which the later did not know the earlier, the later is gone on with, and a person is told of the other", async () => {
  const [one, other, next] = [await aProcess(), await aProcess(), await aProcess()];
  const [first, second] = [one.open(), other.open()];
  await first.begin({ name: "one" }, "It was made.");
  await second.begin({ name: "other" });
  const journal = next.open();
  expect(journal.unfinished?.facts).toEqual({ name: "other" });
  expect(journal.advice(() => false)).toEqual(["It was made."]);
  journal.tell();
  expect(files().map((file) => contentOf(file).facts)).toEqual([{ name: "other" }]);
});
