import { expect, test } from "vitest";
import { recorded } from "../../src/run/recorded";
import { lifecycle } from "../dynamic/adapterSetup";

const STATE = { plan: { type: "static", country: "us" }, size: 2, created: "then" };
const TOLD = { id: "web", state: STATE, home: undefined, location: undefined, place: "here", mark: "m.abc" };
const LIFE = lifecycle({ inputs: ["plan", "size"] });

const of = (old: Parameters<typeof recorded>[1], told = TOLD) => recorded(told, old, "Test", LIFE);

test("what was declared is known by the old inputs, as by their paths alone; its values are those of the state", () => {
  const known = of({ plan: { country: "de" } });
  expect(known).toEqual(of(new Set(["plan.country"])));
  expect(known).toMatchObject({
    declared: new Set(["plan.country"]),
    inputs: { plan: { country: "us" } },
    isImport: false,
    isUnmarked: false,
  });
});

test("all inputs of a state that does not say were declared; of a look-up, none were", () => {
  const { created: _, ...inputs } = STATE;
  expect(of(undefined)).toMatchObject({ inputs, isImport: true });
  expect(of(null)).toMatchObject({ declared: undefined, inputs: undefined, isImport: false });
  expect(of(undefined, { ...TOLD, state: {} as typeof STATE })).toMatchObject({ declared: undefined, isImport: false });
});

test("a state without a mark has the same one each time, by its kind, place and id", () => {
  const old = { ...TOLD, mark: undefined } as unknown as typeof TOLD;
  expect(of({}, old)).toMatchObject({ mark: expect.stringMatching(/^d\.[\w-]{12}$/), isUnmarked: true });
  expect(of({}, old).mark).toBe(of({}, old).mark);
  expect(of({}, { ...old, place: "there" }).mark).not.toBe(of({}, old).mark);
});
