import { createInterface } from "node:readline/promises";

/** Asks one question after another; an empty answer is the default. */
export type Ask = (question: string, initial?: string) => Promise<string>;

/** Whether there is somebody to ask. */
export const isTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Runs what asks. Questions go to stderr: stdout is for results. */
export async function asking<Result>(
  work: (ask: Ask) => Promise<Result>,
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stderr,
): Promise<Result> {
  const lines = createInterface({ input, output });
  try {
    return await work(async (question, initial) => {
      const answer = await lines.question(`${question}${initial === undefined ? "" : ` (${initial})`}: `);
      return answer.trim() || (initial ?? "");
    });
  } finally {
    lines.close();
  }
}
