import type { JsonObject } from "../base/json";
import type { Kind } from "../declaration/kind";

/** What the stack's configuration says of automatic names, as the engine has made one for a resource. */
export interface Autonaming {
  proposedName: string;
  /** Whether automatic names are switched off. */
  isOff: boolean;
}

/**
 * Inputs with the name that the stack's configuration gives a new resource. Without such a configuration, the kind makes one that is
 * the same in every run, so that what a killed update has begun is found again.
 */
export function named(
  { automaticName }: Kind,
  inputs: JsonObject,
  previous: JsonObject | undefined,
  autonaming: Autonaming | undefined,
): { given: JsonObject; failures: string[] } {
  const isNamed =
    automaticName === undefined || [inputs, previous ?? {}].some((each) => each[automaticName] !== undefined);
  if (isNamed || autonaming === undefined) return { given: inputs, failures: [] };
  if (!autonaming.isOff) return { given: { ...inputs, [automaticName]: autonaming.proposedName }, failures: [] };
  const words = `\`${automaticName}\` is missing: the stack's configuration switches automatic names off (\`pulumi:autonaming\`). Give one.`;
  return { given: inputs, failures: [words] };
}
