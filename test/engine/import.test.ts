import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { run } from "../../scripts/process.mts";
import { makeProject } from "../../scripts/project.mts";
import { send } from "../../scripts/send.mts";
import { type Simulator, startSimulator } from "../../simulator";
import { clickTogether, fleet } from "../cli/import/account";
import { QUICKLY } from "../quickly";
import { cli, ROOT, stackOn } from "./harness";
import { imports, newProject } from "./newProject";

/** Runs the command, and returns the scene of the program that it has written, in a package of such modules. */
async function imported(simulator: Simulator, environment: Record<string, string>, type: string, ...options: string[]) {
  const folder = await makeProject("");
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "proxies", private: true, type }));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { stack } = await stackOn(simulator, folder);
  stack.setEnvironment(environment);
  const ended = await command(["--output", folder, "--force", ...options], environment);
  expect(ended).toMatchObject({ status: 0, stderr: "" });
  return { simulator, stack, folder, said: ended.stdout };
}

function command(options: readonly string[], environment: NodeJS.ProcessEnv, cwd = tmpdir()) {
  const args = [join(ROOT, "dist/cli/index.js"), "import", "--quiet", ...options];
  return run(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, ...QUICKLY, ...environment },
    timeoutMs: 120_000,
  });
}

const changes = (simulator: Simulator): string[] =>
  [simulator.remote.service, simulator.manager.service].flatMap(({ requests }) =>
    requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`),
  );

describe("what was made by hand since", () => {
  it("is taken over by what the command prints, whichever stack is selected, however often, and nothing is lost", async () => {
    const simulator = await startSimulator();
    onTestFinished(() => simulator.close());
    const made = async (zone: string, port: number) => {
      simulator.account.addZone(zone, { type: "static", ips_type: "shared", country: "us" });
      await send(simulator.manager.url, "POST", "/api/proxies", { proxy: { port, zone, password: `s3cret${port}` } });
    };
    await made("web", 24_000);
    const { folder, shell } = await newProject(simulator);
    const line = "npx pulumi-brightdata import --quiet --no-protect";
    await imports(shell, line);
    await shell(`pulumi stack init other --secrets-provider ${inject("keys").provider}`);
    await made("more", 24_100);
    expect(await imports(shell, `${line} --stack demo`)).toContain('import "./imported"');
    await made("again", 24_200);
    expect(await imports(shell, `${line} --stack demo`)).not.toContain("--force");
    const program = await readFile(join(folder, "index.ts"), "utf8");
    expect(program.match(/^import .*/gm)).toEqual([
      'import * as brightdata from "pulumi-brightdata";',
      'import "./imported";',
      'import "./imported-2";',
    ]);
    const before = changes(simulator);
    await shell("pulumi up --skip-preview --stack demo");
    expect(JSON.parse(await shell("pulumi stack export --stack other")).deployment.resources ?? []).toEqual([]);
    expect(changes(simulator)).toEqual(before);
    expect(
      simulator.account
        .liveZones()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["again", "more", "web"]);
  });
});

describe("an account that was clicked together", () => {
  it("is a program for the plugin after what the command prints, and so is what is made by hand since", async () => {
    const simulator = await startSimulator();
    onTestFinished(() => simulator.close());
    await clickTogether(simulator);
    const before = changes(simulator);
    const { folder, shell } = await newProject(simulator);
    const line = "npx pulumi-brightdata import --quiet";
    expect(await imports(shell, `${line} --native`)).toContain("\nnpx pulumi-brightdata plugin install\n");
    simulator.account.addZone("more", { type: "static", ips_type: "shared", country: "us" });
    await imports(shell, `${line} --stack demo`);
    expect(await readFile(join(folder, "imported.ts"), "utf8")).toContain('"pulumi-brightdata/native";\n');
    expect(await shell("pulumi preview --refresh --expect-no-changes --diff")).not.toContain("brightdata");
    const state = await shell("pulumi stack export");
    expect(state).not.toMatch(/pulumi-nodejs|s3cret/);
    expect(changes(simulator)).toEqual(before);
  });

  it("is a program after an import, of which nothing differs, and which destroys exactly that", async () => {
    const simulator = await startSimulator();
    onTestFinished(() => simulator.close());
    await clickTogether(simulator);
    const before = changes(simulator);
    const { stack, folder, said } = await imported(simulator, simulator.environment(), "commonjs", "--no-protect");
    expect(said).toContain("pulumi import --file import.json --generate-code=false --protect=false\n");
    const environment = {
      ...simulator.environment(),
      PATH: `${dirname(cli.bin)}:${process.env.PATH}`,
      PULUMI_HOME: join(stack.folder, "home"),
      PULUMI_BACKEND_URL: `file://${join(stack.folder, "backend")}`,
      ...inject("keys").environment,
    };
    const project = join(stack.folder, "project");
    const [set] = /^pulumi config set-all .*$/m.exec(said) ?? [""];
    const script = set.replace("import.secrets.json", join(folder, "import.secrets.json"));
    const configured = await run("bash", ["-c", script], { cwd: project, env: environment, timeoutMs: 60_000 });
    expect(configured).toMatchObject({ status: 0 });
    const taken = await stack.importFile(join(folder, "import.json"));
    expect(taken.status, taken.stdout + taken.stderr).toBe(0);
    expect(await stack.expect("preview", "--expect-no-changes")).not.toMatch(/diff:|^ *[~+-]/m);
    const preview = await stack.expect("preview", "--refresh", "--expect-no-changes", "--diff");
    expect(preview).not.toContain("brightdata");
    const state = await stack.stateText();
    for (const secret of ["s3cret-header", "s3cret-proxy"]) expect(state).not.toContain(secret);
    expect(changes(simulator)).toEqual(before);
    const checked = await command(["--check", "--stack", "demo"], environment, project);
    expect(checked).toMatchObject({ status: 0, stdout: "Everything is held by a stack.\n" });
    await stack.expect("destroy");
    expect(simulator.account.liveZones()).toEqual([]);
    expect(simulator.manager.state.records.map(({ port }) => port)).toEqual([22_225]);
  });

  it.each([
    ["commonjs", 100, 150],
    ["module", 30, 40],
  ])("is a program of the type %s after an import, however large", async (type, zones, ports) => {
    const { simulator, environment, close } = await fleet(zones, ports);
    onTestFinished(close);
    const { stack, folder } = await imported(simulator, environment, type);
    expect(await readFile(join(folder, "index.ts"), "utf8")).toContain('import "./account-other');
    const taken = await stack.importFile(join(folder, "import.json"), true);
    expect(taken.status, taken.stdout + taken.stderr).toBe(0);
    expect(await stack.expect("preview", "--expect-no-changes")).not.toMatch(/diff:|^ *[~+-]/m);
    const preview = await stack.expect("preview", "--refresh", "--expect-no-changes", "--diff");
    expect(preview).not.toContain("brightdata");
  });
});
