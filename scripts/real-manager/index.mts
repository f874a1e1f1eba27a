import { type ChildProcess, fork } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../freePort.mts";
import { signalGroup } from "../process.mts";
import { type Account, DEFAULT_ZONES } from "./account.mts";
import { installRealManager, MANAGER_VERSION } from "./install.mts";

export type { AccountZone } from "./account.mts";
export { DEFAULT_ZONES, MANAGER_VERSION };

export interface RealManagerOptions {
  /** Port of the HTTP API; by default a free one. */
  port?: number;
  /** Where it keeps its configuration. By default a temporary folder, which `stop` removes. */
  dir?: string;
  /** The zones of the account, by name. */
  zones?: Account["zones"];
  /** Loopback address of what stands for the vendor's proxy, on port 22225. By default nobody listens there. */
  superProxy?: string;
  /** Whether a manager without a configuration starts as one that has been logged in. */
  loggedIn?: boolean;
  /** Between the end of a process that asked for a restart and the start of the next. The vendor's supervisor waits 5 s. */
  restartDelayMs?: number;
  /**
   * The outcome of an upgrade: null for success, else what went wrong. By default an upgrade is never answered, as by the
   * vendor's supervisor when there is nothing newer.
   */
  upgrade?: string | null;
  /** Further arguments of the vendor's program. */
  args?: readonly string[];
}

/** The vendor's own Proxy Manager, running on this machine and cut off from all others. */
export interface RealManager {
  url: string;
  port: number;
  dir: string;
  /** Settles when a process started after this call is ready; call it before asking for a restart. */
  nextStart(): Promise<void>;
  /** What the manager tried to reach and was refused, one entry each, as `connect 203.0.113.7`. */
  refused(): Promise<string[]>;
  /** The requests that its API has received, one entry each, as `GET /api/proxies`. */
  requests(): Promise<string[]>;
  /** The end of what the manager has printed. */
  log(): string;
  /** Ends every process of the manager; harmless when it has ended itself. */
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 8_000;
const POLL_MS = 50;
const LOG_CHARACTERS = 20_000;

/** Starts the manager and waits until its API answers. Installs it first where it has never been installed. */
export async function startRealManager(options: RealManagerOptions = {}): Promise<RealManager> {
  const packageFolder = await installRealManager();
  const port = options.port ?? (await freePort());
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), "proxy-manager-")));
  const account: Account = {
    customer: "hl_test1",
    token: "lpmtok1234|hl_test1",
    zones: options.zones ?? DEFAULT_ZONES,
    superProxy: options.superProxy ?? "127.0.0.99",
  };
  await mkdir(dir, { recursive: true });
  if (options.loggedIn ?? true) await keepLogin(dir, account);
  const supervisor = new Supervisor({
    ...options,
    packageFolder,
    port,
    dir,
    temporary: options.dir === undefined,
    account,
  });
  try {
    await supervisor.start();
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  return supervisor;
}

/** Writes what a manager keeps of a login, unless there is a configuration already. */
async function keepLogin(dir: string, { customer, token }: Account): Promise<void> {
  const file = join(dir, ".luminati.json");
  if (existsSync(file)) return;
  const defaults = {
    customer,
    customer_id: customer,
    account_id: "c_test1",
    lpm_token: token,
    version: MANAGER_VERSION,
  };
  await writeFile(file, JSON.stringify({ _defaults: defaults, proxies: [] }));
}

interface SupervisorOptions extends RealManagerOptions {
  packageFolder: string;
  port: number;
  dir: string;
  /** Whether the folder goes when the manager is stopped. */
  temporary: boolean;
  account: Account;
}

/** Stands where the vendor's `lum_node_index.js` does: starts the manager again when it asks for it. */
class Supervisor implements RealManager {
  readonly url: string;
  readonly port: number;
  readonly dir: string;
  private readonly options: SupervisorOptions;
  private readonly refusedFile: string;
  private readonly requestsFile: string;
  private readonly starts = new EventEmitter();
  private readonly stopping = new AbortController();
  private readonly onHostExit = () => this.child && signalGroup(this.child, "SIGKILL");
  private child: ChildProcess | undefined;
  private closed: Promise<unknown> = Promise.resolve();
  private output = "";

  constructor(options: SupervisorOptions) {
    this.options = options;
    this.port = options.port;
    this.dir = options.dir;
    this.url = `http://127.0.0.1:${options.port}`;
    this.refusedFile = join(options.dir, "refused.log");
    this.requestsFile = join(options.dir, "requests.log");
    process.on("exit", this.onHostExit);
  }

  async start(): Promise<void> {
    const { packageFolder, dir, port, account, args = [] } = this.options;
    const preloads = ["guard.mts", "cloud.mts", "requests.mts"].map(
      (file) => `--import=${new URL(file, import.meta.url).href}`,
    );
    const child = fork(
      join(packageFolder, "bin/lum_node.js"),
      ["--www", String(port), "--dir", dir, "--no_usage_stats", "--no-dropin", "--cluster", "1", ...args],
      {
        cwd: dir,
        execArgv: [],
        // A group of its own, so that its workers can be ended with it.
        detached: true,
        stdio: ["ignore", "pipe", "pipe", "ipc"],
        // Nothing but this: the manager takes settings from the environment, and edits ~/.bashrc.
        env: {
          PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
          HOME: dir,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          TMPDIR: dir,
          NODE_OPTIONS: [...preloads, "--max-http-header-size=80000"].join(" "),
          REAL_MANAGER_PACKAGE: packageFolder,
          REAL_MANAGER_ACCOUNT: JSON.stringify(account),
          REAL_MANAGER_REFUSED: this.refusedFile,
          REAL_MANAGER_REQUESTS: this.requestsFile,
        },
      },
    );
    this.child = child;
    // Its workers write to the same pipes, so that these are closed only when the last of them is gone.
    this.closed = once(child, "close");
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.output = (this.output + text).slice(-LOG_CHARACTERS);
      });
    }
    child.on("message", (message) => this.onMessage(child, message as { command?: string }));
    await this.untilReady(child);
    this.starts.emit("ready");
  }

  nextStart(): Promise<void> {
    const started = once(this.starts, "ready").then(() => {});
    // A failure is for whoever waits; it is no accident when nobody does.
    started.catch(() => {});
    return started;
  }

  refused(): Promise<string[]> {
    return linesOf(this.refusedFile);
  }

  requests(): Promise<string[]> {
    return linesOf(this.requestsFile);
  }

  log(): string {
    return this.output;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    process.off("exit", this.onHostExit);
    const { child } = this;
    if (child && !hasEnded(child)) {
      child.kill("SIGTERM");
      await Promise.race([this.closed, delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    }
    if (child) signalGroup(child, "SIGKILL");
    await this.closed;
    if (this.options.temporary) await rm(this.dir, { recursive: true, force: true });
    this.fail(new Error("the manager was stopped"));
  }

  private onMessage(child: ChildProcess, { command }: { command?: string }): void {
    if (command === "restart") {
      child.once("close", () => this.startAgain());
      child.kill("SIGTERM");
    } else if ((command === "upgrade" || command === "downgrade") && this.options.upgrade !== undefined) {
      child.send({ command: `${command}_finished`, error: this.options.upgrade });
    }
  }

  private async startAgain(): Promise<void> {
    const { signal } = this.stopping;
    await delay(this.options.restartDelayMs ?? 0, undefined, { signal }).catch(() => {});
    if (!signal.aborted) await this.start().catch((error: Error) => this.fail(error));
  }

  private fail(error: Error): void {
    if (this.starts.listenerCount("error") > 0) this.starts.emit("error", error);
  }

  private async untilReady(child: ChildProcess): Promise<void> {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (Date.now() < deadline && !hasEnded(child)) {
      const answer = await fetch(`${this.url}/api/version`).catch(() => undefined);
      if (answer?.ok) return;
      await delay(POLL_MS);
    }
    throw new Error(`the manager did not get ready at ${this.url}; it said:\n${this.output}`);
  }
}

async function linesOf(file: string): Promise<string[]> {
  return existsSync(file) ? (await readFile(file, "utf8")).trimEnd().split("\n") : [];
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
