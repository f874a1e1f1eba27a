import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import type { JsonObject } from "../../src/base/json";
import { locationOf } from "../../src/base/location";
import { Adapter } from "../../src/dynamic/adapter";
import type { Context } from "../../src/lifecycle/context";
import { type Lifecycle, PartialFailure, type Run, UNKNOWN } from "../../src/lifecycle/lifecycle";
import { resource } from "../../src/provider";

const SENTINEL = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const TEXT = "exports.handler=()=>0";
/** Where the Proxy Manager is by default. */
const HERE = locationOf("http://127.0.0.1:22999");
/** Of a resource that was made. */
const NEW_MARK = expect.stringMatching(/^m\.[\w-]{12}$/);
/** Of a resource whose state has none: derived from its place and its id. */
const OLD_MARK = expect.stringMatching(/^d\.[\w-]{12}$/);

/** A lifecycle that remembers what it was called with and answers what it is told. */
function lifecycle(answers: Partial<Lifecycle> = {}): Lifecycle {
  return {
    service: "manager",
    localId: /^[^/]*$/,
    timeouts: { create: 11, read: 12, update: 13, delete: 14 },
    inputs: [],
    check: vi.fn((inputs) => ({ inputs, failures: [] })),
    diff: vi.fn(() => ({ changed: [], replaces: [], deleteBeforeReplace: false })),
    create: vi.fn(async (inputs) => ({ id: "the-id", state: { ...inputs, made: true } })),
    read: vi.fn(async (_id, inputs) => ({ ...inputs, seen: true })),
    update: vi.fn(async (_id, _state, _declared, inputs) => ({ ...inputs, updated: true })),
    delete: vi.fn(async () => undefined),
    ...answers,
  };
}

const readings = ({ read }: Lifecycle): unknown[][] => (read === undefined ? [] : vi.mocked(read).mock.calls);

let runs = 0;

/**
 * An adapter that is configured with these keys of the stack's configuration. What resources of another one have is nothing to it,
 * unless that has the same token.
 */
function adapter(
  answers: Partial<Lifecycle> = {},
  config: Record<string, string> = {},
): { adapter: Adapter; life: Lifecycle } {
  const life = lifecycle(answers);
  const made = new Adapter("Test", life);
  const own = life.service === "manager" ? { "brightdata:apiToken": `run-${runs++}` } : {};
  const all: Record<string, string> = { ...own, ...config };
  void made.configure({ config: { get: (key) => all[key] } });
  return { adapter: made, life };
}

async function failure(
  promise: Promise<unknown>,
): Promise<Error & { id?: string; properties?: JsonObject; reasons?: string[] }> {
  return promise.then(
    (value) => Promise.reject(new Error(`It succeeded: ${JSON.stringify(value)}`)),
    (error: Error) => error,
  );
}

beforeEach(() => {
  // What the machine that runs the tests is set to has no say.
  for (const name of ["BRIGHTDATA_API_TOKEN", "BRIGHTDATA_MANAGER_API_KEY", "BRIGHTDATA_LOG"]) vi.stubEnv(name, "");
});

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("check", () => {
  test("hands over what was and what shall be, without the protocol's keys, and names no property", async () => {
    const failures = ["`a` is 1: expected 2.", "`b` is missing."];
    const { adapter: it, life } = adapter({
      check: vi.fn((inputs) => ({ inputs: { ...inputs, name: "made" }, failures })),
    });
    const olds = { __provider: "old", name: "before" };
    const news = { __provider: TEXT, a: 1, list: [SENTINEL], gone: null };
    expect(await it.check(olds, news)).toEqual({
      inputs: { a: 1, list: [SENTINEL], name: "made" },
      // Of a property that is named the CLI prints the value, even of a secret one.
      failures: failures.map((reason) => ({ property: "", reason })),
    });
    expect(life.check).toHaveBeenCalledWith({ a: 1, list: [UNKNOWN] }, { name: "before" }, undefined);
  });

  test("of something new has no before", async () => {
    for (const olds of [{}, { __provider: TEXT }]) {
      const { adapter: it, life } = adapter();
      await it.check(olds, { __provider: TEXT, a: 1 });
      expect(life.check).toHaveBeenCalledWith({ a: 1 }, undefined, undefined);
    }
  });

  test("hands over the resource's place, and keeps it and `replaceOnChanges` for the calls to come", async () => {
    const { adapter: it, life } = adapter();
    const news = { __provider: TEXT, __key: "place", __replaceOnChanges: ["*"], a: 1 };
    expect(await it.check({ __key: "former place", a: 1 }, news)).toEqual({
      inputs: { __key: "place", __replaceOnChanges: ["*"], a: 1 },
      failures: [],
    });
    expect(life.check).toHaveBeenCalledWith({ a: 1 }, { a: 1 }, "place");
  });
});

describe("diff", () => {
  test("compares what is kept with what shall be, knowing what was declared", async () => {
    const { adapter: it, life } = adapter({
      diff: vi.fn(() => ({ changed: ["plan.ips", "name"], replaces: ["name"], deleteBeforeReplace: true })),
    });
    const olds = { __provider: TEXT, __declared: "plan.ips", plan: { ips: 1, start: "now" } };
    expect(await it.diff("id", olds, { __provider: "another", plan: { ips: SENTINEL } })).toEqual({
      changes: true,
      replaces: ["name"],
      deleteBeforeReplace: true,
    });
    expect(life.diff).toHaveBeenCalledWith({ plan: { ips: 1, start: "now" } }, new Set(["plan.ips"]), {
      plan: { ips: UNKNOWN },
    });
  });

  test("announces an update that the program asks for: no refresh, no replacement, and not what stays", async () => {
    const said = vi.spyOn(console, "log").mockReturnValue();
    onTestFinished(() => said.mockRestore());
    const differences = [
      { changed: ["a"], replaces: [], deleteBeforeReplace: false },
      { changed: ["a"], replaces: ["a"], deleteBeforeReplace: false },
      { changed: [], replaces: [], deleteBeforeReplace: false },
    ];
    for (const [index, difference] of differences.entries()) {
      const { adapter: it } = adapter({ diff: () => difference, announceUpdate: ({ a }) => `${index}: ${a} changes` });
      const [olds, news] = [
        { a: 1, __declared: "a" },
        { a: 2, __key: `announcing ${index}` },
      ];
      await it.diff("id", olds, news);
      expect(said).toHaveBeenCalledTimes(index === 0 ? 0 : 1);
      await it.check(olds, news);
      await it.diff("id", olds, news);
    }
    expect(said.mock.calls).toEqual([["brightdata: 0: 1 changes"]]);
  });

  test("announces a replacement that the program asks for, and the same of a resource once", async () => {
    const said = vi.spyOn(console, "log").mockReturnValue();
    onTestFinished(() => said.mockRestore());
    const { adapter: it } = adapter({
      diff: () => ({ changed: ["a"], replaces: ["a"], deleteBeforeReplace: false }),
      announce: () => "something is made",
      announceReplacement: ({ a }) => `${a} is replaced`,
    });
    const olds = { a: 1, __declared: "a" };
    await it.diff("id", olds, { a: 2, __key: "here" });
    expect(said).not.toHaveBeenCalled();
    for (const place of ["here", "there"]) {
      const news = { a: 2, __key: place };
      await it.check(olds, news);
      for (let times = 0; times < 2; times++) await it.diff("id", olds, news);
      await it.check({}, news);
    }
    const once = [["brightdata: something is made"], ["brightdata: 1 is replaced"]];
    expect(said.mock.calls).toEqual([...once, ...once]);
  });

  test("says outright that nothing changes: otherwise the engine would compare by itself", async () => {
    expect(await adapter().adapter.diff("id", {}, {})).toStrictEqual({
      changes: false,
      replaces: [],
      deleteBeforeReplace: false,
    });
  });

  test("of what was looked up knows nothing to be declared", async () => {
    const { adapter: it, life } = adapter({ inputs: ["a"] });
    const olds = { __declared: "looked up", a: 1 };
    expect(await it.diff("id", olds, { a: 1 })).toMatchObject({ changes: false });
    expect(life.diff).toHaveBeenCalledWith({ a: 1 }, new Set(), { a: 1 });
  });

  test("ignores the protocol's keys: a new place or option is no change", async () => {
    const { adapter: it, life } = adapter();
    const olds = { __declared: "a", __key: "former place", a: 1 };
    expect(await it.diff("id", olds, { __key: "place", __replaceOnChanges: ["*"], a: 1 })).toMatchObject({
      changes: false,
      replaces: [],
    });
    expect(life.diff).toHaveBeenCalledWith({ a: 1 }, new Set(["a"]), { a: 1 });
  });

  test("replaces for what `replaceOnChanges` names, too", async () => {
    const changed = ["plan.ips", "plan.extra.a\\.b", "disabled"];
    const answer = { changed, replaces: ["name"], deleteBeforeReplace: false };
    const { adapter: it } = adapter({ diff: () => answer });
    const replaces = async (option: unknown) => (await it.diff("id", {}, { __replaceOnChanges: option })).replaces;
    expect(await replaces(undefined)).toEqual(["name"]);
    expect(await replaces(["type"])).toEqual(["name"]);
    expect(await replaces(["disabled"])).toEqual(["name", "disabled"]);
    expect(await replaces(["plan"])).toEqual(["name", "plan"]);
    expect(await replaces(["*"])).toEqual(["name", "plan", "disabled"]);
  });
});

describe("create and update", () => {
  test("keep with the outputs what was declared", async () => {
    const { adapter: it, life } = adapter();
    const props = { __provider: TEXT, name: "web", plan: { type: "static", ips: 1 }, tags: ["a"], none: {} };
    const declared = "name,plan.type,plan.ips,tags,none";
    expect(await it.create(props)).toEqual({
      id: "the-id",
      outs: {
        name: "web",
        plan: { type: "static", ips: 1 },
        tags: ["a"],
        none: {},
        made: true,
        __declared: declared,
        __at: HERE,
        __mark: NEW_MARK,
      },
    });
    const olds = { __provider: TEXT, __declared: "name,old", name: "web", old: 1 };
    expect(await it.update("the-id", olds, props)).toEqual({
      outs: {
        name: "web",
        plan: { type: "static", ips: 1 },
        tags: ["a"],
        none: {},
        updated: true,
        __declared: declared,
        __at: HERE,
        __mark: OLD_MARK,
      },
    });
    const [id, state, wasDeclared, inputs] = vi.mocked(life.update).mock.calls[0] ?? [];
    expect([id, state, wasDeclared, inputs]).toEqual([
      "the-id",
      { name: "web", old: 1 },
      new Set(["name", "old"]),
      { name: "web", plan: { type: "static", ips: 1 }, tags: ["a"], none: {} },
    ]);
  });

  test("answer plain JSON whatever the lifecycle returns", async () => {
    const state = { a: undefined, b: new Date(0), c: 1n, d: Number.NaN, e: [undefined], f: () => 1 };
    const { adapter: it } = adapter({ create: async () => ({ id: "x", state }), update: async () => state });
    const plain = { b: "1970-01-01T00:00:00.000Z", c: "1", d: null, e: [null], __declared: "", __at: HERE };
    expect((await it.create({})).outs).toStrictEqual({ ...plain, __mark: NEW_MARK });
    expect((await it.update("x", {}, {})).outs).toStrictEqual({ ...plain, __mark: OLD_MARK });
  });
});

describe("a resource that another provider had", () => {
  const SHOP = { "brightdata:provider": "shop" };
  const OLD = { __provider: TEXT, __declared: "a", __at: HERE, a: 1, born: "then" };

  const asFound = (found: JsonObject | undefined): Partial<Lifecycle> => ({
    inputs: ["a", "b"],
    identity: ["born"],
    read: vi.fn(async () => found),
    diff: vi.fn((state: JsonObject, _declared, inputs: JsonObject) => ({
      changed: ["a", "b"].filter((name) => state[name] !== inputs[name]),
      replaces: [],
      deleteBeforeReplace: false,
    })),
  });

  test.each<[from: string | undefined, to: string | undefined, isUpdate: boolean]>([
    [undefined, undefined, false],
    ["shop", "shop", false],
    [undefined, "shop", true],
    ["shop", undefined, true],
    ["shop", "mall", true],
  ])("from %j to %j: an update: %j", async (from, to, isUpdate) => {
    const { adapter: it } = adapter(asFound({}), to === undefined ? {} : { "brightdata:provider": to });
    const olds = { ...OLD, ...(from === undefined ? {} : { __with: from }) };
    expect(await it.diff("x", olds, { __provider: TEXT, a: 1 })).toEqual({
      changes: isUpdate,
      replaces: [],
      deleteBeforeReplace: false,
    });
  });

  test("is found, and nothing else is done", async () => {
    const { adapter: it, life } = adapter(asFound({ a: 1, born: "then" }), SHOP);
    expect(await it.update("x", OLD, { __provider: TEXT, a: 1 })).toEqual({
      outs: { a: 1, born: "then", __declared: "a", __with: "shop", __at: HERE, __mark: OLD_MARK },
    });
    expect(life.update).not.toHaveBeenCalled();
  });

  test("may have a name for its connection there: that is no replacement either", async () => {
    const managers = JSON.stringify({ "fra-1": { url: "http://127.0.0.1:22999" } });
    const inputs = { a: 1, manager: "fra-1" };
    const { adapter: it, life } = adapter(
      {
        ...asFound({ a: 1, born: "then" }),
        diff: vi.fn((state: JsonObject, _declared, inputs: JsonObject) => ({
          changed: state.manager === inputs.manager ? [] : ["manager"],
          replaces: ["manager"],
          deleteBeforeReplace: true,
        })),
        inputs: ["a", "manager"],
      },
      { ...SHOP, "brightdata:managers": managers },
    );
    const olds = { ...OLD, __declared: ["a", "manager"], manager: "fra-1" };
    const bare = { __provider: TEXT, a: 1 };
    expect(await it.diff("fra-1/x", olds, bare)).toMatchObject({ changes: true, replaces: [] });
    expect((await it.update("fra-1/x", { ...OLD }, { __provider: TEXT, ...inputs })).outs).toMatchObject({
      ...inputs,
      __with: "shop",
    });
    expect(life.update).not.toHaveBeenCalled();
  });

  test("is found and changed where the program says something new", async () => {
    const { adapter: it, life } = adapter(asFound({ a: 1, born: "then" }), SHOP);
    const { outs } = await it.update("x", OLD, { __provider: TEXT, a: 2 });
    expect(outs).toMatchObject({ a: 2, updated: true, __with: "shop" });
    expect(life.update).toHaveBeenCalledOnce();
  });

  test.each([
    ["is gone", undefined, "where there is no such thing."],
    ["is another one", { a: 1, born: "later" }, "where there is another one, or it has changed."],
    ["has changed", { a: 3, born: "then" }, "where there is another one, or it has changed."],
  ])("%s: nothing is done", async (_, found, words) => {
    const { adapter: it, life } = adapter(asFound(found), SHOP);
    const error = await failure(it.update("x", { ...OLD, __with: "mall" }, { __provider: TEXT, a: 1 }));
    expect(error.message).toContain(`Test x has moved from the provider "mall" to the provider "shop", ${words}`);
    expect(error.stack).toBe("");
    expect(life.update).not.toHaveBeenCalled();
  });

  test("is found by a refresh, which the engine asks of the new provider with `--run-program`", async () => {
    const { adapter: it } = adapter(asFound({ a: 1, born: "then" }), SHOP);
    const found = { a: 1, born: "then", __declared: "a", __with: "shop", __at: HERE };
    expect(await it.read("x", OLD)).toEqual({ id: "x", props: found, inputs: { a: 1 } });
  });

  test("is found, and deleted", async () => {
    const { adapter: it, life } = adapter(asFound({ a: 1, born: "then" }), {
      ...SHOP,
      "brightdata:apiToken": "a-token-of-its-own",
    });
    await it.delete("x", OLD);
    expect(life.delete).toHaveBeenCalledOnce();
  });

  test.each([
    ["is gone", undefined, "where there is no such thing."],
    ["is another one", { a: 1, born: "later" }, "where there is another one, or it has changed."],
  ])("%s: neither forgotten nor taken for it by a refresh, nor deleted", async (_, found, words) => {
    const { adapter: it, life } = adapter(asFound(found), { ...SHOP, "brightdata:apiToken": "a-token-of-its-own" });
    const moved = 'Test x has moved from the default provider to the provider "shop", ';
    expect((await failure(it.read("x", OLD))).message).toBe(
      `${moved}${words} Nothing was done. Give it the default provider again in the program, and run \`pulumi refresh --run-program\`.`,
    );
    expect((await failure(it.delete("x", OLD))).message).toBe(
      `${moved}${words} Nothing was done. Give it the default provider again in the program, and run \`pulumi destroy --run-program\`.`,
    );
    expect(life.delete).not.toHaveBeenCalled();
  });

  test.each<[string, JsonObject, Partial<Lifecycle>]>([
    ["is said nowhere", { __at: undefined }, {}],
    ["is not where this one is", { __at: locationOf("http://127.0.0.1:1") }, {}],
  ])("is like it, but where it was %s: nothing is done", async (_, more, answers) => {
    const { adapter: it, life } = adapter({ ...asFound({ a: 1, born: "then" }), ...answers }, SHOP);
    const error = await failure(it.update("x", { ...OLD, ...more }, { __provider: TEXT, a: 1 }));
    expect(error.message).toBe(
      'Test x has moved from the default provider to the provider "shop", where there is one like it, but nothing shows that it is the same one. Nothing was done. If both are the same service, run `pulumi refresh --run-program=false` before the move, with the default provider at the same URL as the provider "shop". To delete it with the default provider and make it with the provider "shop", run `pulumi up --replace <its URN>`.',
    );
    expect(life.update).not.toHaveBeenCalled();
  });

  test("is like it, but bears no mark: nothing is done", async () => {
    const { adapter: it, life } = adapter({ ...asFound({ a: 1, born: "then" }), isMarked: async () => false }, SHOP);
    const olds = { ...OLD, __at: undefined, __key: "place" };
    const error = await failure(it.update("x", olds, { __provider: TEXT, a: 1 }));
    expect(error.message).toContain(
      'where there is one like it, but nothing shows that it is the same one. Nothing was done. If both are the same service, run `pulumi up` before the move, with `adopt: true`, and with the default provider at the same URL as the provider "shop". ',
    );
    expect(life.update).not.toHaveBeenCalled();
  });

  test("is elsewhere by its URL, but bears the mark of its place in the program", async () => {
    const isMarked = vi.fn(async () => true);
    const { adapter: it } = adapter({ ...asFound({ a: 1, born: "then" }), isMarked }, SHOP);
    const olds = { ...OLD, __at: locationOf("http://127.0.0.1:1"), __key: "place" };
    const { outs } = await it.update("x", olds, { __provider: TEXT, __key: "new", a: 1 });
    expect(outs).toEqual({ a: 1, born: "then", __key: "new", __with: "shop", __declared: "a", __mark: OLD_MARK });
    // An earlier version has marked it with the place that the state has.
    const run = expect.objectContaining({ me: { mark: OLD_MARK, place: "place" } });
    expect(isMarked).toHaveBeenCalledWith("x", { a: 1, born: "then" }, run);
  });

  test.each([
    [["x"], HERE],
    [[], undefined],
  ])("says where it is where a kind that bears marks has adopted %j", async (adopted, at) => {
    const { adapter: it } = adapter({ isMarked: async () => true, adopts: () => adopted });
    expect((await it.create({ __provider: TEXT, a: 1 })).outs.__at).toBe(at);
  });

  test("was only looked up, or came from an import file: a refresh looks for nothing else", async () => {
    const { adapter: it } = adapter(asFound({ a: 3, born: "later" }), SHOP);
    expect(await it.read("x", { __provider: TEXT, __declared: "looked up", a: 1 })).toMatchObject({ id: "x" });
    expect(await it.read("x", { __provider: TEXT, a: 1 })).toMatchObject({ id: "x", inputs: { a: 3 } });
  });

  test("came from an import file: it is completed by an update, as with the default provider", async () => {
    const { adapter: it, life } = adapter(asFound({ a: 3 }), SHOP);
    const imported = { __provider: TEXT, a: 1 };
    expect(await it.diff("x", imported, { __provider: TEXT, a: 1 })).toMatchObject({ changes: true });
    expect((await it.update("x", imported, { __provider: TEXT, a: 1 })).outs).toMatchObject({ updated: true });
    expect(vi.mocked(life.update).mock.calls.map(([, , , , { isImported }]) => isImported)).toEqual([true]);
  });

  test("keeps its provider's name through a refresh, as after a creation", async () => {
    const { adapter: it } = adapter(asFound({ a: 1 }), SHOP);
    expect((await it.create({ __provider: TEXT, a: 1 })).outs).toMatchObject({ __with: "shop" });
    expect((await it.read("x", { ...OLD, __with: "shop" })).props).toMatchObject({ __with: "shop" });
  });

  test("does something once: there is nothing to look for", async () => {
    const { adapter: it } = adapter({ ...asFound({}), read: undefined as never }, SHOP);
    expect((await it.update("x", OLD, { __provider: TEXT, a: 1 })).outs).toMatchObject({ __with: "shop" });
  });
});

describe("a connection that a state names and that is not configured any more", () => {
  const OLD = { __provider: TEXT, __declared: "a,account", a: 1, account: "old" };
  const accounts = JSON.stringify({ new: { apiToken: "a-token" } });
  const renaming = (config: Record<string, string> = {}, more: Partial<Lifecycle> = {}): Adapter =>
    adapter(
      {
        service: "remote",
        diff: vi.fn(() => ({ changed: ["account"], replaces: ["account"], deleteBeforeReplace: false })),
        ...more,
      },
      { "brightdata:accounts": accounts, ...config },
    ).adapter;

  test.each(["new", SENTINEL])("is no reason to replace what it has: to %j", async (account) => {
    expect((await failure(renaming().diff("old/x", OLD, { __provider: TEXT, a: 1, account }))).message).toBe(
      'Test x is recorded with the account "old", which is not configured (brightdata:accounts / BRIGHTDATA_ACCOUNTS). Nothing was done. Configure it until `pulumi up` has recorded another name, or has deleted the resource. If there is nothing left of it, run `pulumi state delete <its URN>`.',
    );
  });

  test("may be the one without a name: an account without a token is none", async () => {
    const olds = { __provider: TEXT, __declared: "a", a: 1 };
    const news = { __provider: TEXT, a: 1, account: "new" };
    expect((await failure(renaming().diff("x", olds, news))).message).toContain(
      "Test x is recorded with the account of brightdata:apiToken / BRIGHTDATA_API_TOKEN, which is not set. Nothing was done.",
    );
    expect(await renaming({ "brightdata:apiToken": "a-token" }).diff("x", olds, news)).toMatchObject({ replaces: [] });
  });

  test("is said by a refresh and by a deletion, too", async () => {
    for (const attempt of [renaming().read("old/x", OLD), renaming().delete("old/x", OLD)])
      expect((await failure(attempt)).message).toContain('Test x is recorded with the account "old", which is not');
  });

  test("is the business of another provider, where that had the resource", async () => {
    const it = renaming({ "brightdata:provider": "shop" });
    expect(await it.diff("old/x", OLD, { __provider: TEXT, a: 1, account: "new" })).toMatchObject({ replaces: [] });
    expect((await failure(it.read("old/x", OLD))).message).toContain(
      'Test x has moved from the default provider to the provider "shop", where its connection is not configured. Nothing was done.',
    );
  });
});

describe("an id with the name of a connection that the state does not have", () => {
  const accounts = JSON.stringify({ shop: { apiToken: "a-token" } });
  const config = { "brightdata:apiToken": "another-token", "brightdata:accounts": accounts };

  test.each([{}, { __declared: "a" }])("is refused, and nothing is done (%j)", async (recorded) => {
    const { adapter: it, life } = adapter({ service: "remote" }, config);
    const props = { __provider: TEXT, a: 1, ...recorded };
    for (const attempt of [
      it.read("shop/x", props),
      it.update("shop/x", props, { __provider: TEXT, a: 2 }),
      it.delete("shop/x", props),
    ]) {
      expect((await failure(attempt)).message).toContain('The id "shop/x" says that `account` is "shop"');
    }
    for (const operation of [life.read, life.update, life.delete]) expect(operation).not.toHaveBeenCalled();
  });

  test("stays until a refresh where an update has recorded that it has no name any more", async () => {
    const { adapter: it } = adapter({ service: "remote" }, config);
    for (const settings of [{ "brightdata:apiToken": "a-token", "brightdata:accounts": accounts }, {}]) {
      const { adapter: other } = adapter({ service: "remote" }, settings);
      expect(await other.read("shop/x", { __provider: TEXT, __declared: "a", a: 1 })).toMatchObject({ id: "x" });
    }
    expect(await it.read("shop/x", { __provider: TEXT })).toMatchObject({ id: "shop/x" });
  });

  test("that is no text is refused", async () => {
    const { adapter: it, life } = adapter();
    for (const id of [7 as unknown as string, ""])
      expect((await failure(it.delete(id, { __provider: TEXT }))).message).toContain(" is no id: expected a text");
    expect(life.delete).not.toHaveBeenCalled();
  });
});

describe("read", () => {
  test.each<[string, unknown]>([
    ["kept", "plan.ips,secret,lost"],
    ["kept by version 0.1.0", ["plan.ips", "secret", "lost"]],
  ])("of what is %s answers its outputs and, with the values of now, what was declared", async (_, __declared) => {
    const { adapter: it, life } = adapter({
      read: vi.fn(async () => ({ plan: { ips: 5, start: "now" }, status: "active", secret: "x" })),
    });
    const props = {
      __provider: TEXT,
      __declared,
      plan: { ips: 1, start: "old" },
      secret: "x",
      status: "old",
    };
    expect(await it.read("id", props)).toEqual({
      id: "id",
      props: {
        plan: { ips: 5, start: "now" },
        status: "active",
        secret: "x",
        __declared: "plan.ips,secret",
        __at: HERE,
      },
      inputs: { plan: { ips: 5 }, secret: "x" },
    });
    expect(readings(life)[0]?.slice(0, 2)).toEqual(["id", { plan: { ips: 1 }, secret: "x" }]);
  });

  test("by an id alone answers what there is, and pretends nothing to be declared", async () => {
    const { adapter: it, life } = adapter();
    const props = { seen: true, __declared: "looked up" };
    expect(await it.read("id", { __provider: TEXT })).toEqual({ id: "id", props });
    expect(readings(life)[0]?.slice(0, 2)).toEqual(["id", undefined]);
    // A refresh looks it up again: nothing is declared by then either.
    expect(await it.read("id", { __provider: TEXT, ...props })).toEqual({ id: "id", props });
    expect(readings(life)[1]?.slice(0, 2)).toEqual(["id", undefined]);
    expect(readings(life)[1]?.[3]).toEqual({});
  });

  test("by an id alone of what is not there fails: there is nothing to forget", async () => {
    const { adapter: it } = adapter({ read: async () => undefined });
    expect((await failure(it.read("id", { __provider: TEXT }))).message).toContain('nothing with the id "id"');
    const lists: [Lifecycle["suggestions"], string][] = [
      [async () => ["shop", "web", "web_2", "wbe", "x"], ' The most similar are "wbe", "web", "web_2".'],
      [async () => ["shop"], ' The most similar is "shop".'],
      [async () => [], ""],
      [() => Promise.reject(new Error("not today")), ""],
    ];
    for (const [list, near] of lists) {
      const { adapter: listing } = adapter({ read: async () => undefined, suggestions: list as never });
      const { message } = await failure(listing.read("wbe", { __provider: TEXT }));
      expect(message).toBe(`There is nothing with the id "wbe" to look up.${near}`);
    }
    // What an import file brought into the state has no declared paths, but is no look-up.
    expect(await it.read("id", { __provider: TEXT, name: "web" })).toStrictEqual({});
  });

  test("of what is gone answers no id", async () => {
    const { adapter: it } = adapter({ read: async () => undefined });
    expect(await it.read("id", { __declared: "" })).toStrictEqual({});
  });
});

describe("secrets", () => {
  const sealed = (value: unknown) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    value,
  });
  const state = { name: "web", password: "hush", passwords: ["hush", "hush2"], apiKey: undefined };
  const secretive = (): Adapter =>
    adapter({
      secrets: [["password"], ["passwords"], ["apiKey"]],
      create: async () => ({ id: "web", state }),
      read: async () => state,
      update: async () => state,
    }).adapter;

  test("are sealed in all that is answered, whatever the program says of them", async () => {
    const inputs = { name: "web", password: "hush" };
    const __declared = "name,password";
    const found = { name: "web", password: sealed("hush"), passwords: sealed(["hush", "hush2"]) };
    const outs = { ...found, __declared, __at: HERE };
    expect(await secretive().create(inputs)).toStrictEqual({ id: "web", outs: { ...outs, __mark: NEW_MARK } });
    expect(await secretive().update("web", {}, inputs)).toStrictEqual({ outs: { ...outs, __mark: OLD_MARK } });
    expect(await secretive().read("web", { ...inputs, __declared })).toStrictEqual({
      id: "web",
      props: outs,
      inputs: { name: "web", password: sealed("hush") },
    });
    expect(await secretive().read("web", {})).toStrictEqual({
      id: "web",
      props: { ...found, __declared: "looked up" },
    });
    expect(await secretive().check({}, inputs)).toStrictEqual({
      inputs: { name: "web", password: sealed("hush") },
      failures: [],
    });
  });

  test("are sealed in what is kept of a failure", async () => {
    const error = new PartialFailure("web", state, new ArgumentError("no"));
    const { adapter: it } = adapter({ secrets: [["password"], ["passwords"]], create: () => Promise.reject(error) });
    expect((await failure(it.create({ __provider: TEXT }))).properties).toMatchObject({
      password: sealed("hush"),
      passwords: sealed(["hush", "hush2"]),
      __provider: TEXT,
    });
  });
});

describe("what came from an import file", () => {
  const inputs = ["name", "plan", "password"];
  const imported = { __provider: TEXT, name: "web", plan: { ips: 1 }, password: "hush", status: "active" };

  test("has declared what it says of the inputs, and no more", async () => {
    const live = { name: "web", plan: { ips: 5, start: "now" }, password: "hush2", status: "active", perm: "all" };
    const { adapter: it, life } = adapter({ inputs, read: vi.fn(async () => live) });
    expect(await it.read("web", imported)).toEqual({
      id: "web",
      props: { ...live, __declared: "name,plan.ips,password", __at: HERE },
      inputs: { name: "web", plan: { ips: 5 }, password: "hush2" },
    });
    const { __provider, ...state } = imported;
    expect(readings(life)[0]?.slice(0, 2)).toEqual(["web", { name: "web", plan: { ips: 1 }, password: "hush" }]);
    expect(readings(life)[0]?.[3]).toEqual(state);
  });

  test("is updated in any case, since its outputs are not complete", async () => {
    const { adapter: it, life } = adapter({ inputs });
    expect(await it.diff("web", imported, { name: "web" })).toEqual({
      changes: true,
      replaces: [],
      deleteBeforeReplace: false,
    });
    const declared = new Set(["name", "plan.ips", "password"]);
    expect(vi.mocked(life.diff).mock.calls[0]?.[1]).toEqual(declared);
    const { outs } = await it.update("web", imported, { __provider: TEXT, name: "web" });
    expect(vi.mocked(life.update).mock.calls[0]?.[2]).toEqual(declared);
    expect(outs).toMatchObject({ __declared: "name" });
    expect(await it.diff("web", outs, { name: "web" })).toMatchObject({ changes: false });
  });

  test("has the secrets of its inputs sealed as soon as they are checked", async () => {
    const { adapter: it } = adapter({ inputs, secrets: [["password"]] });
    const { __provider, status, ...declared } = imported;
    expect((await it.check(declared, { ...declared, __provider: TEXT })).inputs).toStrictEqual({
      ...declared,
      password: { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: "hush" },
    });
  });
});

describe("delete", () => {
  test("hands over what is kept", async () => {
    const { adapter: it, life } = adapter();
    await it.delete("id", { __provider: TEXT, __declared: "a", a: 1 });
    expect(vi.mocked(life.delete).mock.calls[0]?.slice(0, 2)).toEqual(["id", { a: 1 }]);
  });
});

describe("a thing that another resource has by now", () => {
  let printed: string[];
  let services = 0;

  beforeEach(() => {
    printed = [];
    vi.spyOn(console, "log").mockImplementation((words) => printed.push(String(words)));
    return () => vi.restoreAllMocks();
  });

  /** A kind whose resources have what they name, in a run of its own. */
  function kind(more: Partial<Lifecycle> = {}): { it: Adapter; removals: unknown[][] } {
    const holds = (_id: string | undefined, { things }: JsonObject) =>
      Array.isArray(things) ? things.map(String) : [];
    const { adapter: it, life } = adapter(
      {
        inputs: ["things"],
        holds: vi.fn(holds),
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

  test("is told by the id alone where a kind says nothing of it", async () => {
    const made = kind({ holds: undefined as never });
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

  describe("as the program's resources declare it", () => {
    const at = (__key: string, ...things: string[]): JsonObject => ({ ...of(...things), __key });
    /** A kind that is refused what is there, unless its inputs say `adopt`. */
    const refusable: Partial<Lifecycle> = {
      adopts: ({ adopt, things }) => (adopt === true ? (things as string[]) : []),
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
      const made = kind({ holds: (id) => (id === undefined ? [] : [id]) });
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

  test("of several is left, and the others are deleted", async () => {
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
  const notes = () => {
    const folder = join(home, "brightdata", "notes");
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  /** The mark in the one note that there is. */
  const noted = (): string => {
    expect(notes()).toHaveLength(1);
    return JSON.parse(readFileSync(join(home, "brightdata", "notes", notes()[0] as string), "utf8")).mark;
  };

  /** A kind that notes its creation and then does as it is told; and what it found noted. */
  function noting(
    then: () => void = () => {},
    answers: Partial<Lifecycle> = {},
  ): { it: Adapter; life: Lifecycle; found: unknown[] } {
    const found: unknown[] = [];
    const begin = async ({ journal }: Run) => {
      found.push(journal?.unfinished?.facts);
      journal?.begin({ name: "web" });
      then();
    };
    const { adapter: it, life } = adapter({
      ...answers,
      create: async (_inputs, run) => {
        await begin(run);
        return { id: "web", state: {} };
      },
      update: async (_id, _state, _declared, _inputs, run) => {
        await begin(run);
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
    expect(notes()).toHaveLength(1);
    await failure(it.create({ ...PLACED, __key }));
    await failure(it.create({ ...PLACED, __key: place() }));
    expect(found).toEqual([undefined, { name: "web" }, undefined]);
  });

  test("makes the next update and the deletion go on with it, of a kind that resumes", async () => {
    for (const resumes of [true, false]) {
      const props = { ...PLACED, __key: place(), __declared: "a" };
      const identity = `one-${resumes}`;
      const holds = () => [identity];
      const { it, life } = noting(fail(new ArgumentError("no answer")), { resumes, holds });
      await failure(it.update("web", props, props));
      expect((await it.diff("web", props, props)).changes, "of a refresh").toBe(false);
      await it.check(props, props);
      expect((await it.diff("web", props, props)).changes).toBe(resumes);
      // All that it has is another's by now.
      await noting(undefined, { holds }).it.create({ ...PLACED, __key: place() });
      await it.delete("web", props);
      expect(life.delete).toHaveBeenCalledTimes(resumes ? 1 : 0);
      expect((await it.diff("web", props, props)).changes, "after its deletion").toBe(false);
    }
  });

  describe("and that nothing takes up any more", () => {
    const LEFT = "Another web may have been made.";
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
        holds: () => [],
        diff: vi
          .fn<Lifecycle["diff"]>(() => stays)
          .mockReturnValueOnce({ changed: ["a"], replaces: ["a"], deleteBeforeReplace: false }),
        create: async (_inputs, { journal }) => {
          journal?.begin({ name: "web" }, LEFT);
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
        journal?.begin({ name: "web" }, LEFT);
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

    test("is told of by the comparison, and forgotten with the update that it leads to", async () => {
      const { it, props } = await replacedInVain();
      expect((await it.diff("web", props, props)).changes).toBe(true);
      expect(printed).toEqual([`brightdata: ${LEFT}`]);
      await it.update("web", props, props);
      expect((await it.diff("web", props, props)).changes).toBe(false);
    });

    test("is told of by the deletion, and forgotten", async () => {
      const { props } = await replacedInVain();
      vi.resetModules();
      const next = await vi.importActual<typeof import("../../src/dynamic/adapter")>("../../src/dynamic/adapter");
      const life = lifecycle({ holds: () => [] });
      await new next.Adapter("Test", life).delete("web", props);
      expect(life.delete).toHaveBeenCalledTimes(1);
      expect(printed).toEqual([`brightdata: ${LEFT}`]);
      expect(notes()).toEqual([]);
    });

    test("is kept, and not told of, where the deletion makes room for another replacement", async () => {
      const { it, props } = await replacedInVain();
      await it.delete("web", props);
      expect(printed).toEqual([]);
      expect(notes()).toHaveLength(1);
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
      expect(notes().join()).toContain(`~${__mark}.json`);
      await call(it, { ...props, __mark });
      expect(notes().join()).not.toContain(`~${__mark}.json`);
      for (const file of notes()) rmSync(join(home, "brightdata", "notes", file));
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
    expect(notes()).toEqual([]);
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

describe("the time an operation may take", () => {
  /** Seconds and argument of the deadline, as it says them when it is over. */
  async function allowed(operation: "create" | "read" | "update" | "delete", timeouts: unknown): Promise<string> {
    const timers = vi.spyOn(globalThis, "setTimeout");
    const over = async (run: Run): Promise<never> => {
      const expire = timers.mock.calls.at(-1)?.[0] as () => void;
      expire();
      return run.deadline.signal.throwIfAborted() as never;
    };
    const { adapter: it } = adapter({
      create: async (_inputs, run) => over(run),
      read: async (_id, _inputs, run) => over(run),
      update: async (_id, _state, _declared, _inputs, run) => over(run),
      delete: async (_id, _state, run) => over(run),
    });
    const props = { timeouts };
    const calls = {
      create: () => it.create(props),
      read: () => it.read("id", props),
      update: () => it.update("id", { timeouts: { update: 99 } }, props),
      delete: () => it.delete("in time", props),
    };
    try {
      return (await failure(calls[operation]())).message;
    } finally {
      timers.mockRestore();
    }
  }

  test.each([
    ["create", 11],
    ["read", 12],
    ["update", 13],
    ["delete", 14],
  ] as const)("%s: the program's, or else the kind's own", async (operation, own) => {
    expect(await allowed(operation, { [operation]: 77 })).toContain(
      `Gave up after 77 s, finishing. Allow more time with \`timeouts.${operation}\``,
    );
    for (const timeouts of [undefined, {}, { [operation]: SENTINEL }, SENTINEL]) {
      expect(await allowed(operation, timeouts)).toContain(`after ${own} s`);
    }
  });

  test("does not keep the process alive once the operation is over", async () => {
    const clear = vi.spyOn(globalThis, "clearTimeout");
    const { adapter: it } = adapter({ delete: () => Promise.reject(new ArgumentError("no")) });
    await it.create({});
    expect(clear).toHaveBeenCalledTimes(1);
    await failure(it.delete("id", {}));
    expect(clear).toHaveBeenCalledTimes(2);
    clear.mockRestore();
  });
});

describe("an error", () => {
  const failing = (error: unknown, config: Record<string, string> = {}) =>
    adapter(
      {
        create: () => Promise.reject(error),
        check: () => {
          throw error;
        },
      },
      config,
    ).adapter;

  test("that is foreseen has its words and no stack", async () => {
    const error = await failure(failing(new ArgumentError("The name is taken.")).create({}));
    expect(error.message).toBe("The name is taken.");
    expect(`${error}`).toBe("pulumi-brightdata: The name is taken.");
    expect(error.stack).toBe("");
    expect(error.cause).toBeUndefined();
    expect(error).not.toHaveProperty("id");
  });

  test("that is not foreseen says so, with its stack", async () => {
    const error = await failure(failing(new TypeError("x is not a function")).check({}, {}));
    expect(error.message).toBe("x is not a function (This is a defect of pulumi-brightdata: please report it.)");
    expect(error.stack).toContain("adapter.test.ts");
  });

  test.each([undefined, null, "a text", 5, { a: 1 }])(
    "is an error even where something else was thrown (%j)",
    async (thrown) => {
      const error = await failure(failing(thrown).create({}));
      expect(error).toBeInstanceOf(Error);
      expect(error.message).not.toBe("");
    },
  );

  test("shows no secret: of the properties, of the configuration, of the environment", async () => {
    vi.stubEnv("BRIGHTDATA_API_TOKEN", "token-of-env");
    const config = { "brightdata:apiToken": "token-of-config", "brightdata:managerApiKey": "key-of-config" };
    const secrets = [
      "token-of-env",
      "token-of-config",
      "key-of-config",
      "hush-pw",
      "hush-nested",
      "hush-ext",
      "hush-key",
    ];
    const props = {
      password: "hush-pw",
      nested: { list: [{ apiToken: "hush-nested" }] },
      extProxies: ["user:hush-ext@203.0.113.7"],
      apiKey: "hush-key",
    };
    const words = `It said ${secrets.slice(0, 5).join(" ")} ${props.extProxies[0]} ${props.apiKey} Bearer abcdefgh.ijklmnop`;
    const causes = [
      new ArgumentError(words),
      new TypeError(words),
      new PartialFailure("id", {}, new TypeError(words)),
      words,
    ];
    for (const thrown of causes) {
      const error = await failure(failing(thrown, config).create(props));
      const shown = [error.message, error.stack, ...(error.reasons ?? [])].join(" ");
      for (const secret of [...secrets, "abcdefgh"]) expect(shown).not.toContain(secret);
      expect(shown).toContain("It said");
    }
  });

  test("of a look at old and new hides the secrets of both", async () => {
    const { adapter: it } = adapter({
      diff: () => {
        throw new ArgumentError("hush-old hush-new");
      },
      update: () => Promise.reject(new ArgumentError("hush-old hush-new")),
    });
    for (const attempt of [
      it.diff("id", { password: "hush-old" }, { password: "hush-new" }),
      it.update("id", { password: "hush-old" }, { password: "hush-new" }),
    ]) {
      expect((await failure(attempt)).message).toBe("[secret] [secret]");
    }
  });
});

describe("a failure after the thing was made", () => {
  test("keeps what is known of it, with all that is needed to go on", async () => {
    const cause = new ArgumentError("It cannot be read.");
    const state = { name: "web", plan: { ips: 1 }, password: "hush-pw", none: undefined, when: new Date(0) };
    const { adapter: it } = adapter({ create: () => Promise.reject(new PartialFailure("web", state, cause)) });
    const error = await failure(it.create({ __provider: TEXT, name: "web", plan: { ips: 1 }, password: "hush-pw" }));
    expect(error).toMatchObject({ message: "It cannot be read.", id: "web", reasons: ["It cannot be read."] });
    expect(error.stack).toBe("");
    expect(error.properties).toStrictEqual({
      name: "web",
      plan: { ips: 1 },
      password: "hush-pw",
      when: "1970-01-01T00:00:00.000Z",
      __declared: "name,plan.ips,password",
      __at: HERE,
      __mark: NEW_MARK,
      __provider: TEXT,
    });
  });

  test("of an update leaves what is there yet among what is declared", async () => {
    const state = { a: 1, kept: { by: "it" } };
    const { adapter: it } = adapter({
      update: () => Promise.reject(new PartialFailure("web", state, new ArgumentError("no"))),
    });
    const olds = { a: 1, b: 2, kept: { by: "it" }, __declared: "a,b,kept.by" };
    const error = await failure(it.update("web", olds, { __provider: TEXT, a: 1 }));
    expect(error.properties?.__declared).toBe("a,kept.by");
  });

  test("by a defect is kept too, and says that it is one", async () => {
    const { adapter: it } = adapter({
      update: () => Promise.reject(new PartialFailure("web", {}, new TypeError("oops"))),
    });
    const error = await failure(it.update("web", {}, { __provider: TEXT, a: 1 }));
    expect(error.reasons).toEqual(["oops (This is a defect of pulumi-brightdata: please report it.)"]);
    expect(error).toMatchObject({ id: "web", properties: { __provider: TEXT, __declared: "a" } });
    expect(error.stack).toContain("TypeError");
  });
});

describe("configuration", () => {
  /** The contexts that calls on these adapters were given. */
  async function contextsOf(...adapters: Adapter[]): Promise<void> {
    await Promise.all(adapters.map((it) => it.create({})));
  }

  const recording = (into: Context[]): Partial<Lifecycle> => ({
    create: async (_inputs, { context }) => {
      into.push(context);
      return { id: "x", state: {} };
    },
  });

  test("is there for calls that come before `configure` has answered", async () => {
    const seen: Context[] = [];
    const it = new Adapter("Test", lifecycle(recording(seen)));
    const get = (key: string) => (key === "brightdata:proxyManagerUrl" ? "http://127.0.0.1:1111" : undefined);
    const configured = it.configure({ config: { get } });
    await Promise.all([it.create({}), it.create({}), configured]);
    expect(seen.map(({ manager }) => manager.url)).toEqual(["http://127.0.0.1:1111", "http://127.0.0.1:1111"]);
  });

  test("is not looked at before it is needed: a bad value fails the preview and the operation, not `configure`", async () => {
    const { adapter: it } = adapter({}, { "brightdata:baseUrl": "nonsense" });
    for (const call of [it.check({}, {}), it.diff("id", {}, {}), it.create({})]) {
      const error = await failure(call);
      expect(error.message).toContain("brightdata:baseUrl");
      expect(error.stack).toBe("");
    }
  });

  test("that is the same is the same context, for all kinds; another is another", async () => {
    const seen: Context[] = [];
    const config = { "brightdata:proxyManagerUrl": "http://127.0.0.1:2222", "brightdata:apiToken": "one" };
    await contextsOf(adapter(recording(seen), config).adapter, adapter(recording(seen), { ...config }).adapter);
    expect(seen[0]).toBe(seen[1]);
    await contextsOf(adapter(recording(seen), { ...config, "brightdata:apiToken": "two" }).adapter);
    expect(seen[2]).not.toBe(seen[0]);
    vi.stubEnv("BRIGHTDATA_API_TOKEN", "three");
    await contextsOf(adapter(recording(seen), config).adapter);
    expect(seen[3]).not.toBe(seen[0]);
  });
});

describe("what a provider's text asks for", () => {
  test.each(["Zone", "ProxyPort", "WhitelistIp"])("is answered: %s, 1", (kind) => {
    expect(resource(kind, 1)).toBeInstanceOf(Adapter);
  });

  test.each([
    ["Zone", 2],
    ["Dataset", 1],
  ] as const)("is refused where this version does not know it: %s, %d", (kind, protocol) => {
    expect(() => resource(kind, protocol)).toThrow(/does not know .*install that, or a later one/);
  });
});
