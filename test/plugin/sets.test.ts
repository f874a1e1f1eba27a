import { describe, expect, test } from "vitest";
import { send } from "../../scripts/send.mts";
import {
  DiffResponse_DiffChanges as Changes,
  PropertyDiff_Kind as Kind,
} from "../../src/plugin/messages/pulumi/provider_pb";
import { UNKNOWN_VALUE } from "../../src/pulumi/values";
import { pluginWithService, urnOf } from "./providerSetup";

const SET = urnOf("ProxyPorts", "fleet");

/** A plugin with a zone that ports can have. */
async function pluginWithPorts() {
  const scene = await pluginWithService({ manager: { dropin: false } });
  scene.simulator.account.addZone("web", { type: "static" });
  return scene;
}

test.each<[what: string, id: string, inputs: object]>([
  [
    "several ports, with what they share as `defaults`",
    "24100-24102",
    {
      defaults: { zone: "web", rotateSession: true },
      ports: { 24100: { port: 24_100, country: "us" }, 24101: { port: 24_101 }, 24102: { port: 24_102 } },
    },
  ],
  ["one port", "24100", { ports: { 24100: { port: 24_100, zone: "web", country: "us", rotateSession: true } } }],
])("numbers alone give the smallest inputs that declare %s, and nothing else is recorded", async (_, id, inputs) => {
  const { ask, simulator } = await pluginWithPorts();
  for (const port of [24_100, 24_101, 24_102]) {
    const proxy = { port, zone: "web", rotate_session: true, ...(port === 24_100 && { country: "us" }) };
    await send(simulator.manager.url, "POST", "/api/proxies", { proxy: { ...proxy, password: "hush-hush" } });
  }
  const read = await ask("read", { id, urn: SET });
  expect(read).toMatchObject({ id });
  expect(read.inputs).toEqual(inputs);
  const { ports } = read.properties as { ports: Record<string, object> };
  expect(ports["24100"]).toEqual({
    ...{ port: 24_100, listenPort: 24_100, zone: "web", country: "us" },
    rotateSession: true,
  });
  const checked = await ask("check", { urn: SET, olds: read.inputs as object, news: inputs });
  expect(checked.failures).toEqual([]);
  const held = { id, urn: SET, olds: read.properties, oldInputs: read.inputs, news: checked.inputs };
  expect(await ask("diff", held)).toMatchObject({ changes: Changes.DIFF_NONE });
  expect(await ask("read", { id, urn: SET, properties: read.properties, inputs: read.inputs })).toEqual(read);
});

describe("a difference of a set", () => {
  const defaults = { zone: "web", rotateSession: true };
  const ports = { "n-1": { port: 24_101 }, "n-2": { port: 24_102, country: "us" } };

  test.each<[what: string, news: object, told: Record<string, object>]>([
    [
      "a setting of one port",
      { defaults, ports: { ...ports, "n-2": { port: 24_102, country: "de" } } },
      { 'ports["n-2"].country': { kind: Kind.UPDATE, inputDiff: true } },
    ],
    [
      "a setting that is taken away",
      { defaults, ports: { ...ports, "n-2": { port: 24_102 } } },
      { 'ports["n-2"].country': { kind: Kind.DELETE, inputDiff: true } },
    ],
    [
      "a setting that all ports share, and not what each has of it",
      { defaults: { ...defaults, throttle: 7 }, ports },
      { "defaults.throttle": { kind: Kind.ADD, inputDiff: true } },
    ],
    [
      "a shared setting that is taken away, and not what each port has had of it",
      { defaults: { zone: "web" }, ports },
      { "defaults.rotateSession": { kind: Kind.DELETE, inputDiff: true } },
    ],
    [
      "a port that is added, one that is gone, and no other",
      { defaults, ports: { "n-1": ports["n-1"], "n-3": { port: 24_103 } } },
      {
        'ports["n-3"].port': { kind: Kind.ADD, inputDiff: true },
        'ports["n-2"].port': { kind: Kind.DELETE, inputDiff: true },
        'ports["n-2"].country': { kind: Kind.DELETE, inputDiff: true },
      },
    ],
    [
      "a port that is made anew under its key",
      { defaults, ports: { ...ports, "n-1": { port: 24_101, multiply: 2 } } },
      { 'ports["n-1"].multiply': { kind: Kind.ADD, inputDiff: true } },
    ],
    [
      "ports that are not known yet, and none of those that were",
      { defaults, ports: UNKNOWN_VALUE },
      { ports: { kind: Kind.UPDATE, inputDiff: true } },
    ],
  ])("names %s", async (_, news, told) => {
    const { ask } = await pluginWithPorts();
    const inputs = { defaults, ports };
    const { id, properties } = await ask("create", { urn: SET, properties: inputs });
    const held = { id, urn: SET, olds: properties, oldInputs: inputs, news };
    const { detailedDiff } = await ask("diff", held);
    expect(detailedDiff).toMatchObject(told);
    expect(Object.keys(detailedDiff as object).sort()).toEqual(Object.keys(told).sort());
  });

  test.each([
    ["eu.1", 'ports["eu.1"].country'],
    ['the "first"', 'ports["the \\"first\\""].country'],
    ["eu\\1", 'ports["eu\\1"].country'],
    ["line\nbreak", 'ports["line\nbreak"].country'],
    // No path of the engine's has such a key.
    ["eu\\", "ports"],
    ['eu\\"1', "ports"],
  ])("has the key %j as the engine reads it", async (key, path) => {
    const { ask } = await pluginWithPorts();
    const inputs = { defaults, ports: { [key]: { port: 24_101, country: "us" } } };
    const { id, properties } = await ask("create", { urn: SET, properties: inputs });
    const news = { defaults, ports: { [key]: { port: 24_101, country: "de" } } };
    const held = { id, urn: SET, olds: properties, oldInputs: inputs, news };
    expect(Object.keys((await ask("diff", held)).detailedDiff as object)).toEqual([path]);
  });

  test("is told by the outputs where the inputs are as they were, as after an update that has failed", async () => {
    const { ask } = await pluginWithPorts();
    const { id, properties } = await ask("create", { urn: SET, properties: { defaults, ports } });
    const { "n-2": _, ...others } = ports;
    const news = { defaults, ports: { ...others, "n-1": { port: 24_101, country: "de" }, "n-3": { port: 24_103 } } };
    const held = { id, urn: SET, olds: properties, oldInputs: news, news };
    expect((await ask("diff", held)).detailedDiff).toMatchObject({
      'ports["n-1"].country': { kind: Kind.ADD, inputDiff: false },
      'ports["n-2"].port': { kind: Kind.DELETE, inputDiff: false },
      'ports["n-3"].port': { kind: Kind.ADD, inputDiff: false },
    });
  });
});

test("ports are named in one order, in whichever the engine has sent them", async () => {
  const ports = Object.fromEntries(["c", "a", "e", "b", "d"].map((key, index) => [key, { port: 24_101 + index }]));
  const { ask, said } = await pluginWithPorts();
  const inputs = { defaults: { zone: "web" }, ports: { f: { port: 24_100 } } };
  const { id, properties } = await ask("create", { urn: SET, properties: inputs });
  const { inputs: news } = await ask("check", { urn: SET, olds: inputs, news: { ...inputs, ports } });
  await ask("diff", { id, urn: SET, olds: properties, oldInputs: inputs, news });
  expect(said.map(({ words }) => words).join()).toContain("5 to add (a, b, c, d, e)");
});
