import { isObject, type JsonObject } from "../base/json";
import type { SecretPath } from "../lifecycle/lifecycle";
import type { Opened } from "../pulumi/stateForm";
import { isSecret } from "../pulumi/values";

/** What the engine has sent, with its secrets. Its keys are put in order: the engine sends them in any, another one each time. */
export function opened(value: JsonObject | undefined): Opened {
  const secrets: SecretPath[] = [];
  return { plain: openedAt(value ?? {}, [], secrets) as JsonObject, secrets };
}

function openedAt(value: unknown, path: SecretPath, secrets: SecretPath[]): unknown {
  if (isSecret(value)) {
    secrets.push(path);
    return openedAt(value.value, path, []);
  }
  if (Array.isArray(value)) {
    const within: SecretPath[] = [];
    const items = value.map((item) => openedAt(item, path, within));
    if (within.length > 0) secrets.push(path);
    return items;
  }
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, openedAt(value[key], [...path, key], secrets)]));
}
