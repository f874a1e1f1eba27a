import { type Any, anyUnpack } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import { getZoneCost } from "../../src/functions/getZoneCost";
import type { Step } from "../../src/lifecycle/lifecycle";
import {
  DiffResponse_DiffChanges as Changes,
  ErrorResourceInitFailedSchema,
} from "../../src/plugin/messages/pulumi/provider_pb";
import { isSecret, UNKNOWN_VALUE } from "../../src/pulumi/values";
import { lifecycle } from "../dynamic/adapterSetup";
import { plugin, pluginWithService, refusalOf, secret, urnOf } from "./providerSetup";

const HEADERS = [{ name: "X-Api-Key", value: "hunter2hunter2" }];
const SET = urnOf("ProxyPorts", "fleet");

/** A plugin with a zone that ports can have. */
async function pluginWithPorts() {
  const scene = await pluginWithService({ manager: {} });
  scene.simulator.account.addZone("web", { type: "static" });
  return scene;
}

test.each([
  ["setting", { zone: "web", headers: secret(HEADERS) }],
  ["list with one", { zone: "web", headers: [{ name: "X-Api-Key", value: secret("hunter2hunter2") }] }],
  ["object", secret({ zone: "web", headers: HEADERS })],
])("a secret %s that the ports of a set share is a secret of each, and of no other input", async (_, defaults) => {
  const { ask } = await pluginWithPorts();
  const news = { defaults, ports: { a: { port: 24_101 }, b: { port: 24_102, headers: [] } } };
  const { inputs } = await ask("check", { urn: SET, olds: {}, news });
  expect(inputs).toMatchObject({ ports: news.ports });
  for (const preview of [true, false]) {
    const { properties } = await ask("create", { urn: SET, properties: inputs as object, preview });
    expect(inTheClear(properties)).not.toContain("hunter2");
    expect(JSON.stringify(properties)).toContain("hunter2");
  }
});

test("what a failed update leaves of a former secret is one, and what is none any more is none after the next", async () => {
  const { ask, simulator } = await pluginWithPorts();
  const inputs = {
    defaults: { zone: "web" },
    ports: { a: { port: 24_101 }, b: { port: 24_102, headers: secret(HEADERS) } },
  };
  const { id, properties } = await ask("create", { urn: SET, properties: inputs });
  const held = { id, urn: SET, olds: properties, oldInputs: inputs };
  const refusal = { method: "POST", path: "/api/proxies/delete", kind: "respond", status: 400, body: "no" } as const;
  simulator.manager.service.faults.add(refusal);
  const refused = await refusalOf(ask("update", { ...held, news: { ...inputs, ports: { a: { port: 24_101 } } } }));
  const [left] = (refused.details as Any[]).map((each) => anyUnpack(each, ErrorResourceInitFailedSchema)?.properties);
  expect(left).toMatchObject({ ports: { b: { port: 24_102, headers: secret(HEADERS) } } });

  const news = { ...inputs, ports: { ...inputs.ports, b: { port: 24_102, headers: HEADERS } } };
  const updated = await ask("update", { ...held, olds: left, news });
  expect(updated.properties).toMatchObject({ ports: { b: { headers: HEADERS } } });
});

test("what has become a secret is one in the state after an update that sends nothing", async () => {
  const { ask, simulator } = await pluginWithPorts();
  const ports = { a: { port: 24_101 } };
  const inputs = { defaults: { zone: "web", headers: HEADERS }, ports };
  const news = { defaults: { zone: "web", headers: secret(HEADERS) }, ports };
  const { id, properties } = await ask("create", { urn: SET, properties: inputs });
  const held = { id, urn: SET, olds: properties, oldInputs: inputs, news };
  expect(await ask("diff", held)).toMatchObject({ changes: Changes.DIFF_SOME, replaces: [], hasDetailedDiff: false });
  simulator.manager.service.requests.length = 0;
  const updated = await ask("update", held);
  expect(simulator.manager.service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(updated.properties).toMatchObject({ ports: { a: { headers: secret(HEADERS) } } });
  const kept = { ...held, olds: updated.properties, oldInputs: news };
  expect(await ask("diff", kept)).toMatchObject({ changes: Changes.DIFF_NONE });
  expect(await ask("diff", { ...kept, news: inputs })).toMatchObject({ changes: Changes.DIFF_NONE });
});

test("a preview hides secrets that stand beside what is not known yet", async () => {
  const { ask } = await plugin();
  const urn = urnOf("ProxyPort");
  const news = { port: 24_000, zone: "web", whitelistIps: [secret("203.0.113.7"), UNKNOWN_VALUE] };
  const hidden = { zone: "web", whitelistIps: secret(["203.0.113.7", UNKNOWN_VALUE]) };
  const { inputs } = await ask("check", { urn, olds: {}, news });
  expect(inputs).toMatchObject(hidden);
  const created = await ask("create", { urn, properties: inputs, preview: true });
  expect(created.properties).toMatchObject(hidden);
});

test("a preview that is to read shows no secret in what it warns a program in another language of", async () => {
  const { ask, said } = await pluginWithService({ manager: {} }, { args: { checkOnPreview: true } });
  const urn = urnOf("ProxyPort");
  const held = { urn, id: "24101", olds: { port: 24_101, zone: "web" }, oldInputs: { port: 24_101, zone: "web" } };
  await ask("create", { urn, properties: { zone: secret("hush-hush") }, preview: true });
  await ask("update", { ...held, news: { port: 24_101, zone: secret("hush-too") }, preview: true });
  const warnings = said.map(({ words }) => words);
  expect(warnings).toHaveLength(2);
  for (const words of warnings) expect(words).toContain('there is no zone "[secret]"');
});

test.each<[kind: string, news: object, words: string]>([
  [
    "WhitelistIp",
    { ip: secret("office-secret.example") },
    "`ip` is not usable (its value is a secret and not shown): ",
  ],
  ["WhitelistIp", { ip: secret("x.") }, "`ip` is not usable (its value is a secret and not shown): "],
  ["ProxyPort", { zone: "web", user: secret("x".repeat(1000)) }, "`user` is not usable (its value is a secret"],
  [
    "ProxyPort",
    { zone: "web", whitelistIps: ["::1", secret("secret.example")] },
    "`whitelistIps[1]` is not usable (its",
  ],
  ["Zone", { plan: secret({ type: "static", ipsType: "hunter22" }) }, "`plan.ipsType` is not usable (its value is a"],
  [
    "ManagerSettings",
    { whitelistIps: secret(["203.0.113.77"]), wwwWhitelistIps: ["203.0.113.77"] },
    "both have [secret]",
  ],
])("what is wrong with %s is said without the values of secrets", async (kind, news, words) => {
  const { ask } = await plugin();
  const { failures } = await ask("check", { urn: urnOf(kind), olds: {}, news });
  expect(JSON.stringify(failures)).toContain(JSON.stringify(words).slice(1, -1));
  expect(JSON.stringify(failures)).not.toMatch(/secret\.example|hunter|x{9}|203\.0\.113\.77/);
});

test("no error of an operation shows a secret of what it is given, or of what was", async () => {
  const error = new ArgumentError("tell-nobody and 987654 are refused.");
  const refuse = () => Promise.reject(error);
  const diff = () => {
    throw error;
  };
  const life = lifecycle({ diff, create: refuse, read: refuse, update: refuse, delete: refuse });
  const { ask } = await plugin({ lifecycles: { Test: life } });
  const now = { a: secret("tell-nobody"), b: { c: secret(987_654) } };
  const former = { a: "x", b: { c: 1 } };
  const urn = urnOf("Test");
  const held = { id: "it", urn, olds: { ...former, __mark: "m.1" }, oldInputs: former };
  const was = { ...held, olds: { ...now, __mark: "m.1" }, oldInputs: now };
  for (const [method, request] of [
    ["create", { urn, properties: now }],
    ["diff", { ...held, news: now }],
    ["diff", { ...was, news: former }],
    ["update", { ...held, news: now }],
    ["update", { ...was, news: former }],
    ["read", { id: "it", urn, properties: now }],
    ["delete", { id: "it", urn, properties: now }],
  ] as const)
    expect((await refusalOf(ask(method, request))).message).toBe("[secret] and [secret] are refused.");
});

test("nothing that an operation says shows a secret of what it is given, or of what was", async () => {
  const life = lifecycle({
    update: async (_id, _state, _declared, inputs, step) => {
      step.say?.("tell-nobody is still there.");
      return inputs;
    },
  });
  const { ask, said } = await plugin({ lifecycles: { Test: life } });
  const held = { id: "it", urn: urnOf("Test"), olds: { a: secret("tell-nobody"), __mark: "m.1" } };
  await ask("update", { ...held, oldInputs: { a: secret("tell-nobody") }, news: { a: "x" } });
  expect(said).toMatchObject([{ words: "[secret] is still there." }]);
});

test("no words of a service that an operation records show a secret of what it is given", async () => {
  const told = (step: Step) => ({ why: step.hide?.("tell-nobody was refused.") });
  const life = lifecycle({
    create: async (_inputs, step) => ({ id: "it", state: told(step) }),
    read: async (_id, _inputs, step) => told(step),
  });
  const { ask } = await plugin({ lifecycles: { Test: life } });
  const given = { urn: urnOf("Test"), properties: { a: secret("tell-nobody") } };
  for (const [method, request] of [
    ["create", given],
    ["read", { id: "it", ...given }],
  ] as const)
    expect((await ask(method, request)).properties).toMatchObject({ why: "[secret] was refused." });
});

test("no error of a function shows a secret among its arguments", async () => {
  const { ask } = await pluginWithService({}, { lookups: { getZoneCost } });
  const { failures } = await ask("invoke", {
    tok: "brightdata:index:getZoneCost",
    args: { zone: secret("tell_nobody") },
  });
  expect(failures).toMatchObject([{ property: "NotFoundError", reason: expect.stringContaining('"[secret]"') }]);
  expect(JSON.stringify(failures)).not.toContain("tell_nobody");
});

/** What is no secret, as JSON. */
const inTheClear = (value: unknown): string =>
  JSON.stringify(value, (_key, item) => (isSecret(item) ? undefined : item));
