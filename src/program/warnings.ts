import * as pulumi from "@pulumi/pulumi";
import { configurationAdvice } from "../settings/configurationAdvice";
import { ofRun } from "./ofRun";

/** What has been warned of. */
const subjects = () => new Set<string>();

/** Warns of a subject, unless the same run of the program has been warned of it. */
export function warnOnce(subject: string, words: () => readonly string[]): void {
  const warned = ofRun(subjects);
  if (warned.has(subject)) return;
  warned.add(subject);
  for (const sentence of words()) void pulumi.log.warn(sentence);
}

/** Warns of what is wrong with the stack's configuration, once. */
export const warnOfConfiguration = (): void =>
  warnOnce("configuration", () => configurationAdvice(pulumi.runtime.allConfig(), isSecret));

/** The SDK has this function, and does not declare it. */
const isSecret = (key: string): boolean =>
  (pulumi.runtime as { isConfigSecret?: (key: string) => boolean }).isConfigSecret?.(key) ?? true;

/** Warns that the engine's own timeouts do not reach dynamic resources, once for each kind. */
export function warnOfTimeouts(kind: string, name: string, { customTimeouts }: pulumi.CustomResourceOptions): void {
  if (customTimeouts === undefined) return;
  warnOnce(`${kind} customTimeouts`, () => [
    `${kind} ${JSON.stringify(name)}: the option \`customTimeouts\` has no effect. Use the argument \`timeouts\`, in seconds, such as \`timeouts: { create: 300 }\`.`,
  ]);
}
