import { expect, test } from "vitest";
import { ArgumentError, InvalidRequestError, ResponseFormatError } from "../../src/base/errors";
import { failure, startRemote } from "./harness";

test("cities are those of a country, in the datacenter network", async () => {
  const { client, requests, request } = await startRemote();
  await expect(client.availability.cities("US")).resolves.toEqual(["us-chicago", "us-denver", "us-newyork"]);
  expect(requests).toEqual([
    request({ method: "GET", path: "/zone/static/cities", query: { country: "us", pool_ip_type: "dc" } }),
  ]);
});

test("cities are those of another network, and may be none", async () => {
  const { client, requests } = await startRemote();
  await expect(client.availability.cities("aq", "static_res")).resolves.toEqual([]);
  expect(requests).toMatchObject([{ query: { country: "aq", pool_ip_type: "static_res" } }]);
});

test.each(["usa", "", "u&"])("cities sends nothing for the country %j", async (country) => {
  const { client, requests } = await startRemote();
  await failure(client.availability.cities(country), ArgumentError);
  expect(requests).toEqual([]);
});

test("cities are not read from anything else", async () => {
  const { client, answer } = await startRemote();
  answer(200, { cities: ["us-chicago"] });
  await failure(client.availability.cities("us"), ResponseFormatError);
});

test("count for a zone", async () => {
  const { client, account, requests, request } = await startRemote({ remote: { availableIps: 7 } });
  account.addZone("web", { type: "static" });
  await expect(client.availability.count({ zone: "web" })).resolves.toBe(7);
  expect(requests).toEqual([request({ method: "GET", path: "/zone/count_available_ips", query: { zone: "web" } })]);
});

test("count for a plan, in the service's spelling", async () => {
  const { client, requests } = await startRemote({ remote: { availableIps: 7 } });
  const plan = {
    poolIpType: "static_res",
    ipsType: "selective",
    country: "US",
    countryCity: "us-chicago",
    domainWhitelist: "example.com example.org",
    geoDb: ["maxmind", "dbip"],
  } as const;
  await expect(client.availability.count({ plan })).resolves.toBe(7);
  expect(JSON.parse(requests[0]?.query.plan ?? "")).toEqual({
    pool_ip_type: "static_res",
    ips_type: "selective",
    country: "us",
    country_city: "us-chicago",
    city: true,
    domain_whitelist: "example.com example.org",
    geo_db: { maxmind: true, dbip: true },
  });
});

test("count takes a country and a city as a plan does", async () => {
  const { client, requests } = await startRemote();
  const { count } = client.availability;
  await expect(count({ plan: { country: "Any", countryCity: "any" } })).resolves.toBe(10_000);
  await expect(count({ plan: { country: "US", countryCity: "US-Chicago" } })).resolves.toBe(10_000);
  expect(requests.map(({ query }) => JSON.parse(query.plan ?? ""))).toEqual([
    {},
    { country: "us", country_city: "us-chicago", city: true },
  ]);
});

test("count for any plan", async () => {
  const { client, requests } = await startRemote();
  await expect(client.availability.count({ plan: {} })).resolves.toBe(10_000);
  expect(requests).toMatchObject([{ query: { plan: "{}" } }]);
});

test("count is refused for a zone that can have none", async () => {
  const { client, account } = await startRemote();
  account.addZone("homes", { type: "resident" });
  const error = await failure(client.availability.count({ zone: "homes" }), InvalidRequestError);
  expect(error.serviceMessage).toBe("Wrong zone plan");
});

test("count sends nothing for a country that is none", async () => {
  const { client, requests } = await startRemote();
  await failure(client.availability.count({ plan: { country: "usa" } }), ArgumentError);
  expect(requests).toEqual([]);
});
