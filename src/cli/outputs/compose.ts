import { yamlMap, yamlText } from "../../base/escapes";
import type { Variables } from "./variables";

/** A file for Docker Compose to lay over the service's own: `docker compose -f compose.yaml -f <file> up`. */
export function composeOf(variables: Variables, service: string): string {
  // Compose would take what follows a dollar sign for a variable.
  const plain = Object.entries(variables).map(([name, value]) => [name, value.replaceAll("$", "$$$$")]);
  return `services:\n  ${yamlText(service)}:\n    environment:${yamlMap(Object.fromEntries(plain), "      ")}\n`;
}
