import * as pulumi from "@pulumi/pulumi";

/** The resources that arguments come from. That arguments fail is told where they are registered. */
export async function resourcesIn(args: pulumi.Inputs): Promise<Set<pulumi.Resource>> {
  const resources = new Set<pulumi.Resource>();
  await pulumi.runtime.serializeProperty("arguments of a resource", args, resources).catch(() => undefined);
  return resources;
}

/** What a transform adds stands nowhere. */
const DEPENDENCIES = ["parent", "provider", "dependsOn", "deletedWith", "replaceWith", "transforms"] as const;

/** Whether a resource certainly depends on no other: that one has failed is not why the engine does not come to it. */
export async function isAlone(
  resource: { __transformations?: readonly unknown[] },
  args: pulumi.Inputs,
  options: pulumi.CustomResourceOptions,
): Promise<boolean> {
  const isSaid = DEPENDENCIES.some((name) => options[name] !== undefined);
  // The SDK keeps those of the stack there, too.
  const isTransformed = (resource.__transformations ?? []).length > 0;
  return !isSaid && !isTransformed && (await resourcesIn(args)).size === 0;
}
