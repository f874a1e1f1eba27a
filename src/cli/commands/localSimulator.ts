import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";
import { ArgumentError } from "../../base/errors";
import { ROOT } from "../../base/root";
import { Log } from "../../http/log";
import { Transport } from "../../http/transport";
import { exitOf } from "./child";
import { Misuse } from "./command";

const SIMULATOR = join(ROOT, "dist/simulator/cli.js");

/** Its exit status for wrong options. */
const MISUSED = 2;

/** Unless another one is named. */
const DROPIN_PORT = 22_225;

export interface LocalSimulator {
  readonly environment: NodeJS.ProcessEnv;
  /** The numbers of the ports of its Proxy Managers that take connections now. */
  listensAt(): Promise<ReadonlySet<number>>;
  stop(): Promise<void>;
}

/**
 * @param folder where it writes its settings to
 * @throws {ArgumentError} when it ends instead of starting, with its words
 * @throws {Misuse} when it does so because of its options, which are those of this command
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
  const outcome = await Promise.race([ready, ended]);
  if (outcome !== "ready") {
    if (outcome === MISUSED) throw new Misuse(`${words.split("\n")[0]}.`);
    throw new ArgumentError(`The simulator does not start: ${words.trim()}`);
  }
  child.stdout.resume();
  const environment = parseEnv(readFileSync(file, "utf8"));
  const simulator: LocalSimulator = {
    environment,
    listensAt: () => (options.includes("--no-listen") ? Promise.resolve(new Set()) : portsOf(environment)),
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
  // Programs lead to the drop-in port by its number alone: what listens there instead would get what is meant for it. What the simulator
  // says of that may not have come yet.
  const port = dropinPort(options);
  if (port === undefined || (await simulator.listensAt()).has(port)) {
    process.stderr.write(words);
    return simulator;
  }
  await simulator.stop();
  throw new ArgumentError(
    `Port ${port} is in use, by another simulator or a Proxy Manager maybe: stop it, take another with --dropin-port, or none with --no-dropin.`,
  );
}

/** The number of the drop-in port, where there is to be one. */
function dropinPort(options: readonly string[]): number | undefined {
  if (["--no-listen", "--no-dropin"].some((option) => options.includes(option))) return undefined;
  const named = options.indexOf("--dropin-port");
  return named === -1 ? DROPIN_PORT : Number(options[named + 1]);
}

/** What the Proxy Managers list, the drop-in port with it, as they do where it listens. */
async function portsOf({ BRIGHTDATA_PROXY_MANAGER_URL: own, BRIGHTDATA_MANAGERS: named }: NodeJS.ProcessEnv) {
  const others = Object.values(JSON.parse(named ?? "{}") as Record<string, { url: string }>).map(({ url }) => url);
  // One list has the drop-in port, the other those that a port is multiplied to.
  const lists = [String(own), ...others].flatMap((url) => [
    listAt(url, "GET /api/proxies"),
    listAt(url, "GET /api/proxies_running"),
  ]);
  return new Set((await Promise.all(lists)).flat().map(({ port }) => port));
}

const PORTS = z.array(z.object({ port: z.number() }));

const listAt = (baseUrl: string, request: "GET /api/proxies" | "GET /api/proxies_running") =>
  new Transport({
    service: "manager",
    baseUrl,
    requestTimeout: 30,
    retries: 0,
    requestsPerMinute: 0,
    log: new Log("off"),
  }).json({ operation: "list the ports", request }, PORTS);
