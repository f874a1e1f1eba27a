const DEEPEST = 100;

/** A text read as JSON, or why it cannot be: never with a piece of the text, which may hold credentials. */
export type JsonText = { value: unknown; problem?: never } | { value?: never; problem: string };

/** Reads JSON whose nesting is bounded, so that nothing that walks through it runs out of stack. */
export function readJson(text: string): JsonText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: `text that is not JSON, or JSON cut short (${text.length} characters)` };
  }
  return isDeeper(value, DEEPEST) ? { problem: `JSON nested more than ${DEEPEST} levels deep` } : { value };
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1)));
