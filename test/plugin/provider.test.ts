import { type Any, anyUnpack } from "@bufbuild/protobuf/wkt";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import type { JsonObject } from "../../src/base/json";
import { getBalance } from "../../src/functions/getBalance";
import { getProxyPort } from "../../src/functions/getProxyPort";
import { getZoneCost } from "../../src/functions/getZoneCost";
import { getZonePasswords } from "../../src/functions/getZonePasswords";
import { PartialFailure, type Step } from "../../src/lifecycle/lifecycle";
import {
  DiffResponse_DiffChanges as Changes,
  ErrorResourceInitFailedSchema,
  PropertyDiff_Kind as Kind,
} from "../../src/plugin/messages/pulumi/provider_pb";
import { CODE } from "../../src/plugin/server";
import { UNKNOWN_VALUE } from "../../src/pulumi/values";
import { lifecycle } from "../dynamic/adapterSetup";
import { deferred } from "./deferred";
import { plugin, pluginWithService, refusalOf, secret, urnOf } from "./providerSetup";

const plan = { type: "static", ipsType: "shared", country: "us" };
const ZONE = urnOf("Zone");
const TEST = urnOf("Test");

/** A plugin with one kind, whose lifecycle answers what it is told. */
async function withLifecycle(answers: Parameters<typeof lifecycle>[0] = {}) {
  const life = lifecycle(answers);
  return { life, ...(await plugin({ lifecycles: { Test: life } })) };
}

test("what the plugin says of itself", async () => {
  const { ask } = await plugin();
  const accepts = { acceptSecrets: true, supportsAutonamingConfiguration: true };
  expect(await ask("handshake", { engineAddress: "127.0.0.1:1" })).toMatchObject(accepts);
  expect(await ask("configure", { args: {} })).toMatchObject({ ...accepts, supportsPreview: true });
  expect(await ask("getPluginInfo", {})).toMatchObject({ version: "1.2.3" });
  expect(await ask("getSchema", {})).toMatchObject({ schema: "{}" });
  expect(await ask("attach", {})).toEqual({});
});

test("a type that there is not is refused with the resource", async () => {
  const { ask } = await plugin();
  const urn = urnOf("Nothing");
  await expect(ask("check", { urn, news: {} })).rejects.toThrow(`does not know the type of ${urn}.`);
});

describe("check", () => {
  test("takes inputs with nothing before them, which the engine sends as an empty object, for new", async () => {
    const { ask, life, said } = await withLifecycle({
      announce: (_, previous) => (previous === undefined ? "It is made." : undefined),
    });
    await ask("check", { urn: TEST, olds: {}, news: { a: 1 } });
    expect(life.check).toHaveBeenCalledWith({ a: 1 }, undefined, expect.anything());
    expect(said).toEqual([{ words: "It is made.", isWarning: false, isProgress: false, urn: TEST }]);
  });

  test("knows a resource without inputs to be there by what it has answered before", async () => {
    const { ask, life } = await withLifecycle();
    const { inputs } = await ask("check", { urn: TEST, olds: {}, news: {} });
    await ask("check", { urn: TEST, olds: inputs as object, news: {} });
    expect(vi.mocked(life.check).mock.lastCall?.slice(0, 2)).toEqual([{}, {}]);
    const read = await ask("read", { id: "it", urn: TEST, properties: { made: true }, inputs: inputs as object });
    await ask("check", { urn: TEST, olds: read.inputs as object, news: {} });
    expect(vi.mocked(life.check).mock.lastCall?.slice(0, 2)).toEqual([{}, {}]);
  });

  test("answers what is wrong by sentences, and names no property", async () => {
    const { ask } = await plugin({ args: { apiToken: "the-token" } });
    const { failures } = await ask("check", { urn: ZONE, olds: {}, news: { name: secret("web") } });
    expect(failures).toMatchObject([{ property: "", reason: expect.stringContaining("`plan` is missing") }]);
  });

  test("keeps secrets sealed and what is not known unknown", async () => {
    const { ask } = await withLifecycle();
    const news = { a: secret({ b: 1 }), list: [1, secret("x")], c: { d: UNKNOWN_VALUE } };
    expect(await ask("check", { urn: TEST, olds: {}, news })).toMatchObject({
      inputs: { a: secret({ b: 1 }), list: secret([1, "x"]), c: { d: UNKNOWN_VALUE } },
      failures: [],
    });
  });

  test("gives a new zone the name that the stack's configuration makes", async () => {
    const { ask } = await plugin({ args: { apiToken: "the-token" } });
    const autonaming = { proposedName: "web_dev", mode: 0 };
    const { inputs } = await ask("check", { urn: ZONE, olds: {}, news: { plan }, autonaming });
    expect(inputs).toMatchObject({ name: "web_dev" });
    const later = await ask("check", { urn: ZONE, olds: inputs as object, news: { plan }, autonaming });
    expect(later.inputs).toMatchObject({ name: "web_dev" });
    const off = await ask("check", { urn: ZONE, olds: {}, news: { plan }, autonaming: { proposedName: "", mode: 2 } });
    expect(off.failures).toMatchObject([{ reason: expect.stringContaining("pulumi:autonaming") }]);
  });
});

const WHITELISTED = { ip: "203.0.113.7", list: "ports" };

test.each<[kind: string, called: string, inputs: JsonObject, change: JsonObject, isFirst: boolean]>([
  ["Zone", "a name", { name: "web", plan }, { adopt: true }, true],
  ["Zone", "an automatic name", { plan }, { adopt: true }, false],
  ["ProxyPort", "a number", { port: 24_000, zone: "web" }, { country: "us" }, true],
  ["ProxyPort", "an automatic number", { zone: "web" }, { country: "us" }, false],
  ["WhitelistIp", "its address", WHITELISTED, { adopt: true }, true],
  ["WhitelistIp", "another address", WHITELISTED, { ip: "203.0.113.8" }, false],
])("where the engine replaces a %s with %s, the old one goes first if it is in the way: %j %j", async (...given) => {
  const [kind, , inputs, change, isFirst] = given;
  const { ask } = await plugin({ args: { apiToken: "the-token", proxyManagerUrl: "http://127.0.0.1:1" } });
  const urn = urnOf(kind);
  const id = kind === "ProxyPort" ? "24000" : kind === "Zone" ? "web" : "ports/203.0.113.7";
  const { inputs: oldInputs } = await ask("check", { urn, olds: {}, news: inputs });
  const { inputs: news } = await ask("check", { urn, olds: oldInputs, news: { ...inputs, ...change } });
  const olds = { port: 24_500, ...(oldInputs as JsonObject), __mark: "m.1" };
  const { deleteBeforeReplace } = await ask("diff", { id, urn, olds, oldInputs, news });
  expect(deleteBeforeReplace).toBe(isFirst);
});

test("diff names each path with what becomes of it", async () => {
  const replaces = ["plan.new", "headers.x\\.y", "gone"];
  const { ask } = await withLifecycle({
    diff: () => ({
      changed: ["added", "size", "removed", "plan.new", "headers.x\\.y", "gone"],
      replaces,
      deleteBeforeReplace: true,
    }),
  });
  const state = { size: 1, removed: true, plan: {}, headers: { "x.y": "1" }, gone: "x", __mark: "m.1" };
  const news = { size: 2, added: 1, plan: { new: "n" }, headers: { "x.y": secret("2") } };
  const {
    changes,
    replaces: names,
    deleteBeforeReplace,
    detailedDiff,
    hasDetailedDiff,
  } = await ask("diff", {
    id: "it",
    urn: TEST,
    olds: state,
    oldInputs: { size: 1 },
    news,
  });
  expect({ changes, names, deleteBeforeReplace, hasDetailedDiff }).toEqual({
    changes: Changes.DIFF_SOME,
    names: ["plan", "headers", "gone"],
    deleteBeforeReplace: true,
    hasDetailedDiff: true,
  });
  const kinds = Object.entries(detailedDiff as Record<string, { kind: Kind }>).map(([path, { kind }]) => [path, kind]);
  expect(Object.fromEntries(kinds)).toEqual({
    added: Kind.ADD,
    size: Kind.UPDATE,
    removed: Kind.DELETE,
    "plan.new": Kind.ADD_REPLACE,
    'headers["x.y"]': Kind.UPDATE_REPLACE,
    gone: Kind.DELETE_REPLACE,
  });
});

test("diff names nothing that only the program says anew, unless it replaces", async () => {
  const { ask } = await withLifecycle({
    diff: () => ({ changed: ["list", "size", "kind", "open"], replaces: ["kind"], deleteBeforeReplace: false }),
  });
  const olds = { list: "ui", size: 1, kind: "ips", __mark: "m.1" };
  const held = {
    id: "it",
    urn: TEST,
    olds,
    oldInputs: {},
    news: { list: "ui", size: 2, kind: "ips", open: UNKNOWN_VALUE },
  };
  const { changes, detailedDiff } = await ask("diff", held);
  expect(changes).toBe(Changes.DIFF_SOME);
  expect(detailedDiff).toMatchObject({ kind: { kind: Kind.UPDATE_REPLACE }, open: { kind: Kind.ADD } });
  expect(Object.keys(detailedDiff as object).sort()).toEqual(["kind", "open", "size"]);
});

test.each([
  ["an item that changes", [{ name: "a", value: "2" }, "b"], { "list[0].value": Kind.UPDATE }],
  ["one that is added", [{ name: "a", value: "1" }, "b", "c"], { "list[2]": Kind.ADD }],
  ["one that is gone", [{ name: "a", value: "1" }], { "list[1]": Kind.DELETE }],
  ["one that is not known yet", [UNKNOWN_VALUE, "b"], { "list[0]": Kind.UPDATE }],
  ["the list, if that is", UNKNOWN_VALUE, { list: Kind.UPDATE }],
])("diff names of a list %s, as `replaceOnChanges` and `hideDiffs` name it", async (_, list, told) => {
  const { ask } = await withLifecycle({
    diff: () => ({ changed: ["list"], replaces: [], deleteBeforeReplace: false }),
  });
  const olds = { list: [{ name: "a", value: "1" }, "b"], __mark: "m.1" };
  const { detailedDiff } = await ask("diff", { id: "it", urn: TEST, olds, oldInputs: {}, news: { list } });
  const kinds = Object.entries(detailedDiff as Record<string, { kind: Kind }>).map(([path, { kind }]) => [path, kind]);
  expect(Object.fromEntries(kinds)).toEqual(told);
});

test("diff says outright that nothing changes", async () => {
  const { ask } = await withLifecycle();
  const held = { id: "it", urn: TEST, olds: { a: 1, __mark: "m.1" }, oldInputs: { a: 1 }, news: { a: 1 } };
  expect(await ask("diff", held)).toMatchObject({ changes: Changes.DIFF_NONE, hasDetailedDiff: false, replaces: [] });
});

const PORT = { port: 24_000, zone: "web", throttle: 1, manager: "old" };
const STABLE: [string, string, JsonObject, JsonObject, string[]][] = [
  ["that is updated", "ProxyPort", PORT, { throttle: 2 }, ["port", "manager", "listenPort"]],
  ["whose manager gets another name", "ProxyPort", PORT, { manager: "new" }, ["port", "listenPort"]],
  ["whose number is spelled differently", "ProxyPort", PORT, { port: "24000", throttle: 2 }, ["manager", "listenPort"]],
  ["that is replaced", "ProxyPort", PORT, { port: 24_001, throttle: 2 }, []],
  ["that is switched off", "Zone", { name: "web", plan }, { disabled: true }, ["name"]],
];

test.each(STABLE)("diff names what no update changes, of a thing %s: %s", async (_, kind, inputs, change, stables) => {
  const managers = { old: { url: "http://127.0.0.1:1" }, new: { url: "http://127.0.0.1:1" } };
  const { ask } = await plugin({ args: { apiToken: "the-token", managers } });
  const id = kind === "Zone" ? "web" : "old/24000";
  const olds = {
    ...inputs,
    ...(kind === "Zone" ? { plan: { ...plan, pool: "x" } } : { listenPort: 24_000 }),
    __mark: "m.1",
  };
  const held = { id, urn: urnOf(kind), olds, oldInputs: inputs, news: { ...inputs, ...change } };
  const { changes, stables: named } = await ask("diff", held);
  expect(changes).toBe(Changes.DIFF_SOME);
  expect((named as string[]).toSorted()).toEqual(stables.toSorted());
});

test.each([
  [{}, "are lost, unless an earlier update has set `retainOnDelete`: then it stays, and costs on."],
  [{ __program: { place: "a place" } }, "are lost. "],
])("with %j, a replacement says of a zone what is known of `retainOnDelete`", async (program, words) => {
  const { ask, said } = await plugin({ args: { apiToken: "the-token" } });
  const news = { name: "web", plan, ...program };
  const { inputs } = await ask("check", { urn: ZONE, olds: {}, news });
  const known = { urn: ZONE, id: "web", olds: { name: "web", plan }, oldInputs: inputs };
  const next = await ask("check", {
    urn: ZONE,
    olds: inputs as object,
    news: { ...news, plan: { ...plan, country: "de" } },
  });
  await ask("diff", { ...known, news: next.inputs });
  expect(said.map((each) => each.words).join("\n")).toContain(words);
});

test("a preview that is to read knows what the program declares with another provider", async () => {
  const { next, ...zones } = await pluginWithService({ manager: {} }, { args: { checkOnPreview: true } });
  const ports = await next();
  for (const { ask } of [zones, ports]) await ask("handshake", { engineAddress: "127.0.0.1:45678" });
  const urn = urnOf("ProxyPort");
  await zones.ask("check", { urn: ZONE, olds: {}, news: { name: "web_new", plan } });
  for (const zone of ["web_new", "nowhere"]) {
    const { inputs } = await ports.ask("check", { urn, olds: {}, news: { zone } });
    await ports.ask("create", { urn, properties: inputs, preview: true });
  }
  const warnings = ports.said.filter(({ isWarning }) => isWarning).map(({ words }) => words);
  expect(warnings).toEqual([expect.stringContaining('there is no zone "nowhere"')]);
});

test("a preview that is to read warns of a program in another language, too", async () => {
  const { ask, said, simulator } = await pluginWithService({ manager: {} }, { args: { checkOnPreview: true } });
  const port = { urn: urnOf("ProxyPort"), news: { zone: "nowhere" } };
  const zone = { urn: ZONE, news: { name: "there", plan } };
  for (const name of ["there", "kept"]) simulator.account.addZone(name, plan);
  // As an update from the dynamic form has it.
  const kept = { name: "kept", plan };
  await ask("update", { urn: urnOf("Zone", "kept"), id: "kept", olds: kept, news: kept, preview: true });
  for (const { urn, news } of [port, zone]) {
    const { inputs } = await ask("check", { urn, olds: {}, news });
    await ask("create", { urn, properties: inputs, preview: true });
  }
  const [missing, taken, ...more] = said.filter(({ isWarning }) => isWarning).map(({ words }) => words);
  expect([missing, taken]).toEqual([
    expect.stringContaining('there is no zone "nowhere"'),
    expect.stringContaining("zone there exists already"),
  ]);
  expect(more).toEqual([]);
});

test("`replaceOnChanges` of the class makes a change a replacement", async () => {
  const { ask } = await withLifecycle({
    diff: () => ({ changed: ["a"], replaces: [], deleteBeforeReplace: false }),
  });
  await ask("check", { urn: TEST, olds: { a: 1 }, news: { a: 2, __program: { replaceOnChanges: ["a"] } } });
  const held = { id: "it", urn: TEST, olds: { a: 1, __mark: "m.1" }, oldInputs: { a: 1 }, news: { a: 2 } };
  expect(await ask("diff", held)).toMatchObject({
    replaces: ["a"],
    detailedDiff: { a: { kind: Kind.UPDATE_REPLACE } },
  });
});

test("a preview of an update shows a plan that means the same as it is spelled now", async () => {
  const { ask } = await pluginWithService();
  const inputs = { name: "web", plan };
  const { properties } = await ask("create", { urn: ZONE, properties: inputs });
  const news = { name: "web", plan: { ...plan, country: "US" }, disabled: true };
  const held = { id: "web", urn: ZONE, olds: properties, oldInputs: inputs, news };
  const shown = { properties: { plan: { ...plan, country: "US" }, disabled: true } };
  expect(await ask("update", { ...held, preview: true })).toMatchObject(shown);
  expect(await ask("update", held)).toMatchObject(shown);
});

test("a zone is previewed, made, previewed again, updated, read and deleted", async () => {
  const { ask, simulator, next: nextRun } = await pluginWithService();
  const news = { name: "web", plan };
  const { inputs } = await ask("check", { urn: ZONE, olds: {}, news });
  const foretold = await ask("create", { urn: ZONE, properties: inputs, preview: true });
  expect(foretold).toMatchObject({ id: "", properties: { name: "web", plan, status: UNKNOWN_VALUE } });
  expect(simulator.remote.service.requests).toEqual([]);

  const made = await ask("create", { urn: ZONE, properties: inputs });
  expect(made).toMatchObject({ id: "web", properties: { name: "web", status: "active" } });

  const disabled = { ...(inputs as object), disabled: true };
  const held = { id: "web", urn: ZONE, olds: made.properties, oldInputs: inputs, news: disabled };
  const asked = simulator.remote.service.requests.length;
  expect(await ask("update", { ...held, preview: true })).toMatchObject({
    properties: { name: "web", disabled: true, status: UNKNOWN_VALUE },
  });
  expect(simulator.remote.service.requests).toHaveLength(asked);

  const updated = await ask("update", held);
  expect(updated).toMatchObject({ properties: { disabled: true, status: "disabled" } });

  const read = await ask("read", { id: "web", urn: ZONE, properties: updated.properties, inputs: disabled });
  expect(read).toMatchObject({ id: "web", inputs: disabled, properties: updated.properties as object });

  const later = await nextRun();
  await later.ask("delete", { id: "web", urn: ZONE, properties: updated.properties, oldInputs: disabled });
  expect(simulator.account.liveZones()).toEqual([]);
  expect(
    await later.ask("read", { id: "web", urn: ZONE, properties: updated.properties, inputs: disabled }),
  ).toMatchObject({
    id: "",
  });
});

test("an id with nothing known of it, as the engine looks something up, gives all that there is, whosever it is", async () => {
  const { ask, simulator } = await pluginWithService({ manager: { dropin: false } });
  simulator.account.addZone("web", { type: "static" });
  const urn = "urn:pulumi:dev::project::brightdata:index:ProxyPort::port";
  const { inputs: news } = await ask("check", { urn, news: { zone: "web", port: 24_500, throttle: 7 } });
  await ask("create", { urn, properties: news as object });
  const read = await ask("read", { id: "24500", urn, properties: {}, inputs: {} });
  expect(read).toMatchObject({ id: "24500", properties: { zone: "web", port: 24_500, throttle: 7 }, inputs: {} });
  const again = await ask("read", { id: "24500", urn, ...(read as { properties: object; inputs: object }) });
  expect(again).toMatchObject({ properties: { throttle: 7 }, inputs: {} });
  expect([read.inputs, again.inputs]).toEqual([{}, {}]);
});

test("what was looked up by an engine that sends no inputs is the same in a refresh, and nobody's", async () => {
  const { ask, simulator } = await pluginWithService({ manager: { dropin: false } });
  simulator.account.addZone("web", { type: "static" });
  const urn = "urn:pulumi:dev::project::brightdata:index:ProxyPort::port";
  const { inputs: news } = await ask("check", { urn, news: { zone: "web", port: 24_500, throttle: 7 } });
  await ask("create", { urn, properties: news as object });
  const other = { urn: urn.replace("::port", "::other"), id: "24500" };
  const { properties } = await ask("read", other);
  const known = properties as object;
  for (const before of [known, { ...known, throttle: 8 }]) {
    const again = await ask("read", { ...other, properties: before });
    expect([again.id, again.properties, again.inputs]).toEqual(["24500", known, {}]);
  }
  // Nothing tells of an import file, which may have outputs alone, that nobody manages it.
  const file = { zone: "web", port: 24_500, throttle: 7 };
  expect((await ask("read", { ...other, properties: file })).inputs).toMatchObject({ throttle: 7 });
});

test("an id alone gives what an import needs: inputs that declare what there is, and properties that have these", async () => {
  const { ask, simulator } = await pluginWithService();
  simulator.account.addZone("web", { type: "static", ips_type: "shared", country: "us" });
  const read = await ask("read", { id: "web", urn: ZONE });
  expect(read).toMatchObject({ id: "web", inputs: { name: "web" } });
  const { inputs, properties } = read as { inputs: object; properties: object };
  expect(properties).toMatchObject(inputs);
  const checked = await ask("check", { urn: ZONE, olds: inputs, news: inputs });
  expect(checked.failures).toEqual([]);
  const held = { id: "web", urn: ZONE, olds: properties, oldInputs: inputs, news: checked.inputs };
  expect(await ask("diff", held)).toMatchObject({ changes: Changes.DIFF_NONE });
  await expect(ask("read", { id: "nothing", urn: ZONE })).rejects.toThrow('the most similar is "web".');
});

describe("secrets", () => {
  const inputs = { a: secret("x"), b: { c: 1 } };

  test("stay sealed once, wherever they are", async () => {
    const { ask } = await withLifecycle({ secrets: [["own"]] });
    const made = await ask("create", { urn: TEST, properties: { ...inputs, own: "y" } });
    const kept = { a: secret("x"), b: { c: 1 }, own: secret("y") };
    expect(made.properties).toMatchObject({ ...kept, made: true });
    const held = { id: "it", urn: TEST, olds: made.properties, oldInputs: { ...inputs, own: secret("y") } };
    const news = { ...inputs, own: secret("y") };
    expect((await ask("update", { ...held, news })).properties).toMatchObject({ ...kept, updated: true });
    expect((await ask("update", { ...held, news, preview: true })).properties).toMatchObject(kept);
    const read = await ask("read", { id: "it", urn: TEST, properties: made.properties, inputs: held.oldInputs });
    expect(read).toMatchObject({ properties: { ...kept, seen: true }, inputs: kept });
  });

  test("are in no error", async () => {
    const { ask } = await withLifecycle({
      secrets: [["own"]],
      create: async () => Promise.reject(new ArgumentError("The value tell-nobody is refused.")),
    });
    const refused = await refusalOf(ask("create", { urn: TEST, properties: { own: secret("tell-nobody") } }));
    expect(refused.message).not.toContain("tell-nobody");
  });
});

test("a creation that fails half-way tells what there is to record", async () => {
  const cause = new ArgumentError("The service has not answered.");
  const { ask } = await withLifecycle({
    create: () => Promise.reject(new PartialFailure("half", { a: 1 }, cause)),
  });
  const { code, message, details } = await refusalOf(ask("create", { urn: TEST, properties: { a: secret(1) } }));
  expect({ code, message }).toEqual({ code: CODE.unknown, message: cause.message });
  expect((details as Any[]).map((each) => anyUnpack(each, ErrorResourceInitFailedSchema))).toMatchObject([
    { id: "half", properties: { a: secret(1), __unfinished: true }, reasons: [cause.message] },
  ]);
});

test("an error without anything to record is one alone", async () => {
  const { ask } = await withLifecycle({ create: () => Promise.reject(new ArgumentError("no")) });
  expect(await refusalOf(ask("create", { urn: TEST, properties: {} }))).toMatchObject({ message: "no" });
});

test.each([
  ["create", 11],
  ["read", 12],
  ["update", 13],
  ["delete", 14],
] as const)("%s has the engine's timeout, or else the kind's own", async (operation, own) => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => timers.mockRestore());
  const over = async (step: Step): Promise<never> => {
    const expire = timers.mock.calls.at(-1)?.[0] as () => void;
    expire();
    return step.deadline.signal.throwIfAborted() as never;
  };
  const { ask } = await withLifecycle({
    create: async (_inputs, step) => over(step),
    read: async (_id, _inputs, step) => over(step),
    update: async (_id, _state, _declared, _inputs, step) => over(step),
    delete: async (_id, _state, step) => over(step),
  });
  const state = { a: 1, __mark: "m.1" };
  const request = { id: "it", urn: TEST, olds: state, oldInputs: { a: 1 }, news: { a: 2 }, properties: state };
  for (const [timeout, seconds] of [
    [0, own],
    [77.5, 77.5],
  ]) {
    const { message } = await refusalOf(ask(operation, { ...request, timeout }));
    expect(message).toContain(`Gave up after ${seconds} s`);
  }
});

describe("a function", () => {
  const token = (name: string) => `brightdata:index:${name}`;
  const lookups = { getBalance, getZoneCost, getZonePasswords };

  test("has a result, with what is secret in it sealed", async () => {
    const { ask, simulator } = await pluginWithService({}, { lookups });
    simulator.account.addZone("web", { type: "static" });
    const balance = await ask("invoke", { tok: token("getBalance"), args: {} });
    expect(balance).toMatchObject({ return: { balance: expect.any(Number) }, failures: [] });
    const { return: passwords } = await ask("invoke", {
      tok: token("getZonePasswords"),
      args: { zone: secret("web") },
    });
    expect(passwords).toEqual({
      zone: "web",
      password: secret(expect.any(String)),
      passwords: secret([expect.any(String)]),
    });
  });

  test("takes the id of a port for its number", async () => {
    const { ask, simulator } = await pluginWithService({ manager: {} }, { lookups: { ...lookups, getProxyPort } });
    simulator.account.addZone("web", { type: "static" });
    await fetch(`${simulator.manager.url}/api/proxies`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ proxy: { port: 24000, zone: "web" } }),
    });
    const found = await ask("invoke", { tok: token("getProxyPort"), args: { port: "24000" } });
    expect(found).toMatchObject({ return: { port: 24000, zone: "web" } });
    const { failures } = await ask("invoke", { tok: token("getZoneCost"), args: { zone: "24000" } });
    expect(failures).toMatchObject([{ property: "NotFoundError" }]);
    for (const port of ["24000.5", "", "web", "0x5dc0"]) {
      const { failures } = await ask("invoke", { tok: token("getProxyPort"), args: { port } });
      const reason = expect.stringContaining(`\`port\` is ${JSON.stringify(port)}: expected a whole number`);
      expect(failures).toMatchObject([{ property: "ArgumentError", reason }]);
    }
  });

  test("that fails says why, with the class of its error", async () => {
    const { ask } = await pluginWithService({}, { lookups });
    const { failures } = await ask("invoke", { tok: token("getZoneCost"), args: { zone: "nothing" } });
    expect(failures).toMatchObject([{ property: "NotFoundError", reason: expect.stringContaining("nothing") }]);
    const missing = await ask("invoke", { tok: token("getZoneCost"), args: {} });
    expect(missing.failures).toMatchObject([{ property: "ArgumentError", reason: expect.stringContaining("zone") }]);
    const blank = await ask("invoke", { tok: token("getZoneCost"), args: { zone: " " } });
    const reason =
      'The arguments of `getZoneCost` cannot be used: `zone` is " ": expected a text that is not empty. Nothing was sent.';
    expect(blank.failures).toMatchObject([{ property: expect.stringMatching(/^ArgumentError/), reason }]);
  });

  test("that fails where one has failed before says why in full: a program may not have shown that", async () => {
    const { ask } = await plugin({
      lookups,
      args: { apiToken: secret("t"), baseUrl: "http://127.0.0.1:1", retries: 0 },
    });
    const asked = { tok: token("getBalance"), args: {} };
    const answers = [await ask("invoke", asked), await ask("invoke", asked)];
    const reason = expect.stringMatching(/cannot be reached.*Check the network/);
    expect(answers).toMatchObject([{ failures: [{ reason }] }, { failures: [{ reason }] }]);
  });

  test.each(["nodejs", "bun"])(
    "that fails tells the package's own classes in %s what there is of its error, without secrets",
    async (runtime) => {
      const { ask } = await pluginWithService({}, { lookups, runtime });
      const { failures } = await ask("invoke", { tok: token("getZoneCost"), args: { zone: secret("nothing (x)") } });
      const [{ property }] = failures as [{ property: string }];
      expect(property).toMatch(/^NotFoundError \{"service":"remote",[^(]*\}$/);
      const fields = JSON.parse(property.slice("NotFoundError ".length));
      expect(fields).toMatchObject({
        service: "remote",
        settled: true,
        status: expect.any(Number),
        operation: expect.stringContaining("[secret]"),
      });
      expect(property).not.toContain("nothing");
      const missing = await ask("invoke", { tok: token("getZoneCost"), args: {} });
      expect(missing.failures).toMatchObject([{ property: "ArgumentError" }]);
    },
  );

  test("that the engine cancels says so, and is no defect", async () => {
    const { ask, simulator } = await pluginWithService({}, { lookups });
    simulator.remote.service.faults.add({ method: "GET", path: "/customer/balance", kind: "hang", times: 1 });
    const answer = ask("invoke", { tok: token("getBalance"), args: {} });
    await vi.waitFor(() => expect(simulator.remote.service.requests).toHaveLength(1));
    await ask("cancel", {});
    const reason = "getBalance was cancelled before the service had answered.";
    expect(await answer).toMatchObject({ failures: [{ property: "BrightDataError", reason }] });
  });

  test("of another account is asked with that one", async () => {
    const { ask } = await pluginWithService({}, { lookups });
    const { failures } = await ask("invoke", { tok: token("getBalance"), args: { account: "shop" } });
    expect(failures).toMatchObject([{ property: "ConfigurationError", reason: expect.stringContaining("shop") }]);
  });

  test("that there is not is an argument that is invalid", async () => {
    const { ask } = await plugin();
    expect(await refusalOf(ask("invoke", { tok: token("getNothing"), args: {} }))).toMatchObject({
      code: CODE.invalidArgument,
      message: "There is no function brightdata:index:getNothing.",
    });
  });
});

test("cancel ends a wait", async () => {
  const began = deferred();
  const { ask } = await withLifecycle({
    create: (_inputs, { deadline }) =>
      deadline.wait("waiting for nothing", (signal) => {
        began.resolve();
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      }),
  });
  const creation = refusalOf(ask("create", { urn: TEST, properties: {} }));
  await began.promise;
  expect(await ask("cancel", {})).toEqual({});
  expect((await creation).message).toMatch(/cancelled/);
});

test("what is in plain text is said where the engine tells what is a secret, and of the stack's configuration", async () => {
  const { ask, said } = await plugin();
  const urn = "urn:pulumi:dev::shop::pulumi:providers:brightdata::default_0_1_0";
  // The engine takes the wrapping off for this question.
  await ask("checkConfig", { urn, news: { apiToken: "the-token" } });
  await ask("configure", { urn, args: { apiToken: secret("the-token") } });
  await ask("configure", { urn: urn.replace(/default.*/, "shop"), args: { apiToken: "the-token" } });
  expect(said).toEqual([]);
  await ask("configure", { urn, args: { apiToken: "the-token" } });
  expect(said).toMatchObject([{ isWarning: true, urn, words: expect.stringContaining("in plain text") }]);
});

test("a provider's inputs are checked, and compared", async () => {
  const { ask } = await plugin();
  const urn = "urn:pulumi:dev::shop::pulumi:providers:brightdata::default_0_1_0";
  const news = { retries: "many", apiToken: "the-token" };
  const checked = await ask("checkConfig", { urn, news });
  expect(checked).toMatchObject({ inputs: news, failures: [{ reason: expect.stringContaining('"many"') }] });
  expect(await ask("checkConfig", { urn: urn.replace(/default.*/, "shop"), news: { retries: "1" } })).toMatchObject({
    failures: [],
  });
  const inputs = { retries: "1" };
  expect(await ask("diffConfig", { oldInputs: inputs, news: inputs })).toMatchObject({ changes: Changes.DIFF_NONE });
  expect(await ask("diffConfig", { oldInputs: inputs, news: {} })).toMatchObject({ changes: Changes.DIFF_SOME });
});

test("a plugin that is started by hand serves the run after one that has ended", async () => {
  const { ask } = await withLifecycle({
    create: async (_inputs, { deadline }) => {
      await deadline.poll("waiting for the thing", async () => "there");
      return { id: "made", state: {} };
    },
  });
  for (const engineAddress of ["127.0.0.1:1", "127.0.0.1:2"]) {
    await ask("handshake", { engineAddress });
    await ask("configure", { args: {} });
    expect(await ask("create", { urn: TEST, properties: {} })).toMatchObject({ id: "made" });
    await ask("cancel", {});
  }
});
