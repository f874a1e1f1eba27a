import { expect, test } from "vitest";
import { automaticName, NEW_ZONE_NAME, nextName } from "../../../src/kinds/zone/automaticName";

const PLACE = { place: "place" };
const PLAN = { type: "static", extra: { a: 1, b: { c: 1, d: 2 } } };

test("an automatic name is the resource's in the service's characters, and a suffix", () => {
  expect(automaticName("My Web-Zone!", PLAN, PLACE)).toMatch(/^my_web_zone__[0-9a-f]{7}$/);
  expect(automaticName("", PLAN, PLACE)).toMatch(/^_[0-9a-f]{7}$/);
  const long = automaticName("x".repeat(100), PLAN, PLACE);
  expect(long).toMatch(/^x{55}_[0-9a-f]{7}$/);
  expect(long).toHaveLength(63);
});

test("an automatic name is the same in every run, in whatever order the plan comes", () => {
  const shuffled = { extra: { b: { d: 2, c: 1 }, a: 1 }, type: "static" };
  expect(automaticName("web", shuffled, PLACE)).toBe(automaticName("web", PLAN, PLACE));
});

test("an automatic name is another for every place and plan, and after every zone that there was", () => {
  const name = (plan: unknown = PLAN, place = "change", former?: string) =>
    automaticName("web", plan, { place, ...(former === undefined ? {} : { former: { name: former } }) });
  const first = name();
  const names = [first, name({ ...PLAN, country: "us" }), name({ ...PLAN, extra: { a: 2 } }), name(PLAN, "elsewhere")];
  const second = name(PLAN, "change", first);
  names.push(second, name(PLAN, "change", second));
  expect(new Set(names).size).toBe(6);
});

test("an automatic name is random where the place is not known", () => {
  const former = { former: { name: "web_1234567" } };
  expect(automaticName("web", PLAN, former)).not.toBe(automaticName("web", PLAN, former));
});

test("an automatic name has a next one, and that has one, all of the same stem", () => {
  const names = [automaticName("x".repeat(100), PLAN, PLACE)];
  for (let count = 1; count < 10; count++) names.push(nextName(names[count - 1] as string));
  expect(new Set(names).size).toBe(10);
  for (const name of names) {
    expect(name).toMatch(/^x{55}_[0-9a-f]{7}$/);
    expect(name).toMatch(NEW_ZONE_NAME);
  }
  expect(nextName(names[0] as string)).toBe(names[1]);
});
