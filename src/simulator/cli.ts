#!/usr/bin/env node
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Simulator, type SimulatorOptions, startSimulator } from "./index";
import { isObject } from "./remote/call";
import { Refused } from "./remote/refusal";
import { parsed } from "./service";

interface Settings extends SimulatorOptions {
  envFile?: string;
  help?: boolean;
}

/** An option, as the help shows it and as it is read. */
interface Option {
  /** What its value is called. Without it, it has none. */
  takes?: string;
  short?: string;
  says: string;
  gives(value: string): Settings;
}

class Misuse extends Error {}

const OPTIONS: Readonly<Record<string, Option>> = {
  "remote-port": {
    takes: "PORT",
    says: "the API's port (default: a free one)",
    gives: (value) => ({ remotePort: portOf("--remote-port", value) }),
  },
  "manager-port": {
    takes: "PORT",
    says: "the manager's port (default: a free one)",
    gives: (value) => ({ managerPort: portOf("--manager-port", value) }),
  },
  host: { takes: "HOST", says: "where it listens (default: 127.0.0.1)", gives: (host) => ({ host }) },
  token: { takes: "TEXT", says: "the API token (default: one is made)", gives: (token) => ({ token }) },
  customer: { takes: "ID", says: "the customer id (default: hl_simulated)", gives: (customer) => ({ customer }) },
  seed: { takes: "TEXT", says: "the same ids and passwords every time", gives: (seed) => ({ seed }) },
  datasets: {
    takes: "any",
    says: "every id that begins with gd_ is a dataset's",
    gives: (value) => {
      if (value !== "any") throw new Misuse(`--datasets takes "any", not "${value}"`);
      return { remote: { everyDatasetExists: true } };
    },
  },
  "no-listen": { says: "the proxy ports take no connections", gives: () => ({ manager: { listen: false } }) },
  "no-dropin": { says: "there is no drop-in port 22225", gives: () => ({ manager: { dropin: false } }) },
  account: {
    takes: "NAME[:PORT]",
    says: "another account (repeatable)",
    gives: (value) => {
      const [, name = "", port] = partsOf("--account", value, /^([\w-]+)(?::(.*))?$/);
      return { accounts: { [name]: { port: portOf("--account", port) } } };
    },
  },
  manager: {
    takes: "NAME[@ACCOUNT][:PORT]",
    says: "another Proxy Manager (repeatable)",
    gives: (value) => {
      const [, name = "", account, port] = partsOf("--manager", value, /^([\w-]+)(?:@([\w-]+))?(?::(.*))?$/);
      return { managers: { [name]: { port: portOf("--manager", port), ...(account && { account }) } } };
    },
  },
  state: {
    takes: "FILE",
    says: "JSON with what there is at the start",
    gives: (file) => ({ state: stateIn(file) }),
  },
  // Before this program starts, Node.js takes a long `--env-file` for its own, and ends where there is no such file yet.
  "env-file": {
    takes: "FILE",
    short: "e",
    says: "gets the variables, once all is up",
    gives: (envFile) => ({ envFile }),
  },
  help: { says: "show this text", gives: () => ({ help: true }) },
};

const USAGE = `Usage: pulumi-brightdata-simulator [options]

Simulates Bright Data's API and the Proxy Manager, until it is interrupted.

${Object.entries(OPTIONS)
  .map(
    ([name, { takes = "", short, says }]) =>
      `  ${`${short ? `-${short}, ` : ""}--${name} ${takes}`.padEnd(34)}${says}\n`,
  )
  .join("")}
Exit status: 2 for wrong options, 3 for a port in use, 1 for other failures.
`;

function readSettings(): Settings {
  const { values } = parseArgs({
    options: Object.fromEntries(
      Object.entries(OPTIONS).map(([name, { takes, short }]) => [
        name,
        { type: takes === undefined ? "boolean" : "string", multiple: true, ...(short && { short }) } as const,
      ]),
    ),
  });
  let settings: Settings = { manager: { listen: true } };
  for (const [name, given = []] of Object.entries(values))
    for (const value of [given].flat()) settings = combined(settings, OPTIONS[name]?.gives(String(value)) ?? {});
  return settings;
}

const combined = (settings: Settings, more: Settings): Settings => ({
  ...settings,
  ...more,
  manager: { ...settings.manager, ...more.manager },
  accounts: { ...settings.accounts, ...more.accounts },
  managers: { ...settings.managers, ...more.managers },
});

function portOf(flag: string, written = "0"): number {
  if (!/^\d{1,5}$/.test(written) || Number(written) > 65_535)
    throw new Misuse(`${flag} takes a port, not "${written}"`);
  return Number(written);
}

function partsOf(flag: string, value: string, form: RegExp): RegExpExecArray {
  const parts = form.exec(value);
  if (parts === null) throw new Misuse(`${flag} takes a name of letters, digits, - and _, not "${value}"`);
  return parts;
}

function stateIn(file: string): Record<string, unknown> {
  const state = parsed(readFileSync(file, "utf8"));
  if (!isObject(state)) throw new Error(`${file} does not hold a JSON object.`);
  return state;
}

function announce(simulator: Simulator): void {
  const { remote, manager, remotes, managers, token } = simulator;
  const named = (what: string, services: ReadonlyMap<string, { url: string }>): string[] =>
    [...services].map(([name, { url }]) => `${what} ${name}: ${url}`);
  process.stdout.write(
    [
      `Remote service  ${remote.url}`,
      `Proxy Manager   ${manager.url}`,
      `API token       ${token}`,
      ...named("Account", remotes),
      ...named("Proxy Manager", managers),
      "",
      ...variables(simulator).map((line) => `export ${line}`),
      "",
      "Press Ctrl+C to stop.",
      "",
    ].join("\n"),
  );
}

const variables = (simulator: Simulator): string[] =>
  Object.entries(simulator.environment()).map(([name, value]) => `${name}=${shellQuoted(value)}`);

/** Bare where nothing in it means anything to a shell. */
const shellQuoted = (value: string): string =>
  /^[\w./:@%+=-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;

async function main(): Promise<void> {
  const { help, envFile, ...options } = readSettings();
  if (help) {
    process.stdout.write(USAGE);
    return;
  }
  const simulator = await startSimulator(options);
  const stop = (): Promise<void> => simulator.close();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    if (envFile !== undefined) writeFileSync(envFile, variables(simulator).join("\n").concat("\n"));
  } catch (error) {
    await stop();
    throw error;
  }
  if (options.manager?.dropin !== false && options.manager?.listen && !simulator.manager.state.running.has("22225"))
    process.stderr.write("Port 22225 is in use, so there is no drop-in port. With --no-dropin, none is wanted.\n");
  announce(simulator);
}

main().catch((error: unknown) => {
  const { message, code = "", port } = Object(error) as { message?: string; code?: string; port?: number };
  const misused = error instanceof Misuse || code.startsWith("ERR_PARSE_ARGS");
  const taken = code === "EADDRINUSE";
  const says = taken
    ? `Port ${port} is in use, perhaps by another simulator: stop that, or choose another port (--help).`
    : `${error instanceof Refused ? "--state: " : ""}${message}`;
  process.stderr.write(`${says}\n${misused ? `\n${USAGE}` : ""}`);
  process.exitCode = misused ? 2 : taken ? 3 : 1;
});
