import type { Command } from "./command";
import { comment } from "./comment";
import { download } from "./download";
import { drift } from "./drift";
import { importAccount } from "./import";
import { sweep } from "./sweep";

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [importAccount, comment, drift, sweep, download];
