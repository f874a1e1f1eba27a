import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { ArgumentError } from "../base/errors";
import { isObject, type JsonObject } from "../base/json";

const pulumi = (...args: string[]): JsonObject => pulumiWith(process.env, ...args);

function pulumiWith(env: NodeJS.ProcessEnv, ...args: string[]): JsonObject {
  try {
    const text = execFileSync("pulumi", args, {
      env,
      encoding: "utf8",
      maxBuffer: 2 ** 30,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : {};
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    const words = stderr.trim() || (error instanceof Error ? error.message : String(error));
    throw new ArgumentError(`\`pulumi ${args.join(" ")}\` failed: ${words}`);
  }
}

/** The state of a stack, as `pulumi stack export` writes it; secrets stay encrypted. */
export const exported = (stack: string): JsonObject => pulumi("stack", "export", "--stack", stack);

const SECRET = "[secret]";

/** The outputs of a stack, and the names of those that are secret and left out. */
export interface Outputs {
  readonly values: JsonObject;
  readonly leftOut: readonly string[];
}

/** @param stack the selected one where none is named */
export function outputsOf(stack: string | undefined, showSecrets: boolean, env = process.env): Outputs {
  const which = stack === undefined ? [] : ["--stack", stack];
  const values = pulumiWith(env, "stack", "output", "--json", ...which, ...(showSecrets ? ["--show-secrets"] : []));
  const leftOut = showSecrets ? [] : Object.keys(values).filter((name) => values[name] === SECRET);
  const shown = Object.entries(values).filter(([name]) => !leftOut.includes(name));
  return { values: Object.fromEntries(shown), leftOut };
}

/** A state that `pulumi stack export` has written to a file. */
export function readState(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ArgumentError(
      `${file} is no state: ${error instanceof Error ? error.message : error}. Write one with \`pulumi stack export --file ${file}\`.`,
    );
  }
}

/** A stack's configuration, read by the CLI, which can decrypt it. */
export function configurationOf(stack: string | undefined): (key: string) => string | undefined {
  if (stack === undefined) return () => undefined;
  const values = pulumi("config", "--stack", stack, "--show-secrets", "--json");
  return (key) => {
    const { [key]: found } = values;
    if (!isObject(found)) return undefined;
    return "objectValue" in found ? JSON.stringify(found.objectValue) : String(found.value);
  };
}
