import { spawnSync } from "node:child_process";
import { ROOT } from "./root.mts";

const HASH_DIGITS = 6;

const { stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" });

/**
 * By which continuous integration chooses among what it does not try whole: the commit, which is tried in the same way each time.
 * Without a history, all is tried that has the first turn.
 */
export const TURN = Number.parseInt((stdout ?? "").slice(0, HASH_DIGITS), 16) || 0;
