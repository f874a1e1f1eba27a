import { expect, test, vi } from "vitest";
import type { Fault } from "../../../simulator/fault";
import { ConnectionError, NotFoundError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { portIpUnbanLifecycle as portIpUnban } from "../../../src/kinds/portIpUnban/lifecycle";
import { UNKNOWN } from "../../../src/lifecycle/lifecycle";
import { changes, failure, forgetRequests, type Stage } from "../../lifecycle/harness";
import { withPort } from "../portStage";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

async function withBans(): Promise<Stage> {
  const scene = await withPort();
  const { bans } = scene.context.manager;
  await bans.add(24_000, { ip: "203.0.113.7", domain: "example.com" });
  await bans.addAll(24_000, { ips: ["203.0.113.7", "203.0.113.8"] });
  forgetRequests(scene);
  return scene;
}

test("PortIpUnban says in the preview what it lifts, and is seen by those that look for bans next", async () => {
  expect(portIpUnban.announce?.({ port: 1 })).toBe("the update will lift all bans on port 1.");
  expect(portIpUnban.announce?.({ port: 1, ip: "203.0.113.7" })).toContain("lift the ban of 203.0.113.7 on port 1");
  expect(portIpUnban.announce?.({ port: 1, ip: UNKNOWN })).toContain("lift the ban of an IP on port 1");
  const scene = await withBans();
  const look = () => scene.context.bans(24_000).get(new AbortController().signal);
  expect(await look()).toHaveLength(3);
  await portIpUnban.create({ port: 24_000 }, scene.step());
  expect(await look()).toEqual([]);
});

test("PortIpUnban lifts all bans of a port, and tells which", async () => {
  const scene = await withBans();
  expect(await portIpUnban.create({ port: 24_000 }, scene.step())).toEqual({
    id: "24000",
    state: {
      port: 24_000,
      lifted: [{ ip: "203.0.113.7", domain: "example.com" }, { ip: "203.0.113.7" }, { ip: "203.0.113.8" }],
    },
  });
  expect(changes(scene)).toEqual(["POST /api/proxies/24000/unbanips"]);
  expect(await scene.context.manager.bans.list(24_000)).toEqual([]);
});

test.each<[JsonObject, JsonObject[], number]>([
  [{ ip: "203.0.113.7" }, [{ ip: "203.0.113.7" }], 2],
  [{ ip: "203.0.113.7/32", domain: "example.com" }, [{ ip: "203.0.113.7", domain: "example.com" }], 2],
  [{ ip: "203.0.113.9" }, [], 3],
  [{ ip: "203.0.113.8", domain: "example.com" }, [], 3],
])("PortIpUnban of %j lifts that one", async (which, lifted, left) => {
  const scene = await withBans();
  const { state } = await portIpUnban.create({ port: 24_000, ...which }, scene.step());
  expect(state.lifted).toEqual(lifted);
  expect(await scene.context.manager.bans.list(24_000)).toHaveLength(left);
});

test("PortIpUnban of a host needs an IP, of an unknown port fails", async () => {
  expect(portIpUnban.check({ port: 1, domain: "example.com" }, undefined).failures[0]).toContain("without `ip`");
  const scene = await withBans();
  expect(await failure(portIpUnban.create({ port: 24_999 }, scene.step()))).toBeInstanceOf(NotFoundError);
  expect(changes(scene)).toEqual([]);
});

test("PortIpUnban that the manager only pretends to lift is told", async () => {
  const scene = await withBans();
  scene.manager.service.faults.add({
    path: "/api/proxies/24000/unbanips",
    kind: "respond",
    status: 200,
    body: "OK",
    times: 4,
  });
  expect((await failure(portIpUnban.create({ port: 24_000 }, scene.step()))).message).toContain("still lists them");
});

test.each<[string, JsonObject, Partial<Fault>]>([
  ["unbanips", {}, { status: 200, body: "OK" }],
  ["unbanip", { ip: "203.0.113.8" }, { status: 400, body: "IP is not banned" }],
])("PortIpUnban lifts again what a process of the manager tells late of: %s", async (path, which, answer) => {
  const scene = await withBans();
  scene.manager.service.faults.add({ path: `/api/proxies/24000/${path}`, kind: "respond", times: 3, ...answer });
  await portIpUnban.create({ port: 24_000, ...which }, scene.step());
  const ips = (await scene.context.manager.bans.list(24_000)).map(({ ip }) => ip);
  expect(ips).not.toContain("203.0.113.8");
});

test("PortIpUnban whose answer is lost looks whether it was done", async () => {
  const scene = await withBans();
  scene.manager.service.faults.add({ path: "/api/proxies/24000/unbanips", kind: "reset-after" });
  expect((await portIpUnban.create({ port: 24_000 }, scene.step())).state.lifted).toHaveLength(3);
  const other = await withBans();
  other.manager.service.faults.add({ path: "/api/proxies/24000/unbanips", kind: "reset" });
  expect(await failure(portIpUnban.create({ port: 24_000 }, other.step()))).toBeInstanceOf(ConnectionError);
});
