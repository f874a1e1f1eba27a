import { describe, expect, test } from "vitest";
import { ArgumentError, NotFoundError, ResponseFormatError } from "../../src/base/errors";
import { failure, NOW, startManager } from "./harness";

const IN_A_MINUTE = new Date(NOW.getTime() + 60_000).toISOString();
const HIDDEN = `g${"0123456789abcdef".repeat(2)}`;

async function start() {
  const started = await startManager();
  await started.withPorts({ port: 24000, zone: "web" }, { port: 24001, zone: "web", multiply: 2 });
  return started;
}

test("bans an IP on one port, for ever or for a while, for all hosts or for one", async () => {
  const { client, requests, request } = await start();
  await client.bans.add(24000, { ip: "1.1.1.1" });
  await client.bans.add(24000, { ip: "2.2.2.2", domain: "example.com", ms: 60_000 });
  expect(requests).toEqual([
    request({ method: "POST", path: "/api/proxies/24000/banip", body: { ip: "1.1.1.1" }, status: 204 }),
    request({
      method: "POST",
      path: "/api/proxies/24000/banip",
      body: { ip: "2.2.2.2", domain: "example.com", ms: 60_000 },
      status: 204,
    }),
  ]);
  expect(await client.bans.list(24000)).toEqual([
    { ip: "1.1.1.1" },
    { ip: "2.2.2.2", domain: "example.com", until: IN_A_MINUTE },
  ]);
  expect(requests.at(-1)).toEqual(request({ method: "GET", path: "/api/banlist/24000", query: { full: "true" } }));
  expect(await client.bans.list(24001)).toEqual([]);
});

test("reads the short form of the list too", async () => {
  const { client, answer } = await start();
  answer(200, { ips: ["1.1.1.1", "2.2.2.2|example.com"] });
  expect(await client.bans.list(24000)).toEqual([{ ip: "1.1.1.1" }, { ip: "2.2.2.2", domain: "example.com" }]);
});

test("reads whichever spelling of a ban the list has", async () => {
  const { client, answer } = await start();
  const to = String(NOW.getTime() + 60_000);
  answer(200, {
    ips: [{ ip: " 1.1.1.1", domain: "Example.com", to }, "2.2.2.2|Example.com", { ip: "3.3.3.3", to: null }],
  });
  expect(await client.bans.list(24000)).toEqual([
    { ip: "1.1.1.1", domain: "example.com", until: IN_A_MINUTE },
    { ip: "2.2.2.2", domain: "example.com" },
    { ip: "3.3.3.3" },
  ]);
});

test.each([
  7,
  "",
  "|example.com",
  null,
  ["1.1.1.1"],
  {},
  { ip: "" },
  { ip: 7 },
  { ip: "1.1.1.1", domain: {} },
  { ip: "1.1.1.1", to: "soon" },
  { ip: "1.1.1.1", to: {} },
  { ip: "1.1.1.1", to: 1e99 },
])("does not take %j for no ban, nor for another", async (ban) => {
  const { client, answer } = await start();
  answer(200, { ips: ["2.2.2.2", ban] });
  const error = await failure(client.bans.list(24000), ResponseFormatError);
  expect(error.message).toContain("JSON of another shape (`ips.1");
});

test("bans several at once, hidden ones too", async () => {
  const { client, requests, request } = await start();
  await client.bans.addAll(24000, { ips: ["1.1.1.1", HIDDEN], ms: 60_000 });
  expect(requests).toEqual([
    request({
      method: "POST",
      path: "/api/proxies/24000/banips",
      body: { ips: ["1.1.1.1", HIDDEN], ms: 60_000 },
      status: 204,
    }),
  ]);
  expect(await client.bans.list(24000)).toEqual([
    { ip: "1.1.1.1", until: IN_A_MINUTE },
    { ip: HIDDEN, until: IN_A_MINUTE },
  ]);
});

test("bans on every port, which it names", async () => {
  const { client, requests, request } = await start();
  const everywhere = [22225, 24000, 24001, 24002];
  expect(await client.bans.addEverywhere({ ips: ["1.1.1.1"], domain: "example.com" })).toEqual(everywhere);
  expect(requests).toHaveLength(3);
  expect(requests.slice(0, 2)).toEqual(
    expect.arrayContaining([
      request({ method: "GET", path: "/api/proxies" }),
      request({ method: "GET", path: "/api/proxies_running" }),
    ]),
  );
  expect(requests[2]).toEqual(
    request({
      method: "POST",
      path: "/api/banip",
      body: { ips: ["1.1.1.1"], domain: "example.com", ports: everywhere },
      status: 204,
    }),
  );
  for (const port of everywhere) {
    expect(await client.bans.list(port)).toEqual([{ ip: "1.1.1.1", domain: "example.com" }]);
  }
});

test("sends nothing where there is no port", async () => {
  const { client, requests } = await startManager({ dropin: false });
  expect(await client.bans.addEverywhere({ ips: ["1.1.1.1"] })).toEqual([]);
  expect(requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
});

test("lifts one ban, and tells what remains", async () => {
  const { client, requests, request } = await start();
  await client.bans.addAll(24000, { ips: ["1.1.1.1", "3.3.3.3"] });
  await client.bans.add(24000, { ip: "2.2.2.2", domain: "example.com" });
  expect(await client.bans.remove(24000, { ip: "2.2.2.2", domain: "example.com" })).toEqual([
    { ip: "1.1.1.1" },
    { ip: "3.3.3.3" },
  ]);
  expect(requests.at(-1)).toEqual(
    request({
      method: "POST",
      path: "/api/proxies/24000/unbanip",
      body: { ip: "2.2.2.2", domain: "example.com" },
    }),
  );
  expect(await client.bans.remove(24000, { ip: "1.1.1.1" })).toEqual([{ ip: "3.3.3.3" }]);
});

test("says that an IP is not banned", async () => {
  const { client } = await start();
  const error = await failure(client.bans.remove(24000, { ip: "1.1.1.1" }), NotFoundError);
  expect(error.message).toMatch(/^Could not lift the ban of 1\.1\.1\.1 on proxy port 24000: .+ IP is not banned\.$/);
});

test("lifts all bans, even none", async () => {
  const { client, requests, request } = await start();
  await client.bans.add(24000, { ip: "1.1.1.1" });
  for (const _ of ["some", "none"]) {
    requests.length = 0;
    await client.bans.removeAll(24000);
    expect(requests).toEqual([request({ method: "POST", path: "/api/proxies/24000/unbanips" })]);
    expect(await client.bans.list(24000)).toEqual([]);
  }
});

describe("of a port that does not exist", () => {
  test.each([
    ["add", "No proxy at port 24999"],
    ["addAll", "No proxy at port 24999"],
    ["remove", "No proxy at port 24999"],
    ["removeAll", "No proxy at port 24999"],
    ["list", "server does not exist"],
  ] as const)("%s says so", async (name, words) => {
    const { client, requests } = await startManager({}, { retries: 2 });
    const call = {
      add: () => client.bans.add(24999, { ip: "1.1.1.1" }),
      addAll: () => client.bans.addAll(24999, { ips: ["1.1.1.1"] }),
      remove: () => client.bans.remove(24999, { ip: "1.1.1.1" }),
      removeAll: () => client.bans.removeAll(24999),
      list: () => client.bans.list(24999),
    }[name];
    const error = await failure(call(), NotFoundError);
    expect(error.serviceMessage).toContain(words);
    expect(error.message).toMatch(
      /`getRunningPorts` lists the ports that listen\. Name one that a program declares by its resource's `port`, so that it is made first\.$/,
    );
    expect(requests).toHaveLength(1);
  });
});

test.each([["nonsense"], ["1.1.1"], ["10.0.0.0/8"], ["::1"], ["300.1.1.1"], [""]])("refuses to ban %j", async (ip) => {
  const { client, requests } = await start();
  for (const call of [
    client.bans.add(24000, { ip }),
    client.bans.addAll(24000, { ips: ["1.1.1.1", ip] }),
    client.bans.addEverywhere({ ips: [ip] }),
    client.bans.remove(24000, { ip }),
  ]) {
    const error = await failure(call, ArgumentError);
    expect(error.message).toBe(`${JSON.stringify(ip)} cannot be banned: expected an IPv4 address of four octets.`);
  }
  expect(requests).toEqual([]);
});

test("refuses to ban nothing", async () => {
  const { client, requests } = await start();
  await failure(client.bans.addAll(24000, { ips: [] }), ArgumentError);
  await failure(client.bans.addEverywhere({ ips: [] }), ArgumentError);
  expect(requests).toEqual([]);
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 31])(
  "refuses a ban of %d ms, which would have no end, or end at once",
  async (ms) => {
    const { client, requests } = await start();
    await failure(client.bans.add(24000, { ip: "1.1.1.1", ms }), ArgumentError);
    expect(requests).toEqual([]);
  },
);

test("bans again when the connection broke", async () => {
  const { client, manager, withPorts } = await startManager({}, { retries: 1 });
  await withPorts({ port: 24000 });
  manager.service.faults.add({ kind: "reset-after", path: "/api/proxies/24000/banip" });
  await client.bans.add(24000, { ip: "1.1.1.1" });
  expect(await client.bans.list(24000)).toEqual([{ ip: "1.1.1.1" }]);
});
