import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { quietly } from "../base/disk";
import { isRunning } from "../base/running";

/** The process that has written an intent. */
export interface Writer {
  host: string;
  pid: number;
  /** When the process began, in a unit of its system; absent where the system does not tell. */
  start?: string | undefined;
  /** Another for each process, also where a test has several in one. */
  run: string;
  /** The address of its engine; absent where that is not known. */
  engine?: string | undefined;
}

/** A process that goes on with what another has begun. */
export interface Heir extends Writer {
  /** When its time is over (ISO 8601). */
  until: string;
}

/** Names this process, as whoever is asked first has it remembered. */
export const thisProcess = (engine?: string): Writer => ({
  host: hostname(),
  pid: process.pid,
  start: startOf(process.pid),
  run: randomBytes(RUN_BYTES).toString("base64url"),
  engine,
});

const RUN_BYTES = 6;

/**
 * Whether another process than one's own, which has written something on this machine, may still be at it.
 *
 * @param until when its time is over, where it has one (ISO 8601)
 */
export function isAlive({ host, pid, start, run }: Writer, own: Writer, until?: string): boolean {
  if (run === own.run || pid === own.pid || host !== own.host || !isRunning(pid)) return false;
  // Another process may have got the number since: where the system does not tell, the end of the time does.
  if (start === undefined && own.start === undefined && until !== undefined)
    return Date.now() < Date.parse(until) + LATE_MS;
  return start === startOf(pid);
}

/** How long after its time a process may still be at it: it finds out what became of its last request. */
const LATE_MS = 60_000;

/** Whether another process certainly belongs to another update than one's own. */
export const isOfAnotherUpdate = ({ engine }: Writer, own: Writer): boolean =>
  engine !== undefined && own.engine !== undefined && engine !== own.engine;

/** Whether it certainly belongs to the same one. */
export const isOfSameUpdate = ({ engine }: Writer, own: Writer): boolean =>
  engine !== undefined && engine === own.engine;

/** Linux: the clock ticks after which it was started. */
export const startOf = (pid: number): string | undefined => fieldOf(pid, TICKS_FIELD);

/**
 * When the engine was started, in milliseconds since 1970, by this machine's clock: up to a second early where the system tells
 * whole seconds only. `undefined` where it does not tell.
 */
export function engineStarted(): number | undefined {
  const ancestors: Ancestor[] = [];
  for (let next = told(process.ppid); next !== undefined && ancestors.length < FARTHEST; next = told(next.parent))
    ancestors.push(next);
  // With an engine inside another program, the parent of the script by which it starts its providers.
  const engine = ancestors.find(({ name }) => name === CLI) ?? ancestors[1];
  return engine?.started;
}

const CLI = "pulumi";
const FARTHEST = 6;

interface Ancestor {
  /** Of its executable. */
  name: string;
  parent: number;
  started: number;
}

function told(pid: number): Ancestor | undefined {
  if (process.platform === "win32") return undefined;
  return process.platform === "linux" ? toldByProc(pid) : toldByPs(pid);
}

function toldByProc(pid: number): Ancestor | undefined {
  const name = /\((.*)\)/s.exec(statOf(pid) ?? "")?.[1];
  const ticks = Number(startOf(process.pid)) - Number(startOf(pid));
  if (name === undefined || Number.isNaN(ticks)) return undefined;
  // While the machine sleeps, only one of the two goes on.
  const own = Math.min(Date.now() - process.uptime() * 1000, performance.timeOrigin);
  return { name, parent: Number(fieldOf(pid, PARENT_FIELD)), started: own - ticks * TICK_MS };
}

const TICK_MS = 10;

function toldByPs(pid: number): Ancestor | undefined {
  const line = quietly(() =>
    execFileSync("ps", ["-o", "ppid=,lstart=,ucomm=", "-p", `${pid}`], {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C" },
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  const [, parent, started = "", name] = /^\s*(\d+)\s+(.*\d\d:\d\d:\d\d \d+)\s+(.*?)\s*$/.exec(line ?? "") ?? [];
  return name === undefined ? undefined : { name, parent: Number(parent), started: Date.parse(started) };
}

function fieldOf(pid: number, field: number): string | undefined {
  const stat = statOf(pid);
  return stat?.slice(stat.lastIndexOf(")")).split(" ")[field];
}

/** Linux: what the system tells of a process. */
const statOf = (pid: number): string | undefined => quietly(() => readFileSync(`/proc/${pid}/stat`, "utf8"));

/** Counted from the end of the process's name. */
const PARENT_FIELD = 2;
const TICKS_FIELD = 20;
