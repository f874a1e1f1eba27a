import { expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/base/json";
import type { Lifecycle, Step } from "../../src/lifecycle/lifecycle";
import type { Finding } from "../../src/run/move";
import { recognized } from "../../src/run/recognition";
import type { Recorded } from "../../src/run/recorded";
import { lifecycle } from "../dynamic/adapterSetup";

const STATE: JsonObject = { name: "web", size: 1, made: "then", account: "a" };
const INPUTS: JsonObject = { name: "web", size: 1, account: "b" };

const recorded = (more: Partial<Recorded> = {}): Recorded =>
  ({
    id: "web",
    mark: "m.web",
    state: STATE,
    declared: new Set(["name", "size"]),
    inputs: INPUTS,
    ...more,
  }) as Recorded;

/** A kind that compares what is declared. */
const kind = (more: Partial<Lifecycle> = {}): Lifecycle =>
  lifecycle({
    identity: ["made"],
    diff: (values, declared, inputs) => ({
      changed: [...declared].filter((name) => values[name] !== inputs[name]),
      replaces: [],
      deleteBeforeReplace: false,
    }),
    ...more,
  });

const foundBy = (found: JsonObject | undefined, life: Lifecycle, known = recorded(), here?: string) =>
  recognized(known, life, "account", here, async () => found, {} as Step);

const manager = (more: Partial<Lifecycle> = {}) => kind({ service: "manager", ...more });
const remote = (more: Partial<Lifecycle> = {}) => kind({ service: "remote", ...more });
const marked = (isMarked: boolean) => manager({ isMarked: async () => isMarked });
const at = (location: string | undefined) => recorded({ location });
const { made: _, ...undated } = STATE;

test.each<[string, Finding, JsonObject | undefined, Lifecycle, Recorded?, (string | null)?]>([
  ["nothing where there is nothing", "nothing", undefined, remote()],
  ["it at the same service", "it", STATE, manager(), at("here")],
  ["it in an account, where nobody knows which it was", "it", STATE, remote(), at(undefined)],
  ["it in an account, where nobody knows which it is", "it", STATE, remote(), at("there"), null],
  ["another where the account is known to be another", "another", STATE, remote(), at("there")],
  ["it where it bears its mark, on another manager, too", "it", STATE, marked(true), at("there")],
  ["unmarked where it bears none", "unmarked", STATE, marked(false), at("there")],
  ["alike where nothing bears one", "alike", STATE, manager(), at("there")],
  ["alike where nobody knows which manager it was", "alike", STATE, manager(), at(undefined)],
  ["another where it was made at another time", "another", { ...STATE, made: "later" }, remote(), at("here")],
  ["it where the state does not know when it was made", "it", STATE, remote(), recorded({ state: undated })],
  ["another where it is not as the state has it", "another", { ...STATE, size: 2 }, remote(), at("here")],
  [
    "it where what differs was different before",
    "it",
    { ...STATE, size: 3 },
    remote(),
    recorded({ state: { ...STATE, size: 2 }, location: "here" }),
  ],
  ["it whatever the connection is called there", "it", { ...STATE, account: "b" }, remote(), at("here")],
  ["it where a kind has nothing that is its own alone", "it", STATE, kind({ identity: [] }), at("here")],
])("what a provider finds is %s", async (_, expected, found, life, known, here = "here") => {
  expect(await foundBy(found, life, known, here ?? undefined)).toBe(expected);
});

test("what a provider finds is the resource's only where two things that tell it apart agree", async () => {
  const life = remote({ identity: ["made", "serial"] });
  const state = { ...STATE, serial: 1 };
  const known = recorded({ state, location: "here" });
  expect(await foundBy({ ...state, serial: 2 }, life, known, "here")).toBe("another");
  expect(await foundBy(state, life, known, "here")).toBe("it");
});

test("what a provider finds of a kind that cannot be looked up is the resource's, and is asked for no mark", async () => {
  const isMarked = vi.fn(async () => false);
  const { read: __, ...life } = manager({ isMarked });
  expect(await foundBy(STATE, life, at("there"))).toBe("it");
  expect(isMarked).not.toHaveBeenCalled();
});
