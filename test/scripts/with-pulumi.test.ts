import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../scripts/process.mts";
import { ROOT } from "../../scripts/pulumi-home.mts";
import { pulumiIn, temporaryFolder } from "./fakes";

const SCRIPT = join(ROOT, "scripts/with-pulumi.mts");

async function withPulumi(...command: string[]) {
  const folder = await temporaryFolder();
  const bin = await pulumiIn(folder, "3.300.0");
  const env = { ...process.env, PULUMI_BIN: bin };
  return { folder, bin, env, args: [SCRIPT, ...command] };
}

test("the command finds the CLI, and the environment that goes with it", async () => {
  const variables =
    "$PULUMI_BIN $PULUMI_SKIP_UPDATE_CHECK $PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION $REQUIRE_PULUMI";
  const { bin, env, args } = await withPulumi("sh", "-c", `command -v pulumi; echo ${variables}; command -v node`);
  const { status, stdout, stderr } = await run(process.execPath, args, { env, timeoutMs: 15_000 });
  expect(stdout).toBe(`${bin}\n${bin} true true 1\n${process.execPath}\n`);
  expect(stderr).toContain(`Pulumi 3.300.0 from PULUMI_BIN: ${bin}`);
  expect(status).toBe(0);
});

test("a command of node_modules/.bin needs no path", async () => {
  const { env, args } = await withPulumi("tsc", "--version");
  const { status, stdout } = await run(process.execPath, args, { env, timeoutMs: 15_000 });
  expect(stdout).toMatch(/^Version \d/);
  expect(status).toBe(0);
});

test("it ends as the command ends", async () => {
  const { env, args } = await withPulumi("sh", "-c", "exit 42");
  expect(await run(process.execPath, args, { env, timeoutMs: 15_000 })).toMatchObject({ status: 42 });
});

test("a signal reaches the command, whose end by a signal is passed on", async () => {
  const { env, args } = await withPulumi("sh", "-c", "echo ready; exec sleep 600");
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([null, "SIGTERM"]);
});

test("no such command", async () => {
  const { env, args } = await withPulumi("no-such-command");
  const { status, stderr } = await run(process.execPath, args, { env, timeoutMs: 15_000 });
  expect(stderr).toContain("no-such-command: spawn no-such-command ENOENT");
  expect(status).toBe(127);
});

test("no command", async () => {
  const { env, args } = await withPulumi();
  expect(await run(process.execPath, args, { env, timeoutMs: 15_000 })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("usage: "),
  });
});
