import { array, assert, constantFrom, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import { type Claimed, Claims } from "../../src/lifecycle/claims";

const WEB = "zone web";

describe("who has what", () => {
  test("is nobody before a resource has said so", () => {
    const claims = new Claims();
    expect(claims.whoHas(WEB)).toBeUndefined();
    expect(claims.isAnothers(WEB, { mark: "m.a", place: "here" })).toBe(false);
    expect(claims.isStaying("m.a")).toBe(false);
  });

  test("is the resource that has made, adopted or written it", () => {
    const claims = new Claims();
    claims.made({ mark: "m.a" }, [WEB, "zone api"]);
    expect([WEB, "zone api", "zone www", "port web"].map((thing) => claims.whoHas(thing))).toEqual([
      "has",
      "has",
      undefined,
      undefined,
    ]);
    expect(claims.whoHas(WEB, { mark: "m.b", place: "here" })).toBe("has");
    expect(claims.whoHas(WEB, { mark: "m.a", place: "here" })).toBeUndefined();
    expect([claims.isStaying("m.a"), claims.isStaying("m.b")]).toEqual([true, false]);
  });

  test("is the resource that stays, as far as it keeps it", () => {
    const claims = new Claims();
    claims.stays("m.a", { has: [WEB], adopts: ["zone api"], expects: ["zone www"] });
    const all = [WEB, "zone api", "zone www"];
    expect(all.map((thing) => claims.whoHas(thing, { mark: "m.b" }))).toEqual(["has", "adopts", "expects"]);
    expect(all.map((thing) => claims.isAnothers(thing, { mark: "m.b" }))).toEqual([true, true, false]);
    expect(all.map((thing) => claims.whoHas(thing, { mark: "m.a" }))).toEqual([undefined, undefined, undefined]);
    expect(claims.isStaying("m.a")).toBe(true);
  });

  test("is, of a part, whoever has that, or is to get the whole", () => {
    const claims = new Claims();
    const part = `a in ${WEB}`;
    for (const [strength, ofPart] of [
      ["adopts", "adopts"],
      ["expects", "expects"],
      ["has", undefined],
    ] as const) {
      claims.stays("m.a", { [strength]: [WEB] });
      expect(claims.whoHas(part, { mark: "m.b" })).toBe(ofPart);
      expect(claims.whoHas(part, { mark: "m.a" })).toBeUndefined();
    }
    claims.stays("m.a", { has: [WEB, part] });
    expect([part, `b in ${WEB}`].map((thing) => claims.whoHas(thing))).toEqual(["has", undefined]);
  });

  test("is told anew by each comparison: what was told before is over", () => {
    const claims = new Claims();
    claims.stays("m.a", { has: [WEB, "zone api"] });
    claims.stays("m.a", { has: ["zone api"] });
    expect([WEB, "zone api"].map((thing) => claims.whoHas(thing))).toEqual([undefined, "has"]);
  });

  test("is told of a resource that is replaced where that is, to other processes and scopes, too", () => {
    const [claims, other, united] = [new Claims(), new Claims(), new Claims()];
    claims.tellTo((told) => other.hear(told));
    claims.goes("m.a", "here");
    claims.goes("m.a");
    united.absorb(other);
    expect([claims, other, united].map((each) => each.replacedAt("m.a"))).toEqual(Array(3).fill("here"));
    expect(other.replacedAt("m.b")).toBeUndefined();
  });

  test("is nobody by a resource that is replaced, until it has been made", () => {
    const claims = new Claims();
    claims.stays("m.a", { has: [WEB] });
    claims.goes("m.a");
    expect(claims.isStaying("m.a")).toBe(false);
    expect(claims.whoHas(WEB)).toBeUndefined();
    claims.made({ mark: "m.b" }, [WEB]);
    expect(claims.isAnothers(WEB, { mark: "m.a" })).toBe(true);
  });

  test("is to be by a resource that could not be created, whatever it was about to take over", () => {
    const claims = new Claims();
    claims.comes("here", { adopts: [WEB] });
    claims.tookOver({ mark: "m.a", place: "here" }, [WEB]);
    claims.made({ mark: "m.b" }, ["zone api"]);
    claims.goes("m.a");
    expect(claims.whoHas(WEB, { mark: "m.b" })).toBe("adopts");
    expect([WEB, "zone api"].map((thing) => claims.isMadeByAnother(thing, "m.c"))).toEqual([false, true]);
  });

  test("stays with the one that has made it, whatever it is found to declare afterwards", () => {
    const claims = new Claims();
    claims.made({ mark: "m.a" }, [WEB]);
    claims.comes("here", { expects: [WEB] });
    expect(claims.whoHas(WEB, { place: "here" })).toBe("has");
  });

  test("may be a resource that was read: it is not known whether it stays, until it is compared", () => {
    const claims = new Claims();
    claims.recorded("m.a", [WEB, "ui-list 203.0.113.7"]);
    expect(claims.whoHas(WEB)).toBe("recorded");
    expect(claims.isAnothers(WEB, { mark: "m.b" })).toBe(false);
    expect(claims.isStaying("m.a")).toBe(false);
    claims.comes("here", { expects: [WEB] });
    expect(claims.whoHas(WEB)).toBe("expects");
    claims.stays("m.a", { has: [WEB] });
    expect(claims.isAnothers(WEB, { mark: "m.b" })).toBe(true);
    // What is known better is not noted any more.
    claims.recorded("m.a", ["zone api"]);
    expect([WEB, "zone api"].map((thing) => claims.whoHas(thing))).toEqual(["has", undefined]);
  });

  test("is the one that has taken it over in this run, also of a resource that has it in its state", () => {
    const claims = new Claims();
    claims.stays("m.a", { has: [WEB] });
    expect(claims.isTaken(WEB, "m.a")).toBe(false);
    claims.made({ mark: "m.b" }, [WEB]);
    expect(["m.a", "m.b"].map((mark) => claims.isTaken(WEB, mark))).toEqual([true, false]);
    claims.made({ mark: "m.a" }, [WEB]);
    expect(["m.a", "m.b"].map((mark) => claims.isTaken(WEB, mark))).toEqual([false, true]);
  });

  test("is known by its place as long as it is to be created", () => {
    const claims = new Claims();
    claims.comes("here", { adopts: [WEB], expects: ["zone api"] });
    expect(claims.whoHas(WEB, { mark: "m.a", place: "there" })).toBe("adopts");
    expect(claims.whoHas("zone api", { mark: "m.a", place: "there" })).toBe("expects");
    // Of its own replacement it does not know the mark.
    expect(claims.whoHas(WEB, { mark: "m.a", place: "here" })).toBeUndefined();
    claims.comes("here", {});
    expect(claims.whoHas(WEB)).toBeUndefined();
  });

  test("is one for all resources of which nobody knows which they are", () => {
    const claims = new Claims();
    claims.comes(undefined, { expects: [WEB] });
    claims.comes(undefined, { expects: ["zone api"] });
    expect([WEB, "zone api"].map((thing) => claims.whoHas(thing, { mark: "m.a" }))).toEqual([undefined, "expects"]);
  });

  test("names what others have of a sort", () => {
    const claims = new Claims();
    claims.stays("m.a", { has: ["ui-list 203.0.113.7", "ui-list 203.0.113.8", "ports-list 203.0.113.9"] });
    claims.made({ mark: "m.b" }, ["ui-list 203.0.113.8", "ui-list 203.0.113.10"]);
    claims.stays("m.c", { has: ["ui-list 203.0.113.11"] });
    claims.goes("m.c");
    expect(claims.othersOf("ui-list", { mark: "m.a" })).toEqual(["203.0.113.8", "203.0.113.10"]);
    expect(claims.othersOf("ui-list")).toEqual(["203.0.113.7", "203.0.113.8", "203.0.113.10"]);
    expect(claims.othersOf("ui")).toEqual([]);
  });

  test("is as strong as the strongest of the others, in whatever order they say so", () => {
    const names = constantFrom("m.a", "m.b", "m.c");
    const claimed = constantFrom<Claimed>(
      {},
      { recorded: [WEB] },
      { expects: [WEB] },
      { adopts: [WEB] },
      { has: [WEB] },
    );
    const strengths = ["recorded", "expects", "adopts", "has"] as const;
    assert(
      property(array(record({ mark: names, claimed })), names, (said, me) => {
        const claims = new Claims();
        const latest = new Map<string, Claimed>();
        for (const { mark, claimed: now } of said) {
          claims.stays(mark, now);
          latest.set(mark, now);
        }
        const others = [...latest].filter(([mark]) => mark !== me).map(([, now]) => now);
        const strongest = strengths.findLast((strength) => others.some((other) => other[strength] !== undefined));
        expect(claims.whoHas(WEB, { mark: me })).toBe(strongest);
        expect(claims.isAnothers(WEB, { mark: me })).toBe(strongest === "has" || strongest === "adopts");
      }),
    );
  });
});

test("what is about to be deleted is, unless it turns out to stay", () => {
  const claims = new Claims();
  claims.note("deleted", [WEB, "zone api"]);
  expect([WEB, "zone api"].map((zone) => claims.isTaken(zone, "m.a"))).toEqual([true, true]);
  claims.note("standing", [WEB]);
  expect([WEB, "zone api"].map((zone) => claims.isTaken(zone, "m.a"))).toEqual([false, true]);
});

test("the highest number of a sort is known, made or expected", () => {
  const claims = new Claims();
  expect(claims.highest("port", "expected")).toBeUndefined();
  claims.comes("here", { expects: ["port 24000", "port 24009"], adopts: ["port 24003", "zone 25000", WEB] });
  claims.stays("m.a", { has: ["port 24100"], expects: ["port 24010"] });
  claims.made({ mark: "m.b" }, ["port 24001", "port being made (m.b/a)", WEB]);
  expect(claims.highest("port", "expected")).toBe(24_010);
  expect(claims.highest("port", "made")).toBe(24_001);
  expect(claims.highest("zone", "made")).toBeUndefined();
});

test("what a resource has left that has gone, and what is made anew, is remembered", () => {
  const claims = new Claims();
  expect([claims.released.has(WEB), claims.renewed.has(WEB)]).toEqual([false, false]);
  claims.note("released", [WEB]);
  claims.note("renewed", ["zone api"]);
  expect([WEB, "zone api"].map((thing) => claims.released.has(thing))).toEqual([true, false]);
  expect([WEB, "zone api"].map((thing) => claims.renewed.has(thing))).toEqual([false, true]);
});
