import fc from "fast-check";
import { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { UNKNOWN } from "../../src/lifecycle/lifecycle";
import { leafPaths } from "../../src/lifecycle/paths";
import { DECLARED_KEY, joinedPaths, PLACE_KEY, PROVIDER_KEY, REPLACE_KEY, splitPaths } from "../../src/pulumi/keys";
import { propertiesFromEngine } from "../../src/pulumi/properties";
import { fromEngine, sealed, toEngine } from "../../src/pulumi/values";

/** What the engine sends for a value that is not known before the update has run. */
const SENTINEL = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

// The engine's messages have no place for that key.
const key = fc.string().filter((text) => text !== "__proto__");

/** Anything that a careless program can put into an object. */
const anything = fc.anything({
  key,
  withBigInt: true,
  withDate: true,
  withSparseArray: true,
  withNullPrototype: true,
  withUnicodeString: true,
});

describe("values for the engine", () => {
  test("are plain JSON that its messages can carry, whatever they were", () => {
    fc.assert(
      fc.property(fc.dictionary(key, anything), (value) => {
        const sent = toEngine(value);
        expect(JSON.parse(JSON.stringify(sent))).toEqual(sent);
        expect(Struct.fromJavaScript(sent as Parameters<typeof Struct.fromJavaScript>[0]).toJavaScript()).toEqual(sent);
      }),
    );
  });

  test("stay as they are where they are JSON", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false })), (value) => {
        expect(toEngine(value)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test.each<[string, unknown, unknown]>([
    ["nothing", undefined, undefined],
    ["nothing in a list", [1, undefined], [1, null]],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["a large integer", 12_345_678_901_234_567_890n, "12345678901234567890"],
    ["no number", Number.NaN, null],
    ["a function", () => 1, undefined],
    ["a symbol of somebody else's", Symbol("x"), undefined],
    ["what is not known", UNKNOWN, SENTINEL],
    ["what is not known, in a list", [{ a: [UNKNOWN] }], [{ a: [SENTINEL] }]],
  ])("%s", (_, value, sent) => {
    expect(toEngine({ value })).toEqual(sent === undefined ? {} : { value: sent });
  });
});

describe("values of the engine", () => {
  test.each<[unknown, unknown]>([
    [SENTINEL, UNKNOWN],
    [
      [SENTINEL, 1],
      [UNKNOWN, 1],
    ],
    [{ a: { b: [{ c: SENTINEL }] } }, { a: { b: [{ c: UNKNOWN }] } }],
    [`${SENTINEL} `, `${SENTINEL} `],
    [null, undefined],
    [
      { a: null, b: 0, c: "", d: false },
      { b: 0, c: "", d: false },
    ],
    [[null], [undefined]],
    ["x", "x"],
  ])("%j", (value, expected) => {
    expect(fromEngine(value)).toStrictEqual(expected);
  });

  test("come back as they went, with what is not known in its place", () => {
    const { value } = fc.letrec<{ value: unknown; list: unknown[]; object: JsonObject }>((tie) => ({
      value: fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant(UNKNOWN), tie("list"), tie("object")),
      list: fc.array(tie("value"), { maxLength: 3 }),
      object: fc.dictionary(fc.string(), tie("value"), { maxKeys: 3 }) as fc.Arbitrary<JsonObject>,
    }));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), (properties) => {
        expect(fromEngine(toEngine(properties))).toEqual(fromEngine(properties));
        expect(JSON.stringify(toEngine(properties)).split(SENTINEL)).toHaveLength(countUnknown(properties) + 1);
      }),
    );
  });

  test("have no keys of the protocol's own", () => {
    const own = { [PROVIDER_KEY]: "text", [DECLARED_KEY]: "a", [PLACE_KEY]: "place", [REPLACE_KEY]: ["*"] };
    expect(propertiesFromEngine({ ...own, a: { ...own } })).toEqual({ a: own });
    expect(propertiesFromEngine({})).toEqual({});
  });
});

test("paths as one text are the same paths again, whatever is in them", () => {
  expect(joinedPaths(["plan.country", "tags.a,b"])).toBe("plan.country,tags.a\\,b");
  fc.assert(
    fc.property(fc.dictionary(key, fc.dictionary(key, fc.boolean())), (properties) => {
      const paths = leafPaths(properties).filter((path) => path !== "");
      expect(splitPaths(joinedPaths(paths))).toEqual(paths);
    }),
  );
});

const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

test("secrets for the engine are in their envelopes, as a whole", () => {
  const value = { password: "hush", target: { type: "s3", keys: ["hush"] }, name: "web", none: undefined };
  expect(sealed(value, [["password"], ["target"], ["none"], ["absent"]])).toEqual({
    password: secret("hush"),
    target: secret({ type: "s3", keys: ["hush"] }),
    name: "web",
  });
});

// The engine takes an envelope around a value that is not known for a value that is, but looks for such ones in it.
test("secrets for the engine that are not known stay as they are, and what stands beside such ones is hidden", () => {
  const value = { password: UNKNOWN, target: { type: "s3", keys: [UNKNOWN, "hush"] } };
  expect(sealed(value, [["password"], ["target"]])).toEqual({
    password: SENTINEL,
    target: secret({ type: "s3", keys: [SENTINEL, "hush"] }),
  });
});

function countUnknown(value: unknown): number {
  if (value === UNKNOWN) return 1;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + countUnknown(item), 0);
}
