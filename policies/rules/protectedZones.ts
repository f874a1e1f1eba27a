import { quoted } from "../declared";
import { option, PATTERN, policy } from "../policy";

/** Whether a stack is called one of production, and not one before it such as `pre-prod`. */
function isProduction(stack: string): boolean {
  const words = stack.toLowerCase().split(/[^a-z0-9]+/);
  return words.some((word, at) => /^prod(uction)?\d*$/.test(word) && !["non", "pre"].includes(words[at - 1] ?? ""));
}

export const protectedZones = policy({
  name: "protected-zones",
  title: "Zones are protected in production",
  says: "A zone of a production stack has the resource option `protect`: a deleted zone loses its passwords and IPs for good.",
  level: "mandatory",
  severity: "high",
  remedy: "Set the resource option `protect: true` on the zone.",
  options: {
    stacks: option(
      "Names of production stacks, a regular expression. Without it, those with the word `prod` or `production`, in any case, and no `non` or `pre` before it.",
      PATTERN,
      undefined as string | undefined,
    ),
  },
  ofResource({ kind, stack, isProtected }, { stacks }) {
    if (kind !== "Zone" || isProtected) return [];
    if (!(stacks === undefined ? isProduction(stack) : new RegExp(stacks).test(stack))) return [];
    return [
      `The zone is not protected, and the stack ${quoted(stack)} is a production stack: set the resource option \`protect: true\`.`,
    ];
  },
});
