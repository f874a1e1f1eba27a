import { readFileSync } from "node:fs";

/** How long what started this process may be gone before that is noticed: the system tells a child nothing of it. */
const LOOK_MS = 500;

const SHELL = /^(?:ba|da|a|z)?sh$/;

/** Calls back once the process that has started this one is gone: with a shell in between, the one that has started that. */
export function whenParentEnds(then: () => void): void {
  const parent = process.ppid;
  const shell = shellAt(parent);
  const look = setInterval(() => {
    const isThere = process.ppid === parent && isRunning(parent);
    if (isThere && shellAt(parent)?.parent === shell?.parent) return;
    clearInterval(look);
    then();
  }, LOOK_MS);
  look.unref();
}

/** A shell by its number, and what has started it; `undefined` where it is none, or the system does not tell. */
function shellAt(pid: number): { parent: number } | undefined {
  try {
    const [, name = "", parent] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return SHELL.test(name) ? { parent: Number(parent) } : undefined;
  } catch {
    return undefined;
  }
}

/** On Windows, a process keeps the number of its parent. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
