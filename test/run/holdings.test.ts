import { assert, property, subarray } from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import type { Lifecycle } from "../../src/lifecycle/lifecycle";
import { Holdings } from "../../src/run/holdings";

const THINGS = ["a", "b", "c", "d"];

const thingsOf = ({ things }: JsonObject): string[] => (things as string[] | undefined) ?? [];

/** A kind whose resources have what they name. */
const naming: Partial<Lifecycle> = {
  holds: (_id, state) => thingsOf(state),
  without: (state, others) => ({ ...state, things: thingsOf(state).filter((thing) => !others.has(thing)) }),
};

const holdings = (lifecycle: Partial<Lifecycle> = naming): Holdings => new Holdings("Test", lifecycle as Lifecycle);

const DECLARED = new Set(["things", "adopt"]);

const some = () => subarray(THINGS);

describe("a kind that names what it has", () => {
  test("a kind that names what it has has that, keeps what its inputs name, and lets go of the rest", () => {
    assert(
      property(some(), some(), (has, wants) => {
        const state = { things: has, more: 1 };
        const all = holdings();
        expect(all.of("id", state)).toEqual(has);
        expect(all.kept("id", state, DECLARED, { things: wants })).toEqual(
          has.filter((thing) => wants.includes(thing)),
        );
      }),
    );
  });

  test("a kind that names what it has without a name in its inputs any more has nothing left", () => {
    expect(holdings().kept("id", { things: ["a"] }, DECLARED, {})).toEqual([]);
    // The state has it of the service's own accord.
    expect(holdings().kept("id", { things: ["a"] }, new Set(), {})).toEqual(["a"]);
  });

  test("a kind that names what it has writes what it has in addition over whatever is there", () => {
    const claimed = holdings().staying("id", { things: ["a", "b"] }, DECLARED, { things: ["b", "c"] });
    expect(claimed).toEqual({ has: ["b", "c"] });
  });

  test("a kind that names what it has expects, of all that it names, what it does not say that it takes over", () => {
    assert(
      property(some(), some(), some(), (has, wants, adopted) => {
        const adopts = ({ things }: JsonObject) => thingsOf({ things }).filter((thing) => adopted.includes(thing));
        const all = holdings({ ...naming, adopts });
        const { has: kept, ...rest } = all.staying("id", { things: has }, DECLARED, { things: wants });
        const added = wants.filter((thing) => !has.includes(thing));
        expect(kept).toEqual(has.filter((thing) => wants.includes(thing)));
        expect(rest).toEqual({
          adopts: added.filter((thing) => adopted.includes(thing)),
          expects: added.filter((thing) => !adopted.includes(thing)),
        });
        expect(all.coming({ things: wants })).toEqual({
          adopts: wants.filter((thing) => adopted.includes(thing)),
          expects: wants.filter((thing) => !adopted.includes(thing)),
        });
      }),
    );
  });

  test("a kind that names what it has is without what is another's", () => {
    const state = { things: ["a", "b"], more: 1 };
    expect(holdings().without(state, ["b", "x"])).toEqual({ things: ["a"], more: 1 });
    expect(holdings().without(state, [])).toBe(state);
    expect(holdings({}).without(state, ["b"])).toBe(state);
  });
});

test("a kind takes over what it is to make only where its inputs say so", () => {
  expect(holdings().coming({ things: ["a"] })).toEqual({ adopts: [], expects: ["a"] });
  expect(holdings().coming({ things: ["a"], adopt: true })).toEqual({ adopts: ["a"], expects: [] });
  expect(holdings().coming({ things: ["a"], adopt: false })).toEqual({ adopts: [], expects: ["a"] });
});

test("a kind that names nothing has its id, once there is one", () => {
  const all = holdings({});
  expect(all.of("id", {})).toEqual(["Test id"]);
  expect(all.of(undefined, {})).toEqual([]);
  expect(all.staying("id", { a: 1 }, new Set(["a"]), { a: 2 })).toEqual({ has: ["Test id"] });
  expect(all.coming({ adopt: true })).toEqual({ adopts: [], expects: [] });
});

test("a kind may say by itself what it keeps", () => {
  const keeps = (id: string) => [`kept by ${id}`];
  const all = holdings({ ...naming, keeps });
  expect(all.staying("id", { things: ["a"] }, DECLARED, { things: ["b"] })).toEqual({ has: ["kept by id", "b"] });
});
