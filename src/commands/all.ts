import type { Command } from "./command";
import { comment } from "./comment";
import { download } from "./download";
import { drift } from "./drift";
import { importAccount } from "./import";
import { report } from "./report";
import { sweep } from "./sweep";

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [importAccount, report, comment, drift, sweep, download];
