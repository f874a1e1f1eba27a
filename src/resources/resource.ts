import * as pulumi from "@pulumi/pulumi";

/** The engine routes types of this form to its Node.js process for dynamic providers. */
export const typeOf = (kind: string): string => `pulumi-nodejs:dynamic/brightdata:${kind}`;

/**
 * The text that the engine's process evaluates to get a resource's provider. It is kept in people's state files, once in the
 * inputs and once in the outputs of each resource, so it is short and never changes: what it loads is the version of this
 * package that is installed.
 */
const providerText = (kind: string): string =>
  `exports.handler=()=>require("pulumi-brightdata/provider").resource("${kind}",1)`;

/** What the classes of all resources have in common: the wire protocol of a dynamic resource, without a serialised closure. */
export abstract class BrightDataResource extends pulumi.CustomResource {
  /**
   * @param kind name of the class
   * @param properties inputs, and `undefined` for every output that is none: only what is named here exists on the instance
   * @param secretOutputs outputs that are encrypted in the state and hidden in the output of the CLI
   */
  protected constructor(
    kind: string,
    name: string,
    properties: pulumi.Inputs,
    secretOutputs: string[],
    options: pulumi.CustomResourceOptions | undefined,
  ) {
    super(
      typeOf(kind),
      name,
      { ...properties, __provider: providerText(kind) },
      pulumi.mergeOptions(options ?? {}, { additionalSecretOutputs: secretOutputs }),
    );
  }
}

/** Whether `value` is a resource of that kind, even one that another copy of this package made. */
export const isResource = (value: unknown, type: string): boolean =>
  typeof value === "object" && value !== null && (value as { __pulumiType?: unknown }).__pulumiType === type;

/** Options of a resource that exists and is looked up by its id. */
export const lookUp = (
  id: pulumi.Input<pulumi.ID>,
  options: pulumi.CustomResourceOptions | undefined,
): pulumi.CustomResourceOptions => pulumi.mergeOptions(options ?? {}, { id });

/** `undefined` stays `undefined`; anything else becomes a secret. */
export const secret = (value: unknown): pulumi.Output<unknown> | undefined =>
  value === undefined ? undefined : pulumi.secret(value);

/** Seconds that the operations on a resource may take; the engine's `customTimeouts` do not reach dynamic resources. */
export interface TimeoutsArgs {
  create?: pulumi.Input<number>;
  read?: pulumi.Input<number>;
  update?: pulumi.Input<number>;
  delete?: pulumi.Input<number>;
}
