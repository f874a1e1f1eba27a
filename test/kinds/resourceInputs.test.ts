import * as pulumi from "@pulumi/pulumi";
import { isRpcSecret, unwrapRpcSecret } from "@pulumi/pulumi/runtime/rpc";
import { expect, expectTypeOf, test } from "vitest";
import {
  BannedIp,
  DatasetCollection,
  type DeliveryTargetArgs,
  ManagerRestart,
  ManagerSettings,
  type ManagerSettingsArgs,
  ManagerUpgrade,
  PortIpRefresh,
  PortIpUnban,
  PortSessionRefresh,
  ProxyPort,
  ProxyPorts,
  SnapshotDelivery,
  WhitelistIp,
  Zone,
  ZoneAccess,
  ZoneIpRefresh,
  ZoneIps,
  ZonePassword,
} from "../../src";
import type { JsonObject } from "../../src/base/json";
import { secretsAmong } from "../../src/declaration/paths";
import { proxyPort } from "../../src/kinds/proxyPort/declaration";
import { PORT_FIELDS } from "../../src/manager/portFields";
import type { Storage } from "../../src/remote/storage";
import { answer, inputsSent, mocks, registration, registrations, settled } from "./classes";

test("a DatasetCollection registers what was declared, its Authorization as a secret, and has the service's outputs", async () => {
  answer.outputs = { snapshotId: "s_1", status: "ready", records: 3 };
  const args = {
    datasetId: "gd_1",
    inputs: [{ keyword: "shoes" }],
    inputForm: "object",
    discoverBy: "keyword",
    includeErrors: true,
    customOutputFields: ["url"],
    limitPerInput: 1,
    limitMultipleResults: 2,
    notify: true,
    endpoint: "https://example.com/hook",
    format: "csv",
    uncompressedWebhook: true,
    wait: false,
    pollInterval: 5,
    triggers: ["x"],
    timeouts: { create: 5 },
  } as const;
  const collection = new DatasetCollection("it", {
    ...args,
    inputs: [...args.inputs],
    customOutputFields: [...args.customOutputFields],
    triggers: [...args.triggers],
    authHeader: "hush",
  });
  const { authHeader, ...sent } = inputsSent(await registration(collection));
  expect(sent).toEqual(args);
  expect(isRpcSecret(authHeader)).toBe(true);
  expect(unwrapRpcSecret(authHeader)).toBe("hush");
  expect((await settled(collection.snapshotId)).value).toBe("s_1");
  expect((await settled(collection.status)).value).toBe("ready");
  expect((await settled(collection.records)).value).toBe(3);
  expect((await settled(collection.errorMessage)).value).toBeUndefined();
});

test("a SnapshotDelivery registers what was declared, all of its target as a secret, and has the service's outputs", async () => {
  answer.outputs = { deliveryId: "dl_1", status: "done", files: [{ filename: "pages.csv" }] };
  const target = {
    type: "s3",
    bucket: "b",
    credentials: { awsAccessKey: "hush", awsSecretKey: pulumi.secret("hush") },
  } as const;
  const filename = { template: "pages", extension: "csv" } as const;
  const rest = { compress: true, batchSize: 1000, notify: "https://example.com", wait: true, pollInterval: 2 };
  const args = { snapshotId: "s_1", filename, ...rest, timeouts: { create: 5 } };
  const delivery = new SnapshotDelivery("it", { ...args, target, triggers: [1] });
  const { target: sealed, ...sent } = inputsSent(await registration(delivery));
  expect(sent).toEqual({ ...args, triggers: [1] });
  expect(isRpcSecret(sealed)).toBe(true);
  expect(unwrapRpcSecret(sealed)).toMatchObject({ type: "s3", bucket: "b", credentials: { awsAccessKey: "hush" } });
  expect((await settled(delivery.target)).secret).toBe(true);
  expect((await settled(delivery.deliveryId)).value).toBe("dl_1");
  expect((await settled(delivery.status)).value).toBe("done");
  expect((await settled(delivery.files)).value).toEqual([{ filename: "pages.csv" }]);
});

test("a SnapshotDelivery has a target of every kind that the client can deliver to, and of no other", () => {
  type Target = pulumi.Unwrap<DeliveryTargetArgs>;
  expectTypeOf<Target["type"]>().toEqualTypeOf<Storage["type"]>();
  expectTypeOf<Target>().toExtend<Storage>();
});

test("a Zone registers what was declared and the name that one can be made of", async () => {
  const plan = { type: "static", ips: 2, extra: { x_y: 1 } } as const;
  const zone = new Zone("My Zone", {
    name: "web",
    type: "dc",
    plan,
    disabled: true,
    adopt: true,
    timeouts: { create: 5 },
  });
  expect(inputsSent(await registration(zone))).toEqual({
    name: "web",
    type: "dc",
    plan,
    disabled: true,
    adopt: true,
    timeouts: { create: 5 },
  });
});

test("a Zone has every output of the service's, though the program declares none of them", async () => {
  answer.outputs = {
    name: "web",
    created: "then",
    passwords: ["hush"],
    password: "hush",
    ips: ["any"],
    perm: "country",
    status: "active",
    description: "d",
  };
  const zone = new Zone("it", { plan: { type: "static" } });
  const values = await Promise.all(
    [zone.name, zone.created, zone.passwords, zone.password, zone.ips, zone.perm, zone.status, zone.description].map(
      async (output) => (await settled(output as pulumi.Output<unknown>)).value,
    ),
  );
  expect(values).toEqual(["web", "then", ["hush"], "hush", ["any"], "country", "active", "d"]);
});

test("ProxyPorts registers what was declared, the secrets in it as secrets", async () => {
  const fleet = new ProxyPorts("it", {
    defaults: { zone: "web", userPassword: "hush" },
    ports: { us: { port: 24_000, password: "hush-too" }, de: pulumi.output({ port: 24_001 }) },
    adopt: true,
  });
  // The mock takes a secret in a value for one that is the whole of it.
  const { defaults, ports, ...rest } = inputsSent(await registration(fleet));
  expect(rest).toEqual({ adopt: true });
  expect(isRpcSecret(defaults)).toBe(true);
  expect(unwrapRpcSecret(defaults)).toEqual({ zone: "web", userPassword: "hush" });
  expect(isRpcSecret(ports)).toBe(true);
  expect(unwrapRpcSecret(ports)).toEqual({ us: { port: 24_000, password: "hush-too" }, de: { port: 24_001 } });
});

test("ProxyPorts have the ports that the manager has, which are no secret though they have some", async () => {
  answer.outputs = { ports: { us: { listenPort: 24_000, port: 24_000, zone: "web" } } };
  const fleet = new ProxyPorts("it", { ports: { us: { port: 24_000, zone: "web", password: "hush" } } });
  await registration(fleet);
  expect(await settled(fleet.ports)).toEqual({ value: answer.outputs.ports, secret: false });
  expect((await settled(pulumi.output(fleet.ports.us).apply((port) => port?.listenPort))).value).toBe(24_000);
});

test("ProxyPorts know the numbers of a preview that the program gives, whatever else is not known yet", async () => {
  mocks.newResource = ({ inputs }) => ({ id: "", state: inputs });
  await pulumi.runtime.setMocks(mocks, "shop", "dev", true);
  const unknown = pulumi.output(pulumi.unknown as unknown as string);
  const fleet = new ProxyPorts("it", {
    defaults: { zone: unknown },
    ports: { us: { port: 24_000, country: unknown }, de: { port: 24_001 }, any: {} },
  });
  const known = (key: string) => pulumi.output((fleet.ports as never)[key]) as pulumi.Output<{ listenPort: number }>;
  expect((await settled(known("us").listenPort)).value).toBe(24_000);
  expect((await settled(known("de").listenPort)).value).toBe(24_001);
  expect(await (known("any").listenPort as unknown as { isKnown: Promise<boolean> }).isKnown).toBe(false);
});

const EVERY = Object.fromEntries(PORT_FIELDS.map((field) => [field, `value of ${field}`])) as JsonObject;

test("a ProxyPort registers every field that was declared, secrets as secrets, and no other", async () => {
  const port = new ProxyPort("it", { ...EVERY, zone: "web", adopt: true, timeouts: { read: 1 } });
  const sent = inputsSent(await registration(port));
  const secrets = Object.keys(sent).filter((key) => isRpcSecret(sent[key]));
  expect(secrets).toEqual(expect.arrayContaining(["extProxies", "extProxyPassword", "password", "userPassword"]));
  expect(secrets.sort()).toEqual(secretsAmong(proxyPort.inputs).sort());
  const plain = Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, unwrapRpcSecret(value)]));
  expect(plain).toEqual({ ...EVERY, zone: "web", adopt: true, timeouts: { read: 1 } });
});

test("a ProxyPort answers `undefined` for what was not declared, though nothing is registered for it", async () => {
  answer.outputs = { port: 24_000, listenPort: 24_000 };
  const port = new ProxyPort("it", { zone: "web", country: "us", password: undefined as unknown as string });
  expect(inputsSent(await registration(port))).toEqual({ zone: "web", country: "us" });
  expect((await settled(port.country)).value).toBe("us");
  expect((await settled(port.port)).value).toBe(24_000);
  expect((await settled(port.listenPort)).value).toBe(24_000);
  for (const field of PORT_FIELDS) {
    if (["zone", "country", "port"].includes(field)) continue;
    const output = port[field as keyof ProxyPort] as pulumi.Output<unknown>;
    expect(pulumi.Output.isInstance(output), field).toBe(true);
    expect((await settled(output)).value, field).toBeUndefined();
  }
});

test.each([
  ["an update, by its id", "24000", {}],
  ["a creation, by the number that is declared", "", { port: 24_000 }],
])("a ProxyPort knows its number in the preview of %s", async (_, id, declared) => {
  // The engine answers a preview with the inputs and, for an update, the id.
  mocks.newResource = ({ inputs }) => ({ id, state: inputs });
  await pulumi.runtime.setMocks(mocks, "shop", "dev", true);
  const port = new ProxyPort("it", { zone: "web", ...declared });
  expect((await settled(port.listenPort)).value).toBe(24_000);
  expect((await settled(port.port)).value).toBe(24_000);
});

test("a ProxyPort has the number that a mock gives it, whatever its id, also in a preview", async () => {
  mocks.newResource = ({ inputs }) => ({ id: "port-id", state: { ...inputs, port: 24_001, listenPort: 24_001 } });
  await pulumi.runtime.setMocks(mocks, "shop", "dev", true);
  const port = new ProxyPort("it", { zone: "web" });
  expect((await settled(port.listenPort)).value).toBe(24_001);
  expect((await settled(port.port)).value).toBe(24_001);
});

test("a ProxyPort that is looked up has whatever there is", async () => {
  answer.outputs = { zone: "web", country: "us", port: 24_000, rules: [{ status: 200 }] };
  const port = ProxyPort.get("it", "24000");
  expect((await settled(port.country)).value).toBe("us");
  expect((await settled(port.rules)).value).toEqual([{ status: 200 }]);
  expect((await settled(port.ssl)).value).toBeUndefined();
});

test("a ProxyPort does not share what is declared with other ports", async () => {
  const one = new ProxyPort("one", { zone: "web", country: "us" });
  const other = new ProxyPort("other", { zone: "web", city: "berlin" });
  expect((await settled(one.country)).value).toBe("us");
  expect((await settled(other.country)).value).toBeUndefined();
  expect((await settled(one.city)).value).toBeUndefined();
  expect((await settled(other.city)).value).toBe("berlin");
});

test("a ProxyPort takes outputs of other resources, secret ones included", async () => {
  answer.outputs = { name: "web", password: "hush" };
  const zone = new Zone("zone", { plan: { type: "static" } });
  const port = new ProxyPort("port", { zone: zone.name, userPassword: pulumi.secret("hush") });
  await settled(port.id);
  const sent = registrations.find(({ name }) => name === "port")?.inputs ?? {};
  expect(sent.zone).toBe("web");
  expect(isRpcSecret(sent.userPassword)).toBe(true);
  expect((await settled(port.userPassword)).secret).toBe(true);
});

test("a WhitelistIp registers what was declared, its key as a secret", async () => {
  const args = { ip: "203.0.113.7", list: "ports", allowAny: false, adopt: true, timeouts: { delete: 3 } } as const;
  const sent = inputsSent(await registration(new WhitelistIp("it", { ...args, apiKey: "hush" })));
  expect(isRpcSecret(sent.apiKey)).toBe(true);
  expect({ ...sent, apiKey: unwrapRpcSecret(sent.apiKey) }).toEqual({ ...args, apiKey: "hush" });
});

test("a WhitelistIp without a key registers none", async () => {
  expect(inputsSent(await registration(new WhitelistIp("it", { ip: "203.0.113.7" })))).toEqual({ ip: "203.0.113.7" });
});

test("a ZoneAccess registers what was declared", async () => {
  const args = {
    zone: "web",
    allowedIps: ["203.0.113.7"],
    deniedIps: [],
    allowedDomains: ["example.com"],
    deniedDomains: ["example.net"],
    adopt: true,
    timeouts: { create: 5 },
  };
  expect(inputsSent(await registration(new ZoneAccess("it", args)))).toEqual(args);
});

test("a ZoneIps registers what was declared, and has the IPs that the service gave", async () => {
  answer.outputs = { ips: ["198.18.0.1"] };
  const args = {
    zone: "web",
    count: 1,
    kind: "ips",
    country: "us",
    countryCity: "us-chicago",
    adopt: false,
  } as const;
  const resource = new ZoneIps("it", args);
  expect(inputsSent(await registration(resource))).toEqual(args);
  expect((await settled(resource.ips)).value).toEqual(["198.18.0.1"]);
});

test("a ZonePassword is a secret, given or generated", async () => {
  const given = new ZonePassword("it", { zone: "web", password: "hush" });
  const { password, ...rest } = inputsSent(await registration(given));
  expect(isRpcSecret(password) && unwrapRpcSecret(password)).toBe("hush");
  expect(rest).toEqual({ zone: "web" });
  expect(await settled(given.password)).toEqual({ value: "hush", secret: true });
});

test("a ZoneIpRefresh registers what was declared, and has the service's outputs", async () => {
  answer.outputs = { kind: "ips", previousIps: ["198.18.0.1"], currentIps: ["198.18.0.2"], newIps: ["198.18.0.2"] };
  const args = { zone: "web", ips: ["198.18.0.1"], country: "us", countryCity: "us-chicago", triggers: [1] };
  const resource = new ZoneIpRefresh("it", args);
  expect(inputsSent(await registration(resource))).toEqual(args);
  expect((await settled(resource.newIps)).value).toEqual(["198.18.0.2"]);
  expect((await settled(resource.ips)).value).toEqual(["198.18.0.1"]);
});

test("the manager's resources register what was declared, and have the outputs that the provider answers", async () => {
  answer.outputs = { ports: [24_000], until: "2030-01-01T00:00:00.000Z", expired: true, missingOn: [24_001] };
  const args = { ip: "203.0.113.7", domain: "example.com", port: 24_000, durationMs: 5, renew: true };
  const ban = new BannedIp("ban", { ...args, timeouts: { read: 1 } });
  expect(inputsSent(await registration(ban))).toEqual({ ...args, timeouts: { read: 1 } });
  for (const name of ["ports", "until", "expired", "missingOn"] as const) {
    expect((await settled(ban[name] as pulumi.Output<unknown>)).value).toEqual(answer.outputs[name]);
  }
});

test("the manager's resources register every setting, the delivery of logs as a secret", async () => {
  answer.outputs = { previous: { logs: 1000 } };
  const args = {
    zone: "web",
    wwwWhitelistIps: ["198.51.100.7"],
    whitelistIps: ["10.0.0.0/8"],
    logs: 5,
    log: "info",
    harLimit: -1,
    debug: "full",
    lpmAuth: "none",
    requestStats: false,
    syncConfig: false,
    socketInactivityTimeout: 60_000,
    allowAny: false,
    timeouts: { update: 5 },
  } satisfies ManagerSettingsArgs;
  const secrets = {
    logsSettings: { secret_key: "hush" },
    bwLimitWebhookUrl: "https://example.com/full",
    bwThWebhookUrl: "https://example.com/part",
  };
  const settings = new ManagerSettings("it", { ...args, ...secrets });
  const { logsSettings, bwLimitWebhookUrl, bwThWebhookUrl, ...sent } = inputsSent(await registration(settings));
  expect(sent).toEqual(args);
  for (const secret of [logsSettings, bwLimitWebhookUrl, bwThWebhookUrl]) expect(isRpcSecret(secret)).toBe(true);
  expect((await settled(settings.previous)).value).toEqual({ logs: 1000 });
});

test("the manager's resources have what their actions came to", async () => {
  answer.outputs = {
    newIp: "203.0.113.8",
    zone: "web",
    lifted: [],
    sessionId: "24000_1",
    upgraded: true,
    version: "1.600.0",
  };
  const refresh = new PortIpRefresh("ip", { port: 24_000, ip: "203.0.113.7", triggers: [1] });
  expect((await settled(refresh.newIp)).value).toBe("203.0.113.8");
  expect((await settled(refresh.zone)).value).toBe("web");
  expect((await settled(new PortIpUnban("unban", { port: 24_000 }).lifted)).value).toEqual([]);
  expect((await settled(new PortSessionRefresh("session", { port: 24_000 }).sessionId)).value).toBe("24000_1");
  const upgrade = new ManagerUpgrade("upgrade");
  expect((await settled(upgrade.upgraded)).value).toBe(true);
  expect((await settled(new ManagerRestart("restart", { triggers: [upgrade.version] }).version)).value).toBe("1.600.0");
  expect(registrations.find(({ name }) => name === "restart")?.inputs.triggers).toEqual(["1.600.0"]);
  expect(registrations.find(({ name }) => name === "ip")?.inputs).toMatchObject({ port: 24_000, triggers: [1] });
});
