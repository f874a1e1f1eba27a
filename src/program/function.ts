import * as pulumi from "@pulumi/pulumi";
import { ArgumentError, ConfigurationError, type Service } from "../base/errors";
import { isObject, type JsonObject, keysIn } from "../base/json";
import { requireArguments, requiredOf } from "../declaration/arguments";
import { hasSecret } from "../declaration/paths";
import type { Properties, Property } from "../declaration/property";
import { redact } from "../http/redact";
import type { Lookup } from "../lookups/lookup";
import { type ConnectedSettings, type Connection, connected, connectionFailures } from "../settings/connections";
import { managerClient, remoteClient } from "./clients";
import { answered, firstOfOutage, type OrUndefined } from "./failures";
import type { ProviderOptions } from "./provider";
import { configurationOf, type FunctionOptions, settingsOf } from "./settings";
import { type Inputs, whenKnown } from "./whenKnown";

/** Loads a declaration: by the first call, for importing this package has to cost a program next to nothing. */
type Load = () => Promise<Lookup>;

/** What a program gives to a function: the arguments, which may be left out where each of them may. */
type Given<Args, Options> = Parameters<
  Partial<Args> extends Args ? (args?: Args, options?: Options) => void : (args: Args, options?: Options) => void
>;

/** A function that looks something up, with arguments that are known. */
export interface Invoke<Args extends object, Result> {
  /** The same, that gives `undefined` if the service refuses or cannot be reached. */
  (args: Args, options: FunctionOptions & OrUndefined): Promise<Result | undefined>;
  (...given: Given<Args, FunctionOptions>): Promise<Result>;
}

/** A function that looks something up once its arguments are known. */
export interface InvokeOutput<Args extends object, Result> {
  /** The same, that gives `undefined` if the service refuses or cannot be reached. */
  (args: Args, options: ProviderOptions & OrUndefined): pulumi.Output<Result | undefined>;
  (...given: Given<Args, ProviderOptions>): pulumi.Output<Result>;
}

/** How a function is run: in the program, or by the plugin. */
export type Ask = (lookup: Lookup, args: object | undefined, options: FunctionOptions) => Promise<object>;

/** A declared function, run in the program. */
export const invoke = <Args extends object, Result>(load: Load, ask: Ask = inProgram): Invoke<Args, Result> =>
  ((args: object | undefined, options = {}) => lookUpNow({ load, ask }, args, options)) as Invoke<Args, Result>;

/** A declared function, run once all arguments, and the settings of the provider, are known. */
export const invokeOutput = <Args extends object, Result>(
  load: Load,
  ask: Ask = inProgram,
): InvokeOutput<Args, Result> =>
  ((args: object | undefined, options = {}) => lookUpWhenKnown({ load, ask }, args, options)) as InvokeOutput<
    Args,
    Result
  >;

/** The same for a function with a secret in its result, which is secret as a whole. */
export const invokeSecretOutput = <Args extends object, Result>(
  load: Load,
  ask: Ask = inProgram,
): InvokeOutput<Args, pulumi.Unwrap<Result>> =>
  ((args: object | undefined, options = {}) =>
    pulumi.secret(lookUpWhenKnown({ load, ask }, args, options))) as InvokeOutput<Args, pulumi.Unwrap<Result>>;

interface Way {
  load: Load;
  ask: Ask;
}

async function lookUpNow<Result>(
  { load, ask }: Way,
  args: object | undefined,
  options: FunctionOptions & Partial<OrUndefined>,
): Promise<Result | undefined> {
  const lookup = await load();
  refuseOutputs(lookup, { ...args });
  const result = await asked(ask, lookup, args, options);
  return result && (withSecrets(lookup.result, result as JsonObject) as Result);
}

/** @throws {ArgumentError} for an output, which is text about itself to whoever takes it for a value */
function refuseOutputs({ name, arguments: all }: Lookup, given: JsonObject): void {
  const argument = Object.keys(all).find((each) => hasOutput(given[each]));
  if (argument === undefined) return;
  throw new ArgumentError(
    `\`${argument}\` is an output, or has one, and ${name} needs values that are known: call ${name}Output instead. Nothing was sent.`,
  );
}

const hasOutput = (value: unknown): boolean =>
  pulumi.Output.isInstance(value) ||
  (typeof value === "object" && value !== null && Object.values(value).some(hasOutput));

const lookUpWhenKnown = <Result>(
  { load, ask }: Way,
  args: Inputs<object> | undefined,
  options: ProviderOptions & Partial<OrUndefined>,
): pulumi.Output<Result | undefined> =>
  whenKnown<object | undefined, Result | undefined>(
    args,
    async (known, secrets) => {
      const result = asked(ask, await load(), known, options, secrets) as Promise<Result | undefined>;
      return result.catch((error: unknown) => Promise.reject(firstOfOutage(error)));
    },
    configurationOf(options),
  );

const asked = (
  ask: Ask,
  lookup: Lookup,
  args: object | undefined,
  { onError, ...options }: FunctionOptions & Partial<OrUndefined>,
  secrets: readonly string[] = [],
): Promise<object | undefined> =>
  answered({ name: lookup.name, onError, signal: options.signal }, async () => {
    const required = requiredOf(lookup.arguments);
    const given = args === undefined && required.length === 0 ? {} : args;
    requireArguments(lookup.name, required, given);
    refuseOptions(lookup, { ...given });
    return ask(lookup, given, options).catch((error: unknown) => {
      throw withoutSecrets(error, secrets);
    });
  });

const OPTIONS = keysIn({
  provider: true,
  parent: true,
  onError: true,
  signal: true,
  secrets: true,
  mayRepeat: true,
} satisfies Record<keyof FunctionOptions | keyof OrUndefined, true>);

/** @throws {ArgumentError} for an option that a program has written in the place of an argument */
function refuseOptions({ name, arguments: all }: Lookup, given: JsonObject): void {
  const option = OPTIONS.find((each) => given[each] !== undefined && !(each in all));
  if (option === undefined) return;
  throw new ArgumentError(
    `\`${option}\` is no argument of ${name}, but an option: give options behind the arguments, as in \`${name}(args, { ${option} })\`. Nothing was sent.`,
  );
}

/** The same error, for it is known by its class, with these texts hidden. */
function withoutSecrets(error: unknown, secrets: readonly string[]): unknown {
  if (!(error instanceof Error) || secrets.length === 0) return error;
  for (const part of ["message", "stack", ...Object.keys(error)]) {
    const text: unknown = Reflect.get(error, part);
    if (typeof text === "string") Reflect.set(error, part, redact(text, secrets));
  }
  return error;
}

async function inProgram(
  lookup: Lookup,
  given: object | undefined,
  { provider, parent, ...options }: FunctionOptions,
): Promise<object> {
  const { requireDeclared } = await import("../lifecycle/arguments.js");
  requireDeclared(lookup, { ...given });
  const { manager, account, ...own }: Connection = given ?? {};
  const settings = await connectedSettings(lookup.service, { manager, account }, { provider, parent });
  const client = lookup.service === "remote" ? remoteClient(settings) : managerClient(settings);
  return lookup.ask(client, own, options);
}

/**
 * The settings for a service that a connection names.
 *
 * @throws {ConfigurationError} for a connection that there is not
 */
export async function connectedSettings(
  service: Service,
  connection: Connection,
  options: ProviderOptions,
): Promise<ConnectedSettings> {
  const all = await settingsOf(options);
  const settings = connected(all, connection);
  const [failure] = connectionFailures(service, connection.manager ?? connection.account, all);
  if (failure !== undefined) throw new ConfigurationError(failure);
  return settings;
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
