import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { ArgumentError } from "../../base/errors";
import { exitOf } from "./child";

/** The same from `dist` and from `src`. */
const SIMULATOR = join(__dirname, "../../../dist/simulator/cli.js");

/** Of the simulated Proxy Manager, as of a real one. */
const DROPIN_PORT = 22_225;

/** The simulator in a process of its own. */
export interface LocalSimulator {
  /** The settings that lead to it. */
  readonly environment: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

/**
 * @param folder where it writes its settings to
 * @throws {ArgumentError} when it ends instead of starting, with its words
 */
export async function startLocalSimulator(folder: string, options: readonly string[]): Promise<LocalSimulator> {
  const file = join(folder, "simulator.env");
  const child = spawn(process.execPath, [SIMULATOR, "-e", file, ...options], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = exitOf(child, "pulumi-brightdata-simulator");
  let words = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    words += text;
  });
  const ready = new Promise<"ready">((resolve) => child.stdout.once("data", () => resolve("ready")));
  if ((await Promise.race([ready, ended])) !== "ready") {
    throw new ArgumentError(`The simulator does not start: ${words.trim()}`);
  }
  child.stdout.resume();
  const simulator: LocalSimulator = {
    environment: parseEnv(readFileSync(file, "utf8")),
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
  if (!options.includes("--no-listen")) {
    await requireDropin(simulator).catch(async (error: unknown) => {
      await simulator.stop();
      throw error;
    });
  }
  process.stderr.write(words);
  return simulator;
}

/**
 * Programs lead to the drop-in port by its number alone: what listens there instead would get what is meant for the simulator.
 *
 * @throws {ArgumentError} when the simulator could not have it
 */
async function requireDropin({ environment }: LocalSimulator): Promise<void> {
  const answer = await fetch(`${environment.BRIGHTDATA_PROXY_MANAGER_URL}/api/proxies_running`);
  const ports = (await answer.json()) as { port: number }[];
  if (ports.some(({ port }) => port === DROPIN_PORT)) return;
  throw new ArgumentError(
    `Port ${DROPIN_PORT} is in use, by a Proxy Manager maybe: stop it, or use --no-listen, with which ports take no connections.`,
  );
}
