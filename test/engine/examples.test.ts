import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { run } from "../../scripts/process.mts";
import { environmentFor } from "../../scripts/pulumi.mts";
import { startSimulator } from "../../simulator";
import { hasTurn } from "../turn";
import { EXAMPLES, portsOf, spend, staged, walk } from "./exampleScenes";
import { cli, ROOT } from "./harness";

it("every example is tested", () => {
  const folders = readdirSync(join(ROOT, "examples"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect([...Object.keys(EXAMPLES), "many-stacks", "python", "yaml"].sort()).toEqual(
    folders.map(({ name }) => name).sort(),
  );
});

const NAMES = Object.keys(EXAMPLES).filter((_, index) => hasTurn(index, 3));

describe("the examples", () => {
  it.each(NAMES)("%s comes up as its README says, stays as it is, and goes", async (name) => {
    await walk(await staged(name));
  });

  it("usage-guard ends a preview, and an up, of a program whose zone has cost too much", async () => {
    const here = await staged("usage-guard");
    spend(here, 120.5);
    for (const command of ["preview", "up"] as const) {
      const { status, stdout, stderr } = await here.stack.command(command);
      expect(status).not.toBe(0);
      expect(stdout + stderr).toContain('Zone "web" has cost $120.50 this month, and may cost $100.00.');
      expect(stdout + stderr).not.toMatch(/\bat \w+.* \(.*index\.ts/);
    }
    expect(portsOf(here)).toEqual([]);

    await here.stack.setConfig("dollarsAMonth", "121");
    await here.stack.expect("up");
    expect(portsOf(here)).toHaveLength(1);
  });

  it("account-report refuses a month that there is not", async () => {
    const here = await staged("account-report");
    await here.stack.setConfig("month", "2026-13");
    const { status, stdout } = await here.stack.command("preview");
    expect([status === 0, stdout]).toEqual([false, expect.stringContaining('`from` is "2026-13-01": expected a date')]);
  });

  it("dataset-report tells what there is of a snapshot that has expired, and whose input was not kept", async () => {
    const here = await staged("dataset-report");
    for (const snapshot of here.simulator.account.snapshots.values()) {
      snapshot.expired = true;
      delete snapshot.input;
    }
    await here.stack.expect("up");
    const { latest } = await here.stack.outputs();
    expect(latest).toEqual({
      snapshotId: expect.stringMatching(/^s_/),
      created: "2026-05-14T08:00:00.000Z",
      records: 2,
      filesOfAThousand: 1,
    });
  });

  it("many-stacks keeps a stack for each customer, and removes that of a former one", async () => {
    const simulator = await startSimulator();
    const folder = mkdtempSync(join(ROOT, "dist/many-stacks-"));
    onTestFinished(async () => {
      await simulator.close();
      rmSync(folder, { recursive: true });
    });
    cpSync(join(ROOT, "examples/many-stacks"), folder, { recursive: true });
    mkdirSync(join(folder, "backend"));
    const env = {
      ...environmentFor(cli, process.env),
      ...simulator.environment(),
      PULUMI_HOME: join(folder, "home"),
      PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
      PULUMI_CONFIG_PASSPHRASE: "correct horse battery staple",
    };
    const runs = (command: string, ...args: string[]) => run(command, args, { cwd: folder, env, timeoutMs: 240_000 });
    const up = async () => {
      const { status, stdout, stderr } = await runs(process.execPath, "index.ts", "up");
      expect(status, stdout + stderr).toBe(0);
      return stdout;
    };
    const keep = (...names: string[]) =>
      writeFileSync(join(folder, "customers.json"), JSON.stringify(names.map((name) => ({ name, country: "de" }))));
    expect(await up()).toBe('acme {"create":2}\nglobex {"create":2}\n');
    expect(simulator.account.liveZones().map(({ name }) => name)).toEqual(["web_acme", "web_globex"]);
    // A stack of the project that is no customer's.
    expect(await runs(cli.bin, "stack", "init", "production")).toMatchObject({ status: 0 });
    keep("globex");
    expect(await up()).toBe('globex {"same":2}\nacme is removed\n');
    expect(simulator.account.liveZones().map(({ name }) => name)).toEqual(["web_globex"]);
    expect(await runs(cli.bin, "stack", "select", "production")).toMatchObject({ status: 0 });
    for (const [customers, words] of [
      ["[]", "customers.json names no customer. Nothing is removed."],
      ['["acme", "globex"]', 'A customer in customers.json has no name: "acme". Nothing is removed.'],
    ] as const) {
      writeFileSync(join(folder, "customers.json"), customers);
      const { status, stderr } = await runs(process.execPath, "index.ts", "up");
      expect([status, stderr]).toEqual([1, expect.stringContaining(words)]);
      expect(simulator.account.liveZones().map(({ name }) => name)).toEqual(["web_globex"]);
    }
  });
});
