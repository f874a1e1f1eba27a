import { expect, test } from "vitest";
import { ok, refusal, startRemote } from "./harness";

test("an open zone closes with the first address and opens after the last", async () => {
  const { account, call } = await startRemote();
  const zone = account.addZone("z", { type: "unblocker" });
  expect(await call("POST", "/zone/whitelist", { zone: "z", ip: "192.0.2.1" })).toMatchObject(ok("", 201));
  expect(zone.ips).toEqual(["192.0.2.1"]);
  await call("POST", "/zone/whitelist", { zone: "z", ip: ["192.0.2.1", "198.51.100.0/24"] });
  expect((await call("GET", "/zone/whitelist?zones=z")).body).toEqual({ z: ["192.0.2.1", "198.51.100.0/24"] });
  expect((await call("GET", "/zone?zone=z")).body).toHaveProperty("ips", ["192.0.2.1", "198.51.100.0/24"]);
  expect(await call("DELETE", "/zone/whitelist", { zone: "z", ip: "192.0.2.1" })).toMatchObject(ok(""));
  await call("DELETE", "/zone/whitelist", { zone: "z", ip: "198.51.100.0/24" });
  expect(zone.ips).toEqual(["any"]);
  zone.ips = ["192.0.2.1"];
  await call("POST", "/zone/whitelist", { zone: "z", ip: "any" });
  expect(zone.ips).toEqual(["any"]);
});

test("denied addresses are added and removed", async () => {
  const { account, call } = await startRemote();
  account.addZone("z", { type: "unblocker" });
  account.addZone("other", { type: "unblocker" });
  expect((await call("GET", "/zone/blacklist")).body).toEqual({});
  expect(await call("POST", "/zone/blacklist", { zone: "z", ip: ["192.0.2.1", "192.0.2.2"] })).toMatchObject(
    ok("", 201),
  );
  expect((await call("GET", "/zone/blacklist?zones=*")).body).toEqual({ z: ["192.0.2.1", "192.0.2.2"] });
  expect((await call("GET", "/zone/blacklist?zones=other")).body).toEqual({});
  expect(await call("DELETE", "/zone/blacklist", { zone: "z", ip: "192.0.2.1" })).toMatchObject(ok(""));
  expect((await call("GET", "/zone/blacklist")).body).toEqual({ z: ["192.0.2.2"] });
});

test.each([
  "192.0.2.1",
  "192.0.2.0/24",
  "192.0.2.0/255.255.255.0",
  "192.0.2.1-192.0.2.9",
  "2001:db8::1-2001:db8::9",
  "2001:db8::1",
  "2001:db8::/64",
])("%s is a client address", async (ip) => {
  const { account, call } = await startRemote();
  const zone = account.addZone("z", { type: "unblocker" });
  expect(await call("POST", "/zone/whitelist", { zone: "z", ip })).toMatchObject({ status: 201 });
  expect(zone.ips).toEqual([ip]);
});

test.each([
  "office",
  "192.0.2.256",
  "192.0.2.0/33",
  "192.0.2.1-",
  "192.0.2.1-24",
  "192.0.2.1-192.0.2.2-192.0.2.3",
  "192.0.2.9-192.0.2.1",
  "2001:db8::9-2001:db8::1",
])("%s is no client address", async (ip) => {
  const { account, call } = await startRemote();
  account.addZone("z", { type: "unblocker" });
  expect(await call("POST", "/zone/whitelist", { zone: "z", ip })).toEqual(refusal(400, "Invalid IP"));
});

test.each([
  ["POST", "/zone/whitelist"],
  ["DELETE", "/zone/whitelist"],
  ["POST", "/zone/blacklist"],
  ["DELETE", "/zone/blacklist"],
])("%s %s without a zone acts on ALL of them, and there is a record of it", async (method, path) => {
  const { account, call } = await startRemote();
  for (const name of ["a", "b"]) {
    const zone = account.addZone(name, { type: "unblocker" });
    zone.ips = ["192.0.2.1", "192.0.2.2"];
    zone.deniedIps = ["192.0.2.1", "192.0.2.2"];
  }
  expect(await call(method, path, { ip: method === "POST" ? "192.0.2.3" : "192.0.2.2" })).toMatchObject({
    status: method === "POST" ? 201 : 200,
  });
  const list = method === "POST" ? ["192.0.2.1", "192.0.2.2", "192.0.2.3"] : ["192.0.2.1"];
  expect((await call("GET", path)).body).toEqual({ a: list, b: list });
  expect(account.sweeps).toEqual([{ method, path, zones: ["a", "b"] }]);
});

test.each(["POST", "DELETE"])("%s refuses an unknown zone and a missing address", async (method) => {
  const { account, call } = await startRemote();
  account.addZone("z", { type: "unblocker" });
  for (const path of ["/zone/whitelist", "/zone/blacklist"]) {
    expect(await call(method, path, { zone: "nosuch", ip: "192.0.2.1" })).toEqual(refusal(422, "Zone not found"));
    expect(await call(method, path, { zone: "z" })).toEqual(refusal(400, "ip is required"));
  }
  expect(account.sweeps).toEqual([]);
});

test("target domains are added and removed in one string", async () => {
  const { account, call } = await startRemote();
  const zone = account.addZone("z", { type: "unblocker" });
  expect(
    await call("POST", "/zone/domain_perm", { zone: "z", type: "whitelist", domain: "a.com b.com c.com" }),
  ).toMatchObject(ok("", 201));
  await call("POST", "/zone/domain_perm", { zone: "z", type: "blacklist", domain: "d.com" });
  expect(zone.domains).toEqual({ whitelist: ["a.com", "b.com", "c.com"], blacklist: ["d.com"] });
  expect(
    await call("DELETE", "/zone/domain_perm", { zone: "z", type: "whitelist", domain: "a.com c.com" }),
  ).toMatchObject(ok({ whitelist: "b.com" }));
});

test("a zone's target domains begin with those of the plan", async () => {
  const { account } = await startRemote();
  const zone = account.addZone("z", { type: "static", domain_whitelist: "a.com b.com" });
  expect(zone.domains.whitelist).toEqual(["a.com", "b.com"]);
});

test.each([
  ["POST", { type: "whitelist" }, 422, "Zone not found"],
  ["POST", { zone: "z" }, 400, "type should be whitelist or blacklist"],
  ["POST", { zone: "z", type: "whitelist", domain: ["a.com"] }, 400, "domain should be a string"],
  ["DELETE", { zone: "z", type: "whitelist" }, 400, "domain is required"],
])("%s of target domains with %j is refused", async (method, body, status, message) => {
  const { account, call } = await startRemote();
  account.addZone("z", { type: "unblocker" });
  expect(await call(method, "/zone/domain_perm", body)).toEqual(refusal(status, message));
});
