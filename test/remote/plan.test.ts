import {
  assert,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  property,
  record,
  string,
  uniqueArray,
} from "fast-check";
import { describe, expect, test } from "vitest";
import { camelCase, camelKeys, snakeCase } from "../../src/base/case";
import { FLAG_VALUES } from "../../src/declaration/flags";
import type { Property } from "../../src/declaration/property";
import { canonical } from "../../src/declaration/scalars";
import { PLAN_FIELDS, type Plan, type PlanField } from "../../src/model/plan";
import { fromServicePlan, toServicePlan } from "../../src/remote/plan";

const FIELDS: Readonly<Record<PlanField, Property>> = PLAN_FIELDS;

/** A value of a field as it is sent. */
const planValue = (field: PlanField, value: unknown) => canonical(FIELDS[field], value);

/** What decides how values are written and compare: the comparison of a text, or the type. */
const kindOf = ({ is, compares }: Property): string | undefined => (is === "text" ? compares : is);

const fieldsOf = (kind: string) => (Object.keys(FIELDS) as PlanField[]).filter((name) => kindOf(FIELDS[name]) === kind);

describe("a field of a plan", () => {
  test.each(fieldsOf("flag"))("%s: every spelling of a flag is the same", (field) => {
    for (const [spelling, value] of FLAG_VALUES) expect(planValue(field, spelling)).toBe(value);
    expect(planValue(field, "maybe")).toBe("maybe");
  });

  test.each(fieldsOf("number"))("%s: a number is as good as its digits", (field) => {
    assert(
      property(integer({ min: 0, max: 1_000_000_000 }), (count) => {
        expect(planValue(field, String(count))).toBe(count);
        expect(planValue(field, count)).toBe(count);
      }),
    );
    expect(planValue(field, "many")).toBe("many");
  });

  test.each(fieldsOf("caseless"))("%s: capitals make no difference", (field) => {
    expect(planValue(field, "US")).toBe("us");
    expect(planValue(field, "us-Chicago")).toBe("us-chicago");
  });

  test.each(fieldsOf("words"))("%s: order, blanks and repetition make no difference", (field) => {
    assert(
      property(uniqueArray(string({ minLength: 1, unit: constantFrom("a", "b", ".") }), { minLength: 1 }), (words) => {
        const written = [...words, words[0]].reverse().join("  ");
        expect(planValue(field, ` ${written}\n`)).toBe(planValue(field, words.join(" ")));
      }),
    );
  });

  test.each(Object.keys(PLAN_FIELDS) as PlanField[])("%s: nothing is what the service takes it for", (field) => {
    const initial = FIELDS[field].default;
    for (const nothing of [undefined, null, ""]) expect(planValue(field, nothing)).toBe(initial);
    expect(planValue(field, initial)).toBe(initial);
  });

  test("pay per gigabyte is written one way and read the other", () => {
    expect(planValue("bandwidth", "payperusage")).toBe(planValue("bandwidth", "bandwidth"));
    expect(planValue("bandwidth", "unlimited")).toBe("unlimited");
  });

  test("is settled: a value in its one form stays as it is", () => {
    assert(
      property(constantFrom(...(Object.keys(PLAN_FIELDS) as PlanField[])), jsonValue(), (field, value) => {
        const once = planValue(field, value);
        expect(planValue(field, once)).toEqual(once);
      }),
    );
  });
});

test("toServicePlan sends booleans and numbers, and the service's names", () => {
  expect(
    toServicePlan({
      type: "resident",
      vips: "3",
      vipsType: "domain",
      vipCountryCity: "US-Chicago",
      city: 1,
      asn: "false",
      domainWhitelist: "b.example  a.example",
      mobile: undefined,
    }),
  ).toEqual({
    type: "resident",
    vips: 3,
    vips_type: "domain",
    vip_country_city: "us-chicago",
    city: true,
    asn: false,
    domain_whitelist: "a.example b.example",
  });
});

test("toServicePlan sends further fields as they are, which do not overrule the known ones", () => {
  expect(toServicePlan({ type: "static", extra: { type: "resident", exclusiveType: "A", nested: { aB: 1 } } })).toEqual(
    {
      type: "static",
      exclusiveType: "A",
      nested: { aB: 1 },
    },
  );
});

test("fromServicePlan brings a country back that the service has moved", () => {
  expect(fromServicePlan({ type: "resident", default_country: "de" })).toEqual({ type: "resident", country: "de" });
  expect(fromServicePlan({ country: "fr", default_country: "de" })).toEqual({ country: "fr", defaultCountry: "de" });
});

test.each([{ country: {} }, { ips_type: [] }, { type: true }, { ips: "many" }, { vip: "yes" }, { default_country: 7 }])(
  "fromServicePlan does not believe %j, which is not of the field's type",
  (answered) => {
    expect(fromServicePlan({ product: "dc", ...answered })).toEqual({ product: "dc" });
  },
);

test("fromServicePlan gives known fields in their types, however the service writes them", () => {
  const answered = { type: "static", mobile: 1, city: 0, asn: "false", serp: "1", vips: "0", ips: 3, ip_fallback: "1" };
  expect(fromServicePlan({ ...answered, vip: "", country: "de", disable: 1, exclusive: "1" })).toEqual({
    type: "static",
    ...{ mobile: true, city: false, asn: false, serp: true, vips: 0, ips: 3, ipFallback: 1 },
    ...{ country: "de", disable: 1, exclusive: "1" },
  });
});

test("fromServicePlan keeps fields that are not known here, at every depth", () => {
  expect(fromServicePlan({ auto_cost_override: { ip_bw: 1, list: [{ price_group: "a" }] } })).toEqual({
    autoCostOverride: { ipBw: 1, list: [{ priceGroup: "a" }] },
  });
});

test("a plan that is sent reads back as one that compares as the same", () => {
  const values = new Map<string | undefined, unknown[]>([
    ["flag", [...FLAG_VALUES.keys()]],
    ["number", [0, 7, "12"]],
    ["caseless", ["any", "US", "de"]],
  ]);
  const someValue = (field: PlanField) =>
    constantFrom<unknown>(...(values.get(kindOf(FIELDS[field])) ?? ["static", "dc", "a b", "b  a"]));
  const fields = Object.keys(PLAN_FIELDS) as PlanField[];
  const plans = record(Object.fromEntries(fields.map((field) => [field, someValue(field)])), { requiredKeys: [] });
  assert(
    property(plans, (written) => {
      const back = fromServicePlan(toServicePlan({ type: "static", ...written } as Plan));
      for (const field of fields) expect(planValue(field, back[field])).toEqual(planValue(field, written[field]));
    }),
  );
});

test("the names of fields go back and forth", () => {
  for (const field of Object.keys(PLAN_FIELDS)) expect(camelCase(snakeCase(field))).toBe(field);
  assert(
    property(dictionary(constantFrom("a", "b_c", "d_e_f"), integer()), (plan) => {
      expect(camelKeys(plan)).toEqual(
        Object.fromEntries(Object.entries(plan).map(([name, value]) => [camelCase(name), value])),
      );
    }),
  );
});
