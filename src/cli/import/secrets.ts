import { isObject, type JsonObject } from "../../base/json";
import { secretsAmong } from "../../declaration/paths";
import { importedKind, KIND_NAMES } from "../account/kinds";
import type { Described } from "./described";

/** Names of headers whose values are credentials. */
const CREDENTIAL = /auth|cookie|credential|key|passw|secret|session|token/i;

const SECRETS = new Map(KIND_NAMES.map((kind) => [kind, new Set(secretsAmong(importedKind(kind).declaration.inputs))]));

/** Names of the inputs that hold a secret, or may: they are not written into a program. */
export const mayBeSecret = ({ kind, inputs }: Pick<Described, "kind" | "inputs">): string[] =>
  Object.keys(inputs).filter(
    (name) =>
      SECRETS.get(kind)?.has(name) ||
      (name === "headers" && Array.isArray(inputs.headers) && inputs.headers.some(isCredential)),
  );

const isCredential = (header: unknown): boolean => isObject(header) && CREDENTIAL.test(String(header.name));

/** The values of the configuration that programs read, as `pulumi config set-all --json` takes them. */
export const secretsOf = (
  resources: readonly { found: { inputs: JsonObject }; secrets: ReadonlyMap<string, string> }[],
): JsonObject =>
  Object.fromEntries(
    resources.flatMap(({ found, secrets }) =>
      [...secrets].map(([input, key]) => {
        const { [input]: value } = found.inputs;
        return [key, { value: typeof value === "string" ? value : JSON.stringify(value), secret: true }];
      }),
    ),
  );
