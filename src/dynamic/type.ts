/** The engine's package of dynamic resources: those of this package are in it. */
export const PACKAGE = "pulumi-nodejs";

/** The engine routes types of this form to its Node.js process for dynamic providers. */
export const typeOf = (kind: string): string => `${PACKAGE}:dynamic/brightdata:${kind}`;

/** Type of the resources that are providers of dynamic resources. */
export const PROVIDER_TYPE = `pulumi:providers:${PACKAGE}`;

/**
 * The text that the engine's process evaluates to get a resource's provider. It is kept in people's state files, once in the
 * inputs and once in the outputs of each resource, so it is short and never changes: what it loads is the version of this
 * package that is installed. `this` is a module's `exports`.
 */
export const providerText = (kind: string): string =>
  `this.handler=()=>require('pulumi-brightdata/provider').resource('${kind}')`;
