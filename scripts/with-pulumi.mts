// Runs a command with a Pulumi CLI at hand: node scripts/with-pulumi.mts <command> [argument...]
import { spawn } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { type PulumiCli, resolvePulumi } from "./pulumi-cli.mts";
import { ROOT } from "./pulumi-home.mts";

/** The environment of a program that is to use exactly this CLI, and must not pass over what needs one. */
export function environmentFor(pulumi: PulumiCli, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // The CLI's folder may hold an older node as well (/usr/local/bin), so the folder of the running node goes first.
  // node_modules/.bin comes after the CLI because it holds the npm package's `pulumi`, which would download another.
  const path = [dirname(process.execPath), pulumi.dir, join(ROOT, "node_modules/.bin"), env.PATH ?? ""];
  return {
    ...env,
    PATH: path.join(delimiter),
    PULUMI_BIN: pulumi.bin,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    REQUIRE_PULUMI: "1",
  };
}

/** Runs the command on our own streams and ends as it ends. */
function become(command: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
  // A terminal sends Ctrl-C to the child as well; sent twice, it would make Pulumi abandon what it is doing.
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const passOn = (signal: NodeJS.Signals) => {
    if (signal !== "SIGINT" || !atTerminal) child.kill(signal);
  };
  // Before the command starts: a signal in between would end us and leave the command.
  for (const signal of signals) process.on(signal, passOn);
  const child = spawn(command, args, { stdio: "inherit", env });
  child.on("error", (error) => {
    console.error(`${command}: ${error.message}`);
    process.exit(127);
  });
  child.on("exit", (status, signal) => {
    for (const each of signals) process.off(each, passOn);
    if (signal !== null) process.kill(process.pid, signal);
    else process.exit(status ?? 1);
  });
}

if (import.meta.main) {
  const [command, ...args] = process.argv.slice(2);
  if (command === undefined) {
    console.error("usage: node scripts/with-pulumi.mts <command> [argument...]");
    process.exit(2);
  }
  try {
    const pulumi = await resolvePulumi({ allowInstall: true });
    console.error(`Pulumi ${pulumi.version} from ${pulumi.source}: ${pulumi.bin}`);
    become(command, args, environmentFor(pulumi, process.env));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
