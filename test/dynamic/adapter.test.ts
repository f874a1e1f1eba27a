import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import type { JsonObject } from "../../src/base/json";
import { Adapter } from "../../src/dynamic/adapter";
import { proxyPorts } from "../../src/kinds/proxyPorts/declaration";
import type { Context } from "../../src/lifecycle/context";
import { type Lifecycle, PartialFailure, type Step, UNKNOWN } from "../../src/lifecycle/lifecycle";
import { resource } from "../../src/provider";
import {
  adapter,
  cancellation,
  failure,
  HERE,
  lifecycle,
  OLD_MARK,
  readings,
  SENTINEL,
  session,
  TEXT,
} from "./adapterSetup";

/** Of a resource that was made. */
const NEW_MARK = expect.stringMatching(/^m\.[\w-]{12}$/);

test("check hands over what was and what shall be, without the protocol's keys, and names no property", async () => {
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
  expect(life.check).toHaveBeenCalledWith(
    { a: 1, list: [UNKNOWN] },
    { name: "before" },
    expect.objectContaining({ place: undefined }),
  );
});

test("a check of something new has no before, and of what the state has without inputs an empty one", async () => {
  for (const [olds, before] of [[{}, undefined] as const, [{ __provider: TEXT }, {}] as const]) {
    const { adapter: it, life } = adapter();
    await it.check(olds, { __provider: TEXT, a: 1 });
    expect(life.check).toHaveBeenCalledWith({ a: 1 }, before, expect.objectContaining({ place: undefined }));
  }
});

test("check hands over the resource's place, and keeps it and `replaceOnChanges` for the calls to come", async () => {
  const { adapter: it, life } = adapter();
  const news = { __provider: TEXT, __key: "place", __replaceOnChanges: ["*"], a: 1 };
  expect(await it.check({ __key: "former place", a: 1 }, news)).toEqual({
    inputs: { __key: "place", __replaceOnChanges: ["*"], a: 1 },
    failures: [],
  });
  expect(life.check).toHaveBeenCalledWith({ a: 1 }, { a: 1 }, expect.objectContaining({ place: "place" }));
});

test("diff compares what is kept with what shall be, knowing what was declared", async () => {
  const { adapter: it, life } = adapter({
    diff: vi.fn(() => {
      const changed = ["plan.ips", "name", "plan.type"];
      return { changed, replaces: changed, deleteBeforeReplace: true };
    }),
  });
  const olds = { __provider: TEXT, __declared: "plan.ips", plan: { ips: 1, start: "now" } };
  expect(await it.diff("id", olds, { __provider: "another", plan: { ips: SENTINEL } })).toEqual({
    changes: true,
    replaces: ["plan", "name"],
    deleteBeforeReplace: true,
  });
  expect(life.diff).toHaveBeenCalledWith({ plan: { ips: 1, start: "now" } }, new Set(["plan.ips"]), {
    plan: { ips: UNKNOWN },
  });
});

test("diff announces an update that the program asks for: no refresh, no replacement, and not what stays", async () => {
  const said = vi.spyOn(console, "log").mockReturnValue();
  onTestFinished(() => said.mockRestore());
  const differences = [
    { changed: ["a"], replaces: [], deleteBeforeReplace: false },
    { changed: ["a"], replaces: ["a"], deleteBeforeReplace: false },
    { changed: [], replaces: [], deleteBeforeReplace: false },
  ];
  for (const [index, difference] of differences.entries()) {
    const announceUpdate = ({ a }: JsonObject) => `${index}: ${a} changes`;
    const { adapter: it } = adapter({ diff: () => difference, announceUpdate });
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

test("diff announces a replacement that the program asks for, and the same of a resource once", async () => {
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

test("a resource without inputs is not announced as new where the state has it", async () => {
  const said = vi.spyOn(console, "log").mockReturnValue();
  onTestFinished(() => said.mockRestore());
  const announce = (_: JsonObject, previous?: JsonObject) => (previous === undefined ? "something is made" : undefined);
  const { adapter: it } = adapter({ announce });
  const news = { __provider: TEXT, __key: "here" };
  await it.check({ ...news }, news);
  expect(said).not.toHaveBeenCalled();
  await it.check({}, news);
  expect(said.mock.calls).toEqual([["brightdata: something is made"]]);
});

test("diff says outright that nothing changes: otherwise the engine would compare by itself", async () => {
  expect(await adapter().adapter.diff("id", {}, {})).toStrictEqual({
    changes: false,
    replaces: [],
    deleteBeforeReplace: false,
  });
});

test("a comparison of what was looked up knows nothing to be declared", async () => {
  const { adapter: it, life } = adapter({ inputs: ["a"] });
  const olds = { __declared: "looked up", a: 1 };
  expect(await it.diff("id", olds, { a: 1 })).toMatchObject({ changes: false });
  expect(life.diff).toHaveBeenCalledWith({ a: 1 }, new Set(), { a: 1 });
});

test("diff ignores the protocol's keys: a new place or option is no change", async () => {
  const { adapter: it, life } = adapter();
  const olds = { __declared: "a", __key: "former place", a: 1 };
  expect(await it.diff("id", olds, { __key: "place", __replaceOnChanges: ["*"], a: 1 })).toMatchObject({
    changes: false,
    replaces: [],
  });
  expect(life.diff).toHaveBeenCalledWith({ a: 1 }, new Set(["a"]), { a: 1 });
});

test("diff replaces for what `replaceOnChanges` names, too", async () => {
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

test.each<[string, unknown]>([
  ["kept", "plan.ips,secret,lost"],
  ["kept by version 0.1.0", ["plan.ips", "secret", "lost"]],
])(
  "a reading of what is %s answers its outputs and, with the values of now, what was declared",
  async (_, __declared) => {
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
  },
);

test("a reading by an id alone answers what there is, and pretends nothing to be declared", async () => {
  const { adapter: it, life } = adapter();
  const props = { seen: true, __declared: "looked up" };
  expect(await it.read("id", { __provider: TEXT })).toEqual({ id: "id", props });
  expect(readings(life)[0]?.slice(0, 2)).toEqual(["id", undefined]);
  // A refresh looks it up again: nothing is declared by then either.
  expect(await it.read("id", { __provider: TEXT, ...props })).toEqual({ id: "id", props });
  expect(readings(life)[1]?.slice(0, 2)).toEqual(["id", undefined]);
  expect(readings(life)[1]?.[3]).toEqual({});
});

test("a reading by an id alone of what is not there fails: there is nothing to forget", async () => {
  const { adapter: it } = adapter({ read: async () => undefined });
  expect((await failure(it.read("id", { __provider: TEXT }))).message).toContain('nothing with the id "id"');
  const lists: [Lifecycle["suggestions"], string][] = [
    [async () => ["shop", "web", "web_2", "wbe", "x"], '; the most similar are "wbe", "web", "web_2"'],
    [async () => ["shop"], '; the most similar is "shop"'],
    [async () => [], ""],
    [() => Promise.reject(new Error("not today")), ""],
  ];
  for (const [list, near] of lists) {
    const { adapter: listing } = adapter({ read: async () => undefined, suggestions: list as never });
    const { message } = await failure(listing.read("wbe", { __provider: TEXT }));
    expect(message).toBe(`There is nothing with the id "wbe" to look up${near}.`);
  }
  // What an import file brought into the state has no declared paths, but is no look-up.
  expect(await it.read("id", { __provider: TEXT, name: "web" })).toStrictEqual({});
});

test("a reading of what is gone answers no id", async () => {
  const { adapter: it } = adapter({ read: async () => undefined });
  expect(await it.read("id", { __declared: "" })).toStrictEqual({});
  // It was there when an earlier run has looked it up.
  expect(await it.read("id", { __provider: TEXT, name: "web", __declared: "looked up" })).toStrictEqual({});
});

const sealed = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

describe("secrets", () => {
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

const differing = { changed: ["a"], replaces: [], deleteBeforeReplace: false };

describe("secrets of the program", () => {
  const state = { defaults: { headers: ["hush"] }, ports: { a: { port: 1, headers: ["hush"] } } };
  const inputs = { defaults: { headers: ["hush"] }, ports: { a: { port: 1 } } };
  const outputs = { defaults: { headers: sealed(["hush"]) }, ports: { a: { port: 1, headers: sealed(["hush"]) } } };
  const __secrets = "defaults.headers";
  const __declared = "defaults.headers,ports.a.port";
  const found = async () => state;
  const answers = { declaration: proxyPorts, read: found, create: async () => ({ id: "set", state }), update: found };

  test("are sealed wherever the outputs show them, and are known to the calls to come", async () => {
    const { adapter: it } = adapter(answers);
    const checked = await it.check({}, { ...inputs, __program: { name: "fleet", secrets: __secrets } });
    expect(checked).toEqual({ inputs: { ...inputs, __secrets }, failures: [] });
    const { outs } = await it.create(checked.inputs);
    expect(outs).toMatchObject({ ...outputs, __secrets });
    expect(await it.read("set", outs)).toMatchObject({
      props: { ...outputs, __secrets },
      inputs: { ...inputs, __secrets },
    });
    const olds = { ...state, __secrets, __declared };
    expect((await it.update("set", olds, checked.inputs)).outs).toMatchObject({ ...outputs, __secrets });
    expect((await it.update("set", olds, inputs)).outs).toStrictEqual({
      ...{ ...state, __declared, __at: HERE, __mark: OLD_MARK },
    });
  });

  test("that the state does not know of yet are told to it, and nothing else is done", async () => {
    const { adapter: it } = adapter({ ...answers, update: () => Promise.reject(new Error("It was asked for.")) });
    const olds = { ...state, __provider: TEXT, __mark: "m.1", __declared: "defaults.headers,ports.a.port" };
    const news = { ...inputs, __secrets };
    expect(await it.diff("set", olds, news)).toMatchObject({ changes: true, replaces: [] });
    expect((await it.update("set", olds, news)).outs).toMatchObject({ ...outputs, __secrets });
    for (const known of [__secrets, `${__secrets},ports.a.user`])
      expect(await it.diff("set", { ...olds, __secrets: known }, news)).toMatchObject({ changes: false });
  });

  test("are sealed where a failed update leaves a former one", async () => {
    const cause = new PartialFailure("set", state, new ArgumentError("no"));
    const { adapter: it } = adapter({ ...answers, diff: () => differing, update: () => Promise.reject(cause) });
    const olds = { ...state, __secrets, __declared };
    const left = await failure(
      it.update("set", olds, { ports: { a: { port: 1, user: "who" } }, __secrets: "ports.a.user" }),
    );
    expect(left.properties).toMatchObject({ ...outputs, __secrets: "ports.a.user,defaults.headers" });
  });
});

test("no message shows what the program gave as a secret", async () => {
  const refuse = () => Promise.reject(new ArgumentError("hush is refused in `a.b`."));
  const diff = () => differing;
  const { adapter: it } = adapter({ diff, create: refuse, read: refuse, update: refuse, delete: refuse });
  const props = { a: { b: ["hush"] }, __secrets: "a.b", __declared: "a.b" };
  for (const attempt of [
    () => it.create(props),
    () => it.update("id", { a: 1 }, props),
    () => it.update("id", props, { a: 1 }),
    () => it.read("id", props),
    () => it.delete("id", props),
  ])
    expect((await failure(attempt())).message).toBe("[secret] is refused in `a.b`.");
  const said = adapter({ check: (inputs) => ({ inputs, failures: ["hush is refused in `a.b`."] }) }).adapter;
  const checked = await said.check({}, { a: { b: ["hush"] }, __program: { name: "it", secrets: "a.b" } });
  expect(checked.failures).toEqual([{ property: "", reason: "[secret] is refused in `a.b`." }]);
});

test("nothing that an operation says shows what the program gave as a secret", async () => {
  const log = vi.spyOn(console, "log").mockReturnValue();
  const say = (step: Step) => step.say?.("hush is still in `a.b`.");
  const { adapter: it } = adapter({
    create: async (inputs, step) => {
      say(step);
      return { id: "id", state: inputs };
    },
    update: async (_id, _state, _declared, inputs, step) => {
      say(step);
      return inputs;
    },
    delete: async (_id, _state, step) => say(step),
  });
  const props = { a: { b: ["hush"] }, __secrets: "a.b", __declared: "a.b" };
  await it.create(props);
  await it.update("id", props, { a: 1 });
  await it.delete("another", props);
  expect(log.mock.calls).toEqual(Array(3).fill(["brightdata: [secret] is still in `a.b`."]));
});

test("no words of a service that an operation records show what the program gave as a secret", async () => {
  const told = (step: Step) => ({ why: step.hide?.("hush was refused.") });
  const { adapter: it } = adapter({
    create: async (_inputs, step) => ({ id: "id", state: told(step) }),
    read: async (_id, _inputs, step) => told(step),
  });
  const props = { a: { b: ["hush"] }, __secrets: "a.b", __declared: "a.b" };
  expect((await it.create(props)).outs).toMatchObject({ why: "[secret] was refused." });
  expect((await it.read("id", props)).props).toMatchObject({ why: "[secret] was refused." });
});

test("delete hands over what is kept", async () => {
  const { adapter: it, life } = adapter();
  await it.delete("id", { __provider: TEXT, __declared: "a", a: 1 });
  expect(vi.mocked(life.delete).mock.calls[0]?.slice(0, 2)).toEqual(["id", { a: 1 }]);
});

describe("the time an operation may take", () => {
  /** Seconds and argument of the deadline, as it says them when it is over. */
  async function allowed(operation: "create" | "read" | "update" | "delete", timeouts: unknown): Promise<string> {
    const timers = vi.spyOn(globalThis, "setTimeout");
    const over = async (step: Step): Promise<never> => {
      const expire = timers.mock.calls.at(-1)?.[0] as () => void;
      expire();
      return step.deadline.signal.throwIfAborted() as never;
    };
    const { adapter: it } = adapter({
      create: async (_inputs, step) => over(step),
      read: async (_id, _inputs, step) => over(step),
      update: async (_id, _state, _declared, _inputs, step) => over(step),
      delete: async (_id, _state, step) => over(step),
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
      `Gave up after 77 s, before everything was done. Allow more time with \`timeouts.${operation}\``,
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

test("an error that is foreseen has its words and no stack", async () => {
  const error = await failure(failing(new ArgumentError("The name is taken.")).create({}));
  expect(error.message).toBe("The name is taken.");
  expect(`${error}`).toBe("pulumi-brightdata: The name is taken.");
  expect(error.stack).toBe("");
  expect(error.cause).toBeUndefined();
  expect(error).not.toHaveProperty("id");
});

test("an error that is not foreseen says so, with its stack", async () => {
  const error = await failure(failing(new TypeError("x is not a function")).check({}, {}));
  expect(error.message).toBe("x is not a function (This is a defect of pulumi-brightdata: please report it.)");
  expect(error.stack).toContain("adapter.test.ts");
});

test.each([undefined, null, "a text", 5, { a: 1 }])(
  "an error is an error even where something else was thrown (%j)",
  async (thrown) => {
    const error = await failure(failing(thrown).create({}));
    expect(error).toBeInstanceOf(Error);
    expect(error.message).not.toBe("");
  },
);

test("an error shows no secret: of the properties, of the configuration, of the environment", async () => {
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

test("an error of a look at old and new hides the secrets of both", async () => {
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

test("a failure after the thing was made keeps what is known of it, with all that is needed to go on", async () => {
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
    __unfinished: true,
    __provider: TEXT,
  });
});

test("what was left unfinished is no more once it has been updated, or read", async () => {
  const olds = { a: 1, __declared: "a", __unfinished: true };
  const { adapter: it } = adapter({
    read: async (_id, _inputs, _step, state) => state,
    update: async (_id, state) => state,
  });
  expect((await it.update("web", olds, { __provider: TEXT, a: 1 })).outs).not.toHaveProperty("__unfinished");
  expect((await it.read("web", { ...olds, __provider: TEXT })).props).not.toHaveProperty("__unfinished");
});

test("a failure of an update after the thing was made leaves what is there yet among what is declared", async () => {
  const state = { a: 1, kept: { by: "it" } };
  const { adapter: it } = adapter({
    update: () => Promise.reject(new PartialFailure("web", state, new ArgumentError("no"))),
  });
  const olds = { a: 1, b: 2, kept: { by: "it" }, __declared: "a,b,kept.by" };
  const error = await failure(it.update("web", olds, { __provider: TEXT, a: 1 }));
  expect(error.properties?.__declared).toBe("a,kept.by");
});

test("a failure by a defect after the thing was made is kept too, and says that it is one", async () => {
  const { adapter: it } = adapter({
    update: () => Promise.reject(new PartialFailure("web", {}, new TypeError("oops"))),
  });
  const error = await failure(it.update("web", {}, { __provider: TEXT, a: 1 }));
  expect(error.reasons).toEqual(["oops (This is a defect of pulumi-brightdata: please report it.)"]);
  expect(error).toMatchObject({ id: "web", properties: { __provider: TEXT, __declared: "a" } });
  expect(error.stack).toContain("TypeError");
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
    const it = new Adapter("Test", lifecycle(recording(seen)), session, cancellation);
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

test.each(["Zone", "ProxyPort", "WhitelistIp"])("what a provider's text asks for is answered: %s, 1", (kind) => {
  expect(resource(kind, 1)).toBeInstanceOf(Adapter);
});

test.each([
  ["Zone", 2],
  ["Dataset", 1],
] as const)(
  "what a provider's text asks for is refused where this version does not know it: %s, %d",
  (kind, protocol) => {
    expect(() => resource(kind, protocol)).toThrow(/does not know .*install that, or a later one/);
  },
);
