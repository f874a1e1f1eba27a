import { codeOf } from "./cause";

/** Whether a process of this machine has that number; one of another user counts, too. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
