import { normalize } from "node:path/win32";

/** What starts a program, as `spawn` takes it. */
export interface Startable {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: { readonly windowsVerbatimArguments?: true };
}

/**
 * A program as a person has named it. What npm installs, npm itself among it, is a batch file on Windows, which only its command
 * interpreter finds and starts.
 */
export function startable(
  [command = "", ...args]: readonly string[],
  platform: NodeJS.Platform = process.platform,
  { comspec = "cmd.exe" }: NodeJS.ProcessEnv = process.env,
): Startable {
  if (platform !== "win32") return { file: command, args, options: {} };
  const line = [escaped(normalize(command)), ...args.map(quoted)].join(" ");
  return { file: comspec, args: ["/d", "/s", "/c", `"${line}"`], options: { windowsVerbatimArguments: true } };
}

/** As the interpreter takes it for itself, whatever is in it. */
const escaped = (word: string): string => word.replace(/[()[\]%!^"`<>&|;, *?]/g, "^$&");

/** As the program takes it for one argument: quotes, and backslashes before one, have a backslash each. */
const quoted = (word: string): string => escaped(`"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`);
