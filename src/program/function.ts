import * as pulumi from "@pulumi/pulumi";
import { ConfigurationError } from "../base/errors";
import { isObject, type JsonObject } from "../base/json";
import { requireArguments, requiredOf } from "../declaration/arguments";
import { hasSecret } from "../declaration/paths";
import type { Properties, Property } from "../declaration/property";
import { type Connection, connected, connectionFailures } from "../settings/connections";
import { managerClient, remoteClient } from "./clients";
import { answered, firstOfOutage, type OrUndefined } from "./failures";
import type { Lookup } from "./lookup";
import type { ProviderOptions } from "./provider";
import { configurationOf, type FunctionOptions, settingsOf } from "./settings";
import { type Inputs, whenKnown } from "./whenKnown";

/** Loads a declaration: by the first call, for importing this package has to cost a program next to nothing. */
type Load = () => Promise<Lookup>;

/** Runs a declared function in the program. */
export async function lookUpNow<Result>(
  load: Load,
  args: object,
  options: FunctionOptions & Partial<OrUndefined>,
): Promise<Result | undefined> {
  const lookup = await load();
  const result = await ask(lookup, args, options);
  return result && (withSecrets(lookup.result, result as JsonObject) as Result);
}

/** Runs a declared function once all arguments, and the settings of the provider, are known. */
export const lookUpWhenKnown = <Result>(
  load: Load,
  args: Inputs<object>,
  options: ProviderOptions & Partial<OrUndefined>,
): pulumi.Output<Result | undefined> =>
  whenKnown(
    args,
    async (known) => {
      const asked = ask(await load(), known, options) as Promise<Result | undefined>;
      return asked.catch((error: unknown) => Promise.reject(firstOfOutage(error)));
    },
    configurationOf(options),
  );

/** The same for a function with a secret in its result, which is secret as a whole. */
export const lookUpSecret = <Result>(
  load: Load,
  args: Inputs<object>,
  options: ProviderOptions & Partial<OrUndefined>,
): pulumi.Output<Result | undefined> =>
  pulumi.secret(lookUpWhenKnown<object>(load, args, options)) as pulumi.Output<Result | undefined>;

const ask = (
  lookup: Lookup,
  args: object,
  { onError, ...options }: FunctionOptions & Partial<OrUndefined>,
): Promise<object | undefined> =>
  answered({ name: lookup.name, onError, signal: options.signal }, () => request(lookup, args, options));

async function request(
  lookup: Lookup,
  args: object,
  { provider, parent, ...options }: FunctionOptions,
): Promise<object> {
  requireArguments(lookup.name, requiredOf(lookup.arguments), args);
  const { manager, account, ...own }: Connection = args;
  const all = await settingsOf({ provider, parent });
  const settings = connected(all, { manager, account });
  const [failure] = connectionFailures(lookup.service, manager ?? account, all);
  if (failure !== undefined) throw new ConfigurationError(failure);
  const client = lookup.service === "remote" ? remoteClient(settings) : managerClient(settings);
  return lookup.ask(client, own, options);
}

const withSecrets = (properties: Properties, values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, property === undefined ? value : guarded(property, value)];
    }),
  );

function guarded(property: Property, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (property.secret) return pulumi.secret(value);
  if (property.is === "object" && isObject(value)) return withSecrets(property.properties, value);
  if (property.is === "list" && Array.isArray(value)) return value.map((item) => guarded(property.items, item));
  // Which part of another shape is the secret one is not known here.
  return hasSecret({ property }) ? pulumi.secret(value) : value;
}
