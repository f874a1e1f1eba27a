import { appendFileSync, mkdirSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { Claims } from "../../src/lifecycle/claims";
import { Peers } from "../../src/run/peers";
import { factsFile, programFile, tidy, unwrittenCode } from "../../src/run/runFiles";

const SCOPE = "the scope";
const THING = "zone web";

/** Two processes of a run that share a scope: what the second one knows of it. */
function peers() {
  tidy();
  const programs = programFile("127.0.0.1:45678", "a-run");
  const [one, other] = [new Peers(programs, "one"), new Peers(programs, "other")];
  const claims = new Claims();
  const known = (names: readonly string[]) => (names.includes(SCOPE) ? claims : undefined);
  return { one, other, claims, known, file: factsFile(programs) };
}

const MADE = { call: "made", mark: "m.one", things: [THING] } as const;

/** What a process tells is written when it has nothing else to do. */
const written = () => new Promise((resolve) => setImmediate(resolve));

test("what a process of a run tells is heard by the others, once, and not by itself", async () => {
  const { one, other, claims, known, file } = peers();
  one.tell(["another name of it", SCOPE], MADE);
  await written();
  one.hear(known);
  expect(claims.whoHas(THING)).toBeUndefined();
  other.hear(known);
  expect(claims.whoHas(THING)).toBe("has");
  claims.goes("m.one");
  other.hear(known);
  expect(claims.whoHas(THING)).toBeUndefined();
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("what a process of a run tells of a scope that is not known yet is heard when it is, with what was told since", async () => {
  const { one, other, claims, known } = peers();
  one.tell([SCOPE], MADE);
  await written();
  other.hear(() => undefined);
  other.hear(known);
  expect(claims.whoHas(THING)).toBeUndefined();
  one.tell([SCOPE], { ...MADE, things: ["zone api"] });
  await written();
  other.hearAgain(known);
  expect([THING, "zone api"].map((thing) => claims.whoHas(thing))).toEqual(["has", "has"]);
});

test("what a process of a run tells of a scope by a name that is learnt later is heard before what it tells then", async () => {
  const { one, other, claims } = peers();
  const names = new Set([SCOPE]);
  const learning = (of: readonly string[]) => {
    if (!of.some((name) => names.has(name))) return undefined;
    for (const name of of) names.add(name);
    return claims;
  };
  one.tell(["a token"], { call: "stays", mark: "m.one", claimed: { has: [THING] } });
  one.tell(["a token"], { ...MADE, mark: "m.two", things: ["zone api"] });
  one.tell(["another token"], { ...MADE, mark: "m.three", things: ["zone www"] });
  one.tell(["a token", SCOPE], { call: "goes", mark: "m.one" });
  await written();
  other.hear(learning);
  expect([THING, "zone api", "zone www"].map((thing) => claims.whoHas(thing))).toEqual([undefined, "has", undefined]);
  one.tell(["another token", SCOPE]);
  await written();
  other.hear(learning);
  expect(claims.whoHas("zone www")).toBe("has");
});

test("a process that cannot write what it tells leaves a sign of that", async () => {
  const { one, file } = peers();
  mkdirSync(file);
  one.tell([SCOPE], MADE);
  await written();
  expect(unwrittenCode(one.programs)).toBe("EISDIR");
});

test("what is in the file of a run and was told by no process is passed over", () => {
  const { other, claims, known, file } = peers();
  const fact = { by: "one", of: [SCOPE], told: MADE };
  const wrong: unknown[] = [
    ...[
      null,
      "text",
      [],
      {},
      { ...fact, of: SCOPE },
      { ...fact, told: "made" },
      { ...fact, told: { ...MADE, call: 1 } },
    ],
    { by: "one", told: MADE },
    { by: "one", of: SCOPE },
  ];
  for (const said of wrong) appendFileSync(file, `${JSON.stringify(said)}\n`);
  expect(() => other.hear(known)).not.toThrow();
  expect(claims.whoHas(THING)).toBeUndefined();
  appendFileSync(file, `${JSON.stringify(fact)}\n`);
  other.hear(known);
  expect(claims.whoHas(THING)).toBe("has");
});
