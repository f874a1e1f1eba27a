import type { Command } from "./command";
import { download } from "./download";
import { importAccount } from "./import";

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [importAccount, download];
