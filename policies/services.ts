import { type Declared, isObject, type Properties, UNKNOWN } from "./declared";

/** Settings by which the package finds an account or a Proxy Manager, as its configuration and the environment name them. */
interface Keys {
  /** Input that names another one than that of the settings. */
  readonly name: "account" | "manager";
  /** The ones that have names. */
  readonly named: string;
  /** Settings of the one without a name. */
  readonly own: readonly string[];
  /** What has been found out: a stack is gone through once for each of its resources. */
  readonly known: WeakMap<Declared, string>;
}

const ACCOUNT: Keys = { name: "account", named: "accounts", own: ["baseUrl", "apiToken"], known: new WeakMap() };
const MANAGER: Keys = { name: "manager", named: "managers", own: ["proxyManagerUrl"], known: new WeakMap() };

/** Says which account a resource is in: the same text for the same settings, whatever provider they come from. */
export const accountOf = (resource: Declared): string => identity(resource, ACCOUNT);

/** The same of a Proxy Manager. */
export const managerOf = (resource: Declared): string => identity(resource, MANAGER);

function identity(resource: Declared, keys: Keys): string {
  const identity = keys.known.get(resource) ?? identityBy(resource, keys);
  keys.known.set(resource, identity);
  return identity;
}

function identityBy({ provider: { urn, configuration }, props }: Declared, { name, named, own }: Keys): string {
  const { [name]: given } = props;
  if (given === UNKNOWN) return `${urn} ${name}`;
  const settings = given === undefined ? own : [named];
  const values = settings.map((key) => setting(configuration, key));
  // What is not known may be another one.
  if (values.includes(UNKNOWN)) return JSON.stringify([urn, given]);
  return JSON.stringify(
    given === undefined ? values : [given, isObject(values[0]) ? values[0][String(given)] : values],
  );
}

function setting(configuration: Properties, key: string): unknown {
  const variable = `BRIGHTDATA_${key.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}`;
  const value = configuration[`brightdata:${key}`] ?? process.env[variable];
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
