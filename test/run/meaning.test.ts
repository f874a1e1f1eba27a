import { expect, test } from "vitest";
import type { Intent, Purpose } from "../../src/run/intents";
import { concerns, isHere, isOf, type Undertaking } from "../../src/run/meaning";

const CREATE = { kind: "create" } as const;

test.each<[boolean, string, Purpose, Undertaking]>([
  [true, "that it was to change", { kind: "change", of: "m.a" }, { kind: "change", of: "m.a" }],
  [
    true,
    "that it was to change, and that has changed since",
    { kind: "change", of: "m.a" },
    { kind: "delete", of: "m.a.b" },
  ],
  [true, "that was to be replaced", { kind: "replace", of: "m.a" }, { kind: "replace", of: "m.a" }],
  [false, "that another was to change", { kind: "change", of: "m.b" }, { kind: "change", of: "m.a" }],
  [false, "that is created", { kind: "change", of: "m.a" }, CREATE],
  [false, "that is changed, where it was a creation", CREATE, { kind: "change", of: "m.a" }],
  [false, "that is created, where it was a creation: its place says so", CREATE, CREATE],
])("an intent is of the resource (%s) %s", (is, _, purpose, operation) => {
  expect(isOf({ purpose }, operation)).toBe(is);
});

const HERE = "here";
const intent = (purpose: Purpose, place = HERE): Intent => ({
  began: "2026-01-01T00:00:00.000Z",
  mark: "m.new",
  purpose,
  facts: {},
  place,
  backend: "there",
  service: "remote",
  writer: { host: "host", pid: 1, run: "run" },
});

test.each<[boolean, string, Intent, string | undefined]>([
  [true, "at its place", intent(CREATE), "urn"],
  [true, "at its place, where it was to replace another", intent({ kind: "replace", of: "m.b" }), "urn"],
  [false, "at its place, where it was to change another", intent({ kind: "change", of: "m.b" }), "urn"],
  [true, "on its resource, wherever that stands", intent({ kind: "change", of: "m.a" }, "there"), "urn"],
  [true, "at the place where it stood before", intent(CREATE, "before"), "urn"],
  [false, "at another place", intent(CREATE, "there"), "urn"],
  [false, "of which nobody knows the place", intent(CREATE), undefined],
  [true, "on its resource, of which nobody knows the place", intent({ kind: "change", of: "m.a" }), undefined],
])("an intent concerns an operation (%s) %s", (is, _, found, place) => {
  const subject = { kind: "Zone", place, operation: { kind: "change", of: "m.a" } as const, service: "remote" };
  expect(concerns(found, subject, place === undefined ? [] : [HERE, "before"])).toBe(is);
});

test.each<[boolean, string, Pick<Intent, "service" | "account">, string | undefined]>([
  [true, "with the same service", { service: "remote" }, undefined],
  [true, "with the same account", { service: "remote", account: "ours" }, "ours"],
  [true, "with an account that nobody knew then", { service: "remote" }, "ours"],
  [true, "with an account, where nobody knows that of the resource", { service: "remote", account: "ours" }, undefined],
  [false, "with another account", { service: "remote", account: "theirs" }, "ours"],
  [false, "with another service", { service: "fra-1", account: "ours" }, "ours"],
])("what was begun is where the resource is (%s): %s", (is, _, begun, account) => {
  expect(isHere(begun, { kind: "Zone", place: "urn", operation: CREATE, service: "remote", account })).toBe(is);
});
