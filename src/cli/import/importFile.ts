import { isObject, type JsonObject } from "../../base/json";
import { VERSION } from "../../base/version";
import { CONNECTION } from "../../declaration/connection";
import { providerText, typeOf } from "../../dynamic/type";
import { leafPaths } from "../../lifecycle/paths";
import { AT_KEY, DECLARED_KEY, joinedPaths, PROVIDER_KEY } from "../../pulumi/keys";
import { nativeTypeOf } from "../../pulumi/types";
import { isSecret, SECRET_MARK, sealed } from "../../pulumi/values";
import { lifecycleOf } from "../account/inventory";
import type { Resource } from "./program";

/** What `pulumi import --file` takes, so that nothing is left to do for the program. */
export async function importFileOf(resources: readonly Resource[], isNative: boolean): Promise<JsonObject> {
  const entries = resources.map(async (resource) =>
    entryOf(resource, await resource.found.source.location(), isNative),
  );
  return { resources: await Promise.all(entries) };
}

function entryOf(
  { found, name, identifier, secrets }: Resource,
  location: string | undefined,
  isNative: boolean,
): JsonObject {
  const { kind, id, source, inputs, state } = found;
  const lifecycle = lifecycleOf(kind);
  const provider = isNative ? {} : { [PROVIDER_KEY]: providerText(kind) };
  const { isMarked, secrets: always = [] } = lifecycle;
  const more = [...secrets.keys()].filter((input) => !always.some(([first]) => first === input));
  const hidden = [...always, ...more.map((input) => [input])];
  const outputs = {
    ...state,
    [CONNECTION[source.service]]: source.name,
    [AT_KEY]: isMarked === undefined ? location : undefined,
    [DECLARED_KEY]: joinedPaths(leafPaths(inputs)),
  };
  return {
    ...(isNative ? { type: nativeTypeOf(kind), version: VERSION } : { type: typeOf(kind) }),
    name: identifier,
    logicalName: name,
    id: source.name === undefined ? id : `${source.name}/${id}`,
    inputs: { ...provider, ...(inPlainText(sealed(inputs, hidden)) as JsonObject) },
    outputs: { ...provider, ...(inPlainText(sealed(outputs, hidden)) as JsonObject) },
  };
}

/** Secrets as an import file has them: in the envelope, as JSON. The state has them encrypted. */
function inPlainText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inPlainText);
  if (isSecret(value)) return { ...SECRET_MARK, plaintext: JSON.stringify(value.value) };
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inPlainText(item)]));
}
