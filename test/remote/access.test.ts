import { describe, expect, test, vi } from "vitest";
import { ArgumentError, InvalidRequestError, ResponseFormatError } from "../../src/base/errors";
import { failure, startRemote } from "./harness";

vi.mock("../../src/http/pause", () => ({ pause: async () => {} }));

describe.each([
  ["whitelist", "listAllowedIps", "ips"],
  ["blacklist", "listDeniedIps", "deniedIps"],
] as const)("%s", (path, operation, field) => {
  test("lists all zones, or those that are named", async () => {
    const { client, account, requests, request } = await startRemote();
    account.addZone("web", { type: "static" })[field] = ["198.51.100.1", "203.0.113.0/24"];
    account.addZone("shop", { type: "static" })[field] = ["198.51.100.2"];
    await expect(client.access[operation]()).resolves.toEqual({
      web: ["198.51.100.1", "203.0.113.0/24"],
      shop: ["198.51.100.2"],
    });
    await expect(client.access[operation](["shop", "none"])).resolves.toEqual({ shop: ["198.51.100.2"] });
    expect(requests).toEqual([
      request({ method: "GET", path: `/zone/${path}`, query: { zones: "*" } }),
      request({ method: "GET", path: `/zone/${path}`, query: { zones: "shop,none" } }),
    ]);
  });

  test("believes no answer that names another zone in the place of one that was asked for", async () => {
    const { client, answer } = await startRemote();
    answer(200, { we: ["198.51.100.1"] });
    await failure(client.access[operation](["web"]), ResponseFormatError);
    answer(200, { web: ["198.51.100.1"], we: [] });
    await expect(client.access[operation](["web"])).resolves.toMatchObject({ web: ["198.51.100.1"] });
  });

  test("does not take no zone for every zone", async () => {
    const { client, requests } = await startRemote();
    await failure(client.access[operation]([]), ArgumentError);
    expect(requests).toEqual([]);
  });
});

describe.each([
  ["whitelist", "allowIps", "removeAllowedIp", "ips"],
  ["blacklist", "denyIps", "removeDeniedIp", "deniedIps"],
] as const)("%s", (path, add, remove, field) => {
  test("changes the zone that is named, and no other", async () => {
    const { client, account, requests, request } = await startRemote();
    const zone = account.addZone("web", { type: "static" });
    const other = account.addZone("other", { type: "static" });
    const before = [...other[field]];
    await expect(client.access[add]("web", ["198.51.100.1", "203.0.113.0/24"])).resolves.toBeUndefined();
    await expect(client.access[remove]("web", "198.51.100.1")).resolves.toBeUndefined();
    expect(zone[field]).toEqual(["203.0.113.0/24"]);
    expect(other[field]).toEqual(before);
    expect(account.sweeps).toEqual([]);
    expect(requests).toEqual([
      request({
        method: "POST",
        path: `/zone/${path}`,
        status: 201,
        body: { zone: "web", ip: ["198.51.100.1", "203.0.113.0/24"] },
      }),
      request({ method: "DELETE", path: `/zone/${path}`, body: { zone: "web", ip: "198.51.100.1" } }),
    ]);
  });

  test("is sent again after a broken connection: a list holds an address once", async () => {
    const { clientWith, account, simulator, requests } = await startRemote();
    const zone = account.addZone("web", { type: "static" });
    simulator.remote.service.faults.add({ kind: "reset-after" });
    await clientWith({ retries: 1 }).access[add]("web", ["198.51.100.1"]);
    expect(zone[field]).toEqual(["198.51.100.1"]);
    expect(requests).toHaveLength(2);
  });

  test("needs addresses", async () => {
    const { client, requests } = await startRemote();
    await failure(client.access[add]("web", []), ArgumentError);
    await failure(client.access[add]("web", [" "]), ArgumentError);
    await failure(client.access[remove]("web", ""), ArgumentError);
    expect(requests).toEqual([]);
  });

  test("passes the service's complaint on", async () => {
    const { client, account } = await startRemote();
    account.addZone("web", { type: "static" });
    const error = await failure(client.access[add]("web", ["all of them"]), InvalidRequestError);
    expect(error.serviceMessage).toBe("Invalid IP");
  });
});

describe.each([
  ["whitelist", "allowDomains", "removeAllowedDomains"],
  ["blacklist", "denyDomains", "removeDeniedDomains"],
] as const)("%s of domains", (type, add, remove) => {
  test("is written as one text, and answers what remains", async () => {
    const { client, account, requests, request } = await startRemote();
    account.addZone("web", { type: "static" });
    await expect(client.access[add]("web", ["example.com", "example.org"])).resolves.toBeUndefined();
    await expect(client.access[remove]("web", ["example.com"])).resolves.toEqual(["example.org"]);
    await expect(client.access[remove]("web", ["example.org"])).resolves.toEqual([]);
    const path = "/zone/domain_perm";
    expect(requests).toEqual([
      request({ method: "POST", path, status: 201, body: { zone: "web", type, domain: "example.com example.org" } }),
      request({ method: "DELETE", path, body: { zone: "web", type, domain: "example.com" } }),
      request({ method: "DELETE", path, body: { zone: "web", type, domain: "example.org" } }),
    ]);
  });

  test.each([{ [type]: null }, { [type]: "" }, {}])("is empty where nothing remains: %j", async (nothing) => {
    const { client, answer } = await startRemote();
    answer(200, nothing);
    await expect(client.access[remove]("web", ["example.com"])).resolves.toEqual([]);
  });

  test("needs domains", async () => {
    const { client, requests } = await startRemote();
    await failure(client.access[add]("web", []), ArgumentError);
    await failure(client.access[remove]("web", []), ArgumentError);
    expect(requests).toEqual([]);
  });
});
