import { expect, test } from "vitest";
import type { PlanInput } from "../../../simulator/account/plan";
import { NOW, ok, refusal, startRemote } from "./harness";

const datacenter = { type: "static", ips_type: "shared" };

test.each([
  ["/status", {}, "Auth method is not supported"],
  ["/status", { authorization: "Basic abc" }, "Auth method is not supported"],
  ["/zone/get_active_zones", { authorization: "Bearer wrong" }, "Customer not found"],
])("GET %s with the token %j is refused in text", async (path, headers, message) => {
  const { call } = await startRemote();
  const answer = await call("GET", path, undefined, { authorization: "", ...headers });
  expect(answer).toMatchObject({ status: 401, body: message });
});

test.each([
  ["POST", "/datasets/v3/trigger", { error: "Unauthorized" }],
  ["GET", "/datasets/v3/progress/s_1", { error: "User authentication is required" }],
])("%s %s without a token is refused in JSON", async (method, path, body) => {
  const { call } = await startRemote();
  expect(await call(method, path, undefined, { authorization: "Bearer wrong" })).toMatchObject({ status: 401, body });
});

test("the token can be rotated", async () => {
  const { account, call } = await startRemote();
  account.token = "another";
  expect(await call("GET", "/status", undefined, { authorization: "Bearer the-token" })).toMatchObject({
    status: 401,
  });
  expect(await call("GET", "/status")).toMatchObject({ status: 200 });
});

test("creating a zone answers the name, and the record shows neither name nor status", async () => {
  const { account, call } = await startRemote();
  const created = await call("POST", "/zone", { zone: { name: "dc1", type: "dc" }, plan: datacenter });
  expect(created).toEqual({
    status: 201,
    type: "application/json; charset=utf-8",
    error: null,
    body: { zone: "dc1" },
  });
  expect((await call("GET", "/zone?zone=dc1")).body).toEqual({
    created: NOW.toISOString(),
    password: account.zone("dc1")?.password,
    ips: ["any"],
    plan: {
      start: NOW.toISOString(),
      type: "static",
      product: "dc",
      ips_type: "shared",
      ips: 0,
      ip_fallback: 0,
      ip_alloc_preset: "shared_block",
      bandwidth: "payperusage",
    },
    description: "",
    perm: "country",
  });
  expect(account.zone("dc1")?.password).toEqual([expect.stringMatching(/^[a-z0-9]{12}$/)]);
  expect((await call("GET", "/zone/info?zone=dc1")).body).toHaveProperty("plan.product", "dc");
});

test.each([
  ["text", "Zone added", "Zone deleted"],
  ["empty", "", ""],
] as const)("creating a zone can answer otherwise, as its deletion can: %s", async (zoneAnswer, added, deleted) => {
  const { call } = await startRemote({ zoneAnswer, zoneCreatedStatus: 200 });
  const type = "text/html; charset=utf-8";
  expect(await call("POST", "/zone", { zone: { name: "z" }, plan: datacenter })).toMatchObject({
    ...ok(added),
    type,
  });
  expect(await call("DELETE", "/zone", { zone: "z" })).toMatchObject({ ...ok(deleted), type });
});

test("the countries of a plan can be shown in capitals", async () => {
  const { call } = await startRemote({ planCountries: "capitals" });
  await call("POST", "/zone", { zone: { name: "d" }, plan: { ...datacenter, country: "us" } });
  await call("POST", "/zone", { zone: { name: "r" }, plan: { type: "resident", country: "de" } });
  expect((await call("GET", "/zone?zone=d")).body).toMatchObject({ plan: { country: "US" } });
  expect((await call("GET", "/zone?zone=r")).body).toMatchObject({ plan: { default_country: "DE" } });
  expect((await call("POST", "/zone/change_disable", { zone: "d", disable: 1 })).body).toMatchObject({
    plan: { country: "US" },
  });
});

test.each<[string, PlanInput, Record<string, unknown>, string]>([
  [
    "residential: the country moves, flags become numbers",
    { type: "resident", country: "us", city: true, asn: "true", vip: false, ips_type: "shared", vips: "0" },
    { type: "resident", product: "res_rotating", default_country: "us", city: 1, asn: 1, vip: 0, vips: 0 },
    "country city asn",
  ],
  ["mobile", { type: "resident", mobile: true }, { type: "resident", product: "mobile", mobile: 1 }, "country"],
  ["SERP", { type: "unblocker", serp: true }, { type: "unblocker", product: "serp", serp: 1 }, "country"],
  [
    "unblocker",
    { type: "unblocker", ub_premium: "1" },
    { type: "unblocker", product: "unblocker", ub_premium: 1 },
    "country",
  ],
  [
    "browser",
    { type: "browser_api", country: "de" },
    { type: "browser_api", product: "browser_api", country: "de" },
    "country",
  ],
  [
    "dedicated ISP, unlimited",
    {
      type: "static",
      pool_ip_type: "static_res",
      ips_type: "dedicated",
      bandwidth: "unlimited",
      unl_bw_tiers: "std",
      ips: 2,
    },
    {
      type: "static",
      product: "res_static",
      pool_ip_type: "static_res",
      ips_type: "dedicated",
      bandwidth: "unlimited",
      unl_bw_tiers: "std",
      ips: 2,
      ip_fallback: 0,
    },
    "country ip route_all route_dedicated",
  ],
  [
    "unlimited without a tier is dropped without a word",
    { type: "static", ips_type: "dedicated", bandwidth: "unlimited", ips: "1" },
    { type: "static", product: "dc", ips_type: "dedicated", bandwidth: "payperusage", ips: 1, ip_fallback: 0 },
    "country ip route_all route_dedicated",
  ],
  [
    "dedicated residential",
    { type: "resident", vips_type: "domain", domain_whitelist: "a.com b.com", vips: 2, vip: true, vip_country: "tr" },
    {
      type: "resident",
      product: "res_rotating",
      vips_type: "domain",
      domain_whitelist: "a.com b.com",
      vips: 2,
      vip: 1,
      vip_country: "tr",
    },
    "country vip",
  ],
])("the plan of a zone is stored by its product: %s", async (_, plan, stored, perm) => {
  const { call } = await startRemote();
  expect(await call("POST", "/zone", { zone: { name: "z" }, plan })).toMatchObject({ status: 201 });
  const { body } = await call("GET", "/zone?zone=z");
  expect(body).toMatchObject({ perm });
  expect(body).toHaveProperty("plan", { start: NOW.toISOString(), ...stored });
});

const gips = "Can't allocate required amount of gIPs.";
test.each([
  [{}, "Zone name is required"],
  [{ zone: { name: "" }, plan: datacenter }, "Zone name is required"],
  [{ zone: { name: "z" } }, "Plan is required"],
  [{ zone: { name: "z" }, plan: {} }, "Plan type is not valid"],
  [{ zone: { name: "z" }, plan: { type: "browser" } }, "Plan type is not valid"],
  [{ zone: { name: "z" }, plan: { type: "static", ips: "some" } }, "ips should be an integer"],
  [{ zone: { name: "z" }, plan: { type: "static", country: "US" } }, "no IPs available"],
  [{ zone: { name: "z" }, plan: { type: "static", ips: 10_001 } }, "no IPs available"],
  [
    { zone: { name: "z" }, plan: { type: "resident", vips: 1 } },
    `${gips} Dedicated gIPs are only supported with "vips_type": "domain" together with a "domain_whitelist"`,
  ],
  [
    { zone: { name: "z" }, plan: { type: "resident", vips: 1, vips_type: "domain" } },
    `${gips} Target domains ("domain_whitelist") are required to allocate dedicated gIPs`,
  ],
])("creating %j is refused: %s", async (body, message) => {
  const { account, call } = await startRemote();
  expect(await call("POST", "/zone", body)).toEqual(refusal(400, message));
  expect(account.zones.size).toBe(0);
});

test("bad JSON, and JSON by another name, make no zone", async () => {
  const { call } = await startRemote();
  expect(await call("POST", "/zone", "{")).toEqual(refusal(400, "Invalid JSON"));
  const body = JSON.stringify({ zone: { name: "z" }, plan: datacenter });
  expect(await call("POST", "/zone", body, { "content-type": "text/plain" })).toEqual(
    refusal(400, "Zone name is required"),
  );
});

test("a taken name is refused, even while reads do not show the zone", async () => {
  const { call } = await startRemote({ zoneVisibleAfterReads: 5 });
  const body = { zone: { name: "z" }, plan: datacenter };
  expect(await call("POST", "/zone", body)).toMatchObject({ status: 201 });
  expect(await call("POST", "/zone", body)).toEqual(refusal(409, "Duplicate zone name"));
});

test("the refusal of a taken name can be another", async () => {
  const { account, call } = await startRemote({
    duplicateZoneStatus: 400,
    duplicateZoneMessage: "Zone already exists",
  });
  account.addZone("z", datacenter);
  expect(await call("POST", "/zone", { zone: { name: "z" }, plan: datacenter })).toEqual(
    refusal(400, "Zone already exists"),
  );
});

test("a deleted name can be used again, or not", async () => {
  const { account, remote, call } = await startRemote({ deletedNamesReusable: false });
  account.addZone("z", datacenter);
  account.removeZone("z");
  const body = { zone: { name: "z" }, plan: datacenter };
  expect(await call("POST", "/zone", body)).toMatchObject({ status: 409 });
  remote.behaviour.deletedNamesReusable = true;
  expect(await call("POST", "/zone", body)).toMatchObject({ status: 201 });
  expect((await call("GET", "/zone/get_all_zones")).body).toEqual([{ name: "z", type: "dc", status: "active" }]);
});

test.each(["kyc_required", "business_account_required"] as const)(
  "a residential zone is refused with %s",
  async (code) => {
    const { call } = await startRemote({ compliance: code });
    expect(await call("POST", "/zone", { zone: { name: "r" }, plan: { type: "resident" } })).toMatchObject({
      status: 403,
      body: { error: { code, alternatives: [{ plan: { type: "unblocker" } }] } },
    });
    expect(await call("POST", "/zone", { zone: { name: "d" }, plan: datacenter })).toMatchObject({ status: 201 });
  },
);

test("an account without funds has no zone calls", async () => {
  const { account, call } = await startRemote();
  account.status = "suspended";
  const answer = refusal(422, "Customer has invalid status");
  expect(await call("POST", "/zone", { zone: { name: "z" }, plan: datacenter })).toEqual(answer);
  expect(await call("GET", "/zone?zone=z")).toEqual(answer);
});

test("a new zone shows after some reads, of any kind", async () => {
  const { call } = await startRemote({ zoneVisibleAfterReads: 3 });
  await call("POST", "/zone", { zone: { name: "z" }, plan: datacenter });
  expect(await call("GET", "/zone?zone=z")).toEqual(refusal(422, "Zone not found"));
  expect((await call("GET", "/zone/get_active_zones")).body).toEqual([]);
  expect((await call("GET", "/zone/get_all_zones")).body).toEqual([]);
  expect((await call("GET", "/zone/get_active_zones")).body).toEqual([{ name: "z", type: "dc" }]);
  expect(await call("GET", "/zone?zone=z")).toMatchObject({ status: 200 });
});

test("a new zone shows after some time", async () => {
  let now = NOW.getTime();
  const { call } = await startRemote({ zoneVisibleAfterMs: 5_000 }, () => new Date(now));
  await call("POST", "/zone", { zone: { name: "z" }, plan: datacenter });
  now += 4_999;
  expect(await call("GET", "/zone?zone=z")).toEqual(refusal(422, "Zone not found"));
  expect((await call("GET", "/zone/get_all_zones")).body).toEqual([]);
  now += 1;
  expect(await call("GET", "/zone?zone=z")).toMatchObject({ status: 200 });
  expect((await call("GET", "/zone/get_all_zones")).body).toMatchObject([{ name: "z" }]);
});

test("an unknown zone answers what it is set to answer", async () => {
  const { remote, call } = await startRemote();
  expect(await call("GET", "/zone")).toEqual(refusal(422, "Zone not found"));
  for (const status of [422, 404, 400]) {
    remote.behaviour.unknownZoneStatus = status;
    expect(await call("GET", "/zone?zone=nosuch")).toEqual(refusal(status, "Zone not found"));
    expect(await call("GET", "/zone/status?zone=nosuch")).toEqual(refusal(status, "Zone not found"));
  }
  expect(await call("DELETE", "/zone", { zone: "nosuch" })).toEqual(refusal(400, "Zone not found"));
  remote.behaviour.unknownZoneDeletionStatus = 404;
  expect(await call("DELETE", "/zone", { zone: "nosuch" })).toEqual(refusal(404, "Zone not found"));
});

test("the lists differ in disabled and deleted zones", async () => {
  const { account, call } = await startRemote();
  account.addZone("on", { type: "unblocker" });
  account.addZone("off", { type: "resident" }).status = "disabled";
  account.addZone("gone", datacenter);
  account.removeZone("gone");
  expect((await call("GET", "/zone/get_active_zones")).body).toEqual([{ name: "on", type: "unblocker" }]);
  expect((await call("GET", "/zone/get_all_zones")).body).toEqual([
    { name: "on", type: "unblocker", status: "active" },
    { name: "off", type: "res_rotating", status: "disabled" },
    { name: "gone", type: "dc", status: "deleted" },
  ]);
  expect((await call("GET", "/zone/status?zone=off")).body).toEqual({ status: "disabled" });
  expect(await call("GET", "/zone?zone=gone")).toMatchObject({ status: 422 });
});

test("a zone shows its permissions, recent IPs and the limit of use", async () => {
  const { account, call } = await startRemote();
  const zone = account.addZone("a", { type: "static", ips_type: "dedicated", ips: 1 });
  account.addZone("b", datacenter);
  expect((await call("GET", "/zone/permissions?zone=a")).body).toEqual({
    perms: ["country", "ip", "route_all", "route_dedicated"],
  });
  expect((await call("GET", "/zone/recent_ips?zones=*")).body).toEqual({});
  zone.recentIps = ["192.0.2.1"];
  expect((await call("GET", "/zone/recent_ips?zones=a,b,nosuch")).body).toEqual({ a: ["192.0.2.1"] });
  expect((await call("GET", "/zone/recent_ips?zones=b")).body).toEqual({});
  zone.usageLimit = { value: 100, unit: "$", cycle: "m", bust_action: "disable_notify" };
  expect((await call("GET", "/zone?zone=a")).body).toHaveProperty("usage_limit.value", 100);
});

test("the plan says that a zone is disabled, and active again, where its record was edited", async () => {
  const { account, call } = await startRemote();
  const zone = account.addZone("z", { type: "static" });
  zone.status = "disabled";
  expect(await call("GET", "/zone?zone=z")).toMatchObject({ body: { plan: { disabled: 1 } } });
  await call("POST", "/zone/change_disable", { zone: "z", disable: 1 });
  zone.status = "active";
  expect(await call("GET", "/zone?zone=z")).toMatchObject({ body: { plan: { disabled: 0 } } });
});

test("a zone is disabled and activated", async () => {
  const { account, call } = await startRemote();
  account.addZone("z", datacenter);
  const disabled = await call("POST", "/zone/change_disable", { zone: "z", disable: 1 });
  expect(disabled).toMatchObject(ok({ plan: { type: "static", disabled: 1 } }));
  expect(account.zone("z")?.status).toBe("disabled");
  expect(await call("POST", "/zone/change_disable", { zone: "z", disable: 0 })).toMatchObject({
    body: { plan: { disabled: 0 } },
  });
  expect(account.zone("z")?.status).toBe("active");
  expect(await call("POST", "/zone/change_disable", { zone: "z", disable: true })).toEqual(
    refusal(400, "disable should be 0 or 1"),
  );
  expect(await call("POST", "/zone/change_disable", { disable: 1 })).toEqual(refusal(422, "Zone not found"));
});

test("the uptime of static zones only is switched", async () => {
  const { account, call } = await startRemote();
  account.addZone("z", datacenter);
  account.addZone("r", { type: "resident" });
  expect(await call("POST", "/zone/switch_100uptime", { zone: "z", active: 1 })).toMatchObject(ok("OK"));
  expect(account.zone("z")?.plan.ip_fallback).toBe(1);
  expect(await call("POST", "/zone/switch_100uptime", { zone: "z", active: 2 })).toMatchObject({ status: 400 });
  expect(await call("POST", "/zone/switch_100uptime", { zone: "r", active: 1 })).toEqual(
    refusal(400, "Wrong zone plan"),
  );
});

test("one zone is removed, once", async () => {
  const { account, call } = await startRemote();
  account.addZone("a", { type: "static", ips_type: "dedicated", ips: 2 });
  account.addZone("b", datacenter);
  expect(await call("DELETE", "/zone", { zone: "a" })).toMatchObject(ok({ zone: "a" }));
  expect(account.zones.get("a")).toMatchObject({ status: "deleted", allocatedIps: [] });
  expect(await call("DELETE", "/zone", { zone: "a" })).toEqual(refusal(400, "Zone not found"));
  expect(account.liveZones().map((zone) => zone.name)).toEqual(["b"]);
  expect(account.sweeps).toEqual([]);
});

test.each([
  ["no zone", {}, {}],
  ["an empty zone", { zone: "" }, {}],
  ["no zone, but null", { zone: null }, {}],
  ["no body", undefined, {}],
  ["a body of another content type", { zone: "a" }, { "content-type": "text/plain" }],
])("ALL zones are removed when told %s, and there is a record of it", async (_, body, headers) => {
  const { account, remote, call } = await startRemote();
  account.addZone("a", datacenter);
  account.addZone("b", datacenter);
  expect(await call("DELETE", "/zone", body, headers)).toMatchObject({ status: 200 });
  expect(account.liveZones()).toEqual([]);
  expect(account.sweeps).toEqual([{ method: "DELETE", path: "/zone", zones: ["a", "b"] }]);
  expect(remote.service.requests).toMatchObject([{ method: "DELETE", path: "/zone", status: 200 }]);
});

test("what no route matches answers 404", async () => {
  const { call } = await startRemote();
  expect(await call("PUT", "/zone", { zone: "a" })).toMatchObject({ status: 404, body: "Cannot PUT /zone" });
});
