import { expect, inject, test } from "vitest";
import { boxEngines } from "../histories/boxEngine.mts";
import type { History, Up } from "../histories/history.mts";
import { play } from "../histories/play.mts";
import type { Form, Resource } from "../histories/program.mts";

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

const historyWith = (last: Partial<Up>, [before, after]: readonly [Form, Form] = ["dynamic", "dynamic"]): History => ({
  seed: 1,
  stacks: [{ home: 0, service: 0, backend: 0 }],
  steps: [
    { do: "up", stack: 0, program: BEFORE, form: before, together: true },
    { do: "up", stack: 0, program: AFTER, form: after, together: true, ...last },
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

const FORMS: Readonly<Record<string, readonly [Form, Form]>> = {
  dynamic: ["dynamic", "dynamic"],
  "from dynamic to native": ["dynamic", "native"],
  "from native to dynamic": ["native", "dynamic"],
  "in another language": ["foreign", "foreign"],
};

/** What is tried of the plugin, too. */
const OF_PLUGIN = ["after call", "recorded"];

const CASES = Object.keys(POINTS).flatMap((name) =>
  Object.keys(FORMS)
    .filter((form) => form === "dynamic" || OF_PLUGIN.includes(name))
    .map((form) => [form, name] as const),
);

for (const [form, name] of CASES) {
  test(`an update can be broken off at any point: ${form}, ${name}`, async () => {
    let points = 0;
    for (; ; points++) {
      const last = POINTS[name]?.(points) ?? {};
      const { wrong, fault, log } = await play(historyWith(last, FORMS[form]), engineOf);
      expect(wrong, `${name} ${points}\n${log.join("\n")}`).toBeUndefined();
      expect(fault).toBeUndefined();
      if (!isBrokenOff(log)) break;
    }
    expect(points).toBeGreaterThanOrEqual(5);
  });
}
