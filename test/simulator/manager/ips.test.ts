import { expect, test } from "vitest";
import { goesUnanswered, startManager } from "./harness";

const NO_ZONE = "specified zone does not exist";

test("the IPs and gIPs of a zone are listed", async () => {
  const { replay, account } = await startManager();
  const ips = account.zone("static")?.allocatedIps.map(({ ip }) => ip);
  const vips = account.zone("mob")?.allocatedGips.map(({ vip }) => vip);
  expect([ips?.length, vips?.length]).toEqual([2, 2]);
  await replay([
    ["GET /api/allocated_ips?zone=static", undefined, 200, { ips }],
    ["GET /api/allocated_ips?zone=nosuch", undefined, 500, NO_ZONE],
    ["GET /api/allocated_ips", undefined, 500, NO_ZONE],
    ["GET /api/allocated_vips?zone=mob", undefined, 200, { vips }],
    ["GET /api/allocated_vips?zone=nosuch", undefined, 500, NO_ZONE],
  ]);
});

test("a zone gets other IPs, for those listed or for all", async () => {
  const { replay, account, call } = await startManager();
  const current = (): string[] => account.zone("static")?.allocatedIps.map(({ ip }) => ip) ?? [];
  const [first, second] = current();
  const { body } = await call("POST /api/refresh_ips", { zone: "static", ips: [first] });
  const [fresh] = current();
  expect(fresh).not.toBe(first);
  const entry = (ip: string | undefined): object => ({ ip, maxmind: "us", ext: {} });
  expect(body).toEqual({ ips: [entry(fresh), entry(second)] });
  await call("POST /api/refresh_ips", { zone: "static" });
  expect(current()).not.toContain(second);
  const gips = account.zone("mob")?.allocatedGips.map(({ vip }) => vip) ?? [];
  const refreshed = await call("POST /api/refresh_ips", { zone: "mob", vips: [gips[1]] });
  expect(refreshed.body).toMatchObject({ vips: [{ vip: gips[0] }, { vip: expect.not.stringMatching(gips[1] ?? "") }] });
  await replay([
    ["POST /api/refresh_ips", { zone: "static", ips: "10.0.0.1" }, 400, "ips should be an array of IPs"],
    ["POST /api/refresh_ips", { zone: "nosuch" }, 200, { status: 404, error: "Zone not found" }],
  ]);
});

test("a port gets another IP, in its own list too", async () => {
  const { replay, account, call, data } = await startManager();
  const [ip, other] = account.zone("static")?.allocatedIps.map((allocated) => allocated.ip) ?? [];
  await data("POST /api/proxies", { port: 24001, zone: "static", ips: [ip, other] }, []);
  const at = "POST /api/refresh_ip/24001";
  const either = "Provide either IP or gIP";
  await replay([
    [at, {}, 400, either],
    [at, { ip: "1.1.1.1", vip: "x" }, 400, either],
    [at, { ip: "bad" }, 400, "Invalid IP provided"],
    ["POST /api/refresh_ip/24999", { ip: "1.1.1.1" }, 400, "Invalid port number"],
  ]);
  const refreshed = await call(at, { ip });
  expect([refreshed.status, refreshed.headers["content-type"], refreshed.body]).toEqual([
    200,
    "application/json; charset=utf-8",
    "",
  ]);
  const fresh = account.zone("static")?.allocatedIps[0]?.ip;
  expect(fresh).not.toBe(ip);
  expect((await call("GET /api/proxies/24001")).body).toMatchObject({ ips: [fresh, other] });
  await replay([["POST /api/refresh_sessions/24001", undefined, 200, { session_id: "24001_2" }]]);
  expect((await call("GET /api/general_logs?limit=3")).body).toBe(
    `2026-11-20 08:42:54.000 NOTICE: MNGR: IP has been refreshed ${ip} -> ${fresh}\n2026-11-20 08:42:54.000 NOTICE: Refreshing sessions\n`,
  );
});

test("the IPs of a port are set; of an unknown port there is no answer", async () => {
  const harness = await startManager();
  await harness.data("POST /api/proxies", { port: 24001 }, []);
  await harness.replay([["POST /api/update_ips", { port: 24001, ips: ["10.0.0.1"], vips: [] }, 200, "ok"]]);
  expect((await harness.call("GET /api/proxies/24001")).body).toMatchObject({ ips: ["10.0.0.1"], vips: [] });
  expect(await goesUnanswered(harness, "POST /api/update_ips", { port: 24999, ips: [] })).toBe(true);
});
