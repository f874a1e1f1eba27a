import type { Kind } from "../../src/declaration/kind.ts";
import type { Property } from "../../src/declaration/property.ts";

/** What an instance has: every input as the service has it, and the other outputs. */
export function outputsOf({ inputs, outputs }: Kind): Record<string, Property> {
  const own = Object.entries(inputs).map(([name, property]) => {
    const { output, outputSays, known, required } = property;
    const shape = output === undefined ? property : { ...output, says: property.says };
    const isSure = known === true || required === true;
    const { required: _, ...rest } = { ...shape, says: outputSays ?? property.says } as Property;
    return [name, { ...rest, secret: property.secret, ...(isSure ? { required: true } : {}) } as Property] as const;
  });
  const others = Object.entries(outputs).filter(([, property]) => !property.hidden);
  return { ...Object.fromEntries(own), ...Object.fromEntries(others) };
}
