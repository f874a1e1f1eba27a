import type { SpawnOptions } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { ArgumentError } from "../../base/errors";
import type { Interruption } from "./interruption";
import { configured, type Outputs, outputsOf } from "./stack";

/** Protects nothing: what it encrypts is as short-lived as the folder, and of a simulator. */
const PASSPHRASE = "local";

/** A stack of the program in this folder, whose state lives in another one, for a while. */
export class LocalStack {
  readonly #name: string;
  readonly #configFile: string;
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #interruption: Interruption;

  /** @param folder for the state; the configuration is copied there, because the CLI writes into it */
  constructor(name: string, folder: string, environment: NodeJS.ProcessEnv, interruption: Interruption) {
    this.#name = name;
    this.#folder = folder;
    this.#interruption = interruption;
    this.#configFile = join(folder, `Pulumi.${name}.yaml`);
    this.#environment = {
      ...environment,
      PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: PASSPHRASE,
    };
  }

  /** @param config what the configuration has besides */
  async init(config: readonly (readonly [key: string, value: string])[]): Promise<void> {
    mkdirSync(join(this.#folder, "state"));
    for (const file of ["Pulumi.yaml", `Pulumi.${this.#name}.yaml`])
      if (existsSync(file)) copyFileSync(file, join(this.#folder, file));
    await this.#pulumi("-C", this.#folder, "stack", "init", this.#name, "--no-select");
    for (const [key, value] of config)
      await this.#pulumi("config", "set", "--plaintext", ...this.#which(), "--", key, value);
  }

  /** What is written in the files of the program and of the stack. */
  configuration(): (key: string) => string | undefined {
    return configured(this.#name, ["--config-file", this.#configFile], this.#environment).read;
  }

  async up(): Promise<void> {
    await this.#pulumi("up", ...this.#which(), "--yes", "--skip-preview", "--non-interactive");
  }

  #which = (): string[] => ["--stack", this.#name, "--config-file", this.#configFile];

  outputs(): Outputs {
    return outputsOf(this.#name, true, this.#environment);
  }

  /** Runs the CLI with its words on stderr: stdout is for results. */
  async #pulumi(...args: string[]): Promise<void> {
    const options: SpawnOptions = { env: this.#environment, stdio: ["ignore", 2, 2] };
    const code = await this.#interruption.ran("pulumi", args, options);
    this.#interruption.check();
    if (code !== 0) throw new ArgumentError(`\`pulumi ${args.join(" ")}\` ended with status ${code}.`);
  }
}
