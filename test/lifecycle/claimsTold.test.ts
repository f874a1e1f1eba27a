import { expect, test } from "vitest";
import { Claims } from "../../src/lifecycle/claims";

const [A, B] = ["zone a", "zone b"];

/** All that is known of two things, as a resource `m.me` at the place `me` would ask. */
const knownIn = (claims: Claims) => ({
  ...Object.fromEntries(
    [A, B].map((thing) => [
      thing,
      [
        claims.whoHas(thing, { mark: "m.me", place: "me" }),
        claims.isTaken(thing, "m.me"),
        claims.isMadeByAnother(thing, "m.me"),
        ...[claims.brought, claims.deleted, claims.released, claims.renewed].map((fate) => fate.has(thing)),
      ],
    ]),
  ),
  staying: ["m.me", "m.a"].map((mark) => claims.isStaying(mark)),
});

type Known = ReturnType<typeof knownIn>;

const NO = [undefined, false, false, false, false, false, false];
const NOTHING: Known = { [A]: NO, [B]: NO, staying: [false, false] };
const claimed = (strength: string) => [strength, ...NO.slice(1)];

const steps: [string, (claims: Claims) => void, Partial<Known>][] = [
  ["is announced", (claims) => claims.announced("there", [A]), { [A]: claimed("adopts") }],
  [
    "is announced late, when its place has been told of",
    (claims) => {
      claims.comes("there", { expects: [B] });
      claims.announced("there", [A]);
    },
    { [B]: claimed("expects") },
  ],
  [
    "is announced, and then told of otherwise",
    (claims) => {
      claims.announced("there", [A]);
      claims.comes("there", { expects: [B] });
    },
    { [B]: claimed("expects") },
  ],
  [
    "was announced for a resource that stays without it",
    (claims) => {
      claims.announced("there", [A]);
      claims.stays("m.a", { has: [B] }, "there");
    },
    { [B]: claimed("has"), staying: [false, true] },
  ],
  [
    "stays with a resource",
    (claims) => claims.stays("m.a", { has: [A] }),
    { [A]: claimed("has"), staying: [false, true] },
  ],
  ["is one's own", (claims) => claims.stays("m.me", { has: [A] }), { staying: [true, false] }],
  [
    "goes with a resource",
    (claims) => {
      claims.stays("m.a", { has: [A] });
      claims.goes("m.a");
    },
    {},
  ],
  [
    "is made",
    (claims) => claims.made({ mark: "m.a" }, [A]),
    { [A]: ["has", true, true, false, false, false, false], staying: [false, true] },
  ],
  [
    "was brought",
    (claims) => claims.note("brought", [A]),
    { [A]: [undefined, false, false, true, false, false, false] },
  ],
  ["is deleted", (claims) => claims.note("deleted", [A]), { [A]: [undefined, true, false, false, true, false, false] }],
  [
    "is deleted after another has made it",
    (claims) => {
      claims.made({ mark: "m.a" }, [A]);
      claims.note("deleted", [A]);
    },
    { [A]: ["has", true, false, false, true, false, false], staying: [false, true] },
  ],
  [
    "is deleted, and made anew",
    (claims) => {
      claims.note("deleted", [A]);
      claims.made({ mark: "m.a" }, [A]);
    },
    { [A]: ["has", true, true, false, false, false, false], staying: [false, true] },
  ],
  ["is left", (claims) => claims.note("released", [A]), { [A]: [undefined, false, false, false, false, true, false] }],
  [
    "is renewed",
    (claims) => claims.note("renewed", [A]),
    { [A]: [undefined, false, false, false, false, false, true] },
  ],
];

test.each(steps)("a thing that %s is known for it", (_, step, known) => {
  const claims = new Claims();
  step(claims);
  expect(knownIn(claims)).toEqual({ ...NOTHING, ...known });
});

test.each(steps)(
  "a thing that %s is known for it in the other processes, which tell it to nobody else",
  (_, step, known) => {
    const [one, other] = [new Claims(), new Claims()];
    const echoes: unknown[] = [];
    one.tellTo((told) => other.hear(JSON.parse(JSON.stringify(told))));
    other.tellTo((told) => echoes.push(told));
    step(one);
    expect(knownIn(other)).toEqual({ ...NOTHING, ...known });
    expect(echoes).toEqual([]);
    other.note("brought", [B]);
    expect(echoes).toEqual([{ call: "note", fate: "brought", things: [B] }]);
  },
);

test.each(steps)("a thing that %s is known for it in a process that is told of it later", (_, step, known) => {
  const [one, other] = [new Claims(), new Claims()];
  step(one);
  one.tellTo((told) => other.hear(JSON.parse(JSON.stringify(told))));
  expect(knownIn(other)).toEqual({ ...NOTHING, ...known });
});

test.each(steps)("a thing that %s is known for it where its scope turns out to be another's", (_, step, known) => {
  const [one, other] = [new Claims(), new Claims()];
  step(one);
  other.absorb(one);
  expect(knownIn(other)).toEqual({ ...NOTHING, ...known });
});

test("what is announced of a place that another scope was told of is over there, too", () => {
  const [one, other] = [new Claims(), new Claims()];
  one.comes("there", {});
  other.absorb(one);
  other.announced("there", [A]);
  expect(other.whoHas(A)).toBeUndefined();
});

test("what could not be done in one process is known to others, also later", () => {
  const [one, met, late] = [new Claims(), new Claims(), new Claims()];
  one.tellTo((told) => met.hear(told));
  expect([one, met].map(({ hasFailure }) => hasFailure)).toEqual([false, false]);
  one.fails();
  one.fails();
  one.tellTo((told) => late.hear(told), true);
  expect([one, met, late].map(({ hasFailure }) => hasFailure)).toEqual([true, true, true]);
});

test("the highest numbers of two scopes are those of the higher", () => {
  const [one, other] = [new Claims(), new Claims()];
  one.comes("there", { expects: ["port 24010"] });
  one.made({ mark: "m.a" }, ["port 24001"]);
  other.made({ mark: "m.b" }, ["port 24005"]);
  other.absorb(one);
  expect([other.highest("port", "made"), other.highest("port", "expected")]).toEqual([24_005, 24_010]);
});

test("what is to be made anew at a place is renewed, as long as it is under way", () => {
  const claims = new Claims();
  claims.comes("there", { expects: [A] });
  expect(claims.isRenewed(A)).toBe(false);
  claims.creation("there", "begins");
  claims.creation(undefined, "begins");
  expect([A, B].map((thing) => claims.isRenewed(thing))).toEqual([true, false]);
  claims.creation(undefined, "ends");
  expect(claims.isRenewed(A)).toBe(true);
  claims.creation("there", "ends");
  expect(claims.isRenewed(A)).toBe(false);
  claims.note("renewed", [B]);
  expect([A, B].map((thing) => claims.isRenewed(thing))).toEqual([false, true]);
});

test("a thing that is replaced and kept is not made anew while it is taken over, nor once it is", () => {
  const claims = new Claims();
  claims.note("standing", [A]);
  claims.comes("new", { adopts: [A] });
  claims.creation("new", "begins");
  expect(claims.isRenewed(A)).toBe(false);
  claims.made({ mark: "m.new" }, [A]);
  expect(claims.isRenewed(A)).toBe(false);
});

test("what could not be deleted is not renewed, in other processes neither, until something is made of its name", () => {
  const [claims, other] = [new Claims(), new Claims()];
  claims.tellTo((told) => other.hear(told));
  for (const each of [claims, other]) {
    each.comes("there", { expects: [A] });
    each.creation("there", "begins");
    each.note("renewed", [B]);
  }
  claims.note("standing", [A, B]);
  for (const each of [claims, other]) expect([A, B].map((thing) => each.isRenewed(thing))).toEqual([false, false]);
  claims.made({ mark: "m.a" }, [B]);
  for (const each of [claims, other]) expect([A, B].map((thing) => each.isRenewed(thing))).toEqual([false, true]);
});

test("what is taken over was not made anew, in other processes neither, whichever is told first", () => {
  const [claims, other] = [new Claims(), new Claims()];
  claims.tellTo((told) => other.hear(told));
  for (const each of [claims, other]) each.note("renewed", [A, B]);
  claims.tookOver({ mark: "m.new" }, [A]);
  claims.made({ mark: "m.new" }, [A, B]);
  for (const each of [claims, other]) {
    expect([A, B].map((thing) => each.isRenewed(thing))).toEqual([false, true]);
    expect(each.whoHas(A)).toBe("has");
  }
});
