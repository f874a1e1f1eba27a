import type { JsonObject } from "../base/json";
import type { Lifecycle } from "../lifecycle/lifecycle";

/** What the stack's configuration says of automatic names, as the engine has made one for a resource. */
export interface Autonaming {
  proposedName: string;
  /** Whether automatic names are switched off. */
  isOff: boolean;
  /** Whether the name has to be the proposed one. */
  isEnforced: boolean;
}

/**
 * Inputs with the name that the stack's configuration gives a new resource. Without such a configuration, the kind makes one that is
 * the same in every run, so that what a killed update has begun is found again.
 */
export function named(
  { declaration: { automaticName }, nearestName }: Pick<Lifecycle, "declaration" | "nearestName">,
  inputs: JsonObject,
  previous: JsonObject | undefined,
  autonaming: Autonaming | undefined,
): { given: JsonObject; failures: string[] } {
  const isNamed =
    automaticName === undefined || [inputs, previous ?? {}].some((each) => each[automaticName] !== undefined);
  if (isNamed || autonaming === undefined) return { given: inputs, failures: [] };
  const { proposedName, isOff, isEnforced } = autonaming;
  if (isOff) {
    const words = `\`${automaticName}\` is missing: the stack's configuration switches automatic names off (\`pulumi:autonaming\`). Give one.`;
    return { given: inputs, failures: [words] };
  }
  // What is taken over has whatever name it has.
  const name = inputs.adopt === true ? proposedName : (nearestName?.(proposedName) ?? proposedName);
  const words = `\`${automaticName}\` is ${JSON.stringify(proposedName)}, as the stack's configuration enforces it (\`pulumi:autonaming\`): expected a name that the service takes, such as ${JSON.stringify(name)}. Change the pattern, or give a name.`;
  return {
    given: { ...inputs, [automaticName]: name },
    failures: isEnforced && name !== proposedName ? [words] : [],
  };
}
