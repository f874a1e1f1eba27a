import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { onTestFinished } from "vitest";
import type { Ending, Running } from "../../scripts/process.mts";
import { childrenOf, signalProcessGroup } from "./processes";

/** Ends by itself should the tests be killed. */
const LONGEST_MS = 120_000;

const LOOP = `const end = Date.now() + ${LONGEST_MS}; while (Date.now() < end);`;

/** Keeps the machine busy until the test has finished: each core has that many programs that want it all the time. */
export function busy(perCore = 1): void {
  const count = availableParallelism() * perCore;
  // Linux divides the time among sessions before it divides it among the programs of each.
  const options = { stdio: "ignore", detached: true } as const;
  const programs = Array.from({ length: count }, () => spawn(process.execPath, ["-e", LOOP], options));
  onTestFinished(() => Promise.all(programs.map(ended)).then(() => undefined));
}

const ended = (program: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (program.exitCode !== null || program.signalCode !== null) resolve();
    program.once("exit", () => resolve());
    program.kill("SIGKILL");
  });

/** For how long a throttled provider stands still, and for how long it then goes on. */
const STILL_MS = 250;
const GOING_MS = 40;

/**
 * Lets the provider of a command go on only now and then once anything is changed, as a container does whose share of the machine
 * is used up.
 */
export async function throttled({ child, ending }: Running): Promise<Ending> {
  let isOver = false;
  let isChanging = false;
  child.stdout?.on("data", (text: string) => {
    isChanging ||= /(deleting|creating|updating) .*\(\d/.test(text);
  });
  void ending.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const providers = isChanging ? childrenOf(child.pid, "pulumi-resource-pulumi-nodejs") : [];
    for (const provider of providers) signalProcessGroup(provider, "SIGSTOP");
    await passed(isChanging ? STILL_MS : 0);
    for (const provider of providers) signalProcessGroup(provider, "SIGCONT");
    await passed(GOING_MS);
  }
  return ending;
}

const passed = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
