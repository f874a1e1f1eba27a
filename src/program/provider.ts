import * as pulumi from "@pulumi/pulumi";
import { ArgumentError } from "../base/errors";
import { nearest } from "../base/nearest";
import { PACKAGE, PROVIDER_TYPE, typeOf } from "../dynamic/type";
import { type Definition, mayBeShown, SETTINGS } from "../settings/definitions";
import type { Credential } from "../settings/setting";
import { PROVIDER_NAME, type Settings } from "../settings/settings";
import { ofRun } from "./memory";
import { isResource } from "./type";

/** What says which provider something goes by. */
export interface ProviderOptions {
  /** The provider. Default: that of `parent`. */
  provider?: pulumi.ProviderResource | undefined;
  /** A resource or component: the provider that its children have. Default: none, for the settings of the stack. */
  parent?: pulumi.Resource | undefined;
}

/**
 * The provider that options name or that comes from a parent; `undefined` for the default one. To the SDK, a component's option
 * `providers: { brightdata: provider }` is about another package than this one's resources are in.
 *
 * @throws {ArgumentError} for the provider of another package
 */
export function providerOf({ provider, parent }: ProviderOptions): pulumi.ProviderResource | undefined {
  const found = provider ?? parent?.getProvider("brightdata:index:Provider") ?? parent?.getProvider(typeOf("Provider"));
  if (found === undefined || isResource(found, PROVIDER_TYPE)) return found;
  throw new ArgumentError(
    "The option `provider` is the provider of another package: expected a `brightdata.Provider`.",
  );
}

/** The name of a provider, by which its process knows itself. */
export function nameOf(provider: pulumi.ProviderResource | undefined): string | undefined {
  const name: unknown = provider === undefined ? undefined : Reflect.get(provider, "__name");
  return typeof name === "string" ? name : undefined;
}

type Given<Setting> = Setting extends Credential
  ? string
  : Setting extends object
    ? { [Key in keyof Setting]: pulumi.Input<Given<Setting[Key]>> }
    : Setting;

/** Arguments of a {@link Provider}: the settings of the stack's configuration, under the same names. */
export type ProviderArgs = {
  [Name in keyof Settings as Exclude<Name, "provider">]?:
    | pulumi.Input<Given<NonNullable<Settings[Name]>> | undefined>
    | undefined;
};

/**
 * Resources and functions with settings of their own, for what the stack's configuration cannot say: a second account, or a
 * Proxy Manager on a machine that the same program makes. It is a process of its own beside that of the other resources.
 *
 * What it is given comes before the environment. What it is not given comes from the environment, and not from the stack's
 * configuration. With a `baseUrl` or `proxyManagerUrl` that is not the environment's, the environment's token or key is not used: it
 * is another service's.
 *
 * @example
 * const shop = new brightdata.Provider("shop", { apiToken: config.requireSecret("shopToken") });
 * new brightdata.Zone("web", { plan: { type: "static" } }, { provider: shop });
 */
export class Provider extends pulumi.ProviderResource {
  /**
   * @param name unique name of the provider
   * @param args settings; none is required
   * @throws {ArgumentError} for an argument that there is not; for a value that cannot be used, once it is known
   */
  constructor(name: string, args: ProviderArgs = {}, options?: pulumi.ResourceOptions) {
    const properties = { [PROVIDER_NAME]: name, ...propertiesOf(name, args) };
    super(PACKAGE, name, properties, options);
    ofRun(given).set(this, properties);
  }
}

/** What each provider was given: its outputs are known only once it is registered. */
const given = () => new WeakMap<object, pulumi.Inputs>();

export const givenTo = (provider: object): pulumi.Inputs | undefined => ofRun(given).get(provider);

function propertiesOf(provider: string, args: ProviderArgs): pulumi.Inputs {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => {
      const definition = definitionOf(name, provider);
      const read = (known: unknown) => textOf(known, definition, provider);
      // What is wrong with a plain value is said at once: of a failed output, the engine says more than is of use.
      const text = typeof value === "object" ? pulumi.output(value as object).apply(read) : read(value);
      return [`brightdata:${definition.key}`, definition.secret ? pulumi.secret(text) : text];
    }),
  );
}

function definitionOf(name: string, provider: string): Definition<unknown> {
  const definition = Object.entries(SETTINGS).find(([known]) => known === name)?.[1];
  if (definition !== undefined) return definition;
  const [near] = nearest(name, Object.keys(SETTINGS), 1);
  throw new ArgumentError(
    `The provider ${JSON.stringify(provider)} has no argument ${JSON.stringify(name)}. Did you mean ${near}?`,
  );
}

/** As a setting stands in the configuration: as a text. */
function textOf(value: unknown, definition: Definition<unknown>, provider: string): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (definition.parse(text) !== undefined) return text;
  const argument = `The argument \`${definition.key}\` of the provider ${JSON.stringify(provider)}`;
  const found = mayBeShown(definition, text) ? `is ${JSON.stringify(value)}` : "cannot be used";
  throw new ArgumentError(`${argument} ${found}: ${definition.fault?.(text) ?? `expected ${definition.expected}.`}`);
}
