import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { ArgumentError } from "../../base/errors";

/** Why a program cannot be started, and what to do where that is known. */
export const startFailure = (command: string, { message, code }: NodeJS.ErrnoException): string =>
  command === "pulumi" && code === "ENOENT"
    ? "There is no `pulumi` in the PATH: install the Pulumi CLI, https://www.pulumi.com/docs/install/."
    : `\`${command}\` cannot be started: ${message}`;

/**
 * @returns the exit code of a program, once it ends; with a signal, what shells make of it
 * @throws {ArgumentError} when it cannot be started
 */
export function exitOf(child: ChildProcess, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new ArgumentError(startFailure(command, error))));
    child.once("close", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}
