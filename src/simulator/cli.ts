#!/usr/bin/env node
import { parseArgs } from "node:util";
import { type Simulator, startSimulator } from "./index";

const USAGE = `Usage: pulumi-brightdata-simulator [options]

Runs a stand-in for Bright Data's remote service and for the local Proxy Manager on 127.0.0.1, until it is interrupted.

  --remote-port <port>   port of the remote service (default: a free one)
  --manager-port <port>  port of the Proxy Manager (default: a free one)
  --no-listen            the simulated proxy ports take no connections
  --token <token>        API token the remote service accepts (default: one is made)
  --help                 show this text
`;

/** Exit status of a command that was called wrongly. */
const MISUSE = 2;

class Misuse extends Error {}

function readArguments() {
  const { values } = parseArgs({
    options: {
      "remote-port": { type: "string" },
      "manager-port": { type: "string" },
      "no-listen": { type: "boolean", default: false },
      token: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  return {
    help: values.help,
    remotePort: portOf("--remote-port", values["remote-port"]),
    managerPort: portOf("--manager-port", values["manager-port"]),
    listen: !values["no-listen"],
    token: values.token,
  };
}

function portOf(flag: string, written = "0"): number {
  if (!/^\d{1,5}$/.test(written) || Number(written) > 65_535)
    throw new Misuse(`${flag} takes a port, not "${written}"`);
  return Number(written);
}

function announce(simulator: Simulator): void {
  const exports = Object.entries(simulator.environment()).map(
    ([name, value]) => `export ${name}=${shellQuoted(value)}`,
  );
  process.stdout.write(
    [
      `Remote service  ${simulator.remote.url}`,
      `Proxy Manager   ${simulator.manager.url}`,
      `API token       ${simulator.token}`,
      "",
      ...exports,
      "",
      "Press Ctrl+C to stop.",
      "",
    ].join("\n"),
  );
}

/** Bare where nothing in it means anything to a shell. */
const shellQuoted = (value: string): string =>
  /^[\w./:@%+=-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;

async function main(): Promise<void> {
  const { help, token, listen, ...ports } = readArguments();
  if (help) {
    process.stdout.write(USAGE);
    return;
  }
  const simulator = await startSimulator({ ...ports, manager: { listen }, ...(token === undefined ? {} : { token }) });
  const stop = (): void => void simulator.close();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  announce(simulator);
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const misused = error instanceof Misuse || code.startsWith("ERR_PARSE_ARGS");
  const taken = code === "EADDRINUSE" && error instanceof Error && "port" in error;
  process.stderr.write(taken ? `Port ${String(error.port)} is in use.\n` : `${message}\n`);
  if (misused) process.stderr.write(`\n${USAGE}`);
  process.exitCode = misused ? MISUSE : 1;
});
