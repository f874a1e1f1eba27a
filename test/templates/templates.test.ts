import { copyFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { pack } from "../../scripts/pack.mts";
import { run, start } from "../../scripts/process.mts";
import { environmentFor } from "../../scripts/pulumi.mts";
import { ROOT } from "../../scripts/root.mts";
import { filesOf, templateNames } from "../../scripts/templates.mts";

const TIMEOUT_MS = 300_000;

const cli = inject("pulumi");
const NAMES = templateNames();

let scratch: string;
let env: NodeJS.ProcessEnv;

const projectOf = (name: string): string => join(scratch, name);

/** Runs a program in a project, and fails with all that it said unless it succeeds. */
async function succeed(name: string, command: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(command, args, { cwd: projectOf(name), env, timeoutMs: TIMEOUT_MS });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: status ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Makes a project as a user does, with the package that is packed here in the place of the published one. */
async function generate(name: string, tarball: string): Promise<void> {
  await mkdir(projectOf(name));
  const options = ["--generate-only", "--yes", "--name", `a-${name}`, "--description", `All: "${name}"`];
  await succeed(name, cli.bin, "new", join(ROOT, "templates", name), ...options);
  const manifest = join(projectOf(name), "package.json");
  const text = await readFile(manifest, "utf8");
  await writeFile(manifest, text.replace('"pulumi-brightdata": "^0.1.0"', `"pulumi-brightdata": "file:${tarball}"`));
}

beforeAll(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), "pulumi-brightdata-templates-")));
  const inherited = Object.entries(process.env).filter(([name]) => !/^(BRIGHTDATA|PULUMI|VITEST|NODE_ENV)/.test(name));
  await mkdir(join(scratch, "state"));
  env = {
    ...environmentFor(cli, Object.fromEntries(inherited)),
    PULUMI_HOME: join(scratch, "home"),
    PULUMI_BACKEND_URL: `file://${join(scratch, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    NO_COLOR: "1",
  };
  const { tarball } = await pack(scratch);
  await Promise.all(NAMES.map((name) => generate(name, tarball)));
  // A template has no lock file, so that its packages are not old on the first day. What all have alike has one lock.
  const [first = "", ...others] = NAMES;
  await succeed(first, "npm", "install", "--package-lock-only", "--no-audit", "--no-fund");
  const lock = "package-lock.json";
  await Promise.all(others.map((name) => copyFile(join(projectOf(first), lock), join(projectOf(name), lock))));
});

afterAll(() => rm(scratch, { recursive: true, force: true }));

describe.concurrent("a project from a template", () => {
  test.each(NAMES)("%s is installed by npm ci, passes its tests, and comes up without an account", async (name) => {
    await succeed(name, "npm", "ci", "--no-audit", "--no-fund");
    const said = await succeed(name, "npm", "test");
    // With mocks, and on the simulator.
    expect(said).toMatch(/Test Files +2 passed/);
    const project = await readFile(join(projectOf(name), "Pulumi.yaml"), "utf8");
    expect(project).toContain(`name: a-${name}\ndescription: 'All: "${name}"'\n`);
    const outputs = filesOf(name)["index.ts"]?.match(/(?<=^export const )\w+/gm) ?? [];
    const variables = outputs.map((output) => output.replace(/[A-Z]/g, "_$&").toUpperCase());
    const print = `console.log(JSON.stringify(${JSON.stringify(variables)}.map((name) => process.env[name] ?? null)))`;
    const args = ["run", "--silent", "local", "--", "--no-listen", "--", process.execPath, "-e", print];
    const values = JSON.parse(await succeed(name, "npm", ...args)) as unknown[];
    expect(values).toHaveLength(outputs.length);
    expect(values).not.toContain(null);
  });
});

test("the packed init makes what pulumi new makes", async () => {
  const [bin, options] = ["node_modules/.bin/pulumi-brightdata", ["--name", "a-zone", "--description", 'All: "zone"']];
  await succeed("zone", bin, "init", "zone", join(scratch, "again"), ...options);
  // `pulumi new` notes the template's place there, and the test the tarball's.
  const others = Object.keys(filesOf("zone")).filter((path) => !["Pulumi.yaml", "package.json"].includes(path));
  const textsIn = (name: string) => Promise.all(others.map((path) => readFile(join(projectOf(name), path), "utf8")));
  expect(await textsIn("again")).toEqual(await textsIn("zone"));
});

test("npm run local writes .env, and stays until it is interrupted", async () => {
  const cwd = projectOf("zone");
  const command = join(cwd, "node_modules/.bin/pulumi-brightdata");
  const { child, ending } = start(command, ["local", "--no-listen"], { cwd, env, timeoutMs: TIMEOUT_MS });
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  const written = parseEnv(await readFile(join(cwd, ".env"), "utf8"));
  child.kill("SIGINT");
  expect(await ending).toMatchObject({ status: 0, stdout: ".env\n" });
  expect(written).toEqual({
    ZONE_NAME: "web_local",
    PASSWORD: expect.stringMatching(/^\w+$/),
    PROXY_URL: `http://brd-customer-hl_simulated-zone-web_local:${written.PASSWORD}@127.0.0.1:22225`,
  });
});
