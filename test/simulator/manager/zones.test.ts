import { expect, test } from "vitest";
import { Account } from "../../../simulator/account/account";
import { errors, startManager } from "./harness";

const names = (body: unknown): string[] => (body as { zones: { name: string }[] }).zones.map(({ name }) => name);

test("every zone of the account is listed, disabled ones and passwords included", async () => {
  const { call } = await startManager();
  const { body } = await call("GET /api/zones");
  const { zones, def } = body as { zones: Record<string, unknown>[]; def: string };
  expect(def).toBe("static");
  expect(zones.map(({ name, perm, password, refresh_cost }) => [name, perm, password, refresh_cost])).toEqual([
    ["static", "country ip route_all route_dedicated", "pass_static", 0.5],
    ["dc", "country ip route_all route_dedicated", "pass_dc", 0.5],
    ["res", "country vip state city asn carrier", "pass_res", 0.5],
    ["mob", "country vip mobile asn carrier state city", "pass_mob", 0.5],
    ["unb", "country vip", "pass_unb", 0.5],
    ["off", "country ip route_all route_dedicated", "pass_off", 0.5],
  ]);
  expect(zones.map(({ plan }) => (plan as { disable?: number }).disable)).toEqual([...Array(5), 1]);
});

test("there are no zones without a login, so no port with a zone can be updated", async () => {
  const { call, replay, data, manager } = await startManager({ loggedIn: false });
  const update = { proxy: { country: "us" } };
  await replay([
    ["GET /api/mode", undefined, 200, { logged_in: false }],
    ["GET /api/zones", undefined, 200, { zones: [], def: "static" }],
  ]);
  const sent = { port: 24000, customer: "hl_mine", zone: "myzone", password: "mypw", whitelist_ips: ["1.2.3.4"] };
  await data("POST /api/proxies", sent, []);
  await data("POST /api/proxies", { port: 24001 }, []);
  await replay([
    ["GET /api/proxies/24000", undefined, 200, { ...sent, proxy_type: "persist", gb_cost: 0 }],
    ["PUT /api/proxies/24000", update, 400, errors("the provided zone name is not valid.", "zone")],
  ]);
  expect(await data("PUT /api/proxies/24001", { password: "p", customer: "c" }, ["password", "customer"])).toEqual({
    password: "p",
    customer: "c",
  });
  expect((await call("GET /api/settings")).body).not.toHaveProperty("customer");

  manager.logIn();
  await replay([["GET /api/mode", undefined, 200, { logged_in: true }]]);
  // The login took the unknown zone away and put the default one in its place.
  expect((await call("GET /api/proxies/24000")).body).toMatchObject({ zone: "static", password: "pass_static" });
  expect((await call("PUT /api/proxies/24000", update)).status).toBe(200);
});

test("a manager that never reached the vendor is neither logged in nor out", async () => {
  const { replay } = await startManager({ vendorReachable: false });
  await replay([
    ["GET /api/mode", undefined, 200, {}],
    ["GET /api/conn", undefined, 200, { current_country: "us", domain: false }],
    ["GET /api/zones", undefined, 200, { zones: [], def: "static" }],
    ["GET /api/last_version", undefined, 500, "getaddrinfo ENOTFOUND brightdata.com"],
    ["GET /api/allocated_ips?zone=static", undefined, 500, "specified zone does not exist"],
  ]);
});

test("a new zone arrives after some readings", async () => {
  const { account, call, data, replay } = await startManager({ zonesVisibleAfterReads: 2 });
  account.addZone("fresh", { type: "static" });
  await data("POST /api/proxies", { port: 24000, zone: "fresh" }, []);
  const update = { proxy: { country: "us" } };
  const unknown = errors("the provided zone name is not valid.", "zone");
  expect(names((await call("GET /api/zones")).body)).not.toContain("fresh");
  await replay([["PUT /api/proxies/24000", update, 400, unknown]]);
  expect(names((await call("GET /api/zones")).body)).not.toContain("fresh");
  expect(names((await call("GET /api/zones")).body)).toContain("fresh");
  expect((await call("PUT /api/proxies/24000", update)).status).toBe(200);
});

test("a port follows its zone when that is changed, and gets the default one when it is deleted", async () => {
  const { account, call, data, replay } = await startManager();
  await data("POST /api/proxies", { port: 24000, zone: "dc", customer: "hl_mine" }, []);
  const dc = account.zone("dc");
  if (dc === undefined) throw new Error("The account has no zone dc.");
  dc.password = ["rotated"];
  expect((await call("GET /api/proxies/24000")).body).toMatchObject({ zone: "dc", password: "rotated" });
  dc.status = "disabled";
  const disabled = errors("zone disabled", "zone");
  await replay([["PUT /api/proxies/24000", { proxy: { country: "us" } }, 400, disabled]]);
  dc.status = "deleted";
  expect((await call("GET /api/proxies/24000")).body).toMatchObject({
    zone: "static",
    password: "pass_static",
    customer: "hl_mine",
  });
});

test("an unblocker port analyses SSL once the zones have come", async () => {
  const { account, call, data } = await startManager();
  await data("POST /api/proxies", { port: 24000, zone: "unb", ssl: false }, []);
  expect((await call("GET /api/proxies/24000")).body).toMatchObject({ ssl: false });
  account.addZone("another", { type: "static" });
  expect((await call("GET /api/proxies/24000")).body).toMatchObject({ ssl: true, unblock: true });
});

test("the default zone is one that there is", async () => {
  const account = new Account({ customer: "hl_empty" });
  const { call } = await startManager({ account });
  expect((await call("GET /api/settings")).body).not.toHaveProperty("zone");
  account.addZone("first", { type: "static" });
  expect((await call("GET /api/zones")).body).toMatchObject({ def: "first", zones: [{ name: "first" }] });
});
