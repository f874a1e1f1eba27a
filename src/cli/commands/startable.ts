import { existsSync } from "node:fs";
import { normalize } from "node:path/win32";

/** What starts a program, as `spawn` takes it. */
export interface Startable {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: { readonly windowsVerbatimArguments?: true };
}

/**
 * A program as a person has named it. What npm installs, npm itself and a CLI of Pulumi's among it, is a batch file on Windows, which
 * only its command interpreter starts.
 */
export function startable(
  command: string,
  args: readonly string[],
  { platform, env }: Pick<typeof process, "platform" | "env"> = process,
): Startable {
  const file = platform === "win32" ? found(command, env) : undefined;
  if (file === undefined || !/\.(?:bat|cmd)$/i.test(file)) return { file: command, args, options: {} };
  const line = [escaped(normalize(file)), ...args.map(quoted)].join(" ");
  const { comspec = "cmd.exe" } = env;
  return { file: comspec, args: ["/d", "/s", "/c", `"${line}"`], options: { windowsVerbatimArguments: true } };
}

/** The file that Windows takes for a command. */
function found(command: string, { PATH = "", PATHEXT = ".COM;.EXE;.BAT;.CMD" }: NodeJS.ProcessEnv): string | undefined {
  const places = /[\\/]/.test(command) ? [command] : PATH.split(";").map((folder) => `${folder}/${command}`);
  const endings = /\.\w+$/.test(command) ? ["", ...PATHEXT.split(";")] : PATHEXT.split(";");
  return places.flatMap((place) => endings.map((ending) => `${place}${ending}`)).find((file) => existsSync(file));
}

/** As the interpreter takes it for itself, whatever is in it. */
const escaped = (word: string): string => word.replace(/[()[\]%!^"`<>&|;, *?]/g, "^$&");

/** As a program takes it for one argument that a batch file hands on: the interpreter reads it in both. */
const quoted = (word: string): string =>
  escaped(escaped(`"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`));
