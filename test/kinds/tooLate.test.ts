import { expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { datasetCollectionLifecycle } from "../../src/kinds/datasetCollection/lifecycle";
import { managerUserLifecycle } from "../../src/kinds/managerUser/lifecycle";
import { proxyPortLifecycle } from "../../src/kinds/proxyPort/lifecycle";
import { whitelistIpLifecycle } from "../../src/kinds/whitelistIp/lifecycle";
import { zoneAccessLifecycle } from "../../src/kinds/zoneAccess/lifecycle";
import { zoneIpsLifecycle } from "../../src/kinds/zoneIps/lifecycle";
import { zonePasswordLifecycle } from "../../src/kinds/zonePassword/lifecycle";
import type { Journal, Lifecycle } from "../../src/lifecycle/lifecycle";
import { failure, notebook, type Stage, stage } from "../lifecycle/harness";

vi.mock("../../src/http/pause", () => import("../lifecycle/instantPause.ts"));

const HOUR_MS = 3_600_000;

/** A machine, and an account with a zone. */
async function world(): Promise<Stage> {
  const scene = await stage();
  scene.account.addZone("web", { type: "static", ips: 1 });
  return scene;
}

const at = (hoursAgo: number): string => new Date(Date.now() - hoursAgo * HOUR_MS).toISOString();

/** The journal of an update so many hours after one that was killed when it had created something. */
async function killed(lifecycle: Lifecycle, inputs: JsonObject, scene: Stage, hoursAgo: number): Promise<Journal> {
  const journal = notebook();
  await lifecycle.create(inputs, { ...scene.step(), journal });
  expect(journal.begun.length).toBeGreaterThan(0);
  const noted = { began: at(hoursAgo + 0.1), until: at(hoursAgo), mark: journal.mark };
  return { ...notebook(), unfinished: { ...noted, facts: journal.begun[0] as JsonObject } };
}

/** What there is of what costs money, or opens something. */
const made = ({ account, manager }: Stage) => ({
  ips: account.zone("web")?.allocatedIps.length,
  passwords: account.zone("web")?.password,
  lists: account.zone("web")?.ips,
  users: manager.state.users.length,
  allowed: [...(manager.state.settings.www_whitelist_ips ?? [])],
  ports: manager.state.records.length,
});

const KINDS: [string, Lifecycle, JsonObject][] = [
  ["ZoneIps", zoneIpsLifecycle, { zone: "web", count: 2 }],
  ["ZonePassword", zonePasswordLifecycle, { zone: "web", password: "hush-given" }],
  ["WhitelistIp", whitelistIpLifecycle, { ip: "203.0.113.7" }],
  ["ManagerUser", managerUserLifecycle, { email: "ops@example.com" }],
];

test.each(KINDS)(
  "what a killed update began, and nothing dates or marks, is taken up shortly after: %s",
  async (_, lifecycle, inputs) => {
    const scene = await world();
    const journal = await killed(lifecycle, inputs, scene, 0);
    const before = made(scene);
    await lifecycle.create(inputs, { ...scene.step(), journal });
    expect(made(scene)).toEqual(before);
  },
);

test.each(KINDS)(
  "what a killed update began, and nothing dates or marks, is refused later, with both ways out: %s",
  async (_, lifecycle, inputs) => {
    const scene = await world();
    const journal = await killed(lifecycle, inputs, scene, 24);
    const before = made(scene);
    const { message } = await failure(lifecycle.create(inputs, { ...scene.step(), journal }));
    expect(message).toContain("`adopt");
    expect(made(scene)).toEqual(before);
    await lifecycle.create({ ...inputs, adopt: true }, { ...scene.step(), journal });
    expect(made(scene)).toEqual(before);
  },
);

test("what a killed update began, and nothing dates or marks, is left alone by a deletion, which says so: ZoneIps", async () => {
  const scene = await world();
  const inputs = { zone: "web", count: 2 };
  const journal = await killed(zoneIpsLifecycle, inputs, scene, 24);
  const say = vi.fn();
  await zoneIpsLifecycle.delete("web/ips", { ...inputs, ips: [] }, { ...scene.step(), journal, say });
  expect(made(scene).ips).toBe(3);
  expect(say.mock.calls.join()).toContain("They may be somebody else's, so they are left alone.");
});

test("what a killed update began, and nothing dates or marks, is anybody's on a list of a new resource: ZoneAccess", async () => {
  const scene = await world();
  const former = { zone: "web", allowedIps: ["192.0.2.1"] };
  const journal = await killed(zoneAccessLifecycle, former, scene, 24);
  const inputs = { zone: "web", allowedIps: ["192.0.2.2"] };
  const { message } = await failure(zoneAccessLifecycle.create(inputs, { ...scene.step(), journal }));
  expect(message).toContain("`allowedIps` does not declare: 192.0.2.1");
  expect(made(scene).lists).toEqual(["192.0.2.1"]);
  await zoneAccessLifecycle.create({ ...inputs, adopt: true }, { ...scene.step(), journal });
  expect(made(scene).lists).toEqual(["192.0.2.2"]);
});

test("what a killed update began, and may be anybody's on a list that a new resource does not declare, is named: ZoneAccess", async () => {
  const scene = await world();
  const former = { zone: "web", allowedIps: ["192.0.2.2"], deniedIps: ["192.0.2.1", "192.0.2.3"] };
  const journal = await killed(zoneAccessLifecycle, former, scene, 24);
  const zone = scene.account.zone("web");
  if (zone !== undefined) zone.deniedIps = ["192.0.2.1"];
  const say = vi.fn();
  await zoneAccessLifecycle.create({ zone: "web", allowedIps: ["192.0.2.2"] }, { ...scene.step(), journal, say });
  expect(say.mock.calls).toEqual([
    [
      'What an update that was cut short may have put on the lists of who may use zone "web" is still there: 192.0.2.1. It may be somebody else\'s, so it is left alone. Declare it with `adopt: true` (`deniedIps`) to manage it, or remove it in the control panel.',
    ],
  ]);
  expect(zone?.deniedIps).toEqual(["192.0.2.1"]);
});

test.each<[string, Lifecycle, JsonObject]>([
  ["a generated password", zonePasswordLifecycle, { zone: "web" }],
  ["a port with a number", proxyPortLifecycle, { zone: "web", port: 24_001 }],
  ["a port without one", proxyPortLifecycle, { zone: "web" }],
])("what a killed update began, and shows what it is, is taken up at any time: %s", async (_, lifecycle, inputs) => {
  const scene = await world();
  const journal = await killed(lifecycle, inputs, scene, 24);
  const before = made(scene);
  await lifecycle.create(inputs, { ...scene.step(), journal });
  expect(made(scene)).toEqual(before);
});

test("what a killed update began, and shows what it is by its date, is told from what was made later: a collection", async () => {
  const scene = await world();
  const inputs = { datasetId: "gd_simulated", inputs: [{ url: "https://example.com" }] };
  const asked = notebook();
  scene.remote.service.faults.add({ method: "POST", path: "/datasets/v3/trigger", kind: "reset-after" });
  const { id } = await datasetCollectionLifecycle.create(inputs, { ...scene.step(), journal: asked });
  const noted = { began: at(24), until: at(23), mark: asked.mark, facts: asked.begun[0] as JsonObject };
  const later = () => ({
    ...scene.step(),
    context: scene.anotherContext(),
    journal: { ...notebook(), unfinished: noted },
  });
  const dated = (hoursAgo: number) =>
    Object.assign(scene.account.snapshots.get(id) as object, { created: at(hoursAgo) });
  dated(23.5);
  expect((await datasetCollectionLifecycle.create(inputs, later())).id).toBe(id);
  dated(0.5);
  expect((await datasetCollectionLifecycle.create(inputs, later())).id).not.toBe(id);
  expect(scene.account.snapshots.size).toBe(2);
});
