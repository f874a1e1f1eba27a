import { expect, inject, test } from "vitest";
import { boxEngines } from "../histories/boxEngine.mts";
import type { History, Up } from "../histories/history.mts";
import { play } from "../histories/play.mts";
import type { Resource } from "../histories/program.mts";

const engineOf = boxEngines(inject("engineBox"));

const PLAN = { type: "static", ipsType: "shared" };

const zone = (name: string, args: object): Resource => ({
  kind: "Zone",
  name,
  args: { plan: { ...PLAN, country: "us" }, ...args },
});

const BEFORE: Resource[] = [
  zone("a", { name: "alpha0" }),
  { kind: "ZoneIps", name: "b", args: { zone: "alpha0", count: 2 }, options: { refs: { zone: "Zone a" } } },
  { kind: "ProxyPort", name: "c", args: { zone: "web" } },
  { kind: "ZonePassword", name: "d", args: { zone: "web" }, dependsOn: ["ProxyPort c"] },
];

/** Something stays, changes, goes, comes, and is replaced. */
const AFTER: Resource[] = [
  zone("a", { name: "alpha0" }),
  { kind: "ZoneIps", name: "b", args: { zone: "alpha0", count: 3 }, options: { refs: { zone: "Zone a" } } },
  { kind: "ZonePassword", name: "d", args: { zone: "shop" } },
  zone("e", {}),
];

const historyWith = (last: Partial<Up>): History => ({
  seed: 1,
  stacks: [{ home: 0, service: 0, backend: 0 }],
  steps: [
    { do: "up", stack: 0, program: BEFORE, together: true },
    { do: "up", stack: 0, program: AFTER, together: true, ...last },
  ],
});

/** Whether the run was broken off: beyond the last point nothing is. */
const isBrokenOff = (log: readonly string[]): boolean => log[1]?.includes("NOT RECORDED") === true;

const CALLS = ["before call", "after call", "recorded", "request", "answer"] as const;

const POINTS: Readonly<Record<string, (after: number) => Partial<Up>>> = {
  ...Object.fromEntries(
    CALLS.map((when) => [when, (after: number) => ({ interruption: { by: "kill" as const, when, after } })]),
  ),
  begun: (begun) => ({ begun }),
  unsaved: (unsaved) => ({ unsaved }),
};

for (const [name, at] of Object.entries(POINTS)) {
  test(`an update can be broken off at any point: ${name}`, async () => {
    let points = 0;
    for (; ; points++) {
      const { wrong, fault, log } = await play(historyWith(at(points)), engineOf);
      expect(wrong, `${name} ${points}\n${log.join("\n")}`).toBeUndefined();
      expect(fault).toBeUndefined();
      if (!isBrokenOff(log)) break;
    }
    expect(points).toBeGreaterThanOrEqual(5);
  });
}
