import { BrightDataError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { redact, secretsIn, textsIn } from "../http/redact";
import { PartialFailure, type SecretPath } from "../lifecycle/lifecycle";
import { valuesAt } from "./values";

/**
 * An error as a person should see it: no secret, and a stack only where the fault is ours.
 *
 * @param words what it says
 */
export function presentable(error: unknown, words: string, secrets: readonly string[]): Error {
  const cause = error instanceof PartialFailure ? error.cause : error;
  const isExpected = cause instanceof BrightDataError;
  const said = isExpected ? words : `${words} (This is a defect of pulumi-brightdata: please report it.)`;
  const shown = new Error(redact(said, secrets));
  shown.name = "pulumi-brightdata";
  shown.stack = isExpected ? "" : redact(cause instanceof Error ? (cause.stack ?? "") : "", secrets);
  return shown;
}

/** What is secret in properties: by the names of their keys, and all that stands at these paths, however deep. */
export const secretTexts = (values: readonly JsonObject[], paths: readonly SecretPath[]): string[] => [
  ...secretsIn(values),
  ...values.flatMap((value) => paths.flatMap((path) => textsIn(valuesAt(value, path)))),
];
