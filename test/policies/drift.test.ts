import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isLookUp, REQUIRED, UNKNOWN } from "../../policies/declared";
import { PRODUCTS, productOf } from "../../policies/products";
import { RULES } from "../../policies/rules";
import { noCredentialsInClear, SECRETS } from "../../policies/rules/noCredentialsInClear";
import { storedPlan } from "../../simulator/account/plan";
import { zoneIps } from "../../src/kinds/zoneIps/declaration";
import { PLAN_FIELDS } from "../../src/model/plan";
import * as model from "../../src/model/products";

const ROOT = join(__dirname, "../..");

interface Member {
  type?: string;
  secret?: boolean;
  $ref?: string;
  items?: Member;
  additionalProperties?: Member;
  oneOf?: Member[];
  properties?: Record<string, Member>;
  inputProperties?: Record<string, Member>;
  requiredInputs?: string[];
}

const schema = JSON.parse(readFileSync(join(ROOT, "schema.json"), "utf8")) as {
  resources: Record<string, Member>;
  types: Record<string, Member>;
};

/** The properties of a resource and of what is in them; what is in a secret is a part of it. */
function propertiesIn(member: Member, seen = new Set<Member>()): (readonly [string, Member])[] {
  if (seen.has(member)) return [];
  seen.add(member);
  const { $ref, items, additionalProperties, oneOf = [] } = member;
  const named = $ref?.startsWith("#/types/") ? schema.types[$ref.slice("#/types/".length)] : undefined;
  const parts = [named, items, additionalProperties, ...oneOf].filter((part) => part !== undefined);
  const own = Object.entries({ ...member.properties, ...member.inputProperties });
  return [
    ...own.flatMap(([name, property]) => [
      [name, property] as const,
      ...(property.secret ? [] : propertiesIn(property, seen)),
    ]),
    ...parts.flatMap((part) => propertiesIn(part, seen)),
  ];
}

const properties = Object.values(schema.resources).flatMap((resource) => propertiesIn(resource));

test("the products, in the same order, with the same prices", () => {
  const known = PRODUCTS.map(({ type, when, price }) => ({ type, when, price }));
  expect(known).toEqual(
    (model.PRODUCTS as readonly model.Product[]).map(({ type, when, piece }) => ({ type, when, price: piece })),
  );
});

test("the product of a plan is the one that the package prices", () => {
  for (const { type, when } of PRODUCTS) {
    const plan = { type, ...when };
    expect(productOf(plan)?.price).toBe(model.pieceOf(plan));
  }
  const { ips_type } = storedPlan({ type: "static" }, new Date());
  expect(productOf({ type: "static" })).toBe(productOf({ type: "static", ipsType: ips_type }));
  expect(productOf({ type: "unblocker", serp: "1" })?.name).toBe("serp-api");
});

test("a property counts as secret exactly if the package makes it one wherever it stands", () => {
  expect(properties.map(([name]) => name)).toEqual(expect.arrayContaining(["plan", "poolIpType", "userPassword"]));
  const names = new Set(properties.filter(([, { secret }]) => secret).map(([name]) => name));
  expect([...SECRETS]).toEqual([...names].sort());
  const clear = new Set(properties.filter(([, { secret }]) => !secret).map(([name]) => name));
  expect(SECRETS.filter((name) => clear.has(name))).toEqual([]);
  // Nor does it make one of what stands deeper, except in the ports of a set.
  const deeper = Object.entries(schema.resources).flatMap(([token, { inputProperties = {} }]) => {
    const parts = token.endsWith(":ProxyPorts") ? [] : Object.values(inputProperties);
    return parts.filter(({ secret }) => secret !== true).flatMap((part) => propertiesIn(part));
  });
  expect(deeper.filter(([, { secret }]) => secret)).toEqual([]);
});

test("no property that is not a secret is called like a credential", () => {
  const named = new RegExp(noCredentialsInClear.options.names.initial, "i");
  const clear = properties.filter(([name, { secret, type }]) => !secret && type === "string" && named.test(name));
  expect(clear.map(([name]) => name)).toEqual([]);
});

test("what every declared resource has is required", () => {
  for (const [kind, name] of Object.entries(REQUIRED)) {
    expect(schema.resources[`brightdata:index:${kind}`]?.requiredInputs).toContain(name);
    expect([isLookUp(kind, {}), isLookUp(kind, { [name]: UNKNOWN })]).toEqual([true, false]);
  }
  expect(isLookUp("ManagerSettings", {})).toBe(false);
});

test("every property that a policy reads is an input of its resource", () => {
  const inputs = {
    Zone: ["name", "plan", "disabled", "account"],
    ZoneAccess: ["zone", "allowedIps", "account"],
    ZoneIps: ["zone", "count", "kind", "adopt", "country", "countryCity", "account"],
    WhitelistIp: ["ip", "manager"],
    ManagerSettings: ["whitelistIps", "wwwWhitelistIps", "manager"],
    ProxyPort: ["whitelistIps", "internalName", "manager"],
    ProxyPorts: ["ports", "defaults", "manager"],
  };
  for (const [kind, names] of Object.entries(inputs)) {
    const given = Object.keys(schema.resources[`brightdata:index:${kind}`]?.inputProperties ?? {});
    expect(names.filter((name) => !given.includes(name))).toEqual([]);
  }
  expect(Object.keys(PLAN_FIELDS)).toEqual(expect.arrayContaining(["ips", "vips", "ipsType", "vipsType"]));
  expect(zoneIps.inputs.kind.oneOf).toEqual(["ips", "gips"]);
});

test("the table of the README is that of the policies", () => {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const rows = RULES.map(({ name, says, level, options }) => {
    const each = Object.entries<{ says: string; initial: unknown }>(options).map(
      ([option, { says: what, initial }]) =>
        `\`${option}\`${initial === undefined ? "" : ` (\`${typeof initial === "string" ? initial : JSON.stringify(initial)}\`)`}: ${what}`,
    );
    return `| \`${name}\` | ${cell(says)} | ${level} | ${cell(each.join("<br>"))} |\n`;
  });
  const table = `| Name | Rule | Level | Options (defaults) |\n| --- | --- | --- | --- |\n${rows.join("")}`;
  expect(readFileSync(join(ROOT, "policies/README.md"), "utf8")).toContain(`\n\n${table}\n`);
});

test("a policy has a name and options that the engine accepts", () => {
  const names = RULES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).not.toContain("all");
  for (const { options } of RULES) expect(Object.keys(options)).not.toContain("enforcementLevel");
});
