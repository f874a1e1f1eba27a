import { expect, test } from "vitest";
import { send } from "../../scripts/send.mts";
import { DiffResponse_DiffChanges as Changes } from "../../src/plugin/messages/pulumi/provider_pb";
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
