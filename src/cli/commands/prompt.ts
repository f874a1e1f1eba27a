import { createInterface } from "node:readline/promises";
import { Interrupted } from "./command";

/** Asks one question after another. */
export type Prompt = (question: string) => Promise<string>;

export const isTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/**
 * Runs what asks. Questions go to stderr: stdout is for results.
 *
 * @throws {Interrupted} when there are no more answers
 */
export async function asking<Result>(
  work: (ask: Prompt) => Promise<Result>,
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stderr,
): Promise<Result> {
  const lines = createInterface({ input, output });
  // Without an answer, a question would be asked for ever, and the process end as if all were well.
  const closed = new Promise<never>((_, reject) => {
    lines.once("close", () => reject(new Interrupted("SIGINT", "Nothing was written.")));
  });
  const answered = work(async (question) => (await lines.question(`${question}: `)).trim());
  try {
    return await Promise.race([answered, closed]);
  } finally {
    closed.catch(() => undefined);
    lines.close();
  }
}
