/** Stands for a value that is not known before the update. */
export const UNKNOWN = Symbol("unknown");

export type Properties = Readonly<Record<string, unknown>>;

/** A resource of this package, as a program declares it. */
export interface Declared {
  /** Name of its class, such as `Zone`. */
  readonly kind: string;
  readonly urn: string;
  readonly name: string;
  readonly stack: string;
  readonly props: Properties;
  readonly isProtected: boolean;
  /** Properties that are secret in the state. */
  readonly secrets: readonly string[];
  /** By property: the URNs of the resources that its value comes from. */
  readonly comesFrom: Readonly<Record<string, readonly string[]>>;
  readonly provider: { readonly urn: string; readonly configuration: Properties };
}

/** In either protocol. */
const TYPE = /^(?:pulumi-nodejs:dynamic\/brightdata|brightdata:index):(\w+)$/;

/** The name of the class, of a resource of this package. */
export const kindOf = (type: string): string | undefined => TYPE.exec(type)?.[1];

/** The settings of a provider under their names in a stack's configuration: one of the plugin has them without the package's. */
export const settingsOf = (provider: Properties): Properties =>
  Object.fromEntries(
    Object.entries(provider).map(([key, value]) => [key.includes(":") ? key : `brightdata:${key}`, value]),
  );

/** An input that every resource of a kind has to have. */
export const REQUIRED: Readonly<Record<string, string>> = {
  Zone: "plan",
  ZoneAccess: "zone",
  ZoneIps: "zone",
  ProxyPort: "zone",
  ProxyPorts: "ports",
  WhitelistIp: "ip",
};

/** Whether the inputs are those of a resource that is only looked up, as by `Zone.get`: it has none. */
export const isLookUp = (kind: string, inputs: Properties): boolean => {
  const required = REQUIRED[kind];
  return required !== undefined && inputs[required] === undefined;
};

/** The name of the stack that a URN begins with. */
export const stackOf = (urn: string): string => urn.split("::")[0]?.split(":")[2] ?? "";

export const isObject = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const object = (value: unknown): Properties => (isObject(value) ? value : {});

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether a list has entries, or may have. */
export const isFilled = (value: unknown): boolean => value === UNKNOWN || list(value).length > 0;

/** A count that may be written as a text; 0 where it is left out or not known yet. */
export const count = (value: unknown): number => (value === UNKNOWN ? 0 : Number(value ?? 0) || 0);

export const quoted = (value: unknown): string => JSON.stringify(value);
