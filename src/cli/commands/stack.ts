import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { messageOf } from "../../base/cause";
import { ArgumentError } from "../../base/errors";
import { isObject, type JsonObject, objectOf } from "../../base/json";
import { printable } from "../../base/printable";
import { projectFile, projectText, valueIn } from "../../base/projectFile";
import { textsIn } from "../../http/redact";
import { parsed } from "../../settings/values";
import type { Candidate } from "../pipeline/sweep";
import { inShell } from "../report/inShell";
import { startFailure } from "./child";
import { Interrupted } from "./command";
import { startable } from "./startable";

const pulumi = (args: readonly string[], env = process.env): JsonObject => objectOf(pulumiJson(args, env));

function pulumiJson(args: readonly string[], env = process.env): unknown {
  try {
    const started = startable("pulumi", args);
    const text = execFileSync(started.file, started.args, {
      ...started.options,
      env,
      encoding: "utf8",
      maxBuffer: 2 ** 30,
      stdio: ["ignore", "pipe", "pipe"],
    });
    return JSON.parse(text);
  } catch (error) {
    const { stderr = "", code, signal } = error as NodeJS.ErrnoException & { stderr?: string; signal?: string };
    // The terminal tells both, and this process hears of it only later.
    if (signal === "SIGINT") throw new Interrupted(signal, `\`pulumi ${args.join(" ")}\` has not ended.`);
    if (code === "ENOENT") throw new ArgumentError(startFailure("pulumi", error as NodeJS.ErrnoException));
    const words = stderr.trim() || toldOf(error, "it printed something that is not JSON");
    throw new ArgumentError(`\`pulumi ${args.join(" ")}\` failed: ${words}`);
  }
}

/** What an error says; of a text that is not JSON, nothing: it may have secrets, of which Node.js would show a part. */
const toldOf = (error: unknown, noJson: string): string => (error instanceof SyntaxError ? noJson : messageOf(error));

/** The state of a stack, as `pulumi stack export` writes it; secrets stay encrypted. */
export const exported = (stack: string): JsonObject => pulumi(["stack", "export", "--stack", stack]);

/** @param refuse is told why a stack among others cannot be exported: that keeps back none of them */
export function stateOf(stack: string, refuse: (why: string) => void): JsonObject | undefined {
  try {
    return exported(stack);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    refuse(error.message);
    return undefined;
  }
}

const SECRET = "[secret]";

const hidesSomething = (value: unknown): boolean =>
  value === SECRET || (typeof value === "object" && value !== null && Object.values(value).some(hidesSomething));

/** Without a name, the selected one. */
const ofStack = (name: string | undefined): string[] => (name === undefined ? [] : ["--stack", name]);

/** The outputs of a stack, and the names of those that are secret and left out. */
export interface StackOutputs {
  readonly values: JsonObject;
  readonly leftOut: readonly string[];
}

export function outputsOf(stack: string | undefined, showSecrets: boolean, env = process.env): StackOutputs {
  const values = pulumi(
    ["stack", "output", "--json", ...ofStack(stack), ...(showSecrets ? ["--show-secrets"] : [])],
    env,
  );
  const leftOut = showSecrets ? [] : Object.keys(values).filter((name) => hidesSomething(values[name]));
  const shown = Object.entries(values).filter(([name]) => !leftOut.includes(name));
  return { values: Object.fromEntries(shown), leftOut };
}

/** A state that `pulumi stack export` has written to a file. */
export function readState(file: string): unknown {
  const refuse = (why: string): never => {
    throw new ArgumentError(
      `${file} is no state: ${why}. Give a file that \`pulumi stack export --file\` has written.`,
    );
  };
  let state: unknown;
  try {
    state = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    return refuse(toldOf(error, "it is not JSON"));
  }
  // A backend's own files have a checkpoint.
  const isState = isObject(state) && ("deployment" in state || "checkpoint" in state);
  return isState ? state : refuse("it has no `deployment`");
}

/** The options that name stacks and states, as a shell takes them. */
export const stackOptions = (stacks: readonly string[], states: readonly string[]): string[] => [
  ...stacks.map((stack) => `--stack ${inShell(stack)}`),
  ...states.map((file) => `--state ${inShell(file)}`),
];

export interface StackConfiguration {
  read(key: string): string | undefined;
  /** What is set, each after its project or package and a colon. */
  readonly keys: readonly string[];
  readonly secrets: readonly string[];
}

/** A stack's configuration, read by the CLI, which can decrypt it. */
export function configured(
  stack: string | undefined,
  options: readonly string[] = [],
  env = process.env,
): StackConfiguration {
  const values = pulumi(["config", ...ofStack(stack), ...options, "--show-secrets", "--json"], env);
  const secrets = Object.values(values).flatMap((each) => {
    if (!isObject(each) || each.secret !== true) return [];
    // A program may take a text apart that is JSON.
    return textsIn(each.objectValue ?? each.value).flatMap((text) => [text, ...textsIn(parsed(text))]);
  });
  const read = (key: string) => {
    const { [key]: found } = values;
    if (!isObject(found)) return undefined;
    return "objectValue" in found ? JSON.stringify(found.objectValue) : String(found.value);
  };
  return { read, keys: Object.keys(values), secrets };
}

/** What a stack's file says of the configuration, as `set-all` takes it: what is encrypted is secret, and has no value. */
export const settingsIn = (file: string, stack: string, env: NodeJS.ProcessEnv): JsonObject =>
  pulumi(["config", "--stack", stack, "--config-file", file, "--json"], env);

/** The settings of a stack; without one, none. */
export const configurationOf = (stack: string | undefined): ((key: string) => string | undefined) =>
  stack === undefined ? () => undefined : configured(stack).read;

const UNCONFIGURED: StackConfiguration = { read: () => undefined, keys: [], secrets: [] };

/** The settings of the stack that is selected in the project here; where they cannot be read, that is said, and there are none. */
export function ambientConfiguration(): StackConfiguration {
  if (projectFile(process.cwd()) === undefined) return UNCONFIGURED;
  try {
    return configured(undefined);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    process.stderr.write(printable(`Settings are those of the environment alone: ${error.message}`).concat("\n"));
    return UNCONFIGURED;
  }
}

/** A stack that there is, as `pulumi stack ls` has it. */
export interface ListedStack extends Candidate {
  /** Absent where the backend has none. */
  readonly organization?: string;
}

/** The stacks of this project, or all that the backend has. */
export function stacks(scope: "project" | "all"): ListedStack[] {
  const found = pulumiJson(["stack", "ls", "--json", ...(scope === "all" ? ["--all"] : [])]);
  return (Array.isArray(found) ? found : []).filter(isObject).map(({ name, lastUpdate, updateInProgress, url }) => {
    const organization = typeof url === "string" && URL.canParse(url) ? new URL(url).pathname.split("/")[1] : undefined;
    return {
      name: String(name),
      ...(typeof lastUpdate === "string" && { lastUpdate: new Date(lastUpdate) }),
      ...(updateInProgress === true && { isUpdating: true }),
      ...(organization && { organization }),
    };
  });
}

/** Name of the project in this folder or above, as the CLI finds it. */
export function projectName(folder = process.cwd()): string {
  const file = projectFile(folder);
  if (file === undefined)
    throw new ArgumentError("There is no Pulumi.yaml here. Run the command in the project's folder.");
  const name = valueIn(projectText(file), "name");
  if (name === undefined) throw new ArgumentError(`${file} has no name.`);
  return name;
}
