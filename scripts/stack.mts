import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Ending, type Running, start } from "./process.mts";
import type { PulumiCli } from "./pulumi.mts";
import { environmentFor } from "./pulumi.mts";

/** How long one command of the CLI may take, unless the stack says otherwise. */
const TIMEOUT_MS = 240_000;

type Operation = "up" | "preview" | "refresh" | "destroy";

/** What a resource looks like in an exported state. */
export interface StateResource {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  initErrors?: string[];
  propertyDependencies?: Record<string, string[]>;
  additionalSecretOutputs?: string[];
  sourcePosition?: string;
}

/**
 * A stack of the real CLI on a file backend, with a passphrase, in a folder of its own: nothing is written into the program's
 * folder, no login is asked for, and `remove` leaves nothing behind.
 */
export class Stack {
  readonly folder: string;
  readonly #cli: PulumiCli;
  readonly #program: string;
  readonly #given: NodeJS.ProcessEnv;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #timeoutMs: number;

  private constructor(
    folder: string,
    cli: PulumiCli,
    program: string,
    environment: NodeJS.ProcessEnv,
    timeoutMs: number,
  ) {
    this.folder = folder;
    this.#timeoutMs = timeoutMs;
    this.#cli = cli;
    this.#program = program;
    this.#given = environment;
    const inherited = Object.entries(process.env).filter(([name]) => !/^(BRIGHTDATA|PULUMI)_/.test(name));
    this.#environment = {
      ...environmentFor(cli, Object.fromEntries(inherited)),
      PULUMI_HOME: join(folder, "home"),
      PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
      PULUMI_CONFIG_PASSPHRASE: "correct horse battery staple",
      NO_COLOR: "1",
      ...environment,
    };
  }

  /**
   * @param program folder of the program, with its Pulumi.yaml
   * @param environment variables that the program and its provider see besides the usual ones
   * @param options.timeoutMs how long one command may take
   * @param options.parent where the stack's folder is made
   * @param options.secretsProvider what keeps the key of its secrets; by default, it is derived from a passphrase
   */
  static async create(
    cli: PulumiCli,
    program: string,
    environment: NodeJS.ProcessEnv = {},
    { timeoutMs = TIMEOUT_MS, parent = tmpdir(), secretsProvider = "passphrase" } = {},
  ): Promise<Stack> {
    const folder = await mkdtemp(join(parent, "pulumi-brightdata-"));
    const stack = new Stack(folder, cli, program, environment, timeoutMs);
    await mkdir(join(stack.folder, "backend"));
    await mkdir(join(stack.folder, "project"));
    // The stack's configuration is written beside the project's file: so that is a copy.
    await copyFile(join(program, "Pulumi.yaml"), join(stack.folder, "project/Pulumi.yaml"));
    try {
      await stack.#initialize(secretsProvider);
    } catch (error) {
      await stack.remove();
      throw error;
    }
    return stack;
  }

  /** The CLI takes as long for an empty stack as for a small update, and every stack of a project begins with the same files. */
  async #initialize(secretsProvider: string): Promise<void> {
    // What is meant for a program's language host changes nothing of a stack.
    const differs = Object.keys(this.#given).some((name) => /^PULUMI_(?!NODEJS_)/.test(name));
    const key = `${this.#cli.bin}\n${secretsProvider}\n${await readFile(join(this.folder, "project/Pulumi.yaml"), "utf8")}`;
    const begun = differs ? undefined : initialized.get(key);
    if (begun !== undefined) return writeCopy(begun, this.folder);
    await this.#inProject("stack", "init", "demo", "--secrets-provider", secretsProvider);
    if (!differs) initialized.set(key, { folder: this.folder, files: await filesIn(this.folder) });
  }

  /** @param key with a dot, a path in the value */
  async setConfig(key: string, value: string, secret = false): Promise<void> {
    const options = [secret ? "--secret" : "--plaintext", ...(key.includes(".") ? ["--path"] : [])];
    await this.#inProject("config", "set", ...options, key, value);
  }

  async removeConfig(key: string): Promise<void> {
    await this.#inProject("config", "rm", ...(key.includes(".") ? ["--path"] : []), key);
  }

  /** Runs `up`, `preview`, `refresh` or `destroy` and returns how it ended. */
  command(name: Operation, ...options: string[]): Promise<Ending> {
    return this.start(name, ...options).ending;
  }

  /** Starts what {@link command} runs: it may be interrupted. */
  start(name: Operation, ...options: string[]): Running {
    const always = [
      "--stack",
      "demo",
      "--config-file",
      join(this.folder, "project/Pulumi.demo.yaml"),
      "--non-interactive",
    ];
    const isDone = name !== "preview" && !options.includes("--preview-only");
    const yes = isDone ? ["--yes", "--skip-preview"] : [];
    return this.#start(this.#program, name, ...always, ...yes, ...options);
  }

  /** Runs a command and throws what it printed when it fails. */
  async expect(name: Operation, ...options: string[]): Promise<string> {
    return succeeded(name, await this.command(name, ...options));
  }

  /** Has resources replaced by the next `up`. */
  async taint(...urns: string[]): Promise<void> {
    await this.#inProject("state", "taint", ...urns, "--yes", "--stack", "demo");
  }

  /** Gives a resource another name in the state. */
  async rename(urn: string, name: string): Promise<void> {
    await this.#inProject("state", "rename", urn, name, "--yes", "--stack", "demo");
  }

  /** Lifts the lock that a killed command has left. */
  async cancel(): Promise<void> {
    await this.#inProject("cancel", "demo", "--yes");
  }

  async outputs(): Promise<Record<string, unknown>> {
    const text = await this.#inProject("stack", "output", "--json", "--show-secrets", "--stack", "demo");
    return JSON.parse(text) as Record<string, unknown>;
  }

  /** The resources in the state, without the stack and the providers. */
  async resources(): Promise<StateResource[]> {
    const state = JSON.parse(await this.stateText()) as { checkpoint: { latest: { resources?: StateResource[] } } };
    return (state.checkpoint.latest.resources ?? []).filter(({ type }) =>
      /dynamic\/brightdata|^brightdata:/.test(type),
    );
  }

  /** The state as the backend holds it. */
  async stateText(): Promise<string> {
    return (await this.stateFile()).toString("utf8");
  }

  /** The file that holds the state; compressed if the backend was told to. */
  async stateFile(): Promise<Buffer> {
    const project = /^name:\s*(\S+)/m.exec(await readFile(join(this.folder, "project/Pulumi.yaml"), "utf8"))?.[1];
    const folder = join(this.folder, `backend/.pulumi/stacks/${project}`);
    const name = (await readdir(folder)).find((each) => /^demo\.json(\.gz)?$/.test(each));
    if (name === undefined) throw new Error(`There is no state in ${folder}.`);
    return readFile(join(folder, name));
  }

  /** Takes a resource out of the state. */
  async forget(urn: string): Promise<void> {
    await this.#inProject("state", "delete", urn, "--yes", "--stack", "demo");
  }

  /** Runs policy packs over the state. */
  analyze(...options: string[]): Promise<Ending> {
    return this.#start(this.#program, "policy", "analyze", "--stack", "demo", ...options).ending;
  }

  async importFile(file: string, isProtected = false): Promise<Ending> {
    const config = join(this.folder, "project/Pulumi.demo.yaml");
    const options = ["--stack", "demo", "--config-file", config, "--yes", "--skip-preview", "--generate-code=false"];
    return this.#start(this.#program, "import", "--file", file, `--protect=${isProtected}`, ...options).ending;
  }

  /** Takes a resource of the plugin into the state by its id. */
  import(type: string, name: string, id: string): Promise<Ending> {
    const config = join(this.folder, "project/Pulumi.demo.yaml");
    const options = ["--stack", "demo", "--config-file", config, "--yes", "--skip-preview", "--generate-code=false"];
    return this.#start(this.#program, "import", type, name, id, "--protect=false", ...options).ending;
  }

  /** Variables set from now on; `undefined` takes one away. */
  setEnvironment(variables: NodeJS.ProcessEnv): void {
    Object.assign(this.#environment, variables);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  async #inProject(...args: string[]): Promise<string> {
    return succeeded(args.slice(0, 2).join(" "), await this.#start(join(this.folder, "project"), ...args).ending);
  }

  #start(folder: string, ...args: string[]): Running {
    const env = Object.fromEntries(Object.entries(this.#environment).filter(([, value]) => value !== undefined));
    return start(this.#cli.bin, ["-C", folder, ...args], { env, timeoutMs: this.#timeoutMs });
  }
}

/** What is in the folder of a stack that has just been initialized. */
interface Initialized {
  folder: string;
  files: ReadonlyMap<string, Buffer>;
}

const initialized = new Map<string, Initialized>();

async function filesIn(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)));
}

/** Writes the files into another folder. Which stack of a project is selected is in a file named after the project's path. */
async function writeCopy({ folder, files }: Initialized, target: string): Promise<void> {
  const moved = (text: string) =>
    text.replaceAll(folder, target).replaceAll(hashOfProject(folder), hashOfProject(target));
  for (const [path, content] of files) {
    await mkdir(dirname(moved(path)), { recursive: true });
    await writeFile(moved(path), moved(content.toString("latin1")), "latin1");
  }
}

const hashOfProject = (folder: string): string =>
  createHash("sha1").update(join(folder, "project/Pulumi.yaml")).digest("hex");

function succeeded(name: string, { status, stdout, stderr, timedOut }: Ending): string {
  if (status === 0) return stdout;
  const how = timedOut ? "took too long" : `ended with ${status}`;
  throw new Error(`pulumi ${name} ${how}:\n${stdout}\n${stderr}`);
}
