import { isObject, type JsonObject, ownIn } from "../../base/json";
import { secretsAmong } from "../../declaration/paths";
import { importedKind, KIND_NAMES } from "../account/kinds";
import type { Described } from "./described";

/** Names of headers whose values are credentials. */
const CREDENTIAL = /auth|cookie|credential|key|passw|secret|session|token/i;

const SECRETS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  KIND_NAMES.map((kind) => [kind, new Set(secretsAmong(importedKind(kind).declaration.inputs))]),
);

const isCredential = (header: unknown): boolean => isObject(header) && CREDENTIAL.test(String(header.name));

/** The URL of a webhook is as good as a password. */
const sendsRequest = (rule: unknown): boolean =>
  isObject(rule) && isObject(rule.action) && rule.action.requestUrl !== undefined;

/** Lists that may hold a secret, by what such an item is. */
const MAY_HOLD: Readonly<Record<string, (item: unknown) => boolean>> = { headers: isCredential, rules: sendsRequest };

/** Names of the inputs that hold a secret, or may: they are not written into a program. */
export const mayBeSecret = ({ kind, inputs }: Pick<Described, "kind" | "inputs">): string[] =>
  Object.entries(inputs).flatMap(([name, value]) => {
    const isOne = ownIn(MAY_HOLD, name);
    const mayHold = isOne !== undefined && Array.isArray(value) && value.some(isOne);
    return mayHold || SECRETS.get(kind)?.has(name) ? [name] : [];
  });

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
