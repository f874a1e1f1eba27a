import { expect, test } from "vitest";
import { isSecret } from "../../src/pulumi/values";
import { pluginWithService, secret, urnOf } from "./providerSetup";

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

/** What is no secret, as JSON. */
const inTheClear = (value: unknown): string =>
  JSON.stringify(value, (_key, item) => (isSecret(item) ? undefined : item));
