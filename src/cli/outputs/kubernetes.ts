import { yamlText } from "../../base/yamlText";
import type { Variables } from "./variables";

/** A Kubernetes Secret, whose variables a container takes with `envFrom`. */
export function kubernetesOf(variables: Variables, name: string): string {
  const lines = Object.entries(variables).map(([key, value]) => `  ${yamlText(key)}: ${yamlText(value)}\n`);
  const data = lines.length === 0 ? " {}\n" : `\n${lines.join("")}`;
  return `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${yamlText(name)}\ntype: Opaque\nstringData:${data}`;
}
