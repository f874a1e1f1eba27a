import { composeOf } from "./compose";
import { dotenvOf } from "./dotenv";
import { kubernetesOf } from "./kubernetes";
import type { Variables } from "./variables";

export interface Format {
  /** What has a name in it, and which names are possible; nothing where it has none. */
  readonly named?: { readonly says: string; readonly like: RegExp };
  text(variables: Variables, name: string): string;
}

export const jsonOf = (variables: unknown): string => `${JSON.stringify(variables, undefined, 2)}\n`;

const JSON_FORMAT: Format = { text: jsonOf };

export const FORMATS = {
  dotenv: { text: (variables) => dotenvOf(variables) },
  compose: { named: { says: "service", like: /^[a-zA-Z0-9._-]+$/ }, text: composeOf },
  kubernetes: { named: { says: "Secret", like: /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/ }, text: kubernetesOf },
  json: JSON_FORMAT,
} satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];
