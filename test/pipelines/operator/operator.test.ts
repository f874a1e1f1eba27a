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

const manifestsIn = (file: string): JsonObject[] => parseAll(readFileSync(join(FOLDER, file), "utf8"));

describe.each([
  ["stack.yaml", ["Stack"]],
  ["program.yaml", ["Program", "Stack"]],
])("kubernetes/%s", (file, kinds) => {
  const manifests = manifestsIn(file);

  test("the operator's schemas accept it", () => {
    expect(manifests.map(({ apiVersion, kind }) => [apiVersion, kind])).toEqual(
      kinds.map((kind) => ["pulumi.com/v1", kind]),
    );
    expect(manifests.flatMap(faultsOf)).toEqual([]);
  });
});

test("the pods have an account that may do what they do, and the tokens of the secret that a comment makes", () => {
  const stacks = ["stack.yaml", "program.yaml"].flatMap(manifestsIn).filter(({ kind }) => kind === "Stack");
  const specs = stacks.map(({ spec }) => spec as { serviceAccountName: string; envRefs: Record<string, JsonObject> });
  const [name, ...others] = new Set(specs.map(({ serviceAccountName }) => serviceAccountName));
  expect(others).toEqual([]);
  const subjects = [{ kind: "ServiceAccount", name, namespace: "default" }];
  const apiGroup = "rbac.authorization.k8s.io";
  expect(manifestsIn("account.yaml")).toMatchObject([
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } },
    // The operator's documentation demands it: without it, a pod refuses what the operator asks of it.
    { kind: "ClusterRoleBinding", roleRef: { apiGroup, kind: "ClusterRole", name: "system:auth-delegator" }, subjects },
    { kind: "Role", metadata: { name }, rules: [{ apiGroups: [""], resources: ["secrets"] }] },
    { kind: "RoleBinding", roleRef: { apiGroup, kind: "Role", name }, subjects },
  ]);
  const keys = specs.flatMap(({ envRefs }) => Object.values(envRefs).map(({ secret }) => (secret as JsonObject).key));
  const made = readFileSync(join(FOLDER, "stack.yaml"), "utf8").matchAll(/--from-literal=(\w+)=/g);
  expect(new Set(keys)).toEqual(new Set(Array.from(made, ([, key]) => key)));
});

test("what the schemas do not accept is found", () => {
  const [stack] = manifestsIn("stack.yaml");
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
