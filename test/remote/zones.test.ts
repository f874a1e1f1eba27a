import { describe, expect, test } from "vitest";
import {
  AlreadyExistsError,
  AuthenticationError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  ResponseFormatError,
  ServerError,
  ServiceError,
} from "../../src/base/errors";
import { failure, startRemote } from "./harness";

test("create sends the name, the type and the plan in the service's spelling", async () => {
  const { client, requests, request, account } = await startRemote();
  await client.zones.create({
    name: "web",
    type: "dc",
    plan: { type: "static", ipsType: "shared", country: "US", ips: "3", city: "false", extra: { exclusive: true } },
  });
  expect(requests).toEqual([
    request({
      method: "POST",
      path: "/zone",
      status: 201,
      body: {
        zone: { name: "web", type: "dc" },
        plan: { exclusive: true, type: "static", ips_type: "shared", country: "us", ips: 3, city: false },
      },
    }),
  ]);
  expect(account.zone("web")?.plan).toMatchObject({ type: "static", country: "us", exclusive: true });
});

test.each(["json", "text", "empty"] as const)(
  "create takes whatever a creation and a deletion answer: %s",
  async (zoneAnswer) => {
    const { client, account } = await startRemote({ remote: { zoneAnswer } });
    await client.zones.create({ name: "web", plan: { type: "static" } });
    expect(account.zone("web")).toBeDefined();
    await client.zones.remove("web");
    expect(account.zone("web")).toBeUndefined();
  },
);

test("create leaves out a type that is not given", async () => {
  const { client, requests } = await startRemote();
  await client.zones.create({ name: "web", plan: { type: "static" } });
  expect(requests[0]?.body).toEqual({ zone: { name: "web" }, plan: { type: "static" } });
});

test.each([
  [409, "Duplicate zone name"],
  [400, "Duplicate zone name"],
  [422, "Zone web already exists"],
])("create tells a name that is taken by %i %j", async (duplicateZoneStatus, duplicateZoneMessage) => {
  const { client, account } = await startRemote({ remote: { duplicateZoneStatus, duplicateZoneMessage } });
  account.addZone("web", { type: "static" });
  const error = await failure(client.zones.create({ name: "web", plan: { type: "static" } }), AlreadyExistsError);
  expect(error).toMatchObject({
    status: duplicateZoneStatus,
    serviceMessage: duplicateZoneMessage,
    operation: 'create zone "web"',
    settled: true,
  });
});

test.each(["kyc_required", "business_account_required"] as const)("create says what %s means", async (compliance) => {
  const { client } = await startRemote({ remote: { compliance } });
  const error = await failure(client.zones.create({ name: "web", plan: { type: "resident" } }), PermissionError);
  expect(error.code).toBe(compliance);
  expect(error.message).toContain("The account must be verified before it may have such a zone");
  expect(error.message).toContain("Alternatives: Web Unlocker.");
});

test("create leaves other refusals as they are", async () => {
  const { client } = await startRemote();
  const error = await failure(
    client.zones.create({ name: "web", plan: { type: "static", ips: 20_000 } }),
    InvalidRequestError,
  );
  expect(error).toMatchObject({ status: 400, serviceMessage: "no IPs available" });
});

test("create is not sent again when nobody knows whether it was carried out", async () => {
  const { clientWith, simulator, requests, account } = await startRemote();
  simulator.remote.service.faults.add({ kind: "reset-after" });
  const client = clientWith({ retries: 3 });
  await expect(client.zones.create({ name: "web", plan: { type: "static" } })).rejects.toMatchObject({
    settled: false,
  });
  expect(requests).toHaveLength(1);
  expect(account.zone("web")).toBeDefined();
});

test("get reads a zone as the service has it", async () => {
  const { client, account, requests, request } = await startRemote();
  const zone = account.addZone("web", { type: "resident", country: "de", city: true });
  zone.ips = ["198.51.100.7"];
  zone.description = "For the shop";
  await expect(client.zones.get("web")).resolves.toEqual({
    name: "web",
    created: "2026-03-15T10:30:00.000Z",
    passwords: zone.password,
    ips: ["198.51.100.7"],
    perm: "country city",
    description: "For the shop",
    plan: {
      start: "2026-03-15T10:30:00.000Z",
      type: "resident",
      product: "res_rotating",
      country: "de",
      city: true,
    },
    disabled: false,
  });
  expect(requests).toEqual([request({ method: "GET", path: "/zone", query: { zone: "web" } })]);
});

test("get reads the documented shape", async () => {
  const { client, answer } = await startRemote();
  answer(200, {
    created: "2020-04-05T23:33:39.622Z",
    password: ["first", "second"],
    ips: ["any"],
    plan: {
      start: "2020-04-05T23:33:39.622Z",
      product: "dc",
      type: "static",
      ip_fallback: 0,
      ips_type: "shared",
      ips: 0,
      bandwidth: "unlimited",
      unl_bw_tiers: "std",
      auto_cost_override: { ip_bw: 0, price_group: "standard" },
    },
    description: "",
    perm: "country",
  });
  await expect(client.zones.get("web")).resolves.toEqual({
    name: "web",
    created: "2020-04-05T23:33:39.622Z",
    passwords: ["first", "second"],
    ips: ["any"],
    perm: "country",
    description: "",
    plan: {
      start: "2020-04-05T23:33:39.622Z",
      product: "dc",
      type: "static",
      ipFallback: 0,
      ipsType: "shared",
      ips: 0,
      bandwidth: "unlimited",
      unlBwTiers: "std",
      autoCostOverride: { ipBw: 0, priceGroup: "standard" },
    },
    disabled: false,
  });
});

test("get bears with everything that may be missing, null or one instead of several", async () => {
  const { client, answer } = await startRemote();
  answer(200, { password: "only", ips: null, perm: null, plan: { type: "static" }, news: [1] });
  await expect(client.zones.get("web")).resolves.toEqual({
    name: "web",
    passwords: ["only"],
    ips: [],
    plan: { type: "static" },
    disabled: false,
  });
});

test.each([
  [{ disabled: 1 }, true],
  [{ disable: "1" }, true],
  [{ disable: "trial_ended" }, true],
  [{ disabled: true }, true],
  [{ disabled: 0, disable: "" }, false],
  [{ disable: "0" }, false],
  [{ disabled: false }, false],
  [{ disable: null }, false],
])("get takes %j for disabled: %s", async (flags, disabled) => {
  const { client, answer } = await startRemote();
  answer(200, { plan: { type: "static", ...flags } });
  await expect(client.zones.get("web")).resolves.toMatchObject({ disabled });
});

test("get needs a plan", async () => {
  const { client, answer } = await startRemote();
  answer(200, { created: "2020-04-05T23:33:39.622Z" });
  const error = await failure(client.zones.get("web"), ResponseFormatError);
  expect(error.message).toContain("JSON of another shape (`plan`: expected an object, but it is missing)");
});

test.each([
  [null, {}],
  [{ type: "static", country: null }, { type: "static" }],
  [
    { type: "resident", country: null, default_country: "us" },
    { type: "resident", country: "us" },
  ],
])("get takes null for nothing said about it: %j", async (plan, told) => {
  const { client, answer } = await startRemote();
  answer(200, { plan });
  expect((await client.zones.get("web")).plan).toEqual(told);
});

test("get encodes the name", async () => {
  const { client, requests, account } = await startRemote();
  account.addZone("a&b=c/ü", { type: "static" });
  await client.zones.get("a&b=c/ü");
  expect(requests[0]).toMatchObject({ path: "/zone", query: { zone: "a&b=c/ü" } });
});

test("the lists hold disabled and deleted zones, or active ones only", async () => {
  const { client, account, requests, request } = await startRemote();
  account.addZone("on", { type: "static" });
  account.addZone("off", { type: "unblocker" }).status = "disabled";
  account.addZone("gone", { type: "resident" }).status = "deleted";
  await expect(client.zones.listAll()).resolves.toEqual([
    { name: "on", type: "dc", status: "active" },
    { name: "off", type: "unblocker", status: "disabled" },
    { name: "gone", type: "res_rotating", status: "deleted" },
  ]);
  await expect(client.zones.listActive()).resolves.toEqual([{ name: "on", type: "dc" }]);
  expect(requests).toEqual([
    request({ method: "GET", path: "/zone/get_all_zones" }),
    request({ method: "GET", path: "/zone/get_active_zones" }),
  ]);
});

test.each([
  [[], []],
  [[{ name: "web" }], [{ name: "web" }]],
  [[{ name: "web", type: null, status: "active", more: 1 }], [{ name: "web", status: "active" }]],
])("the lists read %j", async (answered, zones) => {
  const { client, answer } = await startRemote();
  answer(200, answered);
  await expect(client.zones.listAll()).resolves.toEqual(zones);
  answer(200, answered);
  await expect(client.zones.listActive()).resolves.toEqual(zones);
});

test("null is an empty list of the active zones, and no list of all", async () => {
  const { client, answer } = await startRemote();
  answer(200, null);
  await expect(client.zones.listActive()).resolves.toEqual([]);
  answer(200, null);
  const error = await failure(client.zones.listAll(), ResponseFormatError);
  expect(error.message).toContain("the answer: expected a list, but it is null");
});

test.each([
  [true, 1, "disabled"],
  [false, 0, "active"],
])("%s sends %i", async (disabled, disable, status) => {
  const { client, account, requests, request } = await startRemote();
  account.addZone("web", { type: "static" });
  await expect(client.zones.setDisabled("web", disabled)).resolves.toBeUndefined();
  expect(account.zone("web")?.status).toBe(status);
  expect(requests).toEqual([request({ method: "POST", path: "/zone/change_disable", body: { zone: "web", disable } })]);
});

describe("remove", () => {
  test("names the zone in the body, and removes no other", async () => {
    const { client, account, requests, request } = await startRemote();
    account.addZone("web", { type: "static" });
    account.addZone("other", { type: "static" });
    await expect(client.zones.remove("web")).resolves.toBeUndefined();
    expect(requests).toEqual([request({ method: "DELETE", path: "/zone", body: { zone: "web" } })]);
    expect(account.liveZones().map(({ name }) => name)).toEqual(["other"]);
    expect(account.sweeps).toEqual([]);
  });

  test.each([
    [400, "Zone not found"],
    [400, "Zone web does not exist"],
    [404, "no such thing"],
  ])("tells a zone that is gone by %i %j", async (status, message) => {
    const { client, answer } = await startRemote();
    answer(status, message);
    await expect(failure(client.zones.remove("web"), NotFoundError)).resolves.toMatchObject({ status });
  });

  test.each([
    [401, "Customer not found", AuthenticationError],
    [403, "Permission not found", PermissionError],
    [404, "<html><body><pre>Cannot DELETE /zone</pre></body></html>", ServiceError],
    [500, "Route not found", ServerError],
  ])("does not take %i %j for that: the zone would stay, and be paid for", async (status, body, kind) => {
    const { client, answer } = await startRemote();
    answer(status, body);
    const error = await failure(client.zones.remove("web"), kind);
    expect(error).not.toBeInstanceOf(NotFoundError);
  });

  test("does not take another refusal for that", async () => {
    const { client, answer } = await startRemote();
    answer(400, "Zone is locked");
    await expect(failure(client.zones.remove("web"), InvalidRequestError)).resolves.toMatchObject({
      serviceMessage: "Zone is locked",
    });
  });
});

describe("what a zone is like just now", () => {
  test("its status", async () => {
    const { client, account, requests, request } = await startRemote();
    account.addZone("web", { type: "static" }).status = "disabled";
    await expect(client.zones.status("web")).resolves.toBe("disabled");
    expect(requests).toEqual([request({ method: "GET", path: "/zone/status", query: { zone: "web" } })]);
  });

  test("its permissions", async () => {
    const { client, account, requests, request } = await startRemote();
    account.addZone("web", { type: "resident", city: true });
    await expect(client.zones.permissions("web")).resolves.toEqual(["country", "city"]);
    expect(requests).toEqual([request({ method: "GET", path: "/zone/permissions", query: { zone: "web" } })]);
  });

  test("who has used it of late", async () => {
    const { client, account, requests, request } = await startRemote();
    account.addZone("web", { type: "static" }).recentIps = ["198.51.100.1"];
    account.addZone("shop", { type: "static" }).recentIps = ["198.51.100.2"];
    account.addZone("idle", { type: "static" });
    await expect(client.zones.recentIps()).resolves.toEqual({ web: ["198.51.100.1"], shop: ["198.51.100.2"] });
    await expect(client.zones.recentIps(["web", "idle"])).resolves.toEqual({ web: ["198.51.100.1"] });
    expect(requests).toEqual([
      request({ method: "GET", path: "/zone/recent_ips", query: { zones: "*" } }),
      request({ method: "GET", path: "/zone/recent_ips", query: { zones: "web,idle" } }),
    ]);
  });

  test.each([
    [true, 1],
    [false, 0],
  ])("full uptime: %j", async (active, sent) => {
    const { client, account, requests, request } = await startRemote();
    const zone = account.addZone("web", { type: "static" });
    await expect(client.zones.setFullUptime("web", active)).resolves.toBeUndefined();
    expect(zone.plan.ip_fallback).toBe(sent);
    expect(requests).toEqual([
      request({ method: "POST", path: "/zone/switch_100uptime", body: { zone: "web", active: sent } }),
    ]);
  });
});
