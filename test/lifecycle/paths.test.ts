import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { at, keysOf, leafPaths, overlap, pick, propertyPath } from "../../src/lifecycle/paths";

const DOTTED = { logs: { "a.b": 1, "c\\d": { e: 2 } }, "x.y": { z: 3 }, list: [{ "p.q": 4 }], none: {} };

describe("paths", () => {
  test("lead to the leaves; a list is one, and so is an object of nothing", () => {
    expect(leafPaths({ a: 1, b: { c: { d: 2 }, e: [{ f: 3 }] }, g: {}, h: undefined, i: null })).toEqual([
      "a",
      "b.c.d",
      "b.e",
      "g",
      "i",
    ]);
  });

  test("say which dots belong to a key", () => {
    expect(leafPaths(DOTTED)).toEqual(["logs.a\\.b", "logs.c\\\\d.e", "x\\.y.z", "list", "none"]);
    expect(leafPaths(DOTTED).map(keysOf)).toEqual([
      ["logs", "a.b"],
      ["logs", "c\\d", "e"],
      ["x.y", "z"],
      ["list"],
      ["none"],
    ]);
  });

  test("find what stands there, and nothing where nothing does", () => {
    expect(at(DOTTED, "logs.a\\.b")).toBe(1);
    expect(at(DOTTED, "logs.a.b")).toBeUndefined();
    expect(at(DOTTED, ["list", 0, "p.q"])).toBe(4);
    for (const path of ["absent", "list.absent", "none.toString", "logs.a\\.b.c"])
      expect(at(DOTTED, path)).toBeUndefined();
    expect(at(undefined, "a")).toBeUndefined();
  });

  test("pick a part, which has them and no others", () => {
    expect(pick(DOTTED, ["logs.a\\.b", "x\\.y.z", "absent.too"])).toEqual({ logs: { "a.b": 1 }, "x.y": { z: 3 } });
    // Declared as an object of nothing, and now one of something.
    expect(pick({ a: { b: 1 } }, ["a", "a.b"])).toEqual({ a: { b: 1 } });
  });

  test("lead to every leaf of any object", () => {
    const key = fc
      .oneof(fc.constantFrom(".", "\\", "a.b", "\\.", "a\\"), fc.string({ minLength: 1 }))
      .filter((text) => text !== "__proto__");
    const { value } = fc.letrec<{ value: unknown; object: JsonObject }>((tie) => ({
      value: fc.oneof(fc.integer(), fc.array(fc.integer()), tie("object")),
      object: fc.dictionary(key, tie("value"), { maxKeys: 3 }) as fc.Arbitrary<JsonObject>,
    }));
    fc.assert(
      fc.property(fc.dictionary(key, value), (object) => {
        expect(pick(object as JsonObject, leafPaths(object as JsonObject))).toEqual(object);
      }),
    );
  });
});

test.each([
  ["name", "name"],
  ["plan.country", "plan.country"],
  ["$a._b1", "$a._b1"],
  ["headers.x\\.y", 'headers["x.y"]'],
  ["headers.X-Y", 'headers["X-Y"]'],
  ['headers.say "so"', 'headers["say \\"so\\""]'],
  ["headers.a\\\\b", 'headers["a\\\\b"]'],
  ["ports.24000.zone", 'ports["24000"].zone'],
  ["ports.us-1.zone", 'ports["us-1"].zone'],
  ["x\\.y.z", '["x.y"].z'],
  ["headers.ü", 'headers["ü"]'],
])("the path %s is %s to Pulumi", (path, written) => {
  expect(propertyPath(keysOf(path))).toBe(written);
});

test("an index in a list is a number to Pulumi", () => {
  expect(propertyPath(["rules", 0, "action"])).toBe("rules[0].action");
});

test.each([
  ["ports.*.port", "ports.*.password", false],
  ["ports.*.port", "ports.a.port", true],
  ["ports.a.port", "ports.*.port", true],
  ["ports.*.port", "ports", true],
  ["ports", "ports.a", true],
  ["zone", "password", false],
])("%s and %s may lead to the same: %s", (path, other, does) => {
  expect(overlap(path.split("."), other.split("."))).toBe(does);
});
