#!/usr/bin/env node
import { constants } from "node:os";
import { messageOf } from "../base/cause";
import { meant } from "../base/nearest";
import { nodeProblem } from "../base/nodeVersion";
import { VERSION } from "../base/version";
import { COMMANDS } from "./commands/all";
import { FAILED, helpOf, Interrupted, Misuse, parsed, usageOf } from "./commands/command";

const HELP = `Usage: pulumi-brightdata <command> [options]

${COMMANDS.map(({ name, says }) => `  ${name.padEnd(10)}${says}\n`).join("")}
pulumi-brightdata <command> --help shows the options of a command.
`;

const MISUSE = 2;
/** Added to the number of a signal, as shells do. */
const SIGNALLED = 128;

const [name, ...args] = process.argv.slice(2);
const command = COMMANDS.find((known) => known.name === name);

async function main(): Promise<number> {
  const problem = nodeProblem("pulumi-brightdata", process.versions.node);
  if (problem !== undefined) throw new Error(problem);
  if (name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(HELP);
    return 0;
  }
  if (name === "--version" || name === "-v") {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (command === undefined) {
    const names = COMMANDS.map((known) => known.name);
    const near = meant(name ?? "", names);
    const advice = near === undefined ? "" : ` Did you mean ${near}?`;
    throw new Misuse(name === undefined ? "No command." : `No such command: ${name}.${advice}`);
  }
  const given = parsed(command, args);
  if (given !== undefined) return command.run(given);
  process.stdout.write(helpOf(command));
  return 0;
}

function exitCode(error: unknown): number {
  if (error instanceof Misuse) return MISUSE;
  return error instanceof Interrupted ? SIGNALLED + constants.signals[error.signal] : FAILED;
}

// Who reads may have enough, as in `| head -1`: the command is done all the same.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.stderr.write(`${error.message}\n`);
    process.exit(FAILED);
  });
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.exitCode = exitCode(error);
    process.stderr.write(`${messageOf(error)}\n`);
    if (error instanceof Misuse) process.stderr.write(`\n${command === undefined ? HELP : usageOf(command)}`);
  },
);
