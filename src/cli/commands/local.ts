import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ArgumentError } from "../../base/errors";
import { inShort } from "../../base/inShort";
import { parsed } from "../../settings/values";
import { dotenvOf } from "../outputs/dotenv";
import { type Variables, variablesOf } from "../outputs/variables";
import { type Command, type Given, Misuse, type Options, pairOf } from "./command";
import { Interruption } from "./interruption";
import { startLocalSimulator } from "./localSimulator";
import { LocalStack, projectHere } from "./localStack";
import { requireWritable, writeVariables } from "./variablesFile";

const OPTIONS = {
  stack: { value: "name", says: "the stack, with its Pulumi.<name>.yaml; default: local" },
  output: { value: "file", says: "instead of .env" },
  manager: { value: "name", isList: true, says: "another Proxy Manager" },
  account: { value: "name", isList: true, says: "another account" },
  config: { value: "key=value", isList: true, isWhole: true, says: "for this time, before what the stack's file says" },
  listen: { says: "ports take connections (default); or --no-listen" },
  dropin: { says: "there is a drop-in port, where PROXY_URL leads (default); or --no-dropin" },
  "dropin-port": { value: "port", says: "its number; default: 22225" },
  force: { says: "replace a file that this package has not written" },
} as const satisfies Options;

export const local: Command<typeof OPTIONS> = {
  name: "local",
  usage: "[options] [-- <command>]",
  says: "Brings up the program in this folder on the simulator, without an account, and writes its outputs to .env.",
  options: OPTIONS,
  hasCommand: true,
  notes: `A command gets the outputs in its environment. Without one, the simulator runs until it is interrupted.

Exit status: that of the command; 0 interrupted, 1 failed, 2 called wrongly.
`,

  async run({ options, positionals: command }) {
    const { stack: name = "local", output: file = ".env", force = false } = options;
    const config = (options.config ?? []).map(pairOf);
    projectHere();
    if (command.length === 0) requireWritable(file, force);
    else if (options.output !== undefined || force)
      throw new Misuse(
        "--output and --force are for the file, which is not written where there is a command: leave them out.",
      );
    const folder = mkdtempSync(join(tmpdir(), "pulumi-brightdata-local-"));
    const interruption = new Interruption("Nothing was written.");
    try {
      const simulator = await startLocalSimulator(folder, simulatorOptions(options));
      const environment = { ...withoutSettings(process.env), ...simulator.environment };
      try {
        const stack = new LocalStack(name, folder, environment, interruption);
        await stack.init(config);
        requireSimulated(stack.configuration(), simulator.environment);
        await stack.up();
        interruption.check();
        const variables = variablesOf(stack.outputs().values);
        process.stderr.write(deadEnds(variables, await simulator.listensAt()));
        if (command.length > 0) return await runWith(command, withOutputs(environment, variables), interruption);
        announce(file, variables);
        return await interruption.heard;
      } finally {
        await simulator.stop();
      }
    } finally {
      rmSync(folder, { recursive: true });
      interruption.stop();
    }
  },
};

/** The settings of this shell may lead to real accounts and managers. */
const withoutSettings = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("BRIGHTDATA_")));

/** The connections that have names in the configuration, with the options that simulate them. */
const NAMED = [
  ["brightdata:managers", "BRIGHTDATA_MANAGERS", "manager"],
  ["brightdata:accounts", "BRIGHTDATA_ACCOUNTS", "account"],
] as const;

/**
 * The environment comes before the configuration, name by name: what only the configuration names is real.
 *
 * @throws {ArgumentError} for a connection that the simulator does not have
 */
function requireSimulated(configured: (key: string) => string | undefined, simulated: NodeJS.ProcessEnv): void {
  for (const [key, variable, option] of NAMED) {
    const known = namesIn(simulated[variable]);
    const real = namesIn(configured(key)).filter((name) => !known.includes(name));
    if (real.length === 0) continue;
    const which = real.length === 1 ? `is no simulated ${option}` : `are no simulated ${option}s`;
    throw new ArgumentError(
      `${real.join(", ")} of ${key} ${which}, and nothing was changed there: say --${option} ${real.join(",")}.`,
    );
  }
}

/** The names of connections; none in a text that is refused as a setting. */
const namesIn = (text = ""): string[] => Object.keys(Object(parsed(text)));

const MOST_NAMED = 3;

/** Which variables lead to ports of this machine that take no connections, in words. */
function deadEnds(variables: Variables, ports: ReadonlySet<number>): string {
  const found = Object.entries(variables).flatMap(([name, text]) => {
    const addresses = [...text.matchAll(/(?<![\w.-])(?:127\.0\.0\.1|localhost):(\d{1,5})(?!\d)/g)];
    const dead = addresses.filter(([, port]) => !ports.has(Number(port))).map(([address]) => address);
    if (dead.length === 0) return [];
    return [`The simulator does not listen at ${inShort([...new Set(dead)], MOST_NAMED)}, where ${name} leads.\n`];
  });
  return found.join("");
}

function withOutputs(environment: NodeJS.ProcessEnv, { PATH: path, ...variables }: Variables): NodeJS.ProcessEnv {
  if (path !== undefined)
    process.stderr.write("PATH is not that of the outputs: programs are found by it. Rename the output.\n");
  return { ...environment, ...variables };
}

const runWith = (
  [command = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  interruption: Interruption,
): Promise<number> => interruption.ran(command, args, { env, stdio: "inherit" });

function announce(file: string, variables: Variables): void {
  writeVariables(file, dotenvOf(variables, "Give a command, as in `local -- npm start`: that gets it."));
  process.stdout.write(`${file}\n`);
  process.stderr.write(`Wrote ${Object.keys(variables).join(", ")}. The simulator runs: press Ctrl+C to stop.\n`);
}

function simulatorOptions(options: Given<typeof OPTIONS>["options"]): string[] {
  const { account = [], manager = [], listen = true, dropin = true, "dropin-port": port } = options;
  return [
    ...["--datasets", "any"],
    ...account.flatMap((name) => ["--account", name]),
    ...manager.flatMap((name) => ["--manager", name]),
    ...(listen ? [] : ["--no-listen"]),
    ...(dropin ? [] : ["--no-dropin"]),
    ...(port === undefined ? [] : ["--dropin-port", port]),
  ];
}
