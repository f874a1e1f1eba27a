import { describe, expect, test } from "vitest";
import {
  any,
  choice,
  count,
  flag,
  list,
  map,
  number,
  object,
  type Properties,
  type Property,
  text,
  variants,
} from "../../src/declaration/property";
import { isPossible, strictShape } from "../../src/lifecycle/schema";

/** What is wrong with a value, each as the path below it, and the words; for superfluous keys, these. */
function wrongIn(property: Property, value: unknown): string[] {
  return wrongWith({ value: property }, { value });
}

function wrongWith(properties: Properties, inputs: object): string[] {
  const { error } = strictShape(properties).safeParse(inputs);
  return (error?.issues ?? []).map((issue) => {
    const path = issue.path.map(String).join(".");
    return issue.code === "unrecognized_keys"
      ? `${path} has ${[...issue.keys].sort().join(", ")}`
      : `${path}: ${issue.message}`;
  });
}

describe("the properties of a resource", () => {
  const properties = { zone: text({ required: true }), note: text({}) };

  test("are there where they are required, and may lack otherwise", () => {
    expect(wrongWith(properties, { zone: "a" })).toEqual([]);
    expect(wrongWith(properties, { zone: "a", note: undefined })).toEqual([]);
    expect(wrongWith(properties, { note: "b" })).toEqual(["zone: expected a text."]);
  });

  test("are no others", () => {
    expect(wrongWith(properties, { zone: "a", zoen: "b" })).toEqual([" has zoen"]);
  });
});

describe("a text", () => {
  const short = { pattern: /^a+$/, expected: "expected only a." };

  test.each<[string, Property, unknown, string[]]>([
    ["is one", text({}), "a", []],
    ["is no number", text({}), 1, ["value: expected a text."]],
    ["is no number, in words of its own", text({ expected: "expected a name." }), 1, ["value: expected a name."]],
    ["is no number, in the words of its first condition", text({ must: [short] }), 1, ["value: expected only a."]],
    ["is not empty where it is required", text({ required: true }), "", ["value: expected a text that is not empty."]],
    [
      "is not empty where it may lack",
      text({}),
      "",
      ["value: expected a text that is not empty; leave the property out instead."],
    ],
    ["may be empty where that is a value", text({ blank: true }), "", []],
    [
      "may be empty where its conditions let it",
      text({ must: [{ pattern: /^a*$/, expected: "expected a." }] }),
      "",
      [],
    ],
    ["has as many characters as it may", text({ most: 3 }), "abc", []],
    ["has no more", text({ most: 3 }), "abcd", ["value: expected at most 3 characters."]],
    ["is one of two", text({ oneOf: ["a", "b"] }), "b", []],
    ["is no third", text({ oneOf: ["a", "b"] }), "c", ['value: expected "a" or "b".']],
    ["is no fourth", text({ oneOf: ["a", "b", "c"] }), "d", ['value: expected one of "a", "b", "c".']],
    [
      "is none but those, in words of its own",
      text({ oneOf: ["a"], expected: "expected a." }),
      "b",
      ["value: expected a."],
    ],
    ["meets its condition", text({ must: [short] }), "aa", []],
    ["meets no other", text({ must: [short] }), "ab", ["value: expected only a."]],
    [
      "has the form of its condition",
      text({ must: [{ format: "url", expected: "expected a URL." }] }),
      "http://a/",
      [],
    ],
    [
      "has no other form",
      text({ must: [{ format: "url", expected: "expected a URL." }] }),
      "a",
      ["value: expected a URL."],
    ],
    [
      "meets either of what a condition says",
      text({ must: [{ pattern: /^x$/, format: "url", expected: "expected x or a URL." }] }),
      "x",
      [],
    ],
    [
      "has the form where it does not have the pattern",
      text({ must: [{ pattern: /^x$/, format: "url", expected: "expected x or a URL." }] }),
      "http://a/",
      [],
    ],
    ["is not what it must not be", text({ must: [{ not: "loopback", expected: "expected another." }] }), "8.8.8.8", []],
    [
      "is told where it is that",
      text({ must: [{ not: "loopback", expected: "expected another." }] }),
      "127.0.0.1",
      ["value: expected another."],
    ],
    [
      "is told where it is that, whatever its pattern",
      text({ must: [{ pattern: /./, not: "loopback", expected: "expected another." }] }),
      "127.0.0.1",
      ["value: expected another."],
    ],
    [
      "meets all conditions",
      text({ must: [{ pattern: /a/, expected: "expected an a." }, short] }),
      "b",
      ["value: expected an a.", "value: expected only a."],
    ],
  ])("%s", (_, property, value, expected) => {
    expect(wrongIn(property, value)).toEqual(expected);
    expect(isPossible(property, value)).toBe(expected.length === 0);
  });
});

describe("a number", () => {
  test.each<[string, Property, unknown, string[]]>([
    ["is one", number({}), 1.5, []],
    ["is no text", number({}), "1", ["value: expected a number."]],
    ["is whole", count({}), 1, []],
    ["is not in between", count({}), 1.5, ["value: expected a whole number."]],
    ["is the least", number({ least: 2 }), 2, []],
    ["is not less", number({ least: 2 }), 1, ["value: expected a number from 2 on."]],
    ["is the most", number({ most: 4 }), 4, []],
    ["is not more", number({ most: 4 }), 5, ["value: expected a number up to 4."]],
    ["is in its range", count({ least: 2, most: 4 }), 5, ["value: expected a whole number from 2 to 4."]],
    [
      "is told in words of its own",
      count({ least: 2, expected: "expected seconds." }),
      1,
      ["value: expected seconds."],
    ],
    ["may be digits", count({ digits: true }), "123456789", []],
    ["may be a number where digits will do", count({ digits: true }), 12, []],
    ["is more than that many digits", count({ digits: true }), "1234567890", ["value: expected a whole number."]],
    ["is nothing but digits", count({ digits: true }), "a1", ["value: expected a whole number."]],
    ["has nothing behind its digits", count({ digits: true }), "1a", ["value: expected a whole number."]],
    ["has some digits", count({ digits: true }), "", ["value: expected a whole number."]],
    ["is no list of digits", count({ digits: true }), [1], ["value: expected a whole number."]],
  ])("%s", (_, property, value, expected) => {
    expect(wrongIn(property, value)).toEqual(expected);
  });
});

describe("a flag", () => {
  const loose = `value: expected true or false (the service's "true", "false", 1 and 0 will do).`;

  test.each<[string, Property, unknown, string[]]>([
    ["is true", flag({}), true, []],
    ["is false", flag({}), false, []],
    ["is no text", flag({}), "true", ["value: expected true or false."]],
    ["is told in words of its own", flag({ expected: "expected yes." }), 1, ["value: expected yes."]],
    ["may be as the service writes it", flag({ loose: true }), "true", []],
    ["may be its number", flag({ loose: true }), 0, []],
    ["is no other number", flag({ loose: true }), 2, [loose]],
    [
      "is told of the service in words of its own",
      flag({ loose: true, expected: "expected it." }),
      2,
      ["value: expected it."],
    ],
    ["is the only possible one", flag({ only: false }), false, []],
    ["is not the other", flag({ only: false }), true, ["value: expected false."]],
    [
      "is not the other, in words of its own",
      flag({ only: true, expected: "expected yes." }),
      false,
      ["value: expected yes."],
    ],
  ])("%s", (_, property, value, expected) => {
    expect(wrongIn(property, value)).toEqual(expected);
  });
});

describe("a list", () => {
  const least = list(text({}), { least: 2, tooFew: "expected two." });

  test.each<[string, Property, unknown, string[]]>([
    ["is one", list(text({}), {}), ["a"], []],
    ["may be empty", list(text({}), {}), [], []],
    ["is no text", list(text({}), {}), "a", ["value: expected a list."]],
    ["is told in words of its own", list(text({}), { expected: "expected names." }), "a", ["value: expected names."]],
    ["has its items checked", list(text({}), {}), ["a", 1], ["value.1: expected a text."]],
    ["has enough items", least, ["a", "b"], []],
    ["has too few", least, ["a"], ["value: expected two."]],
  ])("%s", (_, property, value, expected) => {
    expect(wrongIn(property, value)).toEqual(expected);
  });
});

describe("a map", () => {
  const ports = map(count({}), { keys: /^[a-z]$/ });

  test.each<[string, Property, unknown, string[]]>([
    ["is an object", map(count({}), {}), { "a b": 1 }, []],
    ["is no list", map(count({}), {}), [1], ["value: expected an object."]],
    ["is told in words of its own", map(count({}), { expected: "expected ports." }), 1, ["value: expected ports."]],
    ["has its values checked", map(count({}), {}), { a: "b" }, ["value.a: expected a whole number."]],
    ["has keys of its form", ports, { a: 1 }, []],
  ])("%s", (_, property, value, expected) => {
    expect(wrongIn(property, value)).toEqual(expected);
  });

  test("has no other keys", () => {
    expect(wrongIn(ports, { A: 1 })).toHaveLength(1);
    expect(wrongIn(ports, { A: 1 })[0]).toMatch(/^value\.A: /);
  });
});

test("a choice is any of its types, and what is none is told in its words", () => {
  const one = choice([count({}), text({ oneOf: ["all"] })], { expected: "expected a port or all." });
  expect(wrongIn(one, 1)).toEqual([]);
  expect(wrongIn(one, "all")).toEqual([]);
  expect(wrongIn(one, "some")).toEqual(["value: expected a port or all."]);
});

test("what may be anything is not looked at", () => {
  for (const value of [1, "a", null, { a: [] }]) expect(wrongIn(any({}), value)).toEqual([]);
});

describe("an object", () => {
  const properties = { zone: text({ required: true }), most: count({}) };
  const closed = object(properties, {});
  const open = object(properties, { open: true });

  test.each<[string, Property, unknown, string[]]>([
    ["has its properties", closed, { zone: "a", most: 1 }, []],
    ["has them checked", closed, { zone: "a", most: "b" }, ["value.most: expected a whole number."]],
    ["has those that are required", closed, {}, ["value.zone: expected a text."]],
    ["has no others", closed, { zone: "a", more: 1 }, ["value has more"]],
    ["is no text", closed, "a", ["value: expected an object."]],
    [
      "is told in words of its own",
      object(properties, { expected: "expected a plan." }),
      "a",
      ["value: expected a plan."],
    ],
    ["may have others where it is open", open, { zone: "a", other: 1 }, []],
    [
      "has its properties checked where it is open",
      open,
      { zone: "a", most: "b" },
      ["value.most: expected a whole number."],
    ],
    ["has none that is nearly one of them", open, { zone: "a", zonee: 1, other: 1 }, ["value has zonee"]],
    ["is no list where it is open", open, [], ["value: expected an object."]],
    ["is no text where it is open", open, "zone", ["value: expected an object."]],
    ["is something where it is open", open, null, ["value: expected an object."]],
    [
      "is told in words of its own where it is open",
      object(properties, { open: true, expected: "expected a plan." }),
      "a",
      ["value: expected a plan."],
    ],
  ])("%s", (_, property, value, expected) => {
    expect(wrongIn(property, value)).toEqual(expected);
  });

  describe("whose properties the service has in snake case", () => {
    const respelled = object({ poolIp: count({}), zone: text({}) }, { open: true, respelled: true });

    test.each<[string, Property, unknown, string[]]>([
      ["has them as programs have them", respelled, { poolIp: 1 }, []],
      ["has them as the service has them", respelled, { pool_ip: 1 }, []],
      [
        "has them checked as programs have them",
        respelled,
        { poolIp: "a" },
        ["value.poolIp: expected a whole number."],
      ],
      [
        "has them checked as the service has them",
        respelled,
        { pool_ip: "a" },
        ["value.pool_ip: expected a whole number."],
      ],
      [
        "has each once",
        respelled,
        { poolIp: 1, pool_ip: 1 },
        ["value.pool_ip: `poolIp` is given too, and is the same: give it once."],
      ],
      ["may have one that is the same in both", respelled, { zone: "a" }, []],
      ["has none that is nearly one of them", respelled, { poolIpp: 1 }, ["value has poolIpp"]],
      [
        "knows the service's words nowhere else",
        object({ poolIp: count({}) }, { open: true }),
        { pool_ip: 1 },
        ["value has pool_ip"],
      ],
    ])("%s", (_, property, value, expected) => {
      expect(wrongIn(property, value)).toEqual(expected);
    });
  });
});

describe("one of several objects", () => {
  const common = text({});
  const of = {
    static: object({ ips: count({}), shared: common, flag: flag({ default: false, compares: "lenient" }) }, {}),
    resident: object({ asn: count({}), shared: common, depth: count({ least: 1 }) }, {}),
    mobile_lines: object({ depth: text({}) }, {}),
  };
  const plan = variants("type", of, { named: "Plan", calledElsewhere: { "data center": "static" } });
  const names = '"static", "resident", "mobile_lines"';

  test.each<[string, unknown, string[]]>([
    ["has the properties of the one that it is", { type: "static", ips: 1, shared: "a" }, []],
    ["has them checked", { type: "static", ips: "a" }, ["value.ips: expected a whole number."]],
    [
      "has none of another",
      { type: "static", asn: 1 },
      ['value.asn: it goes with `type` "resident", not with "static".'],
    ],
    [
      "has none of several others",
      { type: "static", depth: 1 },
      ['value.depth: it goes with `type` "resident" or "mobile_lines", not with "static".'],
    ],
    ["may have what means the same as nothing, of another", { type: "resident", flag: 0 }, []],
    [
      "may not have what means something, of another",
      { type: "resident", flag: 1 },
      ['value.flag: it goes with `type` "static", not with "resident".'],
    ],
    ["has nothing that none has", { type: "static", more: 1 }, ["value has more"]],
    ["is one of those", { type: "dynamic" }, [`value.type: expected one of ${names}.`]],
    ["says which it is", {}, [`value.type: expected one of ${names}.`]],
    ["says it in a text", { type: 1 }, [`value.type: expected one of ${names}.`]],
    [
      "is told what something is called here",
      { type: "Data_Center" },
      [`value.type: expected one of ${names}; here "Data_Center" is \`static\`.`],
    ],
    [
      "is told so however the words are parted",
      { type: "data-CENTER" },
      [`value.type: expected one of ${names}; here "data-CENTER" is \`static\`.`],
    ],
    [
      "has what all of them have checked where it is none",
      { type: "x", ips: "a", shared: 1 },
      [
        "value.ips: expected a whole number.",
        "value.shared: expected a text.",
        `value.type: expected one of ${names}.`,
      ],
    ],
    [
      "may have what they differ in where it is none",
      { type: "x", depth: {} },
      [`value.type: expected one of ${names}.`],
    ],
    [
      "has nothing that none has where it is none",
      { type: "x", more: 1 },
      [`value.type: expected one of ${names}.`, "value has more"],
    ],
    ["is an object", "static", [`value: expected an object with a \`type\`, one of ${names}.`]],
    ["is no list", [], [`value: expected an object with a \`type\`, one of ${names}.`]],
  ])("%s", (_, value, expected) => {
    expect(wrongIn(plan, value).sort()).toEqual([...expected].sort());
  });

  test("is told in words of its own where it is no object", () => {
    expect(wrongIn(variants("type", of, { named: "Plan", expected: "expected a plan." }), 1)).toEqual([
      "value: expected a plan.",
    ]);
  });
});
