import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { ArgumentError } from "../base/errors";

/**
 * @returns the exit code of a program, once it ends; with a signal, what shells make of it
 * @throws {ArgumentError} when it cannot be started
 */
export function exitOf(child: ChildProcess, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", ({ message }) => reject(new ArgumentError(`\`${command}\` cannot be started: ${message}`)));
    child.once("close", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}
