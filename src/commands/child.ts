import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { constants } from "node:os";
import { ArgumentError } from "../base/errors";

/** Runs a program to its end. @returns its exit code; with a signal, what shells make of it */
export function ran(command: string, args: readonly string[], options: SpawnOptions): Promise<number> {
  return exitOf(spawn(command, args, options), command);
}

/** @throws {ArgumentError} when the program cannot be started */
export function exitOf(child: ChildProcess, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", ({ message }) => reject(new ArgumentError(`\`${command}\` cannot be started: ${message}`)));
    child.once("close", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}
