#!/usr/bin/env node
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Simulator, type SimulatorOptions, startSimulator } from "./index";
import { whenParentEnds } from "./parent";
import { isObject } from "./remote/call";
import { parsed } from "./service";

interface Settings extends SimulatorOptions {
  envFile?: string;
  help?: boolean;
  version?: boolean;
}

/** An option as the help shows it, with the name of its value if it has one, and what it gives. */
type Option = readonly [takes: string, says: string, gives: (value: string, flag: string) => Settings];

class Misuse extends Error {}

const OPTIONS: Readonly<Record<string, Option>> = {
  "remote-port": ["PORT", "the API's port (default: a free one)", (port, flag) => ({ remotePort: portOf(port, flag) })],
  "manager-port": ["PORT", "the manager's port (as above)", (port, flag) => ({ managerPort: portOf(port, flag) })],
  host: ["HOST", "where it listens (default: 127.0.0.1)", (host) => ({ host })],
  token: ["TEXT", "the API token (default: one is made)", (token) => ({ token })],
  customer: ["ID", "the customer id (default: hl_simulated)", (customer) => ({ customer })],
  seed: ["TEXT", "the same ids and passwords every time", (seed) => ({ seed })],
  datasets: ["any", "every id that begins with gd_ is a dataset's", datasets],
  "no-listen": ["", "the proxy ports take no connections", () => ({ manager: { listen: false } })],
  "no-dropin": ["", "there is no drop-in port", () => ({ manager: { dropin: false } })],
  "dropin-port": [
    "PORT",
    "its number (default: 22225)",
    (port, flag) => ({ manager: { dropinPort: portOf(port, flag) } }),
  ],
  account: ["NAME[:PORT]", "another account (repeatable)", account],
  manager: ["NAME[@ACCOUNT][:PORT]", "another Proxy Manager (repeatable)", manager],
  state: ["FILE", "JSON with what there is at the start", (file) => ({ state: stateIn(file) })],
  "env-file": ["FILE", "gets the variables, once all is up", (envFile) => ({ envFile })],
  help: ["", "show this text", () => ({ help: true })],
  version: ["", "show the package's version", () => ({ version: true })],
};

const SHORT: Readonly<Record<string, string>> = { "env-file": "e", help: "h", version: "v" };

/** Before a program starts, Node.js takes this for its own in its long form, and ends where there is no such file yet. */
const SHORT_ONLY = "env-file";

function flagOf(name: string): string {
  const short = SHORT[name] && `-${SHORT[name]}`;
  if (name === SHORT_ONLY) return `${short}`;
  return short ? `${short}, --${name}` : `--${name}`;
}

const USAGE = `Usage: pulumi-brightdata-simulator [options]

Simulates Bright Data's API and the Proxy Manager, until it is interrupted.

${Object.entries(OPTIONS)
  .map(([name, [takes, says]]) => `  ${`${flagOf(name)} ${takes}`.padEnd(34)}${says}\n`)
  .join("")}
Exit status: 2 for wrong options, 3 for a port in use, 1 for other failures.
`;

function readSettings(): Settings {
  const options = Object.entries(OPTIONS).map(([name, [takes]]) => {
    const short = SHORT[name];
    return [name, { type: takes ? "string" : "boolean", multiple: true, ...(short && { short }) } as const];
  });
  const { values } = parseArgs({ options: Object.fromEntries(options) });
  let settings: Settings = { manager: { listen: true } };
  for (const [name, given = []] of Object.entries(values))
    for (const value of [given].flat()) {
      // An empty variable stands for no host and no token, and would not for the default ones.
      if (value === "") throw new Misuse(`${flagOf(name)} is empty: give it a value, or leave it out`);
      settings = combined(settings, OPTIONS[name]?.[2](String(value), `--${name}`) ?? {});
    }
  requireAccounts(settings);
  return settings;
}

function requireAccounts({ accounts = {}, managers = {} }: Settings): void {
  const missing = Object.values(managers).find(
    ({ account }) => account !== undefined && !Object.hasOwn(accounts, account),
  );
  if (missing !== undefined)
    throw new Misuse(`--manager names the account "${missing.account}", which no --account adds`);
}

const combined = (settings: Settings, more: Settings): Settings => ({
  ...settings,
  ...more,
  manager: { ...settings.manager, ...more.manager },
  accounts: { ...settings.accounts, ...more.accounts },
  managers: { ...settings.managers, ...more.managers },
});

function datasets(which: string, flag: string): Settings {
  if (which !== "any") throw new Misuse(`${flag} takes "any", not "${which}"`);
  return { remote: { everyDatasetExists: true } };
}

function account(value: string, flag: string): Settings {
  const [, name = "", port] = partsOf(value, flag, /^([\w-]+)(?::(.*))?$/);
  return { accounts: { [name]: port === undefined ? {} : { port: portOf(port, flag) } } };
}

function manager(value: string, flag: string): Settings {
  const [, name = "", of, port] = partsOf(value, flag, /^([\w-]+)(?:@([\w-]+))?(?::(.*))?$/);
  return { managers: { [name]: { port: portOf(port, flag), ...(of && { account: of }) } } };
}

function portOf(written = "0", flag = ""): number {
  if (!/^\d{1,5}$/.test(written) || Number(written) > 65_535)
    throw new Misuse(`${flag} takes a port, not "${written}"`);
  return Number(written);
}

function partsOf(value: string, flag: string, form: RegExp): RegExpExecArray {
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
  process.stdout.write(
    [
      `Remote service  ${simulator.remote.url}`,
      `Proxy Manager   ${simulator.manager.url}`,
      `API token       ${simulator.token}`,
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

const packageVersion = (): string => JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8")).version;

async function main(): Promise<void> {
  const { help, version, envFile, ...options } = readSettings();
  if (help || version) {
    process.stdout.write(help ? USAGE : `${packageVersion()}\n`);
    return;
  }
  // Until it runs, what is written there leads to a former one.
  if (envFile !== undefined) writeFileSync(envFile, "");
  const simulator = await startSimulator(options);
  const stop = (): Promise<void> => simulator.close();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  // Who ends npx, in whatever way, means what it runs; what a script starts in the background may outlive it.
  if (process.env.npm_command === "exec") whenParentEnds(stop);
  try {
    if (envFile !== undefined) writeFileSync(envFile, variables(simulator).join("\n").concat("\n"));
  } catch (error) {
    await stop();
    throw error;
  }
  const { dropinPort, running } = simulator.manager.state;
  if (options.manager?.dropin !== false && options.manager?.listen && !running.has(String(dropinPort)))
    process.stderr.write(
      `Port ${dropinPort} is in use, so there is no drop-in port. --dropin-port takes another, --no-dropin none.\n`,
    );
  announce(simulator);
}

// Whoever started it may have stopped reading: it runs all the same.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});

main().catch((error: unknown) => {
  const { message, code = "", port } = Object(error) as { message?: string; code?: string; port?: number };
  const misused = error instanceof Misuse || code.startsWith("ERR_PARSE_ARGS");
  const taken = code === "EADDRINUSE";
  const says = taken
    ? `Port ${port} is in use, perhaps by another simulator: stop that, or choose another port (--help).`
    : `${code === "ERR_REFUSED" ? "--state: " : ""}${message}`;
  process.stderr.write(`${says}\n${misused ? `\n${USAGE}` : ""}`);
  process.exitCode = misused ? 2 : taken ? 3 : 1;
});
