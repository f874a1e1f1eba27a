import { describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { locationOf } from "../../src/base/location";
import type { Adapter } from "../../src/dynamic/adapter";
import type { Lifecycle } from "../../src/lifecycle/lifecycle";
import { adapter, failure, HERE, OLD_MARK, readings, SENTINEL, TEXT } from "./adapterSetup";

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
  ])("a resource goes from %j to %j: an update: %j", async (from, to, isUpdate) => {
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

  test("is found, and updated where its state was left unfinished", async () => {
    const { adapter: it, life } = adapter(asFound({ a: 1, born: "then" }), SHOP);
    await it.update("x", { ...OLD, __unfinished: true }, { __provider: TEXT, a: 1 });
    expect(life.update).toHaveBeenCalledTimes(1);
  });

  test("is found, and updated without what another resource has taken over meanwhile", async () => {
    const answers = {
      ...asFound({ a: 1, born: "then" }),
      holdings: () => ({ has: ["thing x"] }),
      without: (state: JsonObject) => ({ ...state, a: 0 }),
      create: vi.fn(async (inputs: JsonObject) => ({ id: "y", state: inputs })),
    };
    const { adapter: it, life } = adapter(answers, SHOP);
    await it.create({ __provider: TEXT, __key: "other", a: 1 });
    await it.update("x", { ...OLD, __key: "own" }, { __provider: TEXT, __key: "own", a: 1 });
    expect(life.update).toHaveBeenCalledTimes(1);
    expect(vi.mocked(life.update).mock.calls[0]?.[1]).toMatchObject({ a: 0 });
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

  describe("is where the connection leads that the program names by now", () => {
    const ELSEWHERE = "http://127.0.0.1:1";
    const managers = JSON.stringify({ "fra-1": { url: ELSEWHERE } });
    const unnamed: Partial<Lifecycle> = { ...asFound({ a: 1, born: "then" }), inputs: ["a", "manager"] };

    test("the provider does not know the name that the state has", async () => {
      const { adapter: it } = adapter(unnamed, SHOP);
      const olds = { ...OLD, __declared: ["a", "manager"], manager: "fra-1" };
      expect((await it.update("fra-1/x", olds, { __provider: TEXT, a: 1 })).outs).toMatchObject({ a: 1, __at: HERE });
    });

    test("the name leads to where the state has it", async () => {
      const { adapter: it } = adapter(unnamed, { "brightdata:managers": managers });
      const olds = { ...OLD, __with: "shop", __at: locationOf(ELSEWHERE) };
      const { outs } = await it.update("x", olds, { __provider: TEXT, a: 1, manager: "fra-1" });
      expect(outs).toMatchObject({ manager: "fra-1", __at: locationOf(ELSEWHERE) });
    });

    test("the name leads elsewhere: nothing is done", async () => {
      const { adapter: it, life } = adapter(unnamed, { "brightdata:managers": managers });
      const moved = it.update("x", { ...OLD, __with: "shop" }, { __provider: TEXT, a: 1, manager: "fra-1" });
      expect((await failure(moved)).message).toContain("nothing shows that it is the same one. Nothing was done.");
      expect(life.update).not.toHaveBeenCalled();
    });
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
      `${moved}${words} Nothing was done. Give it the default provider again in the program, run \`pulumi up\`, and delete it then.`,
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
    expect(outs).toEqual({
      a: 1,
      born: "then",
      __at: HERE,
      __key: "new",
      __with: "shop",
      __declared: "a",
      __mark: OLD_MARK,
    });
    // An earlier version has marked it with the place that the state has.
    const run = expect.objectContaining({ me: { mark: OLD_MARK, place: "place" } });
    expect(isMarked).toHaveBeenCalledWith("x", { a: 1, born: "then" }, run);
  });

  test.each([
    [["x"], HERE],
    [[], undefined],
  ])("says where it is where a kind that bears marks has adopted %j", async (adopted, at) => {
    const { adapter: it } = adapter({ isMarked: async () => true, holdings: () => ({ takesOver: adopted }) });
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

  test("is older than what another provider has recorded, which had no name for it", async () => {
    const life = { service: "remote", read: vi.fn(async () => ({ a: 1 })), inputs: ["a", "account"] } as const;
    const { adapter: it } = adapter(life, config);
    const olds = { __provider: TEXT, __declared: "a", __with: "shop", a: 1 };
    const moved = await it.update("shop/x", olds, { __provider: TEXT, a: 1, account: "shop" });
    expect(moved.outs).toMatchObject({ a: 1, account: "shop" });
  });

  test("a name of a connection that is no text is refused", async () => {
    const { adapter: it, life } = adapter();
    for (const id of [7 as unknown as string, ""])
      expect((await failure(it.delete(id, { __provider: TEXT }))).message).toContain(" is no id: expected a text");
    expect(life.delete).not.toHaveBeenCalled();
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
    expect(await it.diff("web", { ...outs, __provider: "…" }, { name: "web" })).toMatchObject({ changes: false });
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

test("what the plugin has recorded is written anew as it is, for it has no text of a provider", async () => {
  const { adapter: it, life } = adapter({ inputs: ["name"] });
  const olds = { name: "web", __mark: "m.1" };
  expect(await it.diff("web", olds, { name: "web" })).toMatchObject({ changes: true, replaces: [] });
  await it.update("web", olds, { name: "web" });
  expect(life.update).not.toHaveBeenCalled();
  expect(life.read).not.toHaveBeenCalled();
});
