import { expect, it } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { kind, triggers } from "../../src/declaration/kind";
import { count, flag, text } from "../../src/declaration/property";
import { waiting } from "../../src/declaration/waiting";
import { action } from "../../src/lifecycle/action";
import { type Step, UNKNOWN } from "../../src/lifecycle/lifecycle";
import { leafPaths } from "../../src/lifecycle/paths";

const RUN = {} as Step;

const exercise = kind("Exercise", {
  says: "Something that is done.",
  brief: "does something",
  service: "manager",
  isAction: true,
  id: { says: "A number.", example: "1" },
  endpoints: [],
  timeouts: 1,
  inputs: { port: count({}), note: text({}), form: text({ default: "array" }), ...waiting, triggers: triggers() },
  outputs: { done: flag({ required: true }) },
  example: "",
});

function counted() {
  const calls: string[] = [];
  const lifecycle = action(exercise, {
    announce: () => "It will run.",
    perform: async () => {
      calls.push("perform");
      return { id: "1", outputs: { done: true } };
    },
    resume: async (_id, state) => {
      calls.push(`resume with ${JSON.stringify(state.wait)}`);
      return {};
    },
  });
  return { lifecycle, calls };
}

it("an action runs at the creation", async () => {
  const { lifecycle, calls } = counted();
  expect(await lifecycle.create({ port: 1 }, RUN)).toEqual({ id: "1", state: { port: 1, done: true } });
  expect(calls).toEqual(["perform"]);
});

it("an action is announced where it will run, and nowhere else", () => {
  const { lifecycle } = counted();
  expect(lifecycle.announce?.({ port: 1 })).toBe("It will run.");
  expect(lifecycle.announce?.({ port: 1 }, { port: 1 })).toBeUndefined();
});

it("an action of which nothing but what is not known yet may have changed is announced for the case that it has", () => {
  const { lifecycle } = counted();
  const announced = (inputs: JsonObject, former: JsonObject | undefined = { port: 1, note: "a" }) =>
    lifecycle.announce?.(inputs, undefined, {}, { former });
  const words = "changes, which is not known yet: It will run.";
  expect(announced({ port: UNKNOWN, note: "a" })).toBe(`if \`port\` ${words}`);
  expect(announced({ port: UNKNOWN, note: "a", triggers: [UNKNOWN] })).toBe(`if \`port\` or \`triggers\` ${words}`);
  for (const inputs of [{ port: UNKNOWN, note: "b" }, { port: UNKNOWN }, { port: 1, note: "a" }])
    expect(announced(inputs)).toBe("It will run.");
  expect(announced({ port: UNKNOWN }, undefined)).toBe("It will run.");
});

it("an action cannot be run by a refresh", () => {
  expect(counted().lifecycle.read).toBeUndefined();
});

it.each([
  ["a trigger that changes", { triggers: ["a"] }, { triggers: ["b"] }],
  ["a trigger that comes", {}, { triggers: ["a"] }],
  ["an argument that changes", { port: 1 }, { port: 2 }],
])("an action runs again for %s", (_what, before, after) => {
  const { lifecycle } = counted();
  const difference = lifecycle.diff(before, new Set(Object.keys(before)), after);
  expect(difference.replaces).toHaveLength(1);
  expect(difference.deleteBeforeReplace).toBe(false);
});

it.each([
  ["an empty list of triggers", {}, { triggers: [] }],
  ["an empty list that goes", { triggers: [] }, {}],
  ["an empty text", {}, { note: "" }],
  ["a default that is written out", {}, { form: "array" }],
  ["a default that goes", { form: "array" }, {}],
  ["an empty text that goes", { note: "" }, {}],
  ["nothing that an import file says in words", { note: null }, {}],
  ["the way it is waited for", { wait: true }, { wait: false }],
  ["its timeouts", {}, { timeouts: { create: 5 } }],
])("an action does not run again for %s", (_what, before, after) => {
  const { lifecycle } = counted();
  expect(lifecycle.diff(before, new Set(Object.keys(before)), after).replaces).toEqual([]);
});

it("an action leaves nothing open, and has nothing that its deletion could take away", () => {
  const { lifecycle } = counted();
  const asDeclared = { changed: [], replaces: [], deleteBeforeReplace: false };
  expect(lifecycle.diff({ port: 1, done: true }, new Set(["port"]), { port: 1 })).toEqual(asDeclared);
  expect(lifecycle.holdings("1", { port: 1 }).has).toEqual([]);
});

it("an action is called off when it is deleted, if it can be", async () => {
  const called: unknown[] = [];
  const { announce, perform } = { announce: () => "", perform: () => Promise.reject(new Error("not again")) };
  const cancel = async (...given: unknown[]) => void called.push(given);
  await action(exercise, { announce, perform, cancel }).delete("1", { port: 1, done: true }, RUN);
  expect(called).toEqual([["1", { port: 1, done: true }, RUN]]);
  await expect(counted().lifecycle.delete("1", { port: 1, done: true }, RUN)).resolves.toBeUndefined();
});

it("an action that cannot be gone on with is as the program wants it now", async () => {
  const lifecycle = action(exercise, { announce: () => "", perform: () => Promise.reject(new Error("not again")) });
  expect(await lifecycle.update("1", { port: 1, done: true }, new Set(["port"]), { port: 1 }, RUN)).toEqual({
    port: 1,
    done: true,
  });
});

it("an action goes on with what is unfinished as the program wants it now", async () => {
  const { lifecycle, calls } = counted();
  const state = await lifecycle.update("1", { wait: true, done: true }, new Set(["wait"]), { wait: false }, RUN);
  expect(state).toEqual({ wait: false, done: true });
  expect(calls).toEqual(["resume with false"]);
});

it("an action's state has no inputs that are no longer declared", async () => {
  const { lifecycle } = counted();
  const before = { note: "a", wait: true, timeouts: { create: 5 } };
  const updated = await lifecycle.update?.(
    "1",
    { ...before, done: true },
    new Set(leafPaths(before)),
    { port: 1 },
    RUN,
  );
  expect(updated).toEqual({ port: 1, done: true });
});
