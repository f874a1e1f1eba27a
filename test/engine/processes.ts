import { execFileSync } from "node:child_process";

/** The ids of the processes that a process has started, of those whose command line has some text in it. */
export function childrenOf(parent: number | undefined, containing: string): number[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [, pid, ppid, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(ppid) === parent && command.includes(containing) ? [Number(pid)] : [];
  });
}

/** Signals a process group, which may be gone already. */
export function signalProcessGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
