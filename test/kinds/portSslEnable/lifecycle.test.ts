import { expect, test, vi } from "vitest";
import { ConnectionError, NotFoundError } from "../../../src/base/errors";
import { portSslEnableLifecycle as portSslEnable } from "../../../src/kinds/portSslEnable/lifecycle";
import { changes, failure, type Stage } from "../../lifecycle/harness";
import { withPort } from "../portStage";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

const sslOf = async ({ context }: Stage, port: number) => (await context.manager.ports.get(port))?.ssl;

test("PortSslEnable turns it on on one port, and leaves the others", async () => {
  const scene = await withPort();
  await scene.context.manager.ports.create({ port: 24_001, zone: "web" });
  expect(await portSslEnable.create({ port: 24_001 }, scene.step())).toEqual({ id: "24001", state: { port: 24_001 } });
  expect(await sslOf(scene, 24_001)).toBe(true);
  expect(await sslOf(scene, 24_000)).toBeUndefined();
});

test("PortSslEnable says in the preview on which ports, and is seen by those that look for them next", async () => {
  expect(portSslEnable.announce?.({})).toBe("the update will turn on SSL analyzing on all ports that there are then.");
  expect(portSslEnable.announce?.({ port: 24_001 })).toBe("the update will turn on SSL analyzing on port 24001.");
  const scene = await withPort();
  const look = () => scene.context.ports.find(24_000, new AbortController().signal);
  expect((await look())?.ssl).toBeUndefined();
  await portSslEnable.create({ port: 24_000 }, scene.step());
  expect((await look())?.ssl).toBe(true);
});

test("PortSslEnable of one port does not mind what others are like, nor one that analyzes already", async () => {
  const scene = await withPort();
  await scene.context.manager.ports.create({ port: 24_001, zone: "web", ssl: true });
  for (const port of [24_000, 24_001]) Object.assign(scene.manager.state.record(port) ?? {}, { debug: "default-none" });
  await expect(portSslEnable.create({ port: 24_001 }, scene.step())).resolves.toMatchObject({ id: "24001" });
  expect(await sslOf(scene, 24_000)).toBeUndefined();
});

test("PortSslEnable turns it on on all ports that there are", async () => {
  const scene = await withPort();
  expect(await portSslEnable.create({}, scene.step())).toEqual({ id: "all", state: {} });
  expect(changes(scene)).toEqual(["POST /api/enable_ssl"]);
  expect(await sslOf(scene, 24_000)).toBe(true);
});

test("PortSslEnable says that there is no such port, of which the manager says that all is well", async () => {
  const scene = await withPort();
  expect(await failure(portSslEnable.create({ port: 24_999 }, scene.step()))).toBeInstanceOf(NotFoundError);
  expect(changes(scene)).toEqual([]);
});

test.each([{ debug: "default-none" }, { lpm_auth: "default-full" }])(
  "PortSslEnable does not ask where %j leaves it unanswered",
  async (fields) => {
    const scene = await withPort();
    await scene.context.manager.ports.create({ port: 24_001, zone: "web" });
    Object.assign(scene.manager.state.record(24_001) ?? {}, fields);
    for (const inputs of [{}, { port: 24_001 }]) {
      expect((await failure(portSslEnable.create(inputs, scene.step()))).message).toContain(
        "of port 24001 begins with",
      );
    }
    expect(changes(scene)).toEqual(["POST /api/proxies"]);
  },
);

test("PortSslEnable whose answer is no proof looks whether it was done", async () => {
  const scene = await withPort();
  scene.manager.service.faults.add({ path: "/api/enable_ssl", kind: "reset-after" });
  expect((await portSslEnable.create({}, scene.step())).id).toBe("all");
  const other = await withPort();
  other.manager.service.faults.add({ path: "/api/enable_ssl", kind: "reset" });
  expect(await failure(portSslEnable.create({ port: 24_000 }, other.step()))).toBeInstanceOf(ConnectionError);
});

test("PortSslEnable whose answer is no proof does not believe a list without the port that it was done", async () => {
  const scene = await withPort();
  const headers = { "content-type": "application/json" };
  const empty = { method: "GET", path: "/api/proxies", kind: "respond", status: 200, headers, body: "[]" } as const;
  scene.manager.service.faults.add({ path: "/api/enable_ssl", kind: "reset" });
  scene.manager.service.faults.add({ ...empty, after: 1 });
  expect(await failure(portSslEnable.create({}, scene.step()))).toBeInstanceOf(ConnectionError);
});

test.each([{}, { port: 24_000 }])(
  "PortSslEnable whose answer is no proof does not believe that %j was done where it was not",
  async (inputs) => {
    const scene = await withPort();
    scene.manager.service.faults.add({ path: "/api/enable_ssl", kind: "respond", status: 200, body: "ok" });
    const error = await failure(portSslEnable.create(inputs, scene.step()));
    expect(error.message).toContain("it is still off on port 24000.");
  },
);
