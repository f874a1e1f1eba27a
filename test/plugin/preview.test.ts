import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { KINDS } from "../../src/generated/kinds";
import { LIFECYCLES } from "../../src/generated/lifecycles";
import { bannedIp } from "../../src/kinds/bannedIp/declaration";
import { managerApiKey } from "../../src/kinds/managerApiKey/declaration";
import { proxyPort } from "../../src/kinds/proxyPort/declaration";
import { proxyPorts } from "../../src/kinds/proxyPorts/declaration";
import { zone } from "../../src/kinds/zone/declaration";
import { UNKNOWN } from "../../src/lifecycle/lifecycle";
import { ofCreation, ofUpdate } from "../../src/plugin/preview";

const kinds = KINDS.map((name) => LIFECYCLES[name]?.declaration).filter((kind) => kind !== undefined);

const plan = { type: "static" };

describe.each(kinds.map((kind) => [kind.name, kind] as const))("%s", (_, kind) => {
  const awaited = Object.keys(kind.inputs).filter((name) => kind.inputs[name]?.known);
  const made = Object.keys(kind.outputs).filter((name) => !kind.outputs[name]?.hidden);
  const inputs = Object.fromEntries(Object.keys(kind.inputs).map((name) => [name, `the ${name}`]));

  test("of one that is created, what the service says is not known, and nothing that is hidden is there", () => {
    const known = ofCreation(kind, {});
    expect(Object.keys(known).sort()).toEqual([...new Set([...awaited, ...made])].sort());
    expect(Object.values(known).every((value) => value === UNKNOWN)).toBe(true);
  });

  test("of one that is created, the inputs are as they are given", () => {
    expect(ofCreation(kind, inputs)).toMatchObject(inputs);
    const none = Object.fromEntries(Object.keys(inputs).map((name) => [name, undefined]));
    expect(ofCreation(kind, none)).toEqual(ofCreation(kind, {}));
  });

  test("of one that is updated, what is not volatile stays", () => {
    const state = { ...inputs, ...Object.fromEntries(made.map((name) => [name, `now ${name}`])) };
    const stays = Object.fromEntries(
      Object.entries(state).map(([name, value]) => [name, kind.outputs[name]?.isVolatile ? UNKNOWN : value]),
    );
    expect(ofUpdate(kind, state, inputs, new Set())).toEqual(stays);
  });

  test.each(Object.keys(inputs))("of one that is updated, the changed %s is the new one", (name) => {
    const state = { ...inputs };
    expect(ofUpdate(kind, state, { ...inputs, [name]: "new" }, new Set([name]))).toMatchObject({ [name]: "new" });
    const { [name]: _, ...others } = inputs;
    expect(ofUpdate(kind, others, { ...inputs, [name]: "new" }, new Set([name]))).toMatchObject({ [name]: "new" });
    const { [name]: left = "absent" } = ofUpdate(kind, state, others, new Set([name]));
    expect([UNKNOWN, "absent"]).toContain(left);
  });
});

test("of one that could not be read when it was made, nothing is known that the update reads", () => {
  const declared = { name: "web", plan: { type: "static", country: "us" } };
  const found = ofUpdate(zone, { ...declared, status: "not visible yet" }, declared, new Set());
  expect(found).toEqual(ofCreation(zone, declared));
  expect(found).toMatchObject({ name: "web", password: UNKNOWN, plan: { country: "us", product: UNKNOWN } });
});

test.each<[what: string, found: JsonObject, known: JsonObject]>([
  [
    "a zone with a name",
    ofCreation(zone, { name: "web", plan }),
    { name: "web", plan, status: UNKNOWN, created: UNKNOWN },
  ],
  ["a zone whose name is not known", ofCreation(zone, { name: UNKNOWN, plan }), { name: UNKNOWN, status: UNKNOWN }],
  ["a zone whose plan is not known", ofCreation(zone, { plan: UNKNOWN }), { name: UNKNOWN, plan: UNKNOWN }],
  ["a port with a number", ofCreation(proxyPort, { zone: "web", port: 24_000 }), { port: 24_000, listenPort: 24_000 }],
  ["a port without one", ofCreation(proxyPort, { zone: "web" }), { port: UNKNOWN, listenPort: UNKNOWN }],
  [
    "a port whose number is not known",
    ofCreation(proxyPort, { port: UNKNOWN }),
    { port: UNKNOWN, listenPort: UNKNOWN },
  ],
  [
    "a port that keeps its number",
    ofUpdate(proxyPort, { zone: "web", port: 24_000, listenPort: 24_000 }, { zone: "other" }, new Set(["zone"])),
    { zone: "other", port: 24_000, listenPort: 24_000 },
  ],
  [
    "a ban that another port gets",
    ofUpdate(bannedIp, { ip: "203.0.113.7", port: 24_000, ports: [24_000] }, { port: 24_001 }, new Set(["port"])),
    { port: 24_001, ports: UNKNOWN, until: UNKNOWN },
  ],
  [
    "a ban whose ports are given",
    ofUpdate(bannedIp, { ports: [24_000], durationMs: 1 }, { ports: [24_000], durationMs: 2 }, new Set(["durationMs"])),
    { ports: [24_000], durationMs: 2 },
  ],
  [
    "a zone that is disabled",
    ofUpdate(
      zone,
      { name: "web", plan, status: "active", created: "then", passwords: ["one"], password: "one", ips: ["any"] },
      { name: "web", plan, disabled: true },
      new Set(["disabled"]),
    ),
    { name: "web", plan: { ...plan, disabled: UNKNOWN }, disabled: true, status: UNKNOWN, created: "then" },
  ],
  [
    "a zone whose plan is not known any more",
    ofUpdate(zone, { name: "web", plan, status: "active" }, { name: "web", plan: UNKNOWN }, new Set(["plan"])),
    { name: "web", plan: UNKNOWN },
  ],
  [
    "the plan of a zone",
    ofCreation(zone, { plan }).plan as JsonObject,
    { type: "static", product: UNKNOWN, start: UNKNOWN },
  ],
  [
    "a ban that has a new time",
    ofUpdate(bannedIp, { ip: "203.0.113.1" }, { ip: "203.0.113.1", durationMs: 5 }, new Set(["durationMs"])),
    { ip: "203.0.113.1", durationMs: 5, until: UNKNOWN, expired: UNKNOWN },
  ],
  [
    "a key that a trigger replaces",
    ofUpdate(managerApiKey, { triggers: [1], apiKey: "the-key" }, { triggers: [2] }, new Set(["triggers"])),
    { triggers: [2], apiKey: UNKNOWN },
  ],
  ["a ban", ofCreation(bannedIp, { ip: "203.0.113.1" }), { ip: "203.0.113.1" }],
])("of %s, it is known what is known", (_, found, known) => {
  expect(found).toMatchObject(known);
});

describe("a set of ports", () => {
  const ports = { "us-1": { port: 24_000, country: "us" }, "us.2": { password: "p" } };

  test("has the numbers that are given, what is shared, and nothing that is no output", () => {
    expect(ofCreation(proxyPorts, { ports, defaults: { zone: "web", password: "p" } }).ports).toEqual({
      "us-1": { port: 24_000, listenPort: 24_000, country: "us", zone: "web" },
      "us.2": { port: UNKNOWN, listenPort: UNKNOWN, zone: "web" },
    });
  });

  test("shows of what is shared what it will show", () => {
    const inputs = { ports: {}, defaults: { zone: "web", password: "p" } };
    expect(ofCreation(proxyPorts, inputs).defaults).toEqual({ zone: "web" });
    expect(ofUpdate(proxyPorts, { ports: {} }, inputs, new Set(["defaults"])).defaults).toEqual({ zone: "web" });
  });

  test("of which what is shared is not known has the settings that each port has itself", () => {
    const made = ofCreation(proxyPorts, { ports: { a: { port: 24_000, country: "us" } }, defaults: UNKNOWN });
    expect(made.defaults).toBe(UNKNOWN);
    expect(made.ports).toMatchObject({ a: { port: 24_000, listenPort: 24_000, country: "us", zone: UNKNOWN } });
  });

  test("of which nothing is known is not known", () => {
    expect(ofCreation(proxyPorts, { ports: UNKNOWN }).ports).toBe(UNKNOWN);
    expect(ofCreation(proxyPorts, { ports: { a: UNKNOWN } }).ports).toEqual({ a: UNKNOWN });
  });

  const before = { "us-1": { port: 24_000, listenPort: 24_000 }, "us.2": { port: 24_001, listenPort: 24_001 } };

  test("keeps the numbers of its ports in an update, and does not know those of new ones", () => {
    const inputs = { ports: { "us-1": { country: "de" }, new: {} } };
    expect(ofUpdate(proxyPorts, { ports: before }, inputs, new Set(["ports"])).ports).toEqual({
      "us-1": { port: 24_000, listenPort: 24_000, country: "de" },
      new: { port: UNKNOWN, listenPort: UNKNOWN },
    });
  });

  test("has what is newly shared in each port", () => {
    const inputs = { ports: { "us-1": {} }, defaults: { zone: "other" } };
    const state = { ports: { "us-1": before["us-1"] }, defaults: { zone: "web" } };
    expect(ofUpdate(proxyPorts, state, inputs, new Set(["defaults"])).ports).toEqual({
      "us-1": { port: 24_000, listenPort: 24_000, zone: "other" },
    });
  });
});
