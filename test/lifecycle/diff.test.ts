import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import type { Property } from "../../src/declaration/property";
import { proxyPortLifecycle as proxyPort } from "../../src/kinds/proxyPort/lifecycle";
import { whitelistIpLifecycle as whitelistIp } from "../../src/kinds/whitelistIp/lifecycle";
import { zone as zoneKind } from "../../src/kinds/zone/declaration";
import { zoneLifecycle as zone } from "../../src/kinds/zone/lifecycle";
import { mismatches } from "../../src/lifecycle/diff";
import { type Declared, type Lifecycle, UNKNOWN } from "../../src/lifecycle/lifecycle";
import { PORT_FIELDS, type PortField, portField } from "../../src/manager/portFields";
import { PLAN_FIELDS } from "../../src/model/plan";
import { declaredIn } from "./harness";

const SAME = { changed: [], replaces: [], deleteBeforeReplace: false };

/** What changes when inputs that were declared, and are the state, become others. */
const change = (lifecycle: Lifecycle, before: JsonObject, after: JsonObject, declared: Declared = declaredIn(before)) =>
  lifecycle.diff(before, declared, after);

/** Inputs that change one after the other without meaning anything else, by the kind of a plan's field. */
const planSpellings: Record<string, [unknown[], unknown[]]> = {
  lenient: [["shared"], ["dedicated"]],
  caseless: [["us", "US", "Us"], ["de"]],
  words: [["b a", "a  b", " a b a"], ["a c"]],
  flag: [
    [true, "true", 1, "1"],
    [false, "false", 0, "0"],
  ],
  number: [
    [2, "2"],
    [3, "3"],
  ],
};

describe("a zone's plan", () => {
  const plan = (fields: JsonObject): JsonObject => ({ name: "web", plan: { type: "static", ...fields } });
  const properties: [string, Property][] = Object.entries(PLAN_FIELDS);
  const fields = properties.map(([field, { is, compares }]) => [field, is === "text" ? String(compares) : is] as const);

  const newZone = (...changed: string[]) => ({ changed, replaces: changed, deleteBeforeReplace: true });

  test.each(fields)("%s (%s) changes when its meaning does, and only then", (field, kind) => {
    const [one = [], other = []] = planSpellings[kind] ?? [];
    fc.assert(
      fc.property(
        fc.constantFrom(...one),
        fc.constantFrom(...one),
        fc.constantFrom(...other),
        (left, right, different) => {
          expect(change(zone, plan({ [field]: left }), plan({ [field]: right }))).toEqual(SAME);
          expect(change(zone, plan({ [field]: left }), plan({ [field]: different }))).toEqual(newZone(`plan.${field}`));
        },
      ),
    );
  });

  test("bandwidth is paid for by the gigabyte, whatever that is called", () => {
    const given = (bandwidth: string) => plan({ bandwidth });
    expect(change(zone, given("bandwidth"), given("payperusage"))).toEqual(SAME);
    expect(change(zone, given("payperusage"), given("unlimited"))).toEqual(newZone("plan.bandwidth"));
  });

  test("another type is another zone", () => {
    expect(change(zone, plan({}), plan({ type: "resident" }))).toEqual(newZone("plan.type"));
  });

  const withDefault = properties.flatMap(([field, { default: initial }]) =>
    initial === undefined ? [] : [[field, initial] as const],
  );

  test.each(withDefault)(
    "%s that is not there is %j: taking it away or putting it there makes no new zone",
    (field, initial) => {
      for (const nothing of [initial, "", null]) {
        // The state has to learn what is declared, so it counts as a change, but never as one that costs a zone.
        const given = plan({ [field]: nothing });
        expect(change(zone, plan({}), given)).toEqual({ ...SAME, changed: [`plan.${field}`] });
        expect(change(zone, given, plan({}))).toEqual({ ...SAME, changed: [`plan.${field}`] });
        expect(change(zone, given, plan({ [field]: initial }))).toEqual(SAME);
      }
    },
  );

  test.each(fields)("%s (%s) that is taken away, and was not the default, counts as changed", (field, kind) => {
    const initial = new Map(properties).get(field)?.default;
    const value = planSpellings[kind]?.flat().find((spelling) => {
      const { changed } = change(zone, plan({ [field]: initial ?? "" }), plan({ [field]: spelling }));
      return changed.length > 0;
    });
    const before = plan({ [field]: value });
    expect(change(zone, before, plan({}))).toEqual(newZone(`plan.${field}`));
  });

  test("whatever the service adds is nobody's business", () => {
    const state = plan({ ips: 5, country: "de", start: "2026-01-01", product: "dc" });
    expect(zone.diff({ ...state, disabled: true, perm: "country" }, declaredIn(plan({})), plan({}))).toEqual(SAME);
  });

  test("extra fields are compared one by one, loosely", () => {
    const extra = (fields: JsonObject) => plan({ extra: fields });
    for (const [left, right] of [
      [1, "true"],
      [0, undefined],
      ["", false],
      ["5", 5],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ]) {
      expect(change(zone, extra({ x_y: left, z: 1 }), extra({ x_y: right, z: 1 })).replaces).toEqual([]);
    }
    expect(change(zone, extra({ x_y: "a", z: 1 }), extra({ x_y: "b", z: 1 }))).toMatchObject({
      changed: ["plan.extra.x_y"],
      replaces: ["plan.extra.x_y"],
    });
  });

  test("its order does not matter", () => {
    expect(
      change(
        zone,
        { name: "web", plan: { type: "static", ips: 1 } },
        { plan: { ips: 1, type: "static" }, name: "web" },
      ),
    ).toEqual(SAME);
  });
});

describe("a zone", () => {
  const inputs = { name: "web", type: "dc", plan: { type: "static" } };

  test("is made anew for another name or type, and switched in place", () => {
    expect(change(zone, inputs, { ...inputs, name: "web2" })).toEqual({
      changed: ["name"],
      replaces: ["name"],
      deleteBeforeReplace: false,
    });
    expect(change(zone, inputs, { ...inputs, type: "isp" })).toEqual({
      changed: ["type"],
      replaces: ["type"],
      deleteBeforeReplace: true,
    });
    expect(change(zone, inputs, { ...inputs, disabled: true })).toEqual({ ...SAME, changed: ["disabled"] });
    expect(change(zone, { ...inputs, disabled: true }, inputs)).toEqual({ ...SAME, changed: ["disabled"] });
    expect(change(zone, { ...inputs, disabled: false }, { ...inputs, disabled: false })).toEqual(SAME);
  });

  test("is deleted before its replacement comes only where its name is the program's", () => {
    const generated = { ...inputs, __autoname: "web" };
    expect(change(zone, generated, { ...generated, plan: { type: "resident" } })).toMatchObject({
      replaces: ["plan.type"],
      deleteBeforeReplace: false,
    });
    expect(change(zone, inputs, { ...inputs, plan: { type: "resident" } })).toMatchObject({
      replaces: ["plan.type"],
      deleteBeforeReplace: true,
    });
    expect(change(zone, inputs, { ...inputs, name: UNKNOWN, plan: { type: "resident" } })).toMatchObject({
      deleteBeforeReplace: false,
    });
  });

  test("stays when a generated name becomes a given one, and the other way round", () => {
    const generated = { ...inputs, __autoname: "web" };
    expect(change(zone, generated, inputs)).toEqual({ ...SAME, changed: [] });
    expect(change(zone, inputs, generated)).toEqual({ ...SAME, changed: [] });
    expect(change(zone, generated, { ...generated, __autoname: "renamed" })).toEqual({
      ...SAME,
      changed: [],
    });
  });

  test("that was imported, with nothing known to be declared, is updated but never replaced for that", () => {
    expect(zone.diff(inputs, new Set(), inputs)).toEqual({ ...SAME, changed: ["name", "type", "plan.type"] });
  });
});

/** Values that mean the same, one kind of field after the other, and one that means something else. */
const portSpellings: Record<string, [unknown[], unknown]> = {
  text: [["a"], "b"],
  choice: [["a"], "b"],
  number: [[7, "7"], 8],
  flag: [[true, "true", 1, "1"], undefined],
  addresses: [
    [
      ["10.20.0.0/16", "203.0.113.7"],
      ["203.0.113.7/32", "10.20.30.77/16"],
    ],
    ["10.20.0.0/17", "203.0.113.7"],
  ],
  names: [
    [
      ["Ann", "bob"],
      ["ann", "BOB"],
    ],
    ["ann"],
  ],
  list: [[[{ a: "x", b: 1 }], [{ b: 1, a: "x" }]], [{ a: "y", b: 1 }]],
  object: [
    [
      { a: 1, b: "x" },
      { b: "x", a: 1 },
    ],
    { a: 2, b: "x" },
  ],
};

describe("a port's field", () => {
  const inputs = (fields: JsonObject): JsonObject => ({ zone: "web", ...fields });
  const spellingsOf = (field: PortField): [unknown[], unknown] => {
    const { is, compares = "" } = portField(field);
    return portSpellings[compares] ?? (portSpellings[is] as [unknown[], unknown]);
  };

  test.each(PORT_FIELDS)("%s changes when its meaning does, and only then", (field) => {
    const { replaces } = portField(field);
    const [same, different] = spellingsOf(field);
    for (const left of same) {
      for (const right of same)
        expect(change(proxyPort, inputs({ [field]: left }), inputs({ [field]: right }))).toEqual(SAME);
      const { changed, replaces: replaced } = change(
        proxyPort,
        inputs({ [field]: left }),
        inputs({ [field]: different }),
      );
      // Another number needs nothing to be deleted first, and a port that is told none keeps the one it has.
      expect([...new Set(changed.map((path) => path.split(".")[0]))]).toEqual([field]);
      expect(replaced).toEqual(replaces ? [field] : []);
    }
  });

  test.each(PORT_FIELDS)("%s that is empty or the default means that it is not there", (field) => {
    const { is, default: initial } = portField(field);
    const empty = is === "object" ? {} : is === "list" ? [] : "";
    const nothings = [initial, empty, null, undefined];
    fc.assert(
      fc.property(fc.constantFrom(...nothings), fc.constantFrom(...nothings), (left, right) => {
        expect(change(proxyPort, inputs({ [field]: left }), inputs({ [field]: right })).replaces).toEqual([]);
        if (left !== undefined && right !== undefined) {
          expect(change(proxyPort, inputs({ [field]: left }), inputs({ [field]: right }))).toEqual(SAME);
        }
      }),
    );
  });

  test("that the program says nothing of is nobody's business", () => {
    const state = inputs({ port: 24_000, listenPort: 24_000, country: "us", ssl: true });
    expect(proxyPort.diff(state, declaredIn(inputs({})), inputs({}))).toEqual(SAME);
  });

  test("zip keeps its zeros, and digits in rules are numbers to the manager", () => {
    expect(change(proxyPort, inputs({ zip: "07001" }), inputs({ zip: "7001" })).changed).toEqual(["zip"]);
    const rules = (status: unknown) => inputs({ rules: [{ status, action: { ban_ip: "60" } }] });
    expect(change(proxyPort, rules("200"), rules(200))).toEqual(SAME);
    expect(change(proxyPort, rules(10), rules("10.")).changed).toEqual(["rules"]);
    const within = (time: unknown) => inputs({ rules: [{ min_req_time: time, action: {} }] });
    expect(change(proxyPort, within(10), within("10min"))).toEqual(SAME);
    expect(change(proxyPort, within("10min"), within("10s")).changed).toEqual(["rules"]);
    expect(change(proxyPort, rules("200"), rules("404")).changed).toEqual(["rules"]);
  });

  test("names in rules may be spelled as in programs or as with the manager", () => {
    const rules = (rule: JsonObject) => inputs({ rules: [rule] });
    const was = rules({ min_req_time: 5, action_type: "ban_ip", action: { ban_ip: "60", of_tomorrow: 1 } });
    const is = { minReqTime: 5, actionType: "ban_ip", action: { banIp: 60, of_tomorrow: 1 } };
    expect(change(proxyPort, was, rules(is))).toEqual(SAME);
    expect(change(proxyPort, rules(is), was)).toEqual(SAME);
    expect(change(proxyPort, was, rules({ ...is, action: { banIp: 61, of_tomorrow: 1 } })).changed).toEqual(["rules"]);
    expect(change(proxyPort, was, rules({ ...is, action: { banIp: 60, ofTomorrow: 1 } })).changed).toEqual(["rules"]);
  });

  test("port: a given number is free only when the port that has it is gone", () => {
    const iface = (port: JsonObject, iface: string) => inputs({ ...port, iface });
    expect(change(proxyPort, iface({ port: 24_000 }, "a"), iface({ port: 24_000 }, "b"))).toEqual({
      changed: ["iface"],
      replaces: ["iface"],
      deleteBeforeReplace: true,
    });
    expect(proxyPort.diff(iface({ port: 24_000 }, "a"), declaredIn(iface({}, "a")), iface({}, "b"))).toEqual({
      changed: ["iface"],
      replaces: ["iface"],
      deleteBeforeReplace: false,
    });
  });

  test("port: so is a number in the range of one that is multiplied", () => {
    const range = (port: number, multiply?: number) => inputs(multiply === undefined ? { port } : { port, multiply });
    const first = (before: JsonObject, after: JsonObject) => change(proxyPort, before, after).deleteBeforeReplace;
    expect(first(range(24_000, 5), range(24_004))).toBe(true);
    expect(first(range(24_000, 5), range(24_005))).toBe(false);
    expect(first(range(24_010), range(24_006, 5))).toBe(true);
    expect(first(range(24_010), range(24_006, 4))).toBe(false);
    expect(first(range(24_000), range(24_001))).toBe(false);
  });

  test("port: a number that is given up, or given to a port that has it, changes nothing", () => {
    const state = inputs({ port: 24_000 });
    expect(proxyPort.diff(state, declaredIn(state), inputs({}))).toEqual({ ...SAME, changed: ["port"] });
    expect(proxyPort.diff(state, declaredIn(inputs({})), state)).toEqual({ ...SAME, changed: ["port"] });
  });
});

describe("an allowed address", () => {
  const inputs = { ip: "10.20.0.0/16", list: "ports", apiKey: "key" };

  test("is another entry when it or its list is another one", () => {
    expect(change(whitelistIp, inputs, { ...inputs, ip: "10.20.0.0/17" })).toMatchObject({ replaces: ["ip"] });
    expect(change(whitelistIp, inputs, { ...inputs, list: "ui" })).toMatchObject({ replaces: ["list"] });
    expect(change(whitelistIp, inputs, { ...inputs, ip: "10.20.30.40/16" })).toEqual(SAME);
  });

  test("stands on the `ui` list unless another is named", () => {
    expect(whitelistIp.diff({ ip: "203.0.113.7", list: "ui" }, new Set(["ip"]), { ip: "203.0.113.7" })).toEqual(SAME);
    expect(
      whitelistIp.diff({ ip: "203.0.113.7", list: "ui" }, new Set(["ip"]), { ip: "203.0.113.7", list: "ui" }),
    ).toEqual({
      ...SAME,
      changed: ["list"],
    });
  });

  test("stays when only the way to it changes", () => {
    expect(change(whitelistIp, inputs, { ...inputs, apiKey: "other" })).toEqual({ ...SAME, changed: ["apiKey"] });
  });
});

const KINDS: [string, Lifecycle, JsonObject][] = [
  ["zone", zone, { name: "web", plan: { type: "static", ips: 2, extra: { a: [1] } }, disabled: false, timeouts: {} }],
  ["port", proxyPort, { zone: "web", port: 24_000, whitelistIps: ["203.0.113.7"], rules: [{ a: [{ b: 1 }] }] }],
  ["allowed address", whitelistIp, { ip: "203.0.113.7", list: "ui", adopt: true }],
];

describe.each(KINDS)("a %s", (_, lifecycle, inputs) => {
  test("that is as it was is not changed, as often as it is looked at", () => {
    expect(change(lifecycle, inputs, inputs)).toEqual(SAME);
    expect(change(lifecycle, inputs, structuredClone(inputs))).toEqual(SAME);
  });

  test("is changed by whatever is not known yet, at any depth", () => {
    for (const [key, value] of Object.entries(inputs)) {
      expect(change(lifecycle, inputs, { ...inputs, [key]: UNKNOWN }).changed.join()).toContain(key);
      if (!Array.isArray(value)) continue;
      for (const index of value.keys()) {
        expect(change(lifecycle, inputs, { ...inputs, [key]: value.with(index, UNKNOWN) }).changed).toEqual([key]);
      }
    }
  });

  test("compares any JSON without failing", () => {
    // An object with such a member is no value of any field, and cannot be made a text.
    const value = fc.jsonValue().filter((json) => !/toString|valueOf/.test(JSON.stringify(json)));
    const json = fc.dictionary(fc.constantFrom(...Object.keys(inputs), "x"), value as fc.Arbitrary<unknown>);
    fc.assert(
      fc.property(json, json, (before, after) => {
        const { changed, replaces } = change(lifecycle, before, after);
        expect(changed).toEqual(expect.arrayContaining(replaces));
        expect(change(lifecycle, before, before).changed).toEqual([]);
      }),
    );
  });
});

const FOUND = { name: "web", plan: { type: "static", country: "us" }, disabled: true };
const differing = (inputs: JsonObject, same: Parameters<typeof mismatches>[3] = () => undefined) =>
  mismatches(FOUND, inputs, zoneKind, same);

test("what there is and what is wanted differ in what cannot be changed in place, and in nothing else", () => {
  expect(differing({ name: "web", plan: { type: "static", country: "US" } })).toEqual([]);
  expect(differing({ name: "api", plan: { type: "static", country: "de" }, disabled: false })).toEqual([
    "name",
    "plan.country",
  ]);
  expect(differing({ name: "web", timeouts: { create: 5 } })).toEqual([]);
});

test("what there is and what is wanted are compared by the kind first, which is asked as for what is new", () => {
  const asked: unknown[][] = [];
  const same = (...given: unknown[]) => {
    asked.push(given);
    return given[0] === "name" ? true : undefined;
  };
  expect(differing({ name: "api", plan: { country: "de" } }, same)).toEqual(["plan.country"]);
  expect(asked).toEqual([
    ["name", "web", "api", true],
    ["plan.country", "us", "de", true],
  ]);
  expect(differing({ name: "web" }, () => false)).toEqual(["name"]);
});
