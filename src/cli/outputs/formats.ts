import { keysIn } from "../../base/json";
import { composeOf } from "./compose";
import { dotenvOf } from "./dotenv";
import { kubernetesOf } from "./kubernetes";
import type { Variables } from "./variables";

export interface OutputFormat {
  /** What has a name in it, and which names are possible; nothing where it has none. */
  readonly named?: { readonly says: string; readonly like: RegExp };
  text(variables: Variables, name: string): string;
}

export const jsonOf = (variables: unknown): string => `${JSON.stringify(variables, undefined, 2)}\n`;

/** What Kubernetes takes for the name of an object: labels of a domain, with dots between them. */
const SUBDOMAIN = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

export const FORMATS = {
  dotenv: { text: (variables) => dotenvOf(variables, "Take another format: json, compose or kubernetes.") },
  compose: { named: { says: "service", like: /^[a-zA-Z0-9._-]+$/ }, text: composeOf },
  kubernetes: { named: { says: "Secret", like: SUBDOMAIN }, text: kubernetesOf },
  json: { text: jsonOf },
} satisfies Readonly<Record<string, OutputFormat>>;

export const FORMAT_NAMES = keysIn(FORMATS);
