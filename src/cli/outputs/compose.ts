import { yamlText } from "../../base/yamlText";
import type { Variables } from "./variables";

/** A file for Docker Compose to lay over the service's own: `docker compose -f compose.yaml -f <file> up`. */
export function composeOf(variables: Variables, service: string): string {
  // Compose would take what follows a dollar sign for a variable.
  const lines = Object.entries(variables).map(
    ([name, value]) => `      ${yamlText(name)}: ${yamlText(value.replaceAll("$", "$$$$"))}\n`,
  );
  const environment = lines.length === 0 ? " {}\n" : `\n${lines.join("")}`;
  return `services:\n  ${yamlText(service)}:\n    environment:${environment}`;
}
