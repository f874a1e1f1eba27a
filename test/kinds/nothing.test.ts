import { expect, test } from "vitest";
import { LIFECYCLES } from "../../src/generated/lifecycles";
import { changes, stage } from "../lifecycle/harness";

const IDS: Readonly<Record<string, string>> = {
  BannedIp: "203.0.113.9",
  ManagerSettings: "settings",
  ProxyPorts: "set",
  ZoneAccess: "web",
  ZoneIps: "web/ips",
  ZonePassword: "web/1",
};

/** The ids of kinds that read theirs to know what they have. */
const OTHER_IDS: Readonly<Record<string, string>> = { WhitelistIp: "ui/203.0.113.9" };

const holdsNothing = Object.entries(LIFECYCLES).filter(
  ([kind, { declaration, holdings }]) =>
    !declaration.isAction && holdings(IDS[kind] ?? OTHER_IDS[kind] ?? "any", {}).has.length === 0,
);

test("the kinds of which a state may name nothing are known", () => {
  expect(holdsNothing.map(([kind]) => kind)).toEqual(Object.keys(IDS));
});

test.each(holdsNothing)("deleting a %s whose state names nothing changes nothing", async (kind, lifecycle) => {
  const scene = await stage();
  scene.account.addZone("web", { type: "static", ips: 2 });
  await lifecycle.delete(IDS[kind] as string, {}, scene.step());
  expect(changes(scene)).toEqual([]);
});
