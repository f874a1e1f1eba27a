import type { SpawnOptions } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { ArgumentError } from "../../base/errors";
import { isObject, type JsonObject } from "../../base/json";
import { declaredTypeIn, projectFileIn, projectText, valueIn } from "../../base/projectFile";
import { typedValue } from "../templates/project";
import type { Interruption } from "./interruption";
import { configured, outputsOf, type StackOutputs, settingsIn } from "./stack";

/** Protects nothing: what it encrypts is as short-lived as the folder, and of a simulator. */
const PASSPHRASE = "local";

/**
 * The file of the program's project, whose folder this is.
 *
 * @throws {ArgumentError} where there is none
 */
export function projectHere(): string {
  const file = projectFileIn(".");
  if (file === undefined) throw new ArgumentError("There is no Pulumi.yaml here: change to the program's folder.");
  return file;
}

/** The URL of a backend that is a folder: of one with a drive and backslashes, the CLI takes what follows the colon for a port. */
export const backendIn = (folder: string, separator: string = sep): string =>
  `file://${folder.replaceAll(separator, "/")}`;

/** A stack of the program in this folder, whose state lives in another one, for a while. */
export class LocalStack {
  readonly #name: string;
  readonly #project = projectHere();
  /** What its configuration is called: the CLI gives it the extension of the project's file. */
  readonly #configName: string;
  readonly #configFile: string;
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #interruption: Interruption;

  /** @param folder for the state; the configuration is copied there, because the CLI writes into it */
  constructor(name: string, folder: string, environment: NodeJS.ProcessEnv, interruption: Interruption) {
    this.#name = name;
    this.#folder = folder;
    this.#interruption = interruption;
    this.#configName = `Pulumi.${name}${extname(this.#project)}`;
    this.#configFile = join(folder, this.#configName);
    this.#environment = {
      ...environment,
      PULUMI_BACKEND_URL: backendIn(join(folder, "state")),
      PULUMI_CONFIG_PASSPHRASE: PASSPHRASE,
    };
  }

  /** @param config what the configuration has besides */
  async init(config: readonly (readonly [key: string, value: string])[]): Promise<void> {
    mkdirSync(join(this.#folder, "state"));
    copyFileSync(this.#project, join(this.#folder, this.#project));
    await this.#pulumi("-C", this.#folder, "stack", "init", this.#name, "--no-select");
    const project = projectText(this.#project);
    const file = join(valueIn(project, "stackConfigDir") ?? "", this.#configName);
    if (existsSync(file)) await this.#set(this.#inClear(file));
    const values = config.map(([key, text]) => {
      const value = typedValue(key, text, declaredTypeIn(project, key) ?? "string");
      return [key, typeof value === "string" ? { value } : { value: JSON.stringify(value), objectValue: value }];
    });
    await this.#set(Object.fromEntries(values));
  }

  async #set(settings: JsonObject): Promise<void> {
    if (Object.keys(settings).length === 0) return;
    await this.#pulumi("config", "set-all", ...this.#which(), "--json", JSON.stringify(settings));
  }

  /** Nobody can decrypt here what a stack's file has encrypted. The CLI reads it: it may be any YAML. */
  #inClear(file: string): JsonObject {
    const settings = Object.entries(settingsIn(file, this.#name, this.#environment));
    const isSecret = (setting: unknown) => isObject(setting) && setting.secret === true;
    const left = settings.filter(([, setting]) => isSecret(setting)).map(([key]) => key);
    if (left.length > 0) {
      process.stderr.write(
        `Not set here, because they are encrypted: ${left.join(", ")}. If the program needs one, set it with --config.\n`,
      );
    }
    return Object.fromEntries(settings.filter(([, setting]) => !isSecret(setting)));
  }

  /** What is written in the files of the program and of the stack. */
  configuration(): (key: string) => string | undefined {
    return configured(this.#name, ["--config-file", this.#configFile], this.#environment).read;
  }

  async up(): Promise<void> {
    await this.#pulumi("up", ...this.#which(), "--yes", "--skip-preview", "--non-interactive");
  }

  #which = (): string[] => ["--stack", this.#name, "--config-file", this.#configFile];

  outputs(): StackOutputs {
    return outputsOf(this.#name, true, this.#environment);
  }

  /** Runs the CLI with its words on stderr: stdout is for results. */
  async #pulumi(...args: string[]): Promise<void> {
    const options: SpawnOptions = { env: this.#environment, stdio: ["ignore", 2, 2] };
    const code = await this.#interruption.ran("pulumi", args, options);
    this.#interruption.check();
    // Values of the configuration may be secret.
    const shown = args.map((arg, index) => (args[index - 1] === "--json" ? "..." : arg));
    if (code !== 0) throw new ArgumentError(`\`pulumi ${shown.join(" ")}\` ended with status ${code}.`);
  }
}
