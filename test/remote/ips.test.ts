import { expect, test, vi } from "vitest";
import { ArgumentError, ConnectionError, InvalidRequestError } from "../../src/base/errors";
import type { RefreshTarget } from "../../src/remote/ips";
import { failure, type Remote, startRemote } from "./harness";

vi.mock("../../src/http/pause", () => ({ pause: async () => {} }));

const withIps = ({ account }: Remote, name = "web", ips = 2) =>
  account.addZone(name, { type: "static", ips_type: "dedicated", ips, country: "us" });

const withGips = ({ account }: Remote) =>
  account.addZone("res", {
    type: "resident",
    vip: true,
    vips: 2,
    vips_type: "domain",
    domain_whitelist: "example.com",
    vip_country: "tr",
  });

const addressesOf = (zone: { allocatedIps: { ip: string }[] }) => zone.allocatedIps.map(({ ip }) => ip);

test("list tells where each IP is seen", async () => {
  const remote = await startRemote();
  const [first, second] = addressesOf(withIps(remote));
  const countries = { maxmind: "us", dbip: "us", ip2location: "us", google: "us" };
  await expect(remote.client.ips.list("web")).resolves.toEqual([
    { ip: first, countries },
    { ip: second, countries },
  ]);
  expect(remote.requests).toEqual([remote.request({ method: "GET", path: "/zone/ips", query: { zone: "web" } })]);
});

test("list reads an answer with less in it", async () => {
  const { client, answer } = await startRemote();
  answer(200, { ips: [{ ip: "198.51.100.1", ext: { dbip: null } }] });
  await expect(client.ips.list("web")).resolves.toEqual([{ ip: "198.51.100.1", countries: {} }]);
});

test("list passes on that the zone has none", async () => {
  const remote = await startRemote();
  withGips(remote);
  const error = await failure(remote.client.ips.list("res"), InvalidRequestError);
  expect(error.serviceMessage).toBe("Wrong zone plan");
});

test("list counts by country", async () => {
  const remote = await startRemote();
  withIps(remote);
  await expect(remote.client.ips.countByCountry("web")).resolves.toEqual({ us: 2 });
  expect(remote.requests[0]?.query).toEqual({ zone: "web", ip_per_country: "true" });
});

test("gIPs are listed and removed by name", async () => {
  const remote = await startRemote();
  const zone = withGips(remote);
  const [first, second] = zone.allocatedGips.map(({ vip }) => vip);
  await expect(remote.client.ips.listGips("res")).resolves.toEqual([first, second]);
  await expect(remote.client.ips.removeGips("res", [String(first)])).resolves.toEqual([second]);
  expect(remote.requests).toEqual([
    remote.request({ method: "GET", path: "/zone/route_vips", query: { zone: "res" } }),
    remote.request({ method: "DELETE", path: "/zone/vips", body: { zone: "res", gips: [first] } }),
  ]);
  await failure(remote.client.ips.removeGips("res", []), ArgumentError);
});

test("gIPs are not had by every zone", async () => {
  const remote = await startRemote();
  withIps(remote);
  const error = await failure(remote.client.ips.listGips("web"), InvalidRequestError);
  expect(error.message).toMatch(/Vip routes not found.*Zone "web" has no gIPs/s);
});

test("add asks for the customer's id first", async () => {
  const remote = await startRemote();
  const zone = withIps(remote);
  const before = addressesOf(zone);
  const added = await remote.client.ips.add("web", { count: 2, country: "gb", countryCity: "gb-london" });
  expect(added.ips).toEqual(addressesOf(zone));
  expect(added.newIps).toEqual(added.ips.filter((ip) => !before.includes(ip)));
  expect(added.newIps).toHaveLength(2);
  expect(remote.requests).toEqual([
    remote.request({ method: "GET", path: "/status" }),
    remote.request({
      method: "POST",
      path: "/zone/ips",
      body: { customer: "hl_test", zone: "web", count: 2, country: "gb", country_city: "gb-london" },
    }),
  ]);
});

test("add takes the customer's id that is given", async () => {
  const remote = await startRemote();
  withIps(remote);
  await remote.client.ips.add("web", { count: 1, customer: "hl_test" });
  const body = { customer: "hl_test", zone: "web", count: 1 };
  expect(remote.requests).toEqual([remote.request({ method: "POST", path: "/zone/ips", body })]);
});

test("add is never sent again when it is not known what became of it", async () => {
  const remote = await startRemote();
  const zone = withIps(remote);
  remote.simulator.remote.service.faults.add({ kind: "reset-after", method: "POST" });
  await failure(remote.clientWith({ retries: 3 }).ips.add("web", { count: 1 }), ConnectionError);
  expect(zone.allocatedIps).toHaveLength(3);
});

test.each([0, -1, 1.5, Number.NaN])("add does not add %d", async (count) => {
  const { client, requests } = await startRemote();
  await failure(client.ips.add("web", { count }), ArgumentError);
  expect(requests).toEqual([]);
});

test("remove removes those that are named", async () => {
  const remote = await startRemote();
  const [first, second] = addressesOf(withIps(remote));
  await expect(remote.client.ips.remove("web", [String(first)])).resolves.toEqual([second]);
  expect(remote.requests).toEqual([
    remote.request({ method: "DELETE", path: "/zone/ips", body: { zone: "web", ips: [first] } }),
  ]);
});

test("remove does not take none for all", async () => {
  const { client, requests } = await startRemote();
  await failure(client.ips.remove("web", []), ArgumentError);
  expect(requests).toEqual([]);
});

test("migrate moves those that are named", async () => {
  const remote = await startRemote();
  const [first] = addressesOf(withIps(remote));
  const shop = withIps(remote, "shop", 1);
  const ips = [String(first)];
  await expect(remote.client.ips.migrate({ from: "web", to: "shop", ips })).resolves.toBe(1);
  expect(addressesOf(shop)).toContain(first);
  expect(remote.requests).toEqual([
    remote.request({ method: "POST", path: "/zone/ips/migrate", body: { from: "web", to: "shop", ips } }),
  ]);
  await failure(remote.client.ips.migrate({ from: "web", to: "shop", ips: [] }), ArgumentError);
});

test("refresh replaces the IPs that are named", async () => {
  const remote = await startRemote();
  const zone = withIps(remote);
  const [first, second] = addressesOf(zone);
  const refreshed = await remote.client.ips.refresh("web", {
    ips: [String(first)],
    country: "gb",
    countryCity: "gb-london",
  });
  const [fresh] = addressesOf(zone);
  expect(refreshed).toEqual({ kind: "ips", ips: [fresh, second], newIps: [fresh] });
  expect(remote.requests).toEqual([
    remote.request({
      method: "POST",
      path: "/zone/ips/refresh",
      body: { zone: "web", ips: [first], country: "gb", country_city: "gb-london" },
    }),
  ]);
});

test("refresh replaces the gIPs that are named", async () => {
  const remote = await startRemote();
  const zone = withGips(remote);
  const first = String(zone.allocatedGips[0]?.vip);
  const refreshed = await remote.client.ips.refresh("res", { gips: [first] });
  expect(refreshed).toEqual({
    kind: "gips",
    gips: zone.allocatedGips.map(({ vip, country }) => ({ gip: vip, country })),
  });
  expect(remote.requests).toEqual([
    remote.request({ method: "POST", path: "/zone/ips/refresh", body: { zone: "res", vips: [first] } }),
  ]);
});

test("refresh replaces all when that is what it is told", async () => {
  const remote = await startRemote();
  const zone = withIps(remote);
  const refreshed = await remote.client.ips.refresh("web", { all: true });
  expect(refreshed).toEqual({ kind: "ips", ips: addressesOf(zone), newIps: addressesOf(zone) });
  expect(remote.requests).toEqual([
    remote.request({ method: "POST", path: "/zone/ips/refresh", body: { zone: "web" } }),
  ]);
});

test.each<unknown>([
  {},
  { all: false },
  { ips: undefined },
  { ips: [] },
  { gips: [] },
  { ips: null },
  { gips: null },
  { ips: [""] },
  { ips: ["198.51.100.1"], all: true },
  { ips: ["198.51.100.1"], gips: ["a"] },
])("refresh is not sent for %j, which the service might take for all", async (target) => {
  const { client, requests } = await startRemote();
  await failure(client.ips.refresh("web", target as RefreshTarget), ArgumentError);
  expect(requests).toEqual([]);
});

test("refresh is never sent again when it is not known what became of it", async () => {
  const remote = await startRemote();
  withIps(remote);
  remote.simulator.remote.service.faults.add({ kind: "reset-after" });
  await failure(remote.clientWith({ retries: 3 }).ips.refresh("web", { all: true }), ConnectionError);
  expect(remote.requests).toHaveLength(1);
});

test("the IPs that do not work are listed by zone, and for one zone", async () => {
  const remote = await startRemote();
  const { client, requests, request } = remote;
  const zone = withIps(remote);
  await expect(client.ips.listUnavailable()).resolves.toEqual({});
  await expect(client.ips.listPendingReplacement("web")).resolves.toEqual([]);
  zone.unavailableIps = ["198.51.100.1"];
  await expect(client.ips.listUnavailable()).resolves.toEqual({ web: ["198.51.100.1"] });
  await expect(client.ips.listPendingReplacement("web")).resolves.toEqual(["198.51.100.1"]);
  expect(requests.slice(2)).toEqual([
    request({ method: "GET", path: "/zone/ips/unavailable" }),
    request({ method: "GET", path: "/zone/proxies_pending_replacement", query: { zone: "web" } }),
  ]);
});
