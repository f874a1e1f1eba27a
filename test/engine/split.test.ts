import { expect, it } from "vitest";
import type { ZoneRecord } from "../../simulator";
import { type Declaration, scene } from "./harness";
import { busy } from "./load";

const OFFICE = "203.0.113.7";
const OTHERS = "203.0.113.66";

/** Each list of allowed addresses that a zone has had since. */
function listsOf(zone: ZoneRecord): string[][] {
  let { ips } = zone;
  const lists = [ips];
  Object.defineProperty(zone, "ips", {
    get: () => ips,
    set(changed: string[]) {
      ips = changed;
      lists.push(ips);
    },
  });
  return lists;
}

it("a zone's list that goes from one resource to another is never open to everybody in between, on a busy machine", async () => {
  const { simulator, stack, declare } = await scene();
  const names = ["ordered", "first", "second", "third"];
  const zones = names.map((name) => simulator.account.addZone(name, { type: "static" }));
  const whole = names.map((zone): Declaration => {
    return { kind: "ZoneAccess", name: zone, args: { zone, allowedIps: [OFFICE], deniedIps: [OTHERS] } };
  });
  const split = names.flatMap((zone): Declaration[] => [
    { kind: "ZoneAccess", name: zone, args: { zone, deniedIps: [OTHERS] } },
    {
      kind: "ZoneAccess",
      name: `${zone}-allowed`,
      args: { zone, allowedIps: [OFFICE], adopt: true },
      options: zone === "ordered" ? { dependsOn: [zone] } : {},
    },
  ]);
  declare(...whole);
  await stack.expect("up");
  const lists = zones.map(listsOf);
  busy();
  for (const step of [split, whole, split]) {
    declare(...step);
    await stack.expect("up");
    expect(names.filter((_, index) => lists[index]?.some((list) => list.includes("any")))).toEqual([]);
    expect(zones).toMatchObject(names.map(() => ({ ips: [OFFICE], deniedIps: [OTHERS] })));
    await stack.expect("preview", "--expect-no-changes");
  }
});
