import { expect, test } from "vitest";
import { type Exchange, type Harness, startManager } from "./harness";

const NO_PORT = "No proxy at port 24999";
const NO_IP = "No IP provided";

const start = async (options = {}): Promise<Harness> => {
  const harness = await startManager(options);
  for (const port of [24000, 24001]) await harness.data("POST /api/proxies", { port }, []);
  return harness;
};

test("one IP is banned for ever or for a while, on all domains or on one", async () => {
  let now = new Date("2026-11-20T08:00:00.000Z");
  const { replay } = await start({ clock: () => now });
  const at = "POST /api/proxies/24001/banip";
  const until = now.getTime() + 60_000;
  const hidden = `r${"0a".repeat(16)}`;
  await replay([
    [at, { ip: "1.1.1.1" }, 204, null],
    [at, { ip: "1.1.1.1", ms: 5 }, 204, null],
    [at, { ip: "2.2.2.2", domain: "lumtest.com", ms: 60000 }, 204, null],
    [at, { ip: hidden }, 204, null],
    [at, { ip: "bad" }, 400, NO_IP],
    [at, {}, 400, NO_IP],
    [at, undefined, 400, NO_IP],
    ["POST /api/proxies/24999/banip", { ip: "1.1.1.1" }, 400, NO_PORT],
    ["GET /api/banlist/24001", undefined, 200, { ips: ["1.1.1.1", "2.2.2.2|lumtest.com", hidden] }],
    [
      "GET /api/banlist/24001?full=true",
      undefined,
      200,
      {
        ips: [
          { ip: "1.1.1.1", domain: "" },
          { ip: "2.2.2.2", domain: "lumtest.com", to: until },
          { ip: hidden, domain: "" },
        ],
      },
    ],
    ["GET /api/banlist/24000", undefined, 200, { ips: [] }],
    ["GET /api/banlist/24999", undefined, 400, "server does not exist"],
  ]);
  now = new Date(until);
  await replay([["GET /api/banlist/24001", undefined, 200, { ips: ["1.1.1.1", hidden] }]]);
});

test.each([-1, "-5", 2 ** 31, 1e15])("a ban for %j ms, which no timer waits, is none", async (ms) => {
  const { replay } = await start();
  await replay([
    ["POST /api/proxies/24001/banip", { ip: "1.1.1.1", ms }, 204, null],
    ["GET /api/banlist/24001", undefined, 200, { ips: [] }],
  ]);
});

test("several IPs are banned at once, the bad ones skipped", async () => {
  const { replay } = await start();
  const at = "POST /api/proxies/24001/banips";
  await replay([
    [at, { ips: ["3.3.3.3", "bad", "4.4.4.4"] }, 204, null],
    [at, { ips: ["bad"] }, 400, "No ips provided"],
    [at, {}, 400, "No ips provided"],
    [at, { ips: "1.1.1.1" }, 500, "Server error: (ips || []).filter is not a function"],
    ["POST /api/proxies/24999/banips", { ips: ["1.1.1.1"] }, 400, NO_PORT],
    ["GET /api/banlist/24001", undefined, 200, { ips: ["3.3.3.3", "4.4.4.4"] }],
  ]);
});

test("a ban on all ports means on those listed, and so on none without a list", async () => {
  const { replay } = await start();
  const banned = (port: number, ips: string[]) => [`GET /api/banlist/${port}`, undefined, 200, { ips }] as const;
  await replay([
    ["POST /api/banip", { ip: "5.5.5.5" }, 204, null],
    [...banned(24001, [])],
    ["POST /api/banip", { ip: "5.5.5.5", ports: [24001] }, 204, null],
    ["POST /api/banip", { ips: ["6.6.6.6", "junk"], ports: [24000, 24001] }, 204, null],
    ["POST /api/banip", {}, 400, NO_IP],
    ["POST /api/banip", { ips: "x" }, 500, "Server error: ips.forEach is not a function"],
    [...banned(24000, ["6.6.6.6", "junk"])],
    [...banned(24001, ["5.5.5.5", "6.6.6.6", "junk"])],
  ]);
});

test("one ban is lifted, or all", async () => {
  const { replay, call } = await start();
  await call("POST /api/proxies/24001/banips", { ips: ["1.1.1.1", "3.3.3.3"] });
  await call("POST /api/proxies/24001/banip", { ip: "2.2.2.2", domain: "lumtest.com" });
  const at = "POST /api/proxies/24001/unbanip";
  const third = { ip: "3.3.3.3", domain: "" };
  const second = { ip: "2.2.2.2", domain: "lumtest.com" };
  await replay([
    [at, { ip: "1.1.1.1" }, 200, { ips: [third, second] }],
    [at, { ip: "1.1.1.1" }, 400, "IP is not banned"],
    [at, { ip: "2.2.2.2" }, 200, { ips: [third, second] }],
    [at, second, 200, { ips: [third] }],
    [at, { ip: "bad" }, 400, NO_IP],
    [at, {}, 400, NO_IP],
    ["POST /api/proxies/24999/unbanip", { ip: "1.1.1.1" }, 500, `Server error: ${NO_PORT}`],
    ["POST /api/proxies/24001/unbanips", undefined, 200, "OK"],
    ["POST /api/proxies/24001/unbanips", undefined, 200, "OK"],
    ["POST /api/proxies/24999/unbanips", undefined, 500, `Server error: ${NO_PORT}`],
    ["GET /api/banlist/24001", undefined, 200, { ips: [] }],
  ]);
});

test("the ports of a record that was made anew share one list, and each goes by what it was told itself", async () => {
  const { replay, call, manager } = await start();
  const lists = (ips: string[]) =>
    [24_000, 24_001, 24_002].map((port): Exchange => [`GET /api/banlist/${port}`, undefined, 200, { ips }]);
  const goneBy = (ip: string) =>
    ["24000", "24001", "24002"].filter((port) => manager.state.running.get(port)?.bans.has(ip, ""));
  await call("DELETE /api/proxies/24001");
  await call("POST /api/proxies/24000/banip", { ip: "1.1.1.1" });
  await call("PUT /api/proxies/24000", { proxy: { multiply: 3 } });
  await replay(lists(["1.1.1.1"]));
  expect(goneBy("1.1.1.1")).toEqual(["24000", "24001", "24002"]);
  for (const port of [24_000, 24_001]) await call(`POST /api/proxies/${port}/banip`, { ip: "2.2.2.2" });
  await replay(lists(["1.1.1.1", "2.2.2.2"]));
  expect(goneBy("2.2.2.2")).toEqual(["24000"]);
  await call("POST /api/proxies/24001/unbanip", { ip: "1.1.1.1" });
  await replay([
    ...lists(["2.2.2.2"]),
    ["POST /api/proxies/24000/unbanip", { ip: "1.1.1.1" }, 400, "IP is not banned"],
  ]);
  expect(goneBy("1.1.1.1")).toEqual(["24000", "24002"]);
  await call("PUT /api/proxies/24000", { proxy: { country: "us" } });
  expect([goneBy("1.1.1.1"), goneBy("2.2.2.2")]).toEqual([[], ["24000", "24001", "24002"]]);
  await call("POST /api/proxies/24002/unbanips");
  await replay(lists([]));
  expect(goneBy("2.2.2.2")).toEqual(["24000", "24001"]);
});

test("a test can ban directly", async () => {
  const { replay, manager } = await start();
  manager.state.running.get("24000")?.bans.add("7.7.7.7");
  await replay([["GET /api/banlist/24000", undefined, 200, { ips: ["7.7.7.7"] }]]);
  expect(manager.state.running.get("24000")?.bans.list()).toEqual([{ ip: "7.7.7.7", domain: "" }]);
});
