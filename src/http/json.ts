import { counted } from "../base/counted";

const DEEPEST = 100;

/** A text read as JSON, or why it cannot be: never with a piece of the text, which may hold credentials. */
export type JsonText = { value: unknown; problem?: never } | { value?: never; problem: string };

/**
 * Reads JSON whose nesting is bounded, so that nothing that walks through it runs out of stack.
 *
 * @param keeps `digits` where an integer that a number cannot hold, such as an id, is to be text
 */
export function readJson(text: string, keeps?: "digits"): JsonText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: `text that is not JSON, or JSON cut short (${counted(text.length, "character")})` };
  }
  if (isDeeper(value, DEEPEST)) return { problem: `JSON nested more than ${DEEPEST} levels deep` };
  // To look at each value takes its time, and stack, and few texts have such.
  return { value: keeps === "digits" && /\d{16}/.test(text) ? JSON.parse(text, withDigits) : value };
}

const withDigits = (_name: string, value: unknown, { source = "" }: { source?: string } = {}): unknown =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1)));
