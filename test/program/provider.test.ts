import * as pulumi from "@pulumi/pulumi";
import { beforeEach, describe, expect, test } from "vitest";
import {
  ArgumentError,
  ConfigurationError,
  getProxyPorts,
  getZoneCost,
  getZoneCostOutput,
  getZonePasswordsOutput,
  Provider,
  type ProviderArgs,
  Zone,
} from "../../src";
import { SETTINGS } from "../../src/settings/definitions";
import { failureOf, program, settled, startManager, startService, useEnvironment } from "../functions/harness";

const nothing = Object.fromEntries(Object.values(SETTINGS).map(({ environment }) => [environment, undefined]));

/** What is not known before the update has run. */
const unknown = (): pulumi.Output<string> => pulumi.output(pulumi.unknown as unknown as string);

const sent = (provider: Provider): Promise<Record<string, unknown>> =>
  pulumi.runtime.serializeProperties(
    "a provider",
    Object.fromEntries(Object.entries(provider).filter(([key]) => key.startsWith("brightdata:"))),
  );

beforeEach(() => {
  pulumi.runtime.setAllConfig({});
  useEnvironment(nothing);
});

test("a provider has its settings as the configuration would, with the secret ones as secrets", async () => {
  await program(false);
  const provider = new Provider("shop", {
    apiToken: pulumi.output("the-token"),
    requestTimeout: 2.5,
    retries: pulumi.output(0),
    logLevel: "off",
    prices: { "mobile-gip": pulumi.output(20) },
    managerApiKey: undefined,
    baseUrl: pulumi.output(undefined),
  });
  expect(await sent(provider)).toEqual({
    "brightdata:provider": "shop",
    "brightdata:apiToken": expect.objectContaining({ value: "the-token" }),
    "brightdata:requestTimeout": "2.5",
    "brightdata:retries": "0",
    "brightdata:logLevel": "off",
    "brightdata:prices": '{"mobile-gip":20}',
  });
});

test.each<[name: string, args: object, message: string]>([
  ["a blank URL", { baseUrl: "" }, '`baseUrl` of the provider "shop" is "": expected an http or https URL'],
  ["a URL with a password", { baseUrl: "https://a:b@c" }, '`baseUrl` of the provider "shop" cannot be used: expected'],
  ["a word for a number", { retries: "many" }, '`retries` of the provider "shop" is "many": expected a whole number'],
  ["a blank token", { apiToken: "" }, '`apiToken` of the provider "shop" cannot be used: expected an API token'],
  ["a token of two words", { apiToken: "two words" }, '`apiToken` of the provider "shop" cannot be used: expected'],
])("a provider refuses %s at once", async (_, args, message) => {
  await program(false);
  const make = () => new Provider("shop", args as ProviderArgs);
  expect(make).toThrow(ArgumentError);
  expect(make).toThrow(`The argument ${message}`);
});

test.each<[name: string, args: object, message: string]>([
  ["a word for a number", { retries: pulumi.output("many") }, '`retries` of the provider "shop" is "many": expected'],
  ["a price of nothing known", { prices: { gip: 1 } }, '`prices` of the provider "shop" is {"gip":1}: expected'],
  [
    "a manager without an address",
    { managers: { "fra-1": { apiKey: "k3y" } } },
    '`managers` of the provider "shop" cannot be used: `fra-1.url` is missing: expected an http or https URL',
  ],
  ["null", { requestTimeout: null }, '`requestTimeout` of the provider "shop" is null: expected seconds'],
])("a provider refuses %s once it is known", async (_, args, message) => {
  await program(false);
  const failure = await failureOf(() => new Provider("shop", args as ProviderArgs).urn);
  expect(failure).toBeInstanceOf(ArgumentError);
  expect(String(failure)).toContain(`The argument ${message}`);
});

test("a provider refuses an argument that there is not", async () => {
  await program(false);
  expect(() => new Provider("shop", { apitoken: "x" } as ProviderArgs)).toThrow(
    'The provider "shop" has no argument "apitoken". Did you mean apiToken?',
  );
});

test("a provider waits for what is not known", async () => {
  await program(true);
  const provider = new Provider("shop", { apiToken: unknown(), baseUrl: "http://127.0.0.1:1" });
  expect(await sent(provider)).toMatchObject({
    "brightdata:apiToken": expect.objectContaining({ value: pulumi.runtime.unknownValue }),
    "brightdata:baseUrl": "http://127.0.0.1:1",
  });
});

class Foreign extends pulumi.ProviderResource {
  constructor() {
    super("aws", "foreign");
  }
}

/** The ways in which something can have a provider from its parent. */
const INHERITED: [name: string, options: (provider: Provider) => pulumi.ComponentResourceOptions][] = [
  ["provider", (provider) => ({ provider })],
  ["providers", (provider) => ({ providers: [provider] })],
  ["providers, by the package's own name", (provider) => ({ providers: { brightdata: provider } })],
  ["providers, by the name of the engine's package", (provider) => ({ providers: { "pulumi-nodejs": provider } })],
];

describe("a resource with a provider", () => {
  /** The providers that resources are registered with, by the resources' names. */
  async function registered(): Promise<Map<string, string | undefined>> {
    const providers = new Map<string, string | undefined>();
    await pulumi.runtime.setMocks({
      newResource: ({ name, inputs, provider }) => {
        providers.set(name, provider);
        return { id: `${name}-id`, state: inputs };
      },
      call: () => ({}),
    });
    return providers;
  }

  const args = { plan: { type: "static" } } as const;
  const urnOf = (resource: pulumi.Resource) => new Promise((resolve) => resource.urn.apply(resolve));

  test("is registered with it", async () => {
    const providers = await registered();
    await urnOf(new Zone("web", args, { provider: new Provider("shop") }));
    expect(providers.get("web")).toMatch(/::pulumi:providers:pulumi-nodejs::shop::shop-id$/);
  });

  test.each(INHERITED)("has it from a component of a component with %s", async (_, options) => {
    const providers = await registered();
    const outer = new pulumi.ComponentResource("test:Component", "outer", {}, options(new Provider("shop")));
    const parent = new pulumi.ComponentResource("test:Component", "inner", {}, { parent: outer });
    await urnOf(new Zone("web", args, { parent }));
    expect(providers.get("web")).toMatch(/::shop::shop-id$/);
  });

  test("refuses that of another package, which would do something else with it", async () => {
    await registered();
    expect(() => new Zone("web", args, { provider: new Foreign() })).toThrow(
      "The option `provider` is the provider of another package: expected a `brightdata.Provider`.",
    );
  });
});

/** A service with a zone, which nothing but what is given to a provider leads to. */
async function service() {
  const { simulator, account, asked } = await startService();
  useEnvironment(nothing);
  account.addZone("web", { type: "static" });
  await program(false);
  const given = (): ProviderArgs => ({ apiToken: simulator.token, baseUrl: simulator.remote.url, retries: 0 });
  return { asked, given };
}

const QUERY = { zone: "web" };
const ONCE = ["GET /zone/cost?zone=web"];

test("a function with a provider goes by its settings, the promise and the output alike", async () => {
  const { asked, given } = await service();
  const provider = new Provider("shop", given());
  await getZoneCost(QUERY, { provider });
  expect(await settled(getZoneCostOutput(QUERY, { provider }))).toMatchObject({ secret: false });
  expect(asked()).toEqual([...ONCE, ...ONCE]);
});

test.each(INHERITED)(
  "a function with a provider goes by that of a component of a component with %s",
  async (_, options) => {
    const { asked, given } = await service();
    const outer = new pulumi.ComponentResource("test:Component", "outer", {}, options(new Provider("shop", given())));
    const parent = new pulumi.ComponentResource("test:Component", "inner", {}, { parent: outer });
    await getZoneCost(QUERY, { parent });
    await getZoneCost(QUERY, { parent: new Zone("web", { plan: { type: "static" } }, { parent }) });
    expect(asked()).toEqual([...ONCE, ...ONCE]);
  },
);

test("a function with a provider comes before the environment and the stack's configuration", async () => {
  const { asked, given } = await service();
  useEnvironment({ BRIGHTDATA_API_TOKEN: "another", BRIGHTDATA_BASE_URL: "http://127.0.0.1:1" });
  pulumi.runtime.setAllConfig({ "brightdata:apiToken": "a-third", "brightdata:baseUrl": "http://127.0.0.1:2" });
  await getZoneCost(QUERY, { provider: new Provider("shop", given()) });
  expect(asked()).toEqual(ONCE);
});

test("a function with a provider takes from the environment what it was not given, and nothing from the stack's configuration", async () => {
  const { asked, given } = await service();
  const { apiToken, ...others } = given();
  useEnvironment({ BRIGHTDATA_API_TOKEN: apiToken as string, BRIGHTDATA_BASE_URL: given().baseUrl as string });
  pulumi.runtime.setAllConfig({ "brightdata:apiToken": "another" });
  const provider = new Provider("shop", others);
  await getZoneCost(QUERY, { provider });
  expect(asked()).toEqual(ONCE);
  useEnvironment({ BRIGHTDATA_API_TOKEN: undefined });
  await expect(getZoneCost(QUERY, { provider })).rejects.toThrow(
    'There is no Bright Data API token. Set it with the argument `apiToken` of the provider "shop" or the environment variable BRIGHTDATA_API_TOKEN.',
  );
});

test("a function with a provider says whose token was refused", async () => {
  const { given } = await service();
  const provider = new Provider("shop", { ...given(), apiToken: "a-wrong-one" });
  await expect(getZoneCost(QUERY, { provider })).rejects.toThrow(
    'The token came from the provider "shop" (`apiToken`). Set it with the argument `apiToken` of the provider "shop". A refresh',
  );
});

test("a function with a provider finds the connections that it names", async () => {
  const { manager, asked } = await startManager();
  useEnvironment(nothing);
  await program(false);
  const provider = new Provider("fleet", { managers: { "fra-1": { url: pulumi.output(manager.url) } } });
  await getProxyPorts({ manager: "fra-1" }, { provider });
  expect(asked()).not.toEqual([]);
  await expect(getProxyPorts({ manager: "fra-2" }, { provider })).rejects.toThrow('configured is "fra-1"');
});

test("a function with a provider is secret only where the result is", async () => {
  const { given } = await service();
  const provider = new Provider("shop", given());
  expect(await settled(getZonePasswordsOutput({ zone: "web" }, { provider }))).toMatchObject({ secret: true });
});

test("a function with a provider waits for settings that are not known, or says that it cannot", async () => {
  const { asked, given } = await service();
  await program(true);
  const provider = new Provider("shop", { ...given(), apiToken: unknown() });
  expect(await settled(getZoneCostOutput(QUERY, { provider }))).toEqual({ value: "unknown", secret: false });
  const call = getZoneCost(QUERY, { provider });
  await expect(call).rejects.toBeInstanceOf(ConfigurationError);
  await expect(call).rejects.toThrow("such as getZoneOutput for getZone: it waits for them.");
  expect(asked()).toEqual([]);
});

test("a function with a provider refuses the provider of another package", async () => {
  await program(false);
  const provider = new Foreign();
  await expect(getZoneCost(QUERY, { provider })).rejects.toThrow(
    "The option `provider` is the provider of another package: expected a `brightdata.Provider`.",
  );
  expect(() => getZoneCostOutput(QUERY, { provider })).toThrow(ArgumentError);
});
