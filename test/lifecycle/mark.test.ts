import { assert, constantFrom, property, string } from "fast-check";
import { expect, test } from "vitest";
import { changed, derivedMark, isMark, newMark, originOf } from "../../src/lifecycle/mark";

const many = (make: () => string): Set<string> => new Set(Array.from({ length: 1000 }, make));

test("a mark is another each time", () => {
  expect(newMark()).toMatch(/^m\.[\w-]{12}$/);
  expect(many(newMark).size).toBe(1000);
});

test("a mark has another end after each change that is noted, and the same origin", () => {
  const mark = newMark();
  expect(changed(mark)).toMatch(/^m\.[\w-]{12}\.[\w-]{6}$/);
  const ends = many(() => changed(changed(mark)));
  expect(ends.size).toBe(1000);
  expect(new Set([mark, ...ends].map(originOf))).toEqual(new Set([mark]));
});

test("a mark has the same origin with the key of a thing among several behind it", () => {
  const mark = newMark();
  assert(
    property(string(), (key) => {
      expect(originOf(`${mark}/${key}`)).toBe(mark);
      expect(originOf(`${changed(mark)}/${key}`)).toBe(mark);
    }),
  );
});

test("a mark is told from those that earlier versions have given, and from others' texts", () => {
  expect([newMark(), changed(newMark()), derivedMark("Zone", "place", "web")].map(isMark)).toEqual([true, true, true]);
  for (const text of ["", "mark", "m.", "d.", "m", "x.0123456789ab", "Abcdef_-12-0011aabb", "am.0123456789ab"]) {
    expect(isMark(text)).toBe(false);
    expect(originOf(text)).toBe(text);
  }
});

test("a mark of a state that has none is the same each time, and another for each kind, place and id", () => {
  const part = constantFrom("Zone", "web", "", "a", '"', "a,b");
  assert(
    property(part, part, part, part, part, part, (kind, place, id, otherKind, otherPlace, otherId) => {
      const mark = derivedMark(kind, place, id);
      expect(mark).toMatch(/^d\.[\w-]{12}$/);
      const isSame = kind === otherKind && place === otherPlace && id === otherId;
      expect(mark === derivedMark(otherKind, otherPlace, otherId)).toBe(isSame);
    }),
  );
  expect(derivedMark("Zone", undefined, "web")).toBe(derivedMark("Zone", "", "web"));
  const mark = derivedMark("Zone", "place", "web");
  expect(originOf(changed(mark))).toBe(mark);
});
