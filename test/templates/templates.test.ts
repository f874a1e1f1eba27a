import { copyFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { pack } from "../../scripts/pack.mts";
import { run, signalGroup, start } from "../../scripts/process.mts";
import { environmentFor } from "../../scripts/pulumi.mts";
import { ROOT } from "../../scripts/root.mts";
import { filesOf, templateNames } from "../../scripts/templates.mts";
import { startSimulator } from "../../simulator";
import { hasTurn } from "../turn";

const TIMEOUT_MS = 300_000;

const cli = inject("pulumi");
const NAMES = templateNames();

let scratch: string;
let env: NodeJS.ProcessEnv;
let tarball: string;

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
  await dependOn(tarball, name);
}

async function dependOn(tarball: string, name: string): Promise<void> {
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
  ({ tarball } = await pack(scratch));
  await Promise.all(NAMES.map((name) => generate(name, tarball)));
  // A template has no lock file, so that its packages are not old on the first day. What all have alike has one lock.
  const [first = "", ...others] = NAMES;
  await succeed(first, "npm", "install", "--package-lock-only", "--no-audit", "--no-fund");
  const lock = "package-lock.json";
  await Promise.all(others.map((name) => copyFile(join(projectOf(first), lock), join(projectOf(name), lock))));
});

afterAll(() => rm(scratch, { recursive: true, force: true }));

/** The commands of a project's page, as it prints them, block by block. */
async function printed(name: string): Promise<string[][]> {
  const page = await readFile(join(projectOf(name), "README.md"), "utf8");
  return [...page.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, block = ""]) => block.split("\n"));
}

describe.concurrent("a project from a template", () => {
  test.each(NAMES)(
    "%s is installed and tested as its page says, whatever settings there are around it",
    async (name) => {
      const [[install = "", check = ""] = []] = await printed(name);
      await succeed(name, "sh", "-c", install);
      const own = join(projectOf(name), "Pulumi.pr-1.yaml");
      await writeFile(own, "config: {}\n");
      const job = {
        BRIGHTDATA_API_TOKEN: "real",
        BRIGHTDATA_BASE_URL: "http://127.0.0.1:1",
        BRIGHTDATA_MANAGERS: "{}",
      };
      const said = await succeed(
        name,
        "env",
        ...Object.entries(job).map(([key, value]) => `${key}=${value}`),
        "sh",
        "-c",
        check,
      );
      // With mocks, and on the simulator.
      expect(said).toMatch(/Test Files +2 passed/);
      expect(await readFile(own, "utf8")).toBe("config: {}\n");
      await rm(own);
      const project = await readFile(join(projectOf(name), "Pulumi.yaml"), "utf8");
      expect(project).toContain(`name: a-${name}\ndescription: 'All: "${name}"'\n`);
    },
  );
});

test("the packed init makes what pulumi new makes", async () => {
  const [bin, options] = ["node_modules/.bin/pulumi-brightdata", ["--name", "a-zone", "--description", 'All: "zone"']];
  await succeed("zone", bin, "init", "zone", join(scratch, "again"), ...options);
  // `pulumi new` notes the template's place there, and the test the tarball's.
  const others = Object.keys(filesOf("zone")).filter((path) => !["Pulumi.yaml", "package.json"].includes(path));
  const textsIn = (name: string) => Promise.all(others.map((path) => readFile(join(projectOf(name), path), "utf8")));
  expect(await textsIn("again")).toEqual(await textsIn("zone"));
});

test("a native project registers the plugin as it is installed, and every command that init prints works", async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const said = await succeed("zone", "node_modules/.bin/pulumi-brightdata", "init", "zone", "../native", "--native");
  const [enter = "", install = "", ...commands] = said.trim().split("Next:\n\n").at(-1)?.split("\n") ?? [];
  expect([enter, install]).toEqual(["cd ../native", "npm install"]);
  await dependOn(tarball, "native");
  await copyFile(join(projectOf("zone"), "package-lock.json"), join(projectOf("native"), "package-lock.json"));
  const bare = [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  const without = await succeed("zone", "env", `PATH=${bare}`, "sh", "-c", `${enter} && ${install} 2>&1`);
  expect(without).toContain("There is no `pulumi` in the PATH: install the Pulumi CLI");
  expect(await succeed("zone", "sh", "-c", `${enter} && ${install}`)).toContain("is registered with the Pulumi CLI.");
  const check = "npx tsc && npx vitest run test/program.test.ts";
  expect(await succeed("native", "sh", "-c", check)).toMatch(/Test Files +1 passed/);
  const { BRIGHTDATA_API_TOKEN: token, ...settings } = simulator.environment();
  const more = Object.entries({ ...settings, PULUMI_SKIP_CONFIRMATIONS: "true" }).map(
    ([key, value]) => `${key}=${value}`,
  );
  for (const line of commands) {
    if (line.startsWith("npm run local")) {
      // As after `npm install` of a single package, which runs no `postinstall`.
      await rm(join(env.PULUMI_HOME as string, "plugins"), { recursive: true });
      await untilWritten("native", line, async () => {});
    } else
      await succeed("native", "env", ...more, "sh", "-c", line.includes("--secret") ? `echo ${token} | ${line}` : line);
  }
  expect(await succeed("native", cli.bin, "stack", "export")).toContain('"type": "brightdata:index:Zone"');
  await succeed("native", "env", ...more, cli.bin, "destroy", "--yes");
  expect(simulator.account.liveZones()).toEqual([]);
});

/** Runs a command until it has written `.env`, looks at that, and interrupts it as Ctrl+C does. */
async function untilWritten(name: string, command: string, look: (variables: NodeJS.Dict<string>) => Promise<void>) {
  const cwd = projectOf(name);
  await rm(join(cwd, ".env"), { force: true });
  const { child, ending } = start("sh", ["-c", `trap : INT; ${command}`], { cwd, env, timeoutMs: TIMEOUT_MS });
  let said = "";
  const written = new Promise<"written">((resolve) => {
    child.stdout?.on("data", (text: string) => {
      said += text;
      if (/^\.env$/m.test(said)) resolve("written");
    });
  });
  expect(await Promise.race([written, ending])).toBe("written");
  try {
    await look(parseEnv(await readFile(join(cwd, ".env"), "utf8")));
  } finally {
    signalGroup(child, "SIGINT");
  }
  // npm ends as its script would have without its handler.
  expect([0, 130]).toContain((await ending).status);
}

/** What each project writes to `.env` on this machine. */
const ON_THIS_MACHINE: Readonly<Record<string, object>> = {
  zone: {
    ZONE_NAME: "web_a_zone_local",
    PASSWORD: expect.stringMatching(/^\w+$/),
    PROXY_URL: expect.stringMatching(
      /^http:\/\/brd-customer-hl_simulated-zone-web_a_zone_local:\w+@127\.0\.0\.1:22225$/,
    ),
  },
  fleet: {
    ZONE_NAMES: '["web_us_a_fleet_local","web_de_a_fleet_local"]',
    PROXIES: expect.stringMatching(/^\{"de":\["http:\/\/127\.0\.0\.1:24\d+",.*\],"us":\[.*\]\}$/),
  },
  datasets: {
    SNAPSHOT_ID: expect.stringMatching(/^s_/),
    RECORDS: "2",
    FILES: expect.stringMatching(/^\["pages.*"\]$/),
  },
};

test.each(NAMES.filter((_, index) => hasTurn(index, NAMES.length)))(
  "every further command that the page of %s prints works as printed",
  async (name) => {
    const simulator = await startSimulator({ remote: { everyDatasetExists: true }, managers: { "fra-1": {} } });
    onTestFinished(() => simulator.close());
    // What the page says to do by hand.
    const project = join(projectOf(name), "Pulumi.yaml");
    const defaults = { datasetId: "gd_1", urls: "[https://example.com/1]" };
    const text = await readFile(project, "utf8");
    const edited = Object.entries(defaults).reduce(
      (before, [key, value]) => before.replace(new RegExp(`^ {2}${key}:\n`, "m"), `$&    default: ${value}\n`),
      text,
    );
    await writeFile(project, edited);
    const { BRIGHTDATA_API_TOKEN: token, ...settings } = simulator.environment();
    const more = Object.entries({ ...settings, PULUMI_SKIP_CONFIRMATIONS: "true" }).map(
      ([key, value]) => `${key}=${value}`,
    );
    const [, , ...first] = (await printed(name))[0] ?? [];
    const said: string[] = [];
    for (const line of [...first, ...(await printed(name)).slice(1).flat()]) {
      if (/^npm run local( *#.*)?$/.test(line)) {
        await untilWritten(name, line, async (variables) => expect(variables).toEqual(ON_THIS_MACHINE[name]));
      } else {
        const command = line.includes("--secret") ? `echo ${token} | ${line}` : line;
        said.push(await succeed(name, "env", ...more, "sh", "-c", command));
      }
    }
    if (name === "zone") expect(said.at(-1)).toContain('"country":"US"');
    await succeed(name, "env", ...more, cli.bin, "destroy", "--yes");
    expect(simulator.account.liveZones()).toEqual([]);
    expect(JSON.stringify(await readFile(join(projectOf(name), ".env"), "utf8"))).not.toContain("_local");
  },
);

test("two run at once, each with a drop-in port of its own", async () => {
  const ask = `curl -fsS --proxy "$PROXY_URL" http://geo.brdtest.com/mygeo.json`;
  await untilWritten("zone", "npm run local", async (variables) => {
    const options = "--dropin-port 22226 --config proxyPort=22226";
    const said = await succeed(
      "zone",
      "sh",
      "-c",
      `npm run --silent local -- ${options} -- sh -c 'echo $PROXY_URL; ${ask}'`,
    );
    expect(said).toMatch(/^http:.*@127\.0\.0\.1:22226\n\{.*"country":"US"/);
    expect(await succeed("zone", "env", `PROXY_URL=${variables.PROXY_URL}`, "sh", "-c", ask)).toContain(
      '"country":"US"',
    );
  });
});
