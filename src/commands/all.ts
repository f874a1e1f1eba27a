import type { Command } from "./command";
import { download } from "./download";
import { env } from "./env";
import { importAccount } from "./import";
import { init } from "./init";
import { local } from "./local";
import { report } from "./report";

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [init, importAccount, report, env, local, download];
