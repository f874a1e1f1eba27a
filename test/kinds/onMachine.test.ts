import { expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { datasetCollectionLifecycle } from "../../src/kinds/datasetCollection/lifecycle";
import { managerApiKeyLifecycle } from "../../src/kinds/managerApiKey/lifecycle";
import { managerSettingsLifecycle } from "../../src/kinds/managerSettings/lifecycle";
import { portIpRefreshLifecycle } from "../../src/kinds/portIpRefresh/lifecycle";
import { whitelistIpLifecycle } from "../../src/kinds/whitelistIp/lifecycle";
import { zoneIpRefreshLifecycle } from "../../src/kinds/zoneIpRefresh/lifecycle";
import { zoneIpsLifecycle } from "../../src/kinds/zoneIps/lifecycle";
import { zonePasswordLifecycle } from "../../src/kinds/zonePassword/lifecycle";
import type { Lifecycle } from "../../src/lifecycle/lifecycle";
import { changes } from "../lifecycle/harness";
import { withPort } from "./portStage";

vi.mock("../../src/http/pause", () => import("../lifecycle/instantPause.ts"));

const KINDS: [string, Lifecycle, JsonObject][] = [
  ["ZoneIps", zoneIpsLifecycle, { zone: "web", count: 1 }],
  ["ZoneIpRefresh", zoneIpRefreshLifecycle, { zone: "web" }],
  ["ZonePassword", zonePasswordLifecycle, { zone: "web" }],
  ["PortIpRefresh", portIpRefreshLifecycle, { port: 24_000 }],
  ["DatasetCollection", datasetCollectionLifecycle, { datasetId: "gd_simulated", inputs: [{ url: "https://x.org" }] }],
];

const SHARED: [string, Lifecycle, JsonObject][] = [
  ["ManagerApiKey", managerApiKeyLifecycle, {}],
  ["ManagerSettings", managerSettingsLifecycle, { whitelistIps: ["203.0.113.7"] }],
  ["WhitelistIp", whitelistIpLifecycle, { ip: "203.0.113.0/24", list: "ui" }],
  ["WhitelistIp", whitelistIpLifecycle, { ip: "203.0.113.7", list: "ports" }],
];

test.each([
  ...KINDS.map(([kind, ...of]) => [`what is told from others by what there was before: ${kind}`, ...of] as const),
  ...SHARED.map(([kind, ...of]) => [`what is written as a whole, or made once for all: ${kind}`, ...of] as const),
])("in turn with all updates on the machine is asked for %s", async (_, lifecycle, inputs) => {
  const scene = await withPort();
  const [{ ip } = {}] = scene.account.zone("web")?.allocatedIps ?? [];
  const step = scene.step();
  const inTurn: string[] = [];
  step.context.scope.waitOnMachine(async (names, task) => {
    expect(names).toHaveLength(step.context.scope.names.size);
    const before = changes(scene).length;
    const result = await task();
    inTurn.push(...changes(scene).slice(before));
    return result;
  });
  await lifecycle.create("port" in inputs ? { ...inputs, ip } : inputs, step);
  expect(changes(scene).length).toBeGreaterThan(0);
  expect(inTurn).toEqual(changes(scene));
});
