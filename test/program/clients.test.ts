import * as pulumi from "@pulumi/pulumi";
import { beforeEach, expect, test } from "vitest";
import { ConfigurationError } from "../../src/base/errors";
import { getManagerSession, getZoneCost } from "../../src/functions";
import { managerClient, remoteClient } from "../../src/program/clients";
import { SETTINGS } from "../../src/settings/definitions";
import { readSettings } from "../../src/settings/settings";
import { startManager, startService, useEnvironment } from "../functions/harness";

const nothing = Object.fromEntries(Object.values(SETTINGS).map(({ environment }) => [environment, undefined]));

beforeEach(() => pulumi.runtime.setAllConfig({}));

test("the settings come from the stack's configuration", async () => {
  const { simulator, account, asked } = await startService();
  account.addZone("web", { type: "static" });
  useEnvironment(nothing);
  pulumi.runtime.setAllConfig(
    { "brightdata:apiToken": simulator.token, "brightdata:baseUrl": simulator.remote.url, "brightdata:retries": "0" },
    ["brightdata:apiToken"],
  );
  await getZoneCost({ zone: "web" });
  expect(asked()).toEqual(["GET /zone/cost?zone=web"]);
});

test("the environment comes first", async () => {
  const { account, asked } = await startService();
  account.addZone("web", { type: "static" });
  pulumi.runtime.setAllConfig({ "brightdata:apiToken": "an-older-one", "brightdata:baseUrl": "http://127.0.0.1:1" });
  await getZoneCost({ zone: "web" });
  expect(asked()).toEqual(["GET /zone/cost?zone=web"]);
});

test("a token that is refused is told with its source", async () => {
  const { simulator } = await startService();
  useEnvironment({ BRIGHTDATA_API_TOKEN: undefined });
  pulumi.runtime.setAllConfig({ "brightdata:apiToken": "an-older-one" });
  await expect(getZoneCost({ zone: "web" })).rejects.toThrow(
    "The token came from the stack's configuration (brightdata:apiToken).",
  );
  expect(simulator.remote.service.requests).toHaveLength(1);
});

test("without a token a function rejects; it does not throw", async () => {
  useEnvironment(nothing);
  const call = getZoneCost({ zone: "web" });
  await expect(call).rejects.toBeInstanceOf(ConfigurationError);
  await expect(call).rejects.toThrow("There is no Bright Data API token.");
});

test("the manager is found by the stack's configuration, without a token", async () => {
  const { manager, asked } = await startManager();
  useEnvironment(nothing);
  pulumi.runtime.setAllConfig({ "brightdata:proxyManagerUrl": manager.url });
  await getManagerSession();
  expect(asked()).toEqual(["GET /api/mode"]);
});

test("equal settings share a client, others do not", () => {
  const settings = { ...readSettings(() => undefined, { BRIGHTDATA_API_TOKEN: "one" }) };
  for (const client of [remoteClient, managerClient]) {
    const one = client(settings);
    expect(client({ ...settings })).toBe(one);
    expect(client({ ...settings, retries: 0 })).not.toBe(one);
    expect(client({ ...settings })).toBe(one);
  }
});
