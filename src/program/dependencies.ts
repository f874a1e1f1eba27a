import * as pulumi from "@pulumi/pulumi";

/** The resources that arguments come from. That arguments fail is told where they are registered. */
export async function resourcesIn(args: pulumi.Inputs): Promise<Set<pulumi.Resource>> {
  const resources = new Set<pulumi.Resource>();
  await pulumi.runtime.serializeProperty("arguments of a resource", args, resources).catch(() => undefined);
  return resources;
}

const DEPENDENCIES = ["parent", "provider", "dependsOn", "deletedWith", "replaceWith"] as const;

/** Whether a resource depends on no other: that one has failed is not why the engine does not come to it. */
export async function isAlone(args: pulumi.Inputs, options: pulumi.CustomResourceOptions): Promise<boolean> {
  const isSaid = DEPENDENCIES.some((name) => options[name] !== undefined);
  return !isSaid && (await resourcesIn(args)).size === 0;
}
