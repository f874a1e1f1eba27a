import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { managerRestartLifecycle as managerRestart } from "../../src/kinds/managerRestart/lifecycle";
import { managerUpgradeLifecycle as managerUpgrade } from "../../src/kinds/managerUpgrade/lifecycle";
import { portIpRefreshLifecycle as portIpRefresh } from "../../src/kinds/portIpRefresh/lifecycle";
import { portIpUnbanLifecycle as portIpUnban } from "../../src/kinds/portIpUnban/lifecycle";
import { portSessionRefreshLifecycle as portSessionRefresh } from "../../src/kinds/portSessionRefresh/lifecycle";
import { portSslEnableLifecycle as portSslEnable } from "../../src/kinds/portSslEnable/lifecycle";
import { type Lifecycle, UNKNOWN } from "../../src/lifecycle/lifecycle";
import { declaredIn, stage } from "../lifecycle/harness";

const ACTIONS: [string, Lifecycle, JsonObject][] = [
  ["PortIpUnban", portIpUnban, { port: 24_000 }],
  ["PortSessionRefresh", portSessionRefresh, { port: 24_000 }],
  ["PortSslEnable", portSslEnable, {}],
  ["PortIpRefresh", portIpRefresh, { port: 24_000, ip: "203.0.113.7" }],
  ["ManagerUpgrade", managerUpgrade, {}],
  ["ManagerRestart", managerRestart, {}],
];

describe.each(ACTIONS)("%s, as every action,", (_, action, inputs) => {
  test("is done again when a trigger changes, and not when a timeout does", () => {
    const state = { ...inputs, triggers: ["a", { b: 1 }], made: "output" };
    const declared = declaredIn({ ...inputs, triggers: [] });
    const diff = (triggers: unknown[], more: JsonObject = {}) =>
      action.diff(state, declared, { ...inputs, triggers, ...more });
    expect(diff(["a", { b: 1 }]).changed).toEqual([]);
    expect(diff(["a", { b: 2 }]).replaces).toEqual(["triggers"]);
    expect(diff(["a", { b: 1 }], { timeouts: { create: 9 } })).toMatchObject({
      changed: ["timeouts.create"],
      replaces: [],
    });
  });

  test("takes triggers of any kind, even unknown ones, and no other property", () => {
    expect(action.check({ ...inputs, triggers: [1, null, { a: [UNKNOWN] }, UNKNOWN] }, undefined).failures).toEqual([]);
    expect(action.check({ ...inputs, triggers: UNKNOWN }, undefined).failures).toEqual([]);
    expect(action.check({ ...inputs, trigger: [] }, undefined).failures).toEqual([
      "`trigger` is not a property of this resource. Did you mean `triggers`?",
    ]);
    expect(action.check({ ...inputs, triggers: "now" }, undefined).failures[0]).toContain("expected a list of values");
  });

  test("says in the preview what it will do, and does nothing when it is read or destroyed", async () => {
    expect(action.announce?.(inputs)).toMatch(/^the update will /);
    expect(action.announce?.({ port: UNKNOWN, ip: UNKNOWN })).not.toMatch(/symbol|undefined/i);
    expect(action.read).toBeUndefined();
    const scene = await stage();
    await action.delete("id", inputs, scene.step());
    expect(scene.manager.service.requests).toEqual([]);
  });
});
