import { assert, property, subarray } from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import type { Claimed } from "../../src/lifecycle/claims";
import { coming, holdingsOf, type Own, staying, without } from "../../src/lifecycle/holdings";
import type { Holdings } from "../../src/lifecycle/lifecycle";

const THINGS = ["a", "b", "c", "d"];

const thingsOf = ({ things }: JsonObject): string[] => (things as string[] | undefined) ?? [];

/** A kind whose resources have what they name. */
const naming: Own = (_id, values) => ({ has: thingsOf(values) });

const DECLARED = new Set(["things", "adopt"]);

const some = () => subarray(THINGS);

/** What a resource is to have that has the id `id`. */
const held = (state: JsonObject, inputs: JsonObject, own = naming, declared = DECLARED): Holdings =>
  holdingsOf("Test", own)("id", state, { declared, inputs });

const stays = (state: JsonObject, inputs: JsonObject, own = naming): Claimed =>
  staying({ holdings: holdingsOf("Test", own) }, "id", state, { declared: DECLARED, inputs });

const comes = (inputs: JsonObject, own = naming): Claimed => coming(holdingsOf("Test", own)(undefined, inputs));

test("a kind that names what it has has that, keeps what its inputs name, and lets go of the rest", () => {
  assert(
    property(some(), some(), (has, wants) => {
      const { keeps, ...rest } = held({ things: has, more: 1 }, { things: wants });
      expect(keeps).toEqual(has.filter((thing) => wants.includes(thing)));
      expect(rest).toEqual({ has, takesOver: undefined, brought: [], standsOn: [] });
    }),
  );
});

test("a kind that names what it has without a name in its inputs any more has nothing left", () => {
  expect(held({ things: ["a"] }, {}).keeps).toEqual([]);
  // The state has it of the service's own accord.
  expect(held({ things: ["a"] }, {}, naming, new Set()).keeps).toEqual(["a"]);
});

test("a kind that names what it has writes what it has in addition over whatever is there", () => {
  expect(stays({ things: ["a", "b"] }, { things: ["b", "c"] })).toEqual({ has: ["b", "c"] });
});

test("a kind that names what it has expects, of all that it names, what it does not say that it takes over", () => {
  assert(
    property(some(), some(), some(), (has, wants, adopted) => {
      const own: Own = (_id, values) => ({
        has: thingsOf(values),
        takesOver: thingsOf(values).filter((thing) => adopted.includes(thing)),
      });
      const { has: kept, ...rest } = stays({ things: has }, { things: wants }, own);
      const added = wants.filter((thing) => !has.includes(thing));
      expect(kept).toEqual(has.filter((thing) => wants.includes(thing)));
      expect(rest).toEqual({
        adopts: added.filter((thing) => adopted.includes(thing)),
        expects: added.filter((thing) => !adopted.includes(thing)),
      });
      expect(comes({ things: wants }, own)).toEqual({
        adopts: wants.filter((thing) => adopted.includes(thing)),
        expects: wants.filter((thing) => !adopted.includes(thing)),
      });
    }),
  );
});

test("a state is without what is another's", () => {
  const kind = { without: (state: JsonObject, others: ReadonlySet<string>) => ({ ...state, others: [...others] }) };
  const state = { more: 1 };
  expect(without(kind, state, ["b", "x"])).toEqual({ more: 1, others: ["b", "x"] });
  expect(without(kind, state, [])).toBe(state);
  expect(without({}, state, ["b"])).toBe(state);
});

test("a kind takes over what it is to make only where its inputs say so", () => {
  expect(comes({ things: ["a"] })).toEqual({ adopts: [], expects: ["a"] });
  expect(comes({ things: ["a"], adopt: true })).toEqual({ adopts: ["a"], expects: [] });
  expect(comes({ things: ["a"], adopt: false })).toEqual({ adopts: [], expects: ["a"] });
});

test("a kind that names nothing has its id, once there is one", () => {
  const holdings = holdingsOf("Test");
  expect(holdings("id", {}).has).toEqual(["Test id"]);
  expect(holdings("id", {}).keeps).toEqual(["Test id"]);
  expect(holdings(undefined, {}).has).toEqual([]);
  expect(stays({ a: 1 }, { a: 2 }, () => ({}))).toEqual({ has: ["Test id"] });
  expect(comes({ adopt: true }, () => ({}))).toEqual({ adopts: [], expects: [] });
});

test("a kind may say by itself what it keeps, what it has brought, and what that stands on", () => {
  const own: Own = (id, values) => ({
    has: thingsOf(values),
    keeps: [`kept by ${id}`],
    brought: ["x"],
    standsOn: ["y"],
  });
  expect(stays({ things: ["a"] }, { things: ["b"] }, own)).toEqual({ has: ["kept by id", "b"] });
  expect(held({}, {}, own)).toMatchObject({ brought: ["x"], standsOn: ["y"] });
});
