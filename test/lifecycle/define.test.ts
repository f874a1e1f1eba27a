import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { kind } from "../../src/declaration/kind";
import { count, flag, text } from "../../src/declaration/property";
import { lifecycle } from "../../src/lifecycle/define";

const declaration = kind("Exercise", {
  says: "Something.",
  brief: "is something",
  service: "manager",
  id: { says: "A name.", example: "web" },
  endpoints: [],
  timeouts: 1,
  inputs: {
    name: text({ required: true }),
    size: count({ default: 3 }),
    isOpen: flag({ default: false }),
    password: text({ secret: true }),
  },
  outputs: { made: text({ required: true, isIdentity: true }), seen: text({}) },
  example: "",
});

const notNeeded = () => Promise.reject(new Error("not needed"));
const behavior = { create: notNeeded, update: notNeeded, delete: notNeeded };
const life = lifecycle(declaration, behavior as never);

test("what a kind declares says what an id looks like: by default anything without a slash", () => {
  expect(["web", "", "a b", "a/b", "/", "ab/"].map((id) => life.localId.test(id))).toEqual([
    ...[true, true, true, false, false, false],
  ]);
  const numbered = kind("Numbered", { ...declaration, id: { ...declaration.id, pattern: /^\d+$/ } } as never);
  expect(lifecycle(numbered, behavior as never).localId).toEqual(/^\d+$/);
});

test("what a kind declares says which outputs no other thing has, and which inputs are secret", () => {
  expect(life.identity).toEqual(["made"]);
  expect(life.secrets).toEqual([["password"]]);
  expect(life.inputs).toEqual(expect.arrayContaining(["name", "size", "isOpen", "password"]));
});

test("what a kind declares tells the smallest inputs that a state stands for", () => {
  const state = { name: "web", size: 3, isOpen: true, password: "hush", made: "then", seen: "now" };
  expect(life.describe(state)).toEqual({ name: "web", isOpen: true });
  expect(life.describe({ name: "web", size: 4 })).toEqual({ name: "web", size: 4 });
});

test("what a kind completes is checked as it was given, and handed on as completed", () => {
  const completing = lifecycle(declaration, {
    ...behavior,
    complete: (inputs: JsonObject) => ({ ...inputs, size: 5 }),
  } as never);
  expect(completing.check({ name: "web" }, undefined)).toEqual({ inputs: { name: "web", size: 5 }, failures: [] });
  expect(completing.check({ nam: "web" }, undefined).failures).toHaveLength(2);
});
