import { readFileSync } from "node:fs";
import { codeOf } from "./cause";
import { quietly } from "./disk";

/** Whether a process of this machine has that number and has not ended; one of another user counts, too. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Linux: whether a process has its number only until its parent asks how it has ended, which may be never, as in a container. */
const hasEnded = (pid: number): boolean =>
  /\) [ZX] [^)]*$/.test(quietly(() => readFileSync(`/proc/${pid}/stat`, "utf8")) ?? "");
