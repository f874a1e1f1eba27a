import * as pulumi from "@pulumi/pulumi";
import { ArgumentError } from "../base/errors";
import { ownIn } from "../base/json";
import { meant } from "../base/nearest";
import { VERSION } from "../base/version";
import { PACKAGE, PROVIDER_TYPE, typeOf } from "../dynamic/type";
import { DEFAULT_PROVIDER, NATIVE_PACKAGE, NATIVE_PROVIDER_TYPE } from "../pulumi/types";
import { type Definition, mayBeShown, SETTINGS } from "../settings/definitions";
import type { Credential } from "../settings/setting";
import { PROVIDER_NAME, type Settings } from "../settings/settings";
import { ofRun } from "./ofRun";
import { isResource } from "./type";

/** What says which provider something goes by. */
export interface ProviderOptions {
  /** The provider. Default: that of `parent`. */
  provider?: pulumi.ProviderResource | undefined;
  /** A resource or component: the provider that its children have. Default: none, for the settings of the stack. */
  parent?: pulumi.Resource | undefined;
}

/** What a provider has to be the one of. */
export interface Provided {
  /** How a program imports it. */
  readonly module: string;
  readonly providerType: string;
}

export const OF_DYNAMIC: Provided = { module: "pulumi-brightdata", providerType: PROVIDER_TYPE };
export const OF_NATIVE: Provided = { module: "pulumi-brightdata/native", providerType: NATIVE_PROVIDER_TYPE };

const FORMS = [OF_DYNAMIC, OF_NATIVE];

/**
 * The provider that options name or that comes from a parent; `undefined` for the default one. To the SDK, a component's option
 * `providers: { brightdata: provider }` is about another package than that of dynamic resources.
 *
 * @param form that of what it is the provider of; default: either
 * @throws {ArgumentError} for the provider of another package, or of the other form
 */
export function providerOf(
  { provider, parent }: ProviderOptions,
  form?: Provided,
): pulumi.ProviderResource | undefined {
  const forms = form === undefined ? FORMS : [form];
  const isOf = (found: unknown) => forms.some(({ providerType }) => isResource(found, providerType));
  const inherited = ["brightdata:index:Provider", typeOf("Provider")].map((type) => parent?.getProvider(type));
  const found = provider ?? inherited.find(isOf) ?? inherited.find((each) => each !== undefined);
  if (found === undefined || isOf(found)) return found;
  const other = FORMS.find(({ providerType }) => isResource(found, providerType));
  // A component may have children of both forms.
  if (provider === undefined && other !== undefined) return undefined;
  throw new ArgumentError(
    other === undefined
      ? "The option `provider` is the provider of another package: expected a `brightdata.Provider`."
      : `The option \`provider\` is a \`Provider\` of "${other.module}": expected one of "${form?.module}".`,
  );
}

/** The name of a provider, by which its process knows itself. */
export function nameOf(provider: pulumi.ProviderResource | undefined): string | undefined {
  const name: unknown = provider === undefined ? undefined : Reflect.get(provider, "__name");
  return typeof name === "string" ? name : undefined;
}

type SettingInput<Setting> = Setting extends Credential
  ? string
  : Setting extends object
    ? { [Key in keyof Setting]: pulumi.Input<SettingInput<Setting[Key]>> }
    : Setting;

/** Arguments of a {@link Provider}: the settings of the stack's configuration, under the same names. */
export type ProviderArgs = {
  [Name in keyof Omit<Settings, "provider">]?:
    | pulumi.Input<SettingInput<NonNullable<Settings[Name]>> | undefined>
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

/** The same for resources of "pulumi-brightdata/native". */
export class NativeProvider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, options?: pulumi.ResourceOptions) {
    const properties = propertiesOf(name, args);
    const told = DEFAULT_PROVIDER.test(name) ? { [PROVIDER_NAME]: name, ...properties } : properties;
    const own = Object.entries(told).map(([key, value]) => [key.slice(NAMESPACE.length), value]);
    super(NATIVE_PACKAGE, name, Object.fromEntries(own), { version: VERSION, ...options } as pulumi.ResourceOptions);
    ofRun(given).set(this, { [PROVIDER_NAME]: name, ...properties });
  }
}

const NAMESPACE = "brightdata:";

/** The settings of a provider of either form, by their keys in the stack's configuration. */
export function settingsOn(provider: pulumi.ProviderResource): pulumi.Inputs {
  const entries = Object.entries(provider);
  if (isResource(provider, PROVIDER_TYPE))
    return Object.fromEntries(entries.filter(([key]) => key.startsWith(NAMESPACE)));
  const own = entries.filter(([key]) => Object.hasOwn(SETTINGS, key)).map(([key, value]) => [NAMESPACE + key, value]);
  return { [PROVIDER_NAME]: nameOf(provider), ...Object.fromEntries(own) };
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
      return [`${NAMESPACE}${definition.key}`, definition.secret ? pulumi.secret(text) : text];
    }),
  );
}

function definitionOf(name: string, provider: string): Definition<unknown> {
  const definition = ownIn<Definition<unknown>>(SETTINGS, name);
  if (definition !== undefined) return definition;
  const near = meant(name, Object.keys(SETTINGS));
  const advice = near === undefined ? `It has ${Object.keys(SETTINGS).join(", ")}.` : `Did you mean ${near}?`;
  throw new ArgumentError(
    `The provider ${JSON.stringify(provider)} has no argument ${JSON.stringify(name)}. ${advice}`,
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
