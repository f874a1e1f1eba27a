import { vi } from "vitest";
import { type Command, parsed } from "../../../src/cli/commands/command";

export interface Spoken {
  code: number;
  said: string;
  warned: string;
}

/** Runs a command to its end, and hears what it says. */
export async function spoken(command: Command, ...args: string[]): Promise<Spoken> {
  const given = parsed(command, args);
  if (given === undefined) throw new Error("that is the help");
  const [out, err] = [heardOn(process.stdout), heardOn(process.stderr)];
  try {
    return { code: await command.run(given), said: out.heard(), warned: err.heard() };
  } finally {
    out.stop();
    err.stop();
  }
}

function heardOn(stream: NodeJS.WriteStream) {
  const spy = vi.spyOn(stream, "write").mockReturnValue(true);
  return { heard: () => spy.mock.calls.map(([text]) => String(text)).join(""), stop: () => spy.mockRestore() };
}
