import { yamlMap, yamlText } from "../../base/escapes";
import type { Variables } from "./variables";

/** A Kubernetes Secret, whose variables a container takes with `envFrom`. */
export const kubernetesOf = (variables: Variables, name: string): string =>
  `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${yamlText(name)}\ntype: Opaque\nstringData:${yamlMap(variables, "  ")}\n`;
