/** Types of this package's resources in either protocol, with the kind behind the last colon. */
const TYPE = /^(?:pulumi-nodejs:dynamic\/brightdata|brightdata:index):(\w+)$/;

/** The engine's package of the plugin. */
export const NATIVE_PACKAGE = "brightdata";

/** The type of a kind in the plugin: a program can go from the other form to this one, and back. */
export const nativeTypeOf = (kind: string): string => `${NATIVE_PACKAGE}:index:${kind}`;

/** The URN of what has no parent, or has those of its parents before its own type. */
export const urnOf = (types: string, name: string, stack: string, project: string): string =>
  `urn:pulumi:${stack}::${project}::${types}::${name}`;

/** The URN of a resource of the plugin, given that of its parent where it has one: of whichever form that is. */
export function nativeUrnOf(kind: string, name: string, stack: string, project: string, parent?: string): string {
  const within = parent?.split("::")[PARTS_BEFORE_NAME - 1]?.replaceAll(DYNAMIC, `${NATIVE_PACKAGE}:index:`);
  const isRoot = within === undefined || within === ROOT;
  const types = isRoot ? nativeTypeOf(kind) : `${within}$${nativeTypeOf(kind)}`;
  return urnOf(types, name, stack, project);
}

const DYNAMIC = "pulumi-nodejs:dynamic/brightdata:";

/** The type of what the engine has around a whole program. */
const ROOT = "pulumi:pulumi:Stack";

/** Type of the resources that are providers of the plugin. */
export const NATIVE_PROVIDER_TYPE = `pulumi:providers:${NATIVE_PACKAGE}`;

const PROVIDER_TYPES: ReadonlySet<string> = new Set(["pulumi:providers:pulumi-nodejs", NATIVE_PROVIDER_TYPE]);

/** The name of the class of a resource by its type, such as `Zone`; `undefined` for that of another package. */
export const kindIn = (type: unknown): string | undefined =>
  PROVIDER_TYPES.has(String(type)) ? "Provider" : TYPE.exec(String(type))?.[1];

/** The logical name of a resource, with which its URN ends: it may have colons of its own. */
export const nameIn = (urn: unknown): string => String(urn).split("::").slice(PARTS_BEFORE_NAME).join("::");

/** Those of a URN: the stack, the project and the type. */
const PARTS_BEFORE_NAME = 3;

/** Names of the engine's own provider, which has what the stack's configuration says: with a version, and where it comes from. */
export const DEFAULT_PROVIDER = /^default(_\d+_\d+_\d+.*|_\w+_\/.*)?$/;
