import type { Command } from "./command";
import { download } from "./download";
import { importAccount } from "./import";
import { report } from "./report";

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [importAccount, report, download];
