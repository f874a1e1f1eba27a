import { expect, test } from "vitest";
import { Account } from "../../../simulator/account/account";

const dedicated = { type: "static", ips_type: "dedicated", ips: 2, country: "us", country_city: "us-chicago" };

test("an account with a seed is the same every time", () => {
  const clock = () => new Date("2026-01-01T00:00:00Z");
  const [one, two] = [new Account({ seed: "a", clock }), new Account({ seed: "a", clock })];
  expect(one.addZone("z", dedicated)).toEqual(two.addZone("z", dedicated));
  expect(one.addSnapshot("gd_simulated", ["ready"], []).id).toBe(two.addSnapshot("gd_simulated", ["ready"], []).id);
  expect(one.token).toBe(two.token);
  expect(new Account({ seed: "b", clock }).token).not.toBe(one.token);
});

test("an account without a seed is another every time", () => {
  expect(new Account().token).not.toBe(new Account().token);
  expect(new Account().token).toMatch(/^[a-z0-9]{32}$/);
});

test("no two allocated IPs are the same", () => {
  const account = new Account();
  const ips = account.allocateIps(70_000).map(({ ip }) => ip);
  expect(new Set(ips).size).toBe(70_000);
  expect(ips.every((ip) => /^198\.1[89]\.\d{1,3}\.\d{1,3}$/.test(ip))).toBe(true);
});

test("IPs have the country and city that were asked for", () => {
  const account = new Account();
  expect(account.addZone("z", dedicated).allocatedIps).toMatchObject([
    { country: "us", city: "us-chicago" },
    { country: "us", city: "us-chicago" },
  ]);
  expect(account.allocateIps(1, "any", "any")).toEqual([{ ip: expect.any(String), country: "us" }]);
});

test("a zone is removed once, and its name can be used again", () => {
  const account = new Account();
  account.addZone("a", dedicated);
  account.addZone("b", { type: "unblocker" });
  expect(account.removeZone("a")).toBe(true);
  expect(account.removeZone("a")).toBe(false);
  expect(account.removeZone("nosuch")).toBe(false);
  expect(account.zone("a")).toBeUndefined();
  expect(account.liveZones().map(({ name }) => name)).toEqual(["b"]);
  account.addZone("a", { type: "unblocker" });
  expect([...account.zones.keys()]).toEqual(["b", "a"]);
});

test("IPs are such that no zone has, also where zones came from a saved state", () => {
  const account = new Account();
  const zone = account.addZone("dedicated", { type: "static", ips_type: "dedicated", ips: 0 });
  zone.allocatedIps = [{ ip: "198.18.0.1", country: "us" }];
  zone.allocatedGips = [{ vip: "us_1001_01_city_1", country: "us" }];
  expect(account.allocateIps(2).map(({ ip }) => ip)).toEqual(["198.18.0.2", "198.18.0.3"]);
  zone.allocatedGips.push({ vip: "us_1003_01_city_1", country: "us" });
  expect(account.allocateGips(2).map(({ vip }) => vip)).toEqual(["us_1004_01_city_1", "us_1005_01_city_1"]);
});
