import { describe, expect, test } from "vitest";
import { datingOf, endOf, type Sighting, type Verdict, verdictOn } from "../../src/lifecycle/verdict";

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();

describe("a verdict on what an earlier operation began", () => {
  const UNTIL = 1_000_000;
  const GRACE = 60_000;
  const before = { now: UNTIL - 1 };
  const over = { now: UNTIL };
  const late = { now: UNTIL + GRACE + 1 };
  const none = { found: 0 };
  const some = { found: 2 };
  const all = { found: 3 };
  const more = { found: 4 };
  const proven = { isProven: true };
  const again = { mayRepeat: true };

  test.each<[Verdict, string, Partial<Sighting>[]]>([
    ["ours", "all is there before its time is over", [all, before]],
    ["ours", "all is there when its time is over", [all, over]],
    ["ours", "all is there shortly after", [all, { now: UNTIL + GRACE }]],
    ["nobody can tell", "all is there later than that", [all, late]],
    ["ours", "all is there, and is proven to be it, at any time", [all, proven, late]],
    ["ours", "all is there, and it could be sent again", [all, again, before]],
    ["nobody can tell", "there is too much", [more, before]],
    ["nobody can tell", "there is too much that is proven", [more, proven, before]],
    ["look again", "nothing is there before its time is over", [none, before]],
    ["look again", "a part is there before its time is over", [some, before]],
    ["send again", "nothing is there, and it may be sent again", [none, again, before]],
    ["did not happen", "nothing is there when its time is over", [none, over]],
    ["did not happen", "nothing is there when its time is over, and it may be sent again", [none, again, over]],
    ["did not happen", "a part is there when its time is over", [some, over]],
    ["did not happen", "nothing is there later", [none, late]],
  ])("is %s: %s", (verdict, _, parts) => {
    const sighting = { count: 3, isProven: false, mayRepeat: false, until: UNTIL, found: 0, now: 0 };
    expect(verdictOn(Object.assign(sighting, ...parts))).toBe(verdict);
  });
});

const BEGUN = { began: at(1000), until: at(1300) };
// The service's clock is an hour ahead.
const CLOCKS = { now: 2_000_000, service: 5_600_000 };

test.each<[string, string, string | undefined, object]>([
  ["then", "in the middle", at(4750), {}],
  ["then", "at its beginning, as near as clocks go", at(4595), {}],
  ["at another time", "before", at(4594), {}],
  ["then", "at its end, as near as clocks go", at(4905), {}],
  ["at another time", "after", at(4906), {}],
  ["at another time", "in its time by this machine's clock", at(1150), {}],
  ["then", "by the clock that the service had then", at(9100), { serviceTime: at(9000) }],
  [
    "at another time",
    "by the clock that the service had then, and not by that of now",
    at(4750),
    { serviceTime: at(9000) },
  ],
  ["then", "written with another zone", "1970-01-01T02:19:10+01:00", {}],
  ["then", "written with another zone, in short", "1970-01-01T02:19:10+0100", {}],
  ["unknown", "of which the service says more than can be read", "1970-01-01T01:19:10Z (there)", {}],
  ["unknown", "of which the service says nothing", undefined, {}],
  ["unknown", "of which the service says the day", "1970-01-01", {}],
  ["unknown", "of which the service does not say the zone", "1970-01-01T01:19:10", {}],
  ["unknown", "of which the service says nonsense", "Then", {}],
])("the time of a thing is %s: %s", (dating, _, created, more) => {
  expect(datingOf({ ...BEGUN, ...more }, created, CLOCKS)).toBe(dating);
});

test("the time of a thing is unknown where it is not known what time it is at the service", () => {
  expect(datingOf(BEGUN, at(1150), { now: 2_000_000, service: undefined })).toBe("unknown");
});

test("the time of an operation of which an earlier version has not noted it is ten minutes", () => {
  expect(endOf({ began: at(1000) })).toBe(1_600_000);
  expect(endOf(BEGUN)).toBe(1_300_000);
});
