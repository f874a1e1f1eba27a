import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "../../../src/base/json";
import { parseAll } from "../yaml";

const FOLDER = join(__dirname, "../../../kubernetes");
const { schemas } = JSON.parse(readFileSync(join(__dirname, "crds.json"), "utf8")) as { schemas: JsonObject };

/** What a server of Kubernetes would refuse of a value, by a structural schema; a field that the schema lacks, too. */
function faults(schema: unknown, value: unknown, path: string): string[] {
  if (!isObject(schema) || schema["x-kubernetes-preserve-unknown-fields"] === true) return [];
  const wrong = isOfType(schema, value) ? [] : [`${path} is no ${schema.type}`];
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) wrong.push(`${path} is none of ${schema.enum}`);
  if (typeof schema.minimum === "number" && Number(value) < schema.minimum) wrong.push(`${path} is too small`);
  if (Array.isArray(value)) {
    return [...wrong, ...value.flatMap((item, index) => faults(schema.items, item, `${path}[${index}]`))];
  }
  return isObject(value) ? [...wrong, ...faultsIn(schema, value, path)] : wrong;
}

function faultsIn(
  { required, properties, additionalProperties }: JsonObject,
  value: JsonObject,
  path: string,
): string[] {
  const missing = (Array.isArray(required) ? required : []).filter((key) => !(key in value));
  return [
    ...missing.map((key) => `${path}.${key} is missing`),
    ...Object.entries(value).flatMap(([key, item]) => {
      const known = isObject(properties) && key in properties ? properties[key] : additionalProperties;
      const isOpen = properties === undefined && additionalProperties === undefined;
      return known === undefined && !isOpen ? [`${path}.${key} is unknown`] : faults(known, item, `${path}.${key}`);
    }),
  ];
}

function isOfType({ type, "x-kubernetes-int-or-string": either }: JsonObject, value: unknown): boolean {
  if (either === true) return ["string", "number"].includes(typeof value);
  if (type === undefined) return true;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

const faultsOf = (manifest: JsonObject): string[] => faults(schemas[String(manifest.kind)], manifest, "");

describe.each([
  ["stack.yaml", ["Stack"]],
  ["program.yaml", ["Program", "Stack"]],
])("kubernetes/%s", (file, kinds) => {
  const manifests = parseAll(readFileSync(join(FOLDER, file), "utf8"));

  test("the operator's schemas accept it", () => {
    expect(manifests.map(({ apiVersion, kind }) => [apiVersion, kind])).toEqual(
      kinds.map((kind) => ["pulumi.com/v1", kind]),
    );
    expect(manifests.flatMap(faultsOf)).toEqual([]);
  });
});

test("what the schemas do not accept is found", () => {
  const [stack] = parseAll(readFileSync(join(FOLDER, "stack.yaml"), "utf8"));
  const spec = {
    ...(stack?.spec as JsonObject),
    stack: undefined,
    resyncFrequency: 1,
    refresh: "yes",
    envRefs: { A: { secret: {} } },
  };
  const { stack: _, ...wrong } = spec;
  expect(faultsOf({ ...stack, spec: wrong })).toEqual(
    expect.arrayContaining([
      ".spec.stack is missing",
      ".spec.resyncFrequency is unknown",
      ".spec.refresh is no boolean",
      ".spec.envRefs.A.secret.key is missing",
    ]),
  );
});
