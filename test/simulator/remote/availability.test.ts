import { expect, test } from "vitest";
import { ok, refusal, startRemote } from "./harness";

test("the countries are listed by type of zone", async () => {
  const { call } = await startRemote();
  expect((await call("GET", "/countrieslist")).body).toHaveProperty(
    "zone_type.ISP_dedicated_ip.country_codes",
    expect.arrayContaining(["us", "gb"]),
  );
});

test.each([
  ["country=us", ["us-chicago", "us-denver", "us-newyork"]],
  ["country=gb&pool_ip_type=static_res", ["gb-london"]],
  ["country=us&pool_ip_type=dc", ["us-chicago", "us-denver", "us-newyork"]],
  ["country=aq", []],
])("the cities are listed with %s", async (query, cities) => {
  const { call } = await startRemote();
  expect(await call("GET", `/zone/static/cities?${query}`)).toMatchObject(ok(cities));
});

const counted = (plan: object) => `plan=${encodeURIComponent(JSON.stringify(plan))}`;

test.each([
  ["zone=web", 500],
  [counted({}), 500],
  [counted({ country: "us", ips_type: "shared" }), 500],
  [counted({ country: "aq" }), 0],
  [counted({ country_city: "us-denver", city: true }), 500],
  [counted({ country_city: "us-nowhere", city: true }), 0],
  // Without `city` the service does not look at the city.
  [counted({ country_city: "us-nowhere" }), 500],
])("the number of IPs is told with %s", async (query, count) => {
  const { account, call } = await startRemote({ availableIps: 500 });
  account.addZone("web", { type: "static" });
  expect(await call("GET", `/zone/count_available_ips?${query}`)).toMatchObject(ok({ count }));
});

test.each([
  ["/zone/static/cities", 400, "country is required"],
  ["/zone/static/cities?country=us&pool_ip_type=mobile", 400, "pool_ip_type should be dc or static_res"],
  ["/zone/count_available_ips", 400, "zone or plan is required"],
  ["/zone/count_available_ips?plan=shared", 400, "Invalid plan"],
  ["/zone/count_available_ips?plan=[]", 400, "Invalid plan"],
  ["/zone/count_available_ips?zone=rotating", 400, "Wrong zone plan"],
  ["/zone/count_available_ips?zone=nosuch", 422, "Zone not found"],
])("GET %s is refused", async (path, status, message) => {
  const { account, call } = await startRemote();
  account.addZone("rotating", { type: "resident" });
  expect(await call("GET", path)).toEqual(refusal(status, message));
});
