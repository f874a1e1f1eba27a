import { expect, test } from "vitest";
import { type Harness, ok, refusal, startRemote } from "./harness";

/** A zone with IPs, one with gIPs, a rotating one and a shared one. */
async function startZones(): Promise<Harness> {
  const harness = await startRemote({ availableIps: 100 });
  harness.account.addZone("dedicated", { type: "static", ips_type: "dedicated", ips: 3, country: "gb" });
  harness.account.addZone("gips", {
    type: "resident",
    vips_type: "domain",
    vips: 2,
    vip: true,
    vip_country: "tr",
    domain_whitelist: "a.com",
  });
  harness.account.addZone("rotating", { type: "resident" });
  harness.account.addZone("shared", { type: "static", ips_type: "shared" });
  return harness;
}

const [first, second, third] = ["198.18.0.1", "198.18.0.2", "198.18.0.3"];

test("IPs are listed with geolocation, by country, as text and with countries", async () => {
  const { call } = await startZones();
  const { body } = await call("GET", "/zone/ips?zone=dedicated");
  expect((body as { ips: unknown[] }).ips).toHaveLength(3);
  expect(body).toMatchObject({
    ips: [
      { ip: first, maxmind: "gb", ext: { dbip: "gb", ip2location: "gb", google: "gb" } },
      { ip: second },
      { ip: third },
    ],
  });
  expect((await call("GET", "/zone/ips?zone=dedicated&ip_per_country=true")).body).toEqual({ gb: 3 });
  expect(await call("GET", "/zone/route_ips?zone=dedicated")).toMatchObject({
    type: "text/plain; charset=utf-8",
    body: `${first}\n${second}\n${third}`,
  });
  expect((await call("GET", "/zone/route_ips?zone=dedicated&list_countries=true&country=gb")).body).toEqual(
    [first, second, third].map((ip) => ({ ip, country: "gb" })),
  );
  expect((await call("GET", "/zone/route_ips?zone=dedicated&list_countries=true&country=fr")).body).toEqual([]);
});

test("gIPs are listed for the zones that have them", async () => {
  const { account, call } = await startZones();
  const gips = account.zone("gips");
  expect((await call("GET", "/zone/route_vips?zone=gips")).body).toEqual(gips?.allocatedGips.map(({ vip }) => vip));
  expect(gips?.allocatedGips).toEqual([
    { vip: expect.stringMatching(/^tr_\d+_01_city_1$/), country: "tr" },
    { vip: expect.stringMatching(/^tr_\d+_01_city_1$/), country: "tr" },
  ]);
  expect(await call("GET", "/zone/route_vips?zone=dedicated")).toEqual(refusal(403, "Vip routes not found"));
  expect(await call("GET", "/zone/route_vips?zone=rotating")).toEqual(
    refusal(422, "endpoint not available with the chosen zone"),
  );
});

test("IPs that are out of order are listed by zone", async () => {
  const { account, call } = await startZones();
  expect((await call("GET", "/zone/ips/unavailable")).body).toEqual({});
  const dedicated = account.zone("dedicated");
  if (dedicated !== undefined) dedicated.unavailableIps = [second];
  expect((await call("GET", "/zone/ips/unavailable")).body).toEqual({ dedicated: [second] });
  expect((await call("GET", "/zone/proxies_pending_replacement?zone=dedicated")).body).toEqual({
    dedicated: [second],
  });
  expect((await call("GET", "/zone/proxies_pending_replacement?zone=shared")).body).toEqual({});
});

test("IPs are added in the country asked for, or in the zone's", async () => {
  const { account, call } = await startZones();
  const added = await call("POST", "/zone/ips", {
    customer: "hl_test",
    zone: "dedicated",
    count: 1,
    country: "us",
    country_city: "us-chicago",
  });
  const { ips, new_ips: fresh } = added.body as { ips: string[]; new_ips: string[] };
  expect(ips).toEqual([first, second, third, ...fresh]);
  await call("POST", "/zone/ips", { customer: "hl_test", zone: "dedicated", count: 1 });
  expect(account.zone("dedicated")?.allocatedIps.slice(3)).toMatchObject([
    { ip: fresh[0], country: "us", city: "us-chicago" },
    { ip: expect.any(String), country: "gb" },
  ]);
  expect(account.zone("dedicated")?.plan.ips).toBe(5);
});

test("added IPs are listed after some looks", async () => {
  const { remote, call } = await startZones();
  remote.behaviour.addedIpsVisibleAfterReads = 2;
  const added = await call("POST", "/zone/ips", { customer: "hl_test", zone: "dedicated", count: 1 });
  expect(added.body).toMatchObject({ ips: [first, second, third, expect.any(String)] });
  expect((await call("GET", "/zone/ips?zone=dedicated&ip_per_country=true")).body).toEqual({ gb: 3 });
  expect((await call("GET", "/zone/route_ips?zone=dedicated")).body).toBe(`${first}\n${second}\n${third}`);
  expect((await call("GET", "/zone/ips?zone=dedicated&ip_per_country=true")).body).toEqual({ gb: 4 });
});

test.each([
  [{ customer: "hl_other", zone: "dedicated", count: 1 }, 400, "Wrong customer"],
  [{ customer: "hl_test", zone: "rotating", count: 1 }, 400, "Wrong zone plan"],
  [{ customer: "hl_test", count: 1 }, 422, "Zone not found"],
  [{ customer: "hl_test", zone: "dedicated" }, 400, "count should be a positive integer"],
  [{ customer: "hl_test", zone: "dedicated", count: 101 }, 400, "no IPs available"],
])("adding IPs with %j is refused", async (body, status, message) => {
  const { call } = await startZones();
  expect(await call("POST", "/zone/ips", body)).toEqual(refusal(status, message));
});

test("IPs and gIPs are removed", async () => {
  const { account, call } = await startZones();
  expect(await call("DELETE", "/zone/ips", { zone: "dedicated", ips: [first, third] })).toMatchObject(
    ok({ ips: [second] }),
  );
  expect(account.zone("dedicated")?.plan.ips).toBe(1);
  const [one, two] = account.zone("gips")?.allocatedGips.map(({ vip }) => vip) ?? [];
  expect(await call("DELETE", "/zone/vips", { zone: "gips", gips: [one] })).toMatchObject(ok([two]));
  expect(account.zone("gips")?.plan.vips).toBe(1);
});

test.each([
  ["/zone/ips", { zone: "dedicated", ips: ["192.0.2.1"] }, "IP not found in zone"],
  ["/zone/ips", { zone: "dedicated" }, "ips should be a list of IPs"],
  ["/zone/ips", { zone: "rotating", ips: [first] }, "Wrong zone plan"],
  ["/zone/vips", { zone: "gips", gips: ["nosuch"] }, "gIP not found in zone"],
  ["/zone/vips", { zone: "gips" }, "gIPs should be a list of gIPs"],
])("DELETE %s with %j is refused", async (path, body, message) => {
  const { call } = await startZones();
  expect(await call("DELETE", path, body)).toEqual(refusal(400, message));
});

test("IPs are moved from zone to zone", async () => {
  const { account, call } = await startZones();
  expect(
    await call("POST", "/zone/ips/migrate", { from: "dedicated", to: "shared", ips: [first, second] }),
  ).toMatchObject(ok({ from: "dedicated", to: "shared", count: 2 }));
  expect(account.zone("dedicated")?.allocatedIps.map(({ ip }) => ip)).toEqual([third]);
  expect(account.zone("shared")?.plan.ips).toBe(2);
});

test("the IPs that are named are refreshed", async () => {
  const { call } = await startZones();
  const { body } = await call("POST", "/zone/ips/refresh", { zone: "dedicated", ips: [second], country: "fr" });
  const { new_ips: fresh } = body as { new_ips: string[] };
  expect(body).toEqual({ ips: [first, fresh[0], third], new_ips: [expect.not.stringMatching(second)] });
  expect((await call("GET", "/zone/ips?zone=dedicated&ip_per_country=true")).body).toEqual({ gb: 2, fr: 1 });
});

test("all IPs are refreshed when none is named", async () => {
  const { call } = await startZones();
  const { body } = await call("POST", "/zone/ips/refresh", { zone: "dedicated" });
  const { ips, new_ips: fresh } = body as { ips: string[]; new_ips: string[] };
  expect(ips).toEqual(fresh);
  expect(ips).toHaveLength(3);
  expect(ips).not.toContain(first);
});

test("gIPs are refreshed, in the other shape", async () => {
  const { account, call } = await startZones();
  const [one, two] = account.zone("gips")?.allocatedGips ?? [];
  const { body } = await call("POST", "/zone/ips/refresh", { zone: "gips", vips: [one?.vip] });
  expect(body).toEqual({ vips: [{ vip: expect.stringMatching(/^tr_/), country: "tr" }, two] });
  expect(body).not.toHaveProperty("vips.0.vip", one?.vip);
  const all = await call("POST", "/zone/ips/refresh", { zone: "gips", country: "es" });
  expect(all.body).toMatchObject({ vips: [{ country: "es" }, { country: "es" }] });
});

test.each([
  [{ zone: "rotating" }, 400, "Wrong zone plan"],
  [{ zone: "shared" }, 400, "Wrong zone plan"],
  [{}, 422, "Zone not found"],
  [{ zone: "dedicated", ips: ["192.0.2.1"] }, 400, "IP not found in zone"],
  [{ zone: "gips", vips: ["nosuch"] }, 400, "gIP not found in zone"],
])("a refresh with %j is refused", async (body, status, message) => {
  const { call } = await startZones();
  expect(await call("POST", "/zone/ips/refresh", body)).toEqual(refusal(status, message));
});

test.each(["/zone/ips", "/zone/ips?zone=nosuch", "/zone/route_ips", "/zone/route_vips?zone=nosuch"])(
  "GET %s names no zone",
  async (path) => {
    const { call } = await startZones();
    expect(await call("GET", path)).toEqual(refusal(422, "Zone not found"));
  },
);

test.each(["rotating", "gips"])("GET /zone/ips of %s has the wrong plan", async (zone) => {
  const { call } = await startZones();
  expect(await call("GET", `/zone/ips?zone=${zone}`)).toEqual(refusal(400, "Wrong zone plan"));
});
