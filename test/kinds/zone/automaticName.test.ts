import { describe, expect, test } from "vitest";
import { automaticName, keepName, NEW_ZONE_NAME, nextName } from "../../../src/kinds/zone/automaticName";

const PLAN = { type: "static", extra: { a: 1, b: { c: 1, d: 2 } } };

describe("an automatic name", () => {
  test("an automatic name is the resource's in the service's characters, and a suffix", () => {
    expect(automaticName("My Web-Zone!", PLAN, "place")).toMatch(/^my_web_zone__[0-9a-f]{7}$/);
    expect(automaticName("", PLAN, "place")).toMatch(/^_[0-9a-f]{7}$/);
    const long = automaticName("x".repeat(100), PLAN, "place");
    expect(long).toMatch(/^x{55}_[0-9a-f]{7}$/);
    expect(long).toHaveLength(63);
  });

  test("an automatic name is the same in every run, in whatever order the plan comes", () => {
    const shuffled = { extra: { b: { d: 2, c: 1 }, a: 1 }, type: "static" };
    expect(automaticName("web", shuffled, "order")).toBe(automaticName("web", PLAN, "order"));
  });

  test("an automatic name is another for every place and plan, and after every zone that there was", () => {
    const name = (plan: unknown = PLAN, key = "change") => automaticName("web", plan, key);
    const first = name();
    const names = [
      first,
      name({ ...PLAN, country: "us" }),
      name({ ...PLAN, extra: { a: 2 } }),
      name(PLAN, "elsewhere"),
    ];
    keepName("change", first);
    names.push(name());
    keepName("change", name());
    names.push(name());
    expect(new Set(names).size).toBe(6);
    // Of one place nothing follows for another.
    expect(name(PLAN, "elsewhere")).toBe(names[3]);
  });

  test("an automatic name is random where the place is not known", () => {
    keepName(undefined, "web_1234567");
    expect(automaticName("web", PLAN, undefined)).not.toBe(automaticName("web", PLAN, undefined));
  });

  test("an automatic name has a next one, and that has one, all of the same stem", () => {
    const names = [automaticName("x".repeat(100), PLAN, "next")];
    for (let count = 1; count < 10; count++) names.push(nextName(names[count - 1] as string));
    expect(new Set(names).size).toBe(10);
    for (const name of names) {
      expect(name).toMatch(/^x{55}_[0-9a-f]{7}$/);
      expect(name).toMatch(NEW_ZONE_NAME);
    }
    expect(nextName(names[0] as string)).toBe(names[1]);
  });
});
