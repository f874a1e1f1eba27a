import * as pulumi from "@pulumi/pulumi";
import { textsIn } from "../http/redact";

/** The same arguments, each of which, and each part of one, may be an output or a promise. */
export type Inputs<Args> = { [Name in keyof Args]: pulumi.Input<InputParts<Args[Name]>> };

type InputParts<Value> = Value extends readonly (infer Item)[]
  ? pulumi.Input<Item>[]
  : Value extends object
    ? Inputs<Value>
    : Value;

/**
 * Looks something up once all arguments are known and every resource that they come from exists. Until then, in the preview
 * of a creation, the result is unknown and nothing is asked for. Secret arguments make the result secret.
 *
 * @param lookUp is given the texts of secret arguments, too
 * @param also what has to be known besides
 */
export function whenKnown<Args extends object | undefined, Result>(
  args: Inputs<Args>,
  lookUp: (args: Args, secrets: readonly string[]) => Promise<Result>,
  also?: pulumi.Input<unknown>,
): pulumi.Output<Result> {
  return pulumi
    .all([pulumi.output(args), idsOfResourcesIn(args), also])
    .apply(async ([known]) => lookUp(known as Args, await secretTextsIn(args, known as Args)));
}

/** The texts of those arguments that are secrets: no message may quote them. */
async function secretTextsIn(args: object | undefined, known: object | undefined): Promise<string[]> {
  const texts = Object.entries({ ...args }).map(async ([name, given]) =>
    (await pulumi.isSecret(pulumi.output(given))) ? textsIn(Reflect.get({ ...known }, name)) : [],
  );
  return (await Promise.all(texts)).flat();
}

/**
 * The preview of a creation already knows the values that the program has given, a zone's name say: that the thing itself
 * does not exist yet only shows in its id.
 */
async function idsOfResourcesIn(args: object | undefined): Promise<pulumi.Output<pulumi.ID>[]> {
  const resources = new Set<pulumi.Resource>();
  await pulumi.runtime.serializeProperty("arguments of a function", args, resources);
  // References to resources of another program have no id.
  return [...resources].flatMap((resource) =>
    pulumi.CustomResource.isInstance(resource) && resource.id !== undefined ? [resource.id] : [],
  );
}
