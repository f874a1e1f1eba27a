import { describe, expect, test, vi } from "vitest";
import { ArgumentError, BrightDataError, PermissionError } from "../../../src/base/errors";
import { portIpRefreshLifecycle as portIpRefresh } from "../../../src/kinds/portIpRefresh/lifecycle";
import { zoneIpsLifecycle as zoneIps } from "../../../src/kinds/zoneIps/lifecycle";
import type { Deadline } from "../../../src/lifecycle/deadline";
import { PartialFailure, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import { Contexts } from "../../../src/run/contexts";
import { readSettings } from "../../../src/settings/settings";
import { changes, controlledDeadline, count, declaredIn, failure, type Stage } from "../../lifecycle/harness";
import { MemoryJournal } from "../../lifecycle/memoryJournal";
import { withPort } from "../portStage";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

describe("PortIpRefresh", () => {
  const ipsOf = ({ account }: Stage) => account.zone("web")?.allocatedIps.map(({ ip }) => ip) ?? [];
  const gipsOf = ({ account }: Stage) => account.zone("web")?.allocatedGips.map(({ vip }) => vip) ?? [];

  async function withIp(): Promise<Stage & { inputs: { port: number; ip: string } }> {
    const scene = await withPort();
    return Object.assign(scene, { inputs: { port: 24_000, ip: ipsOf(scene)[0] as string } });
  }

  test("needs an IP or a gIP, and not both; says what it costs", () => {
    for (const inputs of [{ port: 1 }, { port: 1, ip: "203.0.113.7", vip: "v" }]) {
      expect(portIpRefresh.check(inputs, undefined).failures[0]).toContain("Exactly one of `ip` and `vip`");
    }
    expect(portIpRefresh.check({ port: 1, ip: "10.0.0.0/8" }, undefined).failures).toHaveLength(1);
    expect(portIpRefresh.check({ port: 1, ip: UNKNOWN }, undefined).failures).toEqual([]);
    expect(portIpRefresh.announce?.({ port: 1, ip: "203.0.113.7" })).toBe(
      "the update will have IP 203.0.113.7 of port 1 replaced, which costs money (the zone's refresh cost).",
    );
    expect(portIpRefresh.announce?.({ port: 1, ip: UNKNOWN })).toContain("will have IP of port 1");
    expect(portIpRefresh.announce?.({ port: 1, vip: UNKNOWN })).toContain("will have gIP of port 1");
    expect(portIpRefresh.announce?.({ port: 1, vip: "us_1" })).toContain("will have gIP us_1 of port 1");
  });

  test("has an IP replaced, and tells the new one", async () => {
    const scene = await withIp();
    const { id, state } = await portIpRefresh.create(scene.inputs, scene.step());
    expect(id).toBe(`24000/${scene.inputs.ip}`);
    expect(state).toEqual({ ...scene.inputs, zone: "web", newIp: ipsOf(scene)[0] });
    expect(ipsOf(scene)).not.toContain(scene.inputs.ip);
    expect(changes(scene)).toEqual(["POST /api/refresh_ip/24000"]);
  });

  test("waits for an addition to the zone: what comes meanwhile would be taken for what that has brought", async () => {
    const scene = await withIp();
    scene.remote.service.faults.add({ method: "POST", path: "/zone/ips", kind: "reset" });
    const { deadline, expire } = controlledDeadline();
    const settings = readSettings(() => undefined, { BRIGHTDATA_RETRIES: "0", ...scene.environment() });
    const contexts = new Contexts();
    const of = (service: "remote" | "manager", time?: Deadline) => {
      return { ...scene.step(time), context: contexts.of(settings, {}, service) };
    };
    const added = failure(zoneIps.create({ zone: "web", count: 1 }, of("remote", deadline)));
    const looks = () => count(scene, "GET /zone/ips");
    await vi.waitUntil(() => count(scene, "POST /zone/ips") === 1 && looks() > 2);
    const refreshed = portIpRefresh.create(scene.inputs, of("manager"));
    const before = looks();
    await vi.waitUntil(() => looks() > before + 20);
    expect(count(scene, "POST /api/refresh_ip/24000")).toBe(0);
    expire();
    expect((await added).message).toContain("is not known");
    expect((await refreshed).state.newIp).toBe(ipsOf(scene)[0]);
  });

  test("has a gIP replaced, and tells the new one", async () => {
    const scene = await withPort();
    const vip = gipsOf(scene)[1] as string;
    const { state } = await portIpRefresh.create({ port: 24_000, vip }, scene.step());
    expect(state.newVip).toBe(gipsOf(scene)[1]);
    expect(state.newVip).not.toBe(vip);
  });

  test("of an IP that the zone does not have, or of no port, asks for nothing", async () => {
    const scene = await withIp();
    for (const inputs of [
      { port: 24_000, ip: "192.0.2.1" },
      { port: 24_999, ip: scene.inputs.ip },
    ]) {
      const error = await failure(portIpRefresh.create(inputs, scene.step()));
      expect(error).toBeInstanceOf(ArgumentError);
      expect(error.message).toContain("nothing was replaced");
    }
    expect(changes(scene)).toEqual([]);
  });

  test("on a port without a zone goes by the manager's, and without one asks for nothing", async () => {
    const scene = await withIp();
    delete scene.manager.state.record(24_000)?.zone;
    for (const zone of ["", undefined]) {
      Object.assign(scene.manager.state.settings, { zone });
      const { message } = await failure(portIpRefresh.create(scene.inputs, scene.step()));
      expect(message).toBe("Port 24000 has no zone, and the manager no default one: nothing was replaced.");
    }
    Object.assign(scene.manager.state.settings, { zone: "web" });
    expect((await portIpRefresh.create(scene.inputs, scene.step())).state).toMatchObject({ zone: "web" });
    expect(changes(scene)).toEqual(["POST /api/refresh_ip/24000"]);
  });

  test("says what the zone has instead, or that it has none", async () => {
    const scene = await withIp();
    const wrong = { port: 24_000, ip: "192.0.2.1" };
    const all = ipsOf(scene).join(", ");
    expect((await failure(portIpRefresh.create(wrong, scene.step()))).message).toContain(`It has ${all}.`);
    Object.assign(scene.account.zone("web") ?? {}, { allocatedIps: [] });
    expect((await failure(portIpRefresh.create(wrong, scene.step()))).message).toContain("It has none.");
  });

  test("that the vendor refuses in silence is found out, and not asked for again", async () => {
    const scene = await withIp();
    scene.manager.service.faults.add({ path: "/api/refresh_ip/24000", kind: "respond", status: 200 });
    const error = await failure(portIpRefresh.create(scene.inputs, scene.step()));
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.cause).toBeInstanceOf(BrightDataError);
    expect(error.message).toContain("the vendor has not agreed");
    const { id, state } = error as PartialFailure;
    const again = portIpRefresh.update(id, state, declaredIn(scene.inputs), scene.inputs, scene.step());
    expect((await failure(again)).message).toContain("Change a trigger to ask again");
    expect(count(scene, "POST /api/refresh_ip/24000")).toBe(1);
  });

  test("whose answer is lost looks what became of it, at once or later, and is not asked for again", async () => {
    const scene = await withIp();
    scene.manager.service.faults.add({ path: "/api/refresh_ip/24000", kind: "reset-after" });
    expect((await portIpRefresh.create(scene.inputs, scene.step())).state.newIp).toBe(ipsOf(scene)[0]);

    const other = await withIp();
    other.manager.service.faults.add({ path: "/api/refresh_ip/24000", kind: "reset-after" });
    other.manager.service.faults.add({ path: "/api/allocated_ips", kind: "respond", status: 500, after: 1 });
    const error = await failure(portIpRefresh.create(other.inputs, other.step()));
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.message).toContain("is not known; it is not asked for again");
    const { id, state } = error as PartialFailure;
    const next = await portIpRefresh.update(id, state, declaredIn(other.inputs), other.inputs, other.step());
    expect(JSON.parse(JSON.stringify(next))).toEqual({ ...other.inputs, zone: "web", newIp: ipsOf(other)[0] });
    expect(count(other, "POST /api/refresh_ip/24000")).toBe(1);
  });
});

describe("PortIpRefresh whose outcome is not known", () => {
  const ipsOf = ({ account }: Stage) => account.zone("web")?.allocatedIps.map(({ ip }) => ip) ?? [];
  const inputsOf = (scene: Stage) => ({ port: 24_000, ip: ipsOf(scene)[0] as string });

  test("is not done by a refresh: the next update looks, and sends nothing", async () => {
    const scene = await withPort();
    const inputs = inputsOf(scene);
    scene.manager.service.faults.add({ path: "/api/refresh_ip/24000", kind: "reset" });
    const { id, state } = (await failure(portIpRefresh.create(inputs, scene.step()))) as PartialFailure;
    const open = portIpRefresh.diff(state, declaredIn(inputs), inputs);
    expect(open).toMatchObject({ changed: ["allocatedBefore"], replaces: [] });
    const looked = await failure(portIpRefresh.update(id, state, declaredIn(inputs), inputs, scene.step()));
    expect(looked.message).toContain("or was never asked");
    expect(count(scene, "POST /api/refresh_ip/24000")).toBe(1);
    await scene.context.manager.ips.refreshOfPort(24_000, { ip: inputs.ip });
    const done = await portIpRefresh.update(id, state, declaredIn(inputs), inputs, scene.step());
    expect(done.newIp).toBe(ipsOf(scene)[0]);
    expect(portIpRefresh.diff(done, declaredIn(inputs), inputs).changed).toEqual([]);
  });

  test.each([
    ["POST", "/api/refresh_ip/24000", 0],
    ["GET", "/api/allocated_ips", 1],
  ])("because %s %s is slow is kept, and no defect", async (method, path, after) => {
    const scene = await withPort();
    const { deadline, expire } = controlledDeadline();
    scene.manager.service.faults.add({ method, path, kind: "hang", after });
    const refreshed = failure(portIpRefresh.create(inputsOf(scene), scene.step(deadline)));
    await vi.waitUntil(() => count(scene, `${method} ${path}`) === after + 1);
    expire();
    const error = await refreshed;
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.cause).toBeInstanceOf(BrightDataError);
    expect(error.message).toContain("Gave up after 60 s");
  });

  test("because the process was killed is looked for, and never sent again by itself", async () => {
    const scene = await withPort();
    const inputs = inputsOf(scene);
    const journal = new MemoryJournal();
    const first = await portIpRefresh.create(inputs, { ...scene.step(), journal });
    const next = () => ({ ...scene.step(), journal: new MemoryJournal(journal) });
    expect(await portIpRefresh.create(inputs, next())).toEqual(first);

    const other = inputsOf(scene);
    await journal.begin({ id: `24000/${other.ip}`, allocatedBefore: ipsOf(scene) }, journal.noted?.advice);
    const error = await failure(portIpRefresh.create(other, next()));
    expect(error).toMatchObject({ id: `24000/${other.ip}`, state: { ...other, allocatedBefore: ipsOf(scene) } });
    expect(count(scene, "POST /api/refresh_ip/24000")).toBe(1);
    // Another replacement is no reason to leave this one out.
    const another = { port: 24_000, ip: ipsOf(scene)[1] as string };
    const words: string[] = [];
    await portIpRefresh.create(another, { ...next(), say: (text) => words.push(text) });
    expect(words.join()).toContain(`may have had ${inputs.ip} of port 24000 replaced`);
    expect(count(scene, "POST /api/refresh_ip/24000")).toBe(2);
  });

  test("is not done by a list that has lost IPs", async () => {
    const scene = await withPort();
    const body = JSON.stringify({ ips: [] });
    scene.manager.service.faults.add({ path: "/api/allocated_ips", kind: "respond", status: 200, body, after: 1 });
    const error = await failure(portIpRefresh.create(inputsOf(scene), scene.step()));
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.message).toContain("nothing in its place: it has 0 now, and had 3");
  });

  test("is forgotten when the manager refuses", async () => {
    const scene = await withPort();
    scene.manager.service.faults.add({ path: "/api/refresh_ip/24000", kind: "respond", status: 403 });
    const journal = new MemoryJournal();
    expect(await failure(portIpRefresh.create(inputsOf(scene), { ...scene.step(), journal }))).toBeInstanceOf(
      PermissionError,
    );
    expect(journal.noted).toBeUndefined();
  });
});
