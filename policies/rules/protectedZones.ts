import { quoted } from "../declared";
import { option, PATTERN, policy } from "../policy";

export const protectedZones = policy({
  name: "protected-zones",
  title: "Zones are protected in production",
  says: "A zone of a production stack has the resource option `protect`: a deleted zone loses its passwords and IPs for good.",
  level: "mandatory",
  severity: "high",
  remedy: "Set the resource option `protect: true` on the zone.",
  options: {
    stacks: option(
      "Names of production stacks, a regular expression. Without it, every stack counts as one.",
      PATTERN,
      undefined as string | undefined,
    ),
  },
  ofResource({ kind, stack, isProtected }, { stacks }) {
    if (kind !== "Zone" || isProtected) return [];
    if (stacks === undefined)
      return [
        "The zone is not protected: set the resource option `protect: true`, or name the production stacks in the option `stacks`.",
      ];
    if (!new RegExp(stacks).test(stack)) return [];
    return [
      `The zone is not protected, and the stack ${quoted(stack)} is a production stack: set the resource option \`protect: true\`.`,
    ];
  },
});
