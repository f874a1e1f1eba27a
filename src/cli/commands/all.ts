import type { Command } from "./command";
import { comment } from "./comment";
import { download } from "./download";
import { drift } from "./drift";
import { env } from "./env";
import { importAccount } from "./import";
import { init } from "./init";
import { local } from "./local";
import { plugin } from "./plugin";
import { report } from "./report";
import { sweep } from "./sweep";

export const COMMANDS: readonly Command[] = [
  init,
  importAccount,
  report,
  comment,
  drift,
  sweep,
  env,
  local,
  download,
  plugin,
];
