import { quoted } from "../declared";
import { option, PATTERN, policy } from "../policy";
import { portsOf } from "../ports";

const maybe = undefined as string | undefined;

export const namePatterns = policy({
  name: "name-patterns",
  title: "Names follow patterns",
  says: "The names of zones, of ports (`internalName`) and of resources in the program match regular expressions.",
  level: "advisory",
  severity: "low",
  remedy: "Choose a name that matches.",
  options: {
    zone: option("Names of zones.", PATTERN, "^[a-z][a-z0-9_]*$"),
    port: option("Internal names of ports, which they then must have.", PATTERN, maybe),
    resource: option("Names of resources.", PATTERN, maybe),
  },
  ofResource(resource, { zone, port, resource: own }) {
    const misfit = (what: string, name: unknown, pattern: string | undefined) =>
      pattern === undefined || typeof name === "symbol" || new RegExp(pattern).test(String(name ?? ""))
        ? []
        : [`${what} is ${quoted(name ?? "")}: expected a name that matches ${pattern}.`];
    return [
      ...misfit("The name of the resource", resource.name, own),
      ...(resource.kind === "Zone" ? misfit("`name`", resource.props.name, zone) : []),
      ...portsOf(resource).flatMap(({ at, setting }) => misfit(`\`${at}internalName\``, setting("internalName"), port)),
    ];
  },
});
