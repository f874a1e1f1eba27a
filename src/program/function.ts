import * as pulumi from "@pulumi/pulumi";
import { isError } from "../base/cause";
import { ArgumentError, ConfigurationError, type Service } from "../base/errors";
import { type JsonObject, keysIn } from "../base/json";
import { requireArguments, requiredOf } from "../declaration/arguments";
import { redact } from "../http/redact";
import type { Lookup } from "../lookups/lookup";
import { type ConnectedSettings, type Connection, connected, connectionFailures } from "../settings/connections";
import { managerClient, remoteClient } from "./clients";
import { answered, firstOfOutage, type OrUndefined } from "./failures";
import type { ProviderOptions } from "./provider";
import { withSecrets } from "./secrets";
import { configurationOf, type FunctionOptions, settingsOf } from "./settings";
import { type Inputs, whenKnown } from "./whenKnown";

/** Loads a declaration: by the first call, for importing this package has to cost a program next to nothing. */
export type Load = () => Promise<Lookup>;

/** What a program gives to a function: the arguments, which may be left out where each of them may. */
type InvokeParameters<Args, Options> = Parameters<
  Partial<Args> extends Args ? (args?: Args, options?: Options) => void : (args: Args, options?: Options) => void
>;

/** A function that looks something up, with arguments that are known. */
export interface Invoke<Args extends object, Result> {
  /** The same, that gives `undefined` if the service refuses or cannot be reached. */
  (args: Args, options: FunctionOptions & OrUndefined): Promise<Result | undefined>;
  (...given: InvokeParameters<Args, FunctionOptions>): Promise<Result>;
}

/** A function that looks something up once its arguments are known. */
export interface InvokeOutput<Args extends object, Result> {
  /** The same, that gives `undefined` if the service refuses or cannot be reached. */
  (args: Args, options: ProviderOptions & OrUndefined): pulumi.Output<Result | undefined>;
  (...given: InvokeParameters<Args, ProviderOptions>): pulumi.Output<Result>;
}

/** How a function is run: in the program, or by the plugin. */
export type FunctionRunner = (lookup: Lookup, args: object | undefined, options: FunctionOptions) => Promise<object>;

/** A declared function, run in the program. */
export const invoke = <Args extends object, Result>(
  load: Load,
  ask: FunctionRunner = inProgram,
): Invoke<Args, Result> =>
  (async (args: object | undefined, options: FunctionOptions & Partial<OrUndefined> = {}) => {
    const lookup = await load();
    refuseOutputs(lookup, { ...args });
    const result = await asked(ask, lookup, args, options);
    return result && withSecrets({ is: "object", properties: lookup.result }, result);
  }) as Invoke<Args, Result>;

/** A declared function, run once all arguments, and the settings of the provider, are known. */
export const invokeOutput = <Args extends object, Result>(
  load: Load,
  ask: FunctionRunner = inProgram,
): InvokeOutput<Args, Result> =>
  ((args: Inputs<object> | undefined, options: ProviderOptions & Partial<OrUndefined> = {}) => {
    const lookUp = async (known: object | undefined, secrets: readonly string[]) => {
      const result = asked(ask, await load(), known, options, secrets) as Promise<Result | undefined>;
      return result.catch((error: unknown) => Promise.reject(firstOfOutage(error)));
    };
    return whenKnown<object | undefined, Result | undefined>(args, lookUp, configurationOf(options));
  }) as InvokeOutput<Args, Result>;

/** The same for a function with a secret in its result, which is secret as a whole. */
export const invokeSecretOutput = <Args extends object, Result>(
  load: Load,
  ask?: FunctionRunner,
): InvokeOutput<Args, pulumi.Unwrap<Result>> => {
  const inPlain = invokeOutput<Args, Result>(load, ask);
  return ((...given: Parameters<typeof inPlain>) => pulumi.secret(inPlain(...given))) as InvokeOutput<
    Args,
    pulumi.Unwrap<Result>
  >;
};

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

const asked = (
  ask: FunctionRunner,
  lookup: Lookup,
  args: object | undefined,
  { onError, ...options }: FunctionOptions & Partial<OrUndefined>,
  secrets: readonly string[] = [],
): Promise<object | undefined> =>
  answered({ name: lookup.name, onError, signal: options.signal }, async () => {
    const required = requiredOf(lookup.arguments);
    const given = args === undefined && required.length === 0 ? {} : args;
    requireArguments(`\`${lookup.name}\``, required, given);
    refuseOptions(lookup, { ...given });
    return ask(lookup, given, { ...options, secrets: [...(options.secrets ?? []), ...secrets] }).catch(
      (error: unknown) => {
        throw withoutSecrets(error, secrets);
      },
    );
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
  if (!isError(error) || secrets.length === 0) return error;
  for (const part of ["message", "stack", ...Object.keys(error)])
    Reflect.set(error, part, hidden(Reflect.get(error, part), secrets));
  return error;
}

function hidden(told: unknown, secrets: readonly string[]): unknown {
  if (Array.isArray(told)) return told.map((each) => hidden(each, secrets));
  return typeof told === "string" ? redact(told, secrets) : told;
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
