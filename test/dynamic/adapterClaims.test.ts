import { beforeEach, describe, expect, test, vi } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import type { JsonObject } from "../../src/base/json";
import type { Adapter } from "../../src/dynamic/adapter";
import { type Lifecycle, PartialFailure } from "../../src/lifecycle/lifecycle";
import { type Answers, adapter, failure, TEXT } from "./adapterSetup";

describe("a thing that another resource has by now", () => {
  let printed: string[];
  let services = 0;

  beforeEach(() => {
    printed = [];
    vi.spyOn(console, "log").mockImplementation((words) => printed.push(String(words)));
    return () => vi.restoreAllMocks();
  });

  /** A kind whose resources have what they name, in a run of its own. */
  function kind(more: Answers = {}): { it: Adapter; removals: unknown[][] } {
    const { adapter: it, life } = adapter(
      {
        inputs: ["things"],
        holdings: (_id, { things }) => ({ has: thingsIn(things) }),
        create: vi.fn(async (inputs) => ({ id: String(inputs.things), state: inputs })),
        update: vi.fn(async (_id, _state, _declared, inputs) => inputs),
        without: (state, others) => ({
          ...state,
          things: (state.things as string[]).filter((thing) => !others.has(thing)),
        }),
        ...more,
      },
      { "brightdata:proxyManagerUrl": `http://127.0.0.1:${30_000 + services++}` },
    );
    return {
      it,
      get removals() {
        return vi.mocked(life.delete).mock.calls.map((call) => call.slice(0, 2));
      },
    };
  }

  const thingsIn = (things: unknown): string[] => (Array.isArray(things) ? things.map(String) : []);
  const of = (...things: string[]): JsonObject => ({ __provider: TEXT, __declared: "things", things });
  const another = (...things: string[]): JsonObject => ({ ...of(...things), __mark: "m.another" });

  test("is let go of, in so many words: the program has renamed its resource", async () => {
    const made = kind();
    await made.it.create(of("web"));
    await made.it.delete("web", of("web"));
    expect(made.removals).toEqual([]);
    expect(printed).toEqual([
      "brightdata: web belongs to another resource of this program now, and is kept: nothing is deleted.",
    ]);
  });

  test("a thing that its deletion leaves alone, as another's, is not taken for deleted by the resource that has it", async () => {
    const remove = vi.fn<Lifecycle["delete"]>(async (_id, _state, step) =>
      step.context.claims.note("standing", ["web"]),
    );
    const { adapter: it } = adapter(
      {
        inputs: ["things"],
        holdings: (_id, { things }) => ({ has: thingsIn(things) }),
        delete: remove,
        diff: () => ({ changed: [], replaces: [], deleteBeforeReplace: false }),
      },
      { "brightdata:proxyManagerUrl": `http://127.0.0.1:${30_000 + services++}` },
    );
    await it.delete("web", of("web"));
    expect(remove).toHaveBeenCalledTimes(1);
    expect(await it.diff("web", another("web"), of("web"))).toMatchObject({ changes: false, replaces: [] });
  });

  test("a thing that cannot be deleted takes nothing with it that stands on it, though it was to be made anew", async () => {
    const remove = vi.fn(async (_id: string, { things }: JsonObject) => {
      if (thingsIn(things).includes("zone")) throw new ArgumentError("It is protected.");
    });
    const { it } = kind({
      delete: remove,
      holdings: (_id, { things, on }) => ({ has: thingsIn(things), standsOn: thingsIn(on) }),
    });
    // A replacement that a person has asked for: the engine checks without old inputs, and deletes what depends on it first.
    await it.check({}, { ...of("zone"), __key: "place" });
    const standing = (name: string) => ({ ...of(name), on: ["zone"], __mark: `m.${name}` });
    await it.delete("list", standing("list"));
    expect(remove).not.toHaveBeenCalled();
    await failure(it.delete("zone", { ...of("zone"), __key: "place", __mark: "m.zone" }));
    await it.delete("other", standing("other"));
    expect(remove.mock.calls.map(([id]) => id)).toEqual(["zone", "other"]);
  });

  test("is told by the id alone where a kind says nothing of it", async () => {
    const made = kind({ holdings: () => ({}) });
    await made.it.create(of("web"));
    await made.it.delete("web", of("web"));
    expect(made.removals).toEqual([]);
    await made.it.delete("other", of("other"));
    expect(made.removals).toEqual([["other", { things: ["other"] }]]);
  });

  test("is let go of whether the other has made, updated or only half made it", async () => {
    const half = new PartialFailure("web", { things: ["web"] }, new ArgumentError("no"));
    const failing = kind({ create: () => Promise.reject(half), update: () => Promise.reject(half) });
    await failure(failing.it.create(of("web")));
    await failing.it.delete("web", of("web"));
    expect(failing.removals).toEqual([]);

    const again = kind({ update: () => Promise.reject(half) });
    await failure(again.it.update("web", another("web"), of("web")));
    await again.it.delete("web", of("web"));
    expect(again.removals).toEqual([]);

    const updated = kind();
    await updated.it.update("x", another("x"), of("web"));
    await updated.it.delete("web", of("web"));
    expect(updated.removals).toEqual([]);
  });

  test("stays with what has come in this run: what goes with its mark is another, such as the one before it", async () => {
    const made = kind();
    const { outs } = await made.it.create(of("web"));
    await made.it.delete("web", { ...outs });
    const { outs: updated } = await made.it.update("api", of("api"), of("api"));
    await made.it.delete("api", { ...updated });
    expect(made.removals).toEqual([]);
    expect(printed).toHaveLength(2);
  });

  test("stays another's only where a creation has succeeded", async () => {
    const made = kind({ create: () => Promise.reject(new ArgumentError("It exists already.")) });
    await failure(made.it.create(of("web")));
    await made.it.delete("web", of("web"));
    expect(made.removals).toEqual([["web", { things: ["web"] }]]);
  });

  test("is deleted when it goes before the new one comes", async () => {
    const made = kind();
    await made.it.delete("web", of("web"));
    await made.it.create(of("web"));
    expect(made.removals).toEqual([["web", { things: ["web"] }]]);
    expect(printed).toEqual([]);
  });

  test("stays with a resource that stays, of which this run has only checked what it declares", async () => {
    const made = kind();
    const stays = { ...another("web"), __key: "stays" };
    await made.it.check(stays, stays);
    await made.it.diff("web", stays, stays);
    await made.it.delete("web", of("web"));
    expect(made.removals).toEqual([]);
    expect(printed).toHaveLength(1);
  });

  test("is announced as kept where what had it is replaced", async () => {
    const fates: unknown[] = [];
    const made = kind({
      diff: () => ({ changed: ["things"], replaces: ["things"], deleteBeforeReplace: true }),
      announceReplacement: (state, inputs, fate) => {
        fates.push([state.things, inputs.things, fate]);
        return undefined;
      },
    });
    const goes = async (thing: string) => {
      const [before, now] = [
        { ...of(thing), __key: "goes" },
        { ...of("new"), __key: "goes" },
      ];
      await made.it.check(before, now);
      await made.it.diff(thing, before, now);
    };
    await goes("web");
    await made.it.check({}, { ...of("web"), adopt: true, __key: "comes" });
    await goes("web");
    expect(fates).toEqual([
      [["web"], ["new"], "deleted"],
      [["web"], ["new"], "another's"],
    ]);
  });

  describe("as the program's resources declare it", () => {
    const at = (__key: string, ...things: string[]): JsonObject => ({ ...of(...things), __key });
    /** A kind that is refused what is there, unless its inputs say `adopt`. */
    const refusable: Answers = {
      holdings: (_id, { adopt, things }) => ({
        has: thingsIn(things),
        takesOver: adopt === true ? thingsIn(things) : [],
      }),
    };

    async function existing({ it }: { it: Adapter }, before: JsonObject, now: JsonObject): Promise<void> {
      await it.check(before, now);
      await it.diff("any", before, now);
    }

    test.each([
      ["deleted where a resource that stays is merely to get it", {}, refusable, [["x", { things: ["web"] }]]],
      ["kept where a resource that stays takes it over", { adopt: true }, refusable, []],
      ["kept where a resource that stays writes it, whatever is there", {}, {}, []],
    ] as const)("is %s", async (_, more, behavior, removals) => {
      const made = kind(behavior);
      await existing(made, at("stays", "api"), { ...at("stays", "api", "web"), ...more });
      await made.it.check(at("goes", "web"), at("goes", "other"));
      await made.it.delete("x", at("goes", "web"));
      expect(made.removals).toEqual(removals);
    });

    test("is kept where a resource that stays has it by its id, and names nothing", async () => {
      const made = kind({ holdings: (id) => ({ has: id === undefined ? [] : [id] }) });
      await existing(made, at("stays"), at("stays"));
      await made.it.delete("any", at("goes"));
      expect(made.removals).toEqual([]);
      expect(printed).toHaveLength(1);
    });

    test("is deleted where a refresh has compared what the program does not declare any more", async () => {
      const made = kind();
      await made.it.diff("any", at("gone", "web"), at("gone", "web"));
      await made.it.delete("x", at("goes", "web"));
      expect(made.removals).toEqual([["x", { things: ["web"] }]]);
    });

    test("is deleted where a resource names it that has failed to get it before", async () => {
      const made = kind(refusable);
      await made.it.check(at("stays", "api", "web"), at("stays", "api", "web"));
      await made.it.diff("any", at("stays", "api"), at("stays", "api", "web"));
      await made.it.delete("x", at("goes", "web"));
      expect(made.removals).toEqual([["x", { things: ["web"] }]]);
    });

    test.each([
      ["deleted where a new resource is merely to make it", {}, [["x", { things: ["web"] }]]],
      ["kept where a new resource takes it over", { adopt: true }, []],
    ])("is %s", async (_, more, removals) => {
      const made = kind(refusable);
      await made.it.check({}, { ...at("comes", "web"), ...more });
      await made.it.check(at("goes", "web"), at("goes", "other"));
      await made.it.delete("x", at("goes", "web"));
      expect(made.removals).toEqual(removals);
    });

    test.each(["here", "where it was before it was moved"])(
      "is deleted in its own replacement, which takes over what it finds: %s",
      async (before) => {
        // Of a forced replacement, the engine asks for no comparison.
        for (const isCompared of [false, true]) {
          const made = kind(refusable);
          const news = { ...at("here", "web"), adopt: true };
          await made.it.check(at(before, "web"), news);
          if (isCompared) await made.it.diff("web", at(before, "web"), news);
          await made.it.check({}, news);
          await made.it.delete("web", at(before, "web"));
          expect(made.removals).toEqual([["web", { things: ["web"] }]]);
        }
      },
    );

    test("stays with a resource that stays where another is to take it over, whatever is checked first", async () => {
      for (const first of ["stays", "comes"]) {
        const seen: boolean[] = [];
        const made = kind({
          isShared: true,
          create: async (inputs, { context, me }) => {
            seen.push(context.claims.whoHas("web", me) === "has");
            return { id: "web", state: inputs };
          },
        });
        const stays = () => existing(made, at("stays", "web"), at("stays", "web"));
        const comes = async () => void (await made.it.check({}, { ...at("comes", "web"), adopt: true }));
        for (const check of first === "stays" ? [stays, comes] : [comes, stays]) await check();
        await made.it.create({ ...at("comes", "web"), adopt: true });
        expect(seen).toEqual([true]);
      }
    });
  });

  test("is deleted in a forced replacement, which is checked as if it were new", async () => {
    const made = kind();
    await made.it.check(of("web"), of("web"));
    await made.it.check({}, of("web"));
    await made.it.delete("web", of("web"));
    expect(made.removals).toEqual([["web", { things: ["web"] }]]);
  });

  test("is not declared by inputs that are refused", async () => {
    const made = kind({ check: (inputs) => ({ inputs, failures: ["no"] }) });
    await made.it.check(of("web"), of("web"));
    await made.it.delete("web", of("web"));
    expect(made.removals).toEqual([["web", { things: ["web"] }]]);
  });

  test("of several things, one that another resource has by now is left, and the others are deleted", async () => {
    const made = kind();
    await made.it.create(of("b", "d"));
    await made.it.delete("a,b,c,d", of("a", "b", "c", "d"));
    expect(made.removals).toEqual([["a,b,c,d", { things: ["a", "c"] }]]);
    expect(printed).toEqual(["brightdata: b, d belong to other resources of this program now, and are kept."]);
  });

  test("is left alone by an update that drops it, where another has taken it", async () => {
    const update = vi.fn<Lifecycle["update"]>(async (_id, _state, _declared, inputs) => inputs);
    const made = kind({ update });
    await made.it.create(of("b"));
    await made.it.update("a,b,c", of("a", "b", "c"), of("a"));
    expect(update.mock.calls[0]?.[1]).toEqual({ things: ["a", "c"] });
  });

  test("is nothing that the state names, and yet what there is may have to be deleted", async () => {
    const made = kind();
    await made.it.delete("x", of());
    expect(made.removals).toEqual([["x", { things: [] }]]);
    expect(printed).toEqual([]);
  });

  test("is another's only in the same kind, at the same service, with the same account", async () => {
    const made = kind();
    await made.it.create(of("web"));
    const elsewhere = kind();
    await elsewhere.it.delete("web", of("web"));
    expect(elsewhere.removals).toHaveLength(1);
  });
});
