import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import type { JsonObject } from "../../src/base/json";
import { Adapter } from "../../src/dynamic/adapter";
import { type Lifecycle, PartialFailure, type Step } from "../../src/lifecycle/lifecycle";
import { Session } from "../../src/run/session";
import { type Answers, adapter, beginRun, cancellation, failure, inTest, lifecycle, TEXT } from "./adapterSetup";

describe("a creation that is remembered", () => {
  let home: string;
  const PLACED = { __provider: TEXT, a: 1 };
  let places = 0;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "pulumi-home-"));
    vi.stubEnv("PULUMI_HOME", home);
    return () => rmSync(home, { recursive: true, force: true });
  });

  const place = () => `place ${places++}`;
  const files = (): string[] => {
    const folder = join(home, "brightdata", "intents");
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  /** The mark in the name of the one intent that there is. */
  const noted = (): string => {
    expect(files()).toHaveLength(1);
    return (files()[0] as string).split("~")[1] as string;
  };

  /** A kind that notes its creation and then does as it is told; and what it found noted. */
  function noting(
    then: () => void = () => {},
    answers: Answers = {},
  ): { it: Adapter; life: Lifecycle; found: unknown[] } {
    const found: unknown[] = [];
    const begin = async ({ journal }: Step) => {
      found.push(journal?.unfinished?.facts);
      await journal?.begin({ name: "web" });
      then();
    };
    const { adapter: it, life } = adapter({
      ...answers,
      create: async (_inputs, step) => {
        await begin(step);
        return { id: "web", state: {} };
      },
      update: async (_id, _state, _declared, _inputs, step) => {
        await begin(step);
        return {};
      },
    });
    return { it, life, found };
  }

  const fail = (error: Error) => () => {
    throw error;
  };

  test("is found again by the next attempt where nobody heard what became of it", async () => {
    const __key = place();
    const { it, found } = noting(fail(new ArgumentError("no answer")));
    await failure(it.create({ ...PLACED, __key }));
    expect(files()).toHaveLength(1);
    await failure(it.create({ ...PLACED, __key }));
    await failure(it.create({ ...PLACED, __key: place() }));
    expect(found).toEqual([undefined, { name: "web" }, undefined]);
  });

  test("makes the next update and the deletion go on with it, of a kind that resumes", async () => {
    for (const resumes of [true, false]) {
      const props = { ...PLACED, __key: place(), __declared: "a" };
      const identity = `one-${resumes}`;
      const holdings = () => ({ has: [identity] });
      const { it, life } = noting(fail(new ArgumentError("no answer")), { resumes, holdings });
      await failure(it.update("web", props, props));
      expect((await it.diff("web", props, props)).changes, "of a refresh").toBe(false);
      await it.check(props, props);
      expect((await it.diff("web", props, props)).changes).toBe(resumes);
      // All that it has is another's by now.
      await noting(undefined, { holdings }).it.create({ ...PLACED, __key: place() });
      await it.delete("web", props);
      expect(life.delete).toHaveBeenCalledTimes(resumes ? 1 : 0);
      beginRun();
      const { it: next } = noting(undefined, { resumes, holdings });
      await next.check(props, props);
      expect((await next.diff("web", props, props)).changes, "after its deletion").toBe(false);
    }
  });

  test("is announced by the update that goes on with it, as by the preview before", async () => {
    const said = vi.spyOn(console, "log").mockReturnValue();
    onTestFinished(() => said.mockRestore());
    const props = { ...PLACED, __key: place(), __declared: "a" };
    const { it } = noting(fail(new ArgumentError("no answer")), { resumes: true });
    await failure(it.update("web", props, props));
    await it.check(props, props);
    await it.diff("web", props, props);
    expect(said).toHaveBeenLastCalledWith(
      expect.stringMatching(
        / web: an update that was cut short may have created more than the state tells of, which is looked for first\.$/,
      ),
    );
  });

  describe("and that nothing takes up any more", () => {
    const LEFT = "Another web may have been made.";
    const BEGUN = "Test: an update that was cut short may have created it, which is looked for first.";
    let printed: string[];

    beforeEach(() => {
      printed = [];
      vi.spyOn(console, "log").mockImplementation((words) => printed.push(String(words)));
      return () => vi.restoreAllMocks();
    });

    /** A resource of whose replacement nobody has heard what became of it. */
    async function replacedInVain(): Promise<{ it: Adapter; life: Lifecycle; props: JsonObject }> {
      const props = { ...PLACED, __key: place(), __declared: "a", __mark: "m.replaced" };
      const stays = { changed: [], replaces: [], deleteBeforeReplace: false };
      const { adapter: it, life } = adapter({
        holdings: () => ({ has: [] }),
        diff: vi
          .fn<Lifecycle["diff"]>(() => stays)
          .mockReturnValueOnce({ changed: ["a"], replaces: ["a"], deleteBeforeReplace: false }),
        create: async (_inputs, { journal }) => {
          await journal?.begin({ name: "web" }, LEFT);
          throw new ArgumentError("no answer");
        },
      });
      await it.check(props, props);
      await it.diff("web", props, props);
      await failure(it.create(props));
      return { it, life, props };
    }

    test("is told of once by a creation with another service", async () => {
      const props = { ...PLACED, __key: place() };
      const create: Lifecycle["create"] = async (_inputs, { journal }) => {
        await journal?.begin({ name: "web" }, LEFT);
        throw new ArgumentError("no answer");
      };
      const elsewhere = adapter({ create }, { "brightdata:proxyManagerUrl": "http://127.0.0.1:1" });
      await failure(elsewhere.adapter.create(props));
      const { adapter: it } = adapter();
      await it.create(props);
      expect(printed).toEqual([`brightdata: ${LEFT}`]);
      await it.create(props);
      expect(printed).toHaveLength(1);
    });

    test.each([
      ["told of", "by the resource that it was to replace, which stands elsewhere by now", false],
      ["looked for", "where the program has something else at its place, which may take it up", true],
    ])("is %s %s", async (_, __, isOther) => {
      const [old, now] = [place(), place()];
      const props = { ...PLACED, __key: old, __declared: "a", __mark: "m.replaced" };
      // A person has asked for the replacement: the engine compares nothing.
      const create: Lifecycle["create"] = async (_inputs, { journal }) => {
        await journal?.begin({ name: "web" }, LEFT);
        throw new ArgumentError("no answer");
      };
      await failure(adapter({ create, holdings: () => ({ has: [] }) }).adapter.create(props));
      beginRun();
      const { adapter: it } = adapter({ holdings: () => ({ has: [] }) });
      if (isOther) await it.check({}, { ...PLACED, __key: old });
      await it.check(props, { ...props, __key: now });
      expect((await it.diff("web", props, { ...props, __key: now })).changes).toBe(!isOther);
      expect(printed).toEqual([`brightdata: ${isOther ? BEGUN : LEFT}`]);
      await it.update("web", props, { ...props, __key: now });
      expect(files()).toHaveLength(isOther ? 1 : 0);
    });

    test("is told of by the comparison, and forgotten with the update that it leads to", async () => {
      const { it, props } = await replacedInVain();
      expect((await it.diff("web", props, props)).changes).toBe(true);
      expect(printed).toEqual([`brightdata: ${LEFT}`]);
      await it.update("web", props, props);
      expect((await it.diff("web", props, props)).changes).toBe(false);
    });

    test("is told of by the look that finds the resource gone, and kept for the program that has it yet", async () => {
      const { props } = await replacedInVain();
      const { adapter: it } = adapter({ read: async () => undefined });
      await it.read("web", props);
      expect(printed).toEqual([`brightdata: ${LEFT}`]);
      expect(files()).toHaveLength(1);
    });

    test("is told of by the look that finds the resource gone with which an update had begun it", async () => {
      const props = { ...PLACED, __key: place(), __declared: "a", __mark: "m.changed" };
      const update: Lifecycle["update"] = async (_id, _state, _declared, _inputs, { journal }) => {
        await journal?.begin({ name: "web" }, LEFT);
        throw new ArgumentError("no answer");
      };
      await failure(adapter({ update, resumes: true }).adapter.update("web", props, props));
      beginRun();
      await adapter({ resumes: true }).adapter.read("web", props);
      expect(printed).toEqual([]);
      await adapter({ resumes: true, read: async () => undefined }).adapter.read("web", props);
      expect(printed).toEqual([`brightdata: ${LEFT}`]);
    });

    test("is told of by the deletion, and forgotten", async () => {
      const { props } = await replacedInVain();
      const life = lifecycle({ holdings: () => ({ has: [] }) });
      await new Adapter("Test", life, new Session(inTest), cancellation).delete("web", props);
      expect(life.delete).toHaveBeenCalledTimes(1);
      expect(printed).toEqual([`brightdata: ${LEFT}`]);
      expect(files()).toEqual([]);
    });

    test("is kept, and not told of, where the deletion makes room for another replacement", async () => {
      const { it, props } = await replacedInVain();
      await it.delete("web", props);
      expect(printed).toEqual([]);
      expect(files()).toHaveLength(1);
    });
  });

  test("is none any more once the engine was told of it, in full or in part", async () => {
    const half = new PartialFailure("web", {}, new ArgumentError("not ready"));
    for (const then of [undefined, fail(half)]) {
      const __key = place();
      const { it, found } = noting(then);
      for (let time = 0; time < 2; time++) await it.create({ ...PLACED, __key }).catch(() => {});
      expect(found).toEqual([undefined, undefined]);
    }
  });

  test("is of an older day where the engine's state has the resource", async () => {
    const recorded: ((it: Adapter, props: JsonObject) => Promise<unknown>)[] = [
      (it, props) => it.diff("web", props, props),
      (it, props) => it.read("web", { ...props, __declared: "" }),
      (it, props) => it.update("web", props, props).catch(() => {}),
      (it, props) => it.delete("web", props),
    ];
    for (const call of recorded) {
      const props = { ...PLACED, __key: place() };
      const { it } = noting(fail(new ArgumentError("no answer")));
      await failure(it.create(props));
      const __mark = noted();
      await call(it, { ...props, __mark: "m.another" });
      expect(files().join()).toContain(`~${__mark}~`);
      await call(it, { ...props, __mark });
      expect(files().join()).not.toContain(`~${__mark}~`);
      for (const file of files()) rmSync(join(home, "brightdata", "intents", file));
    }
  });

  test("outlasts the sight of a state that has another resource at its place", async () => {
    const props = { ...PLACED, __key: place() };
    const { it, found } = noting(fail(new ArgumentError("no answer")));
    await failure(it.create(props));
    await it.diff("web", { ...props, __mark: "m.another" }, props);
    await failure(it.create(props));
    expect(found).toEqual([undefined, { name: "web" }]);
  });

  test("is forgotten with the deletion of its resource", async () => {
    const props = { ...PLACED, __key: place() };
    const { it, found } = noting(fail(new ArgumentError("no answer")));
    await failure(it.create(props));
    await it.delete("web", { ...props, __mark: noted() });
    expect(files()).toEqual([]);
    await failure(it.create(props));
    expect(found).toEqual([undefined, undefined]);
  });

  test("is none where the resource has no place that is known, and in a look", async () => {
    const seen: unknown[] = [];
    const { adapter: it } = adapter({
      create: async (_inputs, { journal }) => {
        seen.push(journal);
        return { id: "x", state: {} };
      },
      read: async (_id, _inputs, { journal }) => {
        seen.push(journal);
        return {};
      },
    });
    await it.create(PLACED);
    await it.read("x", { ...PLACED, __key: place(), __declared: "" });
    expect(seen).toEqual([undefined, undefined]);
  });
});
