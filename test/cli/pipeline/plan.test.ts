import { expect, test } from "vitest";
import { planFrom } from "../../../src/cli/pipeline/plan";
import { gone, lines, SECRET, said, step, UNKNOWN, violation } from "./events";

const planOf = (...events: readonly object[]) =>
  planFrom(lines(...events), (text) => text.replaceAll("hush", "[secret]"));

test("a plan has what happens to each resource, property by property, without the protocol's own keys", () => {
  const plan = planOf(
    step("create", "Zone", "web", { after: { name: UNKNOWN, plan: { type: "static", ips: 3 } } }),
    step("update", "ProxyPort", "shop", {
      before: { port: 24000, rotateSession: true, country: "de", zone: "web" },
      after: { port: 24000, rotateSession: false, zone: "web", rules: [{ url: "a" }] },
    }),
    step("delete", "WhitelistIp", "office", { before: { ip: "192.0.2.1" } }),
    step("same", "Zone", "old", { before: { name: "old" }, after: { name: "old" } }),
  );
  expect(plan.steps.map(({ operation, kind, name, changes }) => [operation, `${kind} ${name}`, changes])).toEqual([
    [
      "create",
      "Zone web",
      [
        { path: "name", before: undefined, after: "known after the update" },
        { path: "plan.type", before: undefined, after: '"static"' },
        { path: "plan.ips", before: undefined, after: "3" },
      ],
    ],
    [
      "update",
      "ProxyPort shop",
      [
        { path: "rotateSession", before: "true", after: "false" },
        { path: "country", before: '"de"', after: undefined },
        { path: "rules", before: undefined, after: '[{"url":"a"}]' },
      ],
    ],
    ["delete", "WhitelistIp office", [{ path: "ip", before: '"192.0.2.1"', after: undefined }]],
    ["same", "Zone old", []],
  ]);
});

test("the keys of a set may be names of what each object has", () => {
  const ports = (...keys: string[]) => Object.fromEntries(keys.map((key) => [key, { port: 24_000 }]));
  const { steps } = planOf(
    step("update", "ProxyPorts", "shops", {
      before: { ports: ports("shop", "toString") },
      after: { ports: ports("shop", "constructor") },
    }),
  );
  expect(steps[0]?.changes).toEqual([
    { path: "ports.toString.port", before: "24000", after: undefined },
    { path: "ports.constructor.port", before: undefined, after: "24000" },
  ]);
});

test("a replacement is one step, of the three that the engine announces", () => {
  const change = { before: { name: "web", plan: { ips: 3 } }, after: { name: "web", plan: { ips: 4 } } };
  const { steps } = planOf(
    step("delete-replaced", "Zone", "web", { before: change.before }),
    step("replace", "Zone", "web", change),
    step("create-replacement", "Zone", "web", change),
  );
  expect(steps).toMatchObject([{ operation: "replace", changes: [{ path: "plan.ips", before: "3", after: "4" }] }]);
});

test("where nothing else differs, a secret does; beside another change it is not mentioned", () => {
  const of = (rotateSession: boolean) =>
    planOf(
      step("update", "ProxyPort", "shop", {
        before: { password: SECRET, rotateSession: true },
        after: { password: SECRET, rotateSession },
      }),
    ).steps[0]?.changes;
  expect(of(true)).toEqual([{ path: "password", before: "[secret]", after: "[secret]" }]);
  expect(of(false)).toEqual([{ path: "rotateSession", before: "true", after: "false" }]);
});

test("a secret beside another change is mentioned where the engine says that it differs", () => {
  const inputs = { password: SECRET, headers: SECRET, extra: { token: SECRET, other: SECRET } };
  const { resourcePreEvent } = step("update", "ProxyPort", "shop", {
    before: { ...inputs, rotateSession: true },
    after: { ...inputs, rotateSession: false },
  });
  const kind = { diffKind: "update", inputDiff: false };
  const detailedDiff = { rotateSession: kind, password: kind, "headers[0].value": kind, "extra.token": kind };
  const { metadata } = resourcePreEvent;
  const { steps } = planOf({ resourcePreEvent: { metadata: { ...metadata, detailedDiff } } });
  expect(steps[0]?.changes.map(({ path }) => path)).toEqual(["password", "headers", "extra.token", "rotateSession"]);
});

test("what a port of a set has of its own, and is not declared so, is to be what all ports share", () => {
  const defaults = { zone: "web", country: "us", throttle: 7 };
  const { steps } = planOf(
    step("update", "ProxyPorts", "fleet", {
      before: {
        defaults,
        ports: { a: { port: 24_101, country: "fr" }, b: { port: 24_102, asn: 1, throttle: 7 }, c: { port: 24_103 } },
      },
      after: { defaults, ports: { a: { port: 24_101 }, b: { port: 24_102 } } },
    }),
  );
  expect(steps[0]?.changes).toEqual([
    { path: "ports.a.country", before: '"fr"', after: '"us"' },
    { path: "ports.b.asn", before: "1", after: undefined },
    { path: "ports.b.throttle", before: "7", after: undefined },
    { path: "ports.c.port", before: "24103", after: undefined },
  ]);
});

test("a resource that a refresh has found to be gone is marked so", () => {
  const { steps } = planOf(
    gone("ProxyPort", "shop"),
    step("create", "ProxyPort", "shop", { after: { port: 1 } }),
    step("create", "ProxyPort", "new", { after: { port: 2 } }),
  );
  expect(steps.map(({ name, isGone }) => [name, isGone])).toEqual([
    ["shop", true],
    ["new", false],
  ]);
});

test("secrets are hidden before a value is cut, and what the CLI says for debugging is left out", () => {
  const plan = planOf(
    said("debug", "password: hush"),
    said("info", "brightdata: the hush is out"),
    said("info", "brightdata: the hush is out"),
    said("warning", ""),
    { diagnosticEvent: { severity: "info", message: "Waiting for hush\n", ephemeral: true } },
    said("error", "hush went wrong"),
    said("error", "preview failed"),
    step("create", "ProxyPort", "shop", { after: { note: `${"x".repeat(197)}hush` } }),
  );
  expect(plan.messages).toEqual(["the [secret] is out"]);
  expect(plan.errors).toEqual(["[secret] went wrong"]);
  expect(plan.steps[0]?.changes[0]?.after).toBe(`"${"x".repeat(197)}[s…`);
  expect(JSON.stringify(plan.steps[0]?.changes)).not.toContain("hu");
});

test("policies say what they have found, and which packs have looked", () => {
  const plan = planOf(
    violation("mandatory", "no-open-port", "ProxyPort shop has no allowlist.", ["ProxyPort", "shop"]),
    violation("advisory", "budget", "The stack costs much."),
    { summaryEvent: { PolicyPacks: { house: "v1.0.0" } } },
  );
  expect(plan.violations).toEqual([
    { policy: "house/no-open-port", isMandatory: true, resource: "shop", message: "ProxyPort shop has no allowlist." },
    { policy: "house/budget", isMandatory: false, message: "The stack costs much." },
  ]);
  expect(plan.packs).toEqual(["house v1.0.0"]);
});

test("a provider is a resource, and the stack is none", () => {
  const { steps } = planOf(
    step("update", "pulumi:pulumi:Stack", "shop-demo", { before: {}, after: {} }),
    step("update", "pulumi:providers:pulumi-nodejs", "shop", { before: { retries: "3" }, after: { retries: "5" } }),
    step("create", "pulumi:providers:random", "dice", { after: {} }),
  );
  expect(steps.map(({ operation, kind, name }) => [operation, kind, name])).toEqual([
    ["update", "Provider", "shop"],
    ["create", "pulumi:providers:random", "dice"],
  ]);
  expect(steps[0]?.changes).toEqual([{ path: "retries", before: '"3"', after: '"5"' }]);
});

test("what else the CLI prints is no event", () => {
  const text = `Installing policy pack house\n{"cut sh\n${lines(step("create", "Zone", "web", { after: {} }))}`;
  expect(planFrom(text, String).steps).toHaveLength(1);
});
