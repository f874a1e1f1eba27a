import { existsSync, globSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { pack } from "../../scripts/pack.mts";
import { run } from "../../scripts/process.mts";
import { ROOT } from "../../scripts/root.mts";
import { blocks } from "../docs/documents";
import { hasTurn } from "../turn";

interface Manifest {
  name: string;
  version: string;
  main: string;
  types: string;
  bin: Record<string, string>;
  exports: Record<string, string | Record<string, string>>;
  devDependencies: Record<string, string>;
}

let scratch: string;
let manifest: Manifest;
let tarball: string;
let packed: string[];

/** Runs a program in a folder, and fails with all that it said unless it succeeds. */
async function succeed(cwd: string, command: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(command, args, { cwd, timeoutMs: 300_000 });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: status ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

beforeAll(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), "pulumi-brightdata-package-")));
  manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as Manifest;
  ({ tarball, files: packed } = await pack(scratch));
});

afterAll(() => rm(scratch, { recursive: true, force: true }));

test("the tarball has fewer than 620 kB", () => {
  expect(statSync(tarball).size).toBeLessThan(620_000);
});

test("the tarball holds the package and nothing of its workshop", () => {
  const wanted = /^(dist|plugin)\/|^(package\.json|schema\.json|README\.md|SECURITY\.md|LICENSE)$/;
  expect(packed.filter((path) => !wanted.test(path))).toEqual([]);
  expect(packed.filter((path) => /\.(test|spec)\.|\.tsbuildinfo$|\.log$|\/\./.test(path))).toEqual([]);
  expect(packed).toEqual(expect.arrayContaining(["package.json", "README.md", "LICENSE"]));
});

test("the tarball holds what each source is compiled to, and the templates", () => {
  // The modules of the plugin, of the command line and of the simulator are in their bundles.
  const sources = globSync(["src/**/*.ts", "simulator/{cli,index}.ts"], {
    cwd: ROOT,
    exclude: ["src/plugin/**", "src/cli/*/**", "**/*.d.ts"],
  });
  const expected = sources.map((path) => `${path.replace(/^(src\/)?/, "dist/").slice(0, -".ts".length)}.js`);
  expect(packed.filter((path) => path.startsWith("dist/") && !path.endsWith(".d.ts")).sort()).toEqual(
    [...expected, "dist/templates.json"].sort(),
  );
});

test("the tarball holds the declarations that a program can reach, and no others", async () => {
  const declarations = packed.filter((path) => path.endsWith(".d.ts"));
  const named = Object.values(manifest.exports).flatMap((target) => (typeof target === "string" ? [] : target.types));
  const reached = new Set(named.map((path = "") => join(ROOT, path)));
  const others = new Set<string>();
  for (const file of reached) {
    for (const [, path = ""] of (await readFile(file, "utf8")).matchAll(/(?:from |import\()"([^"]*)"/g)) {
      const target = join(dirname(file), path);
      if (!path.startsWith(".")) others.add(path);
      else reached.add(existsSync(`${target}.d.ts`) ? `${target}.d.ts` : join(target, "index.d.ts"));
    }
  }
  expect(declarations.map((path) => join(ROOT, path)).sort()).toEqual([...reached].sort());
  // The types of zod and undici would take a program's compiler longer than all of these.
  expect([...others].filter((path) => !path.startsWith("node:"))).toEqual(["@pulumi/pulumi"]);
});

test("the declarations have no constant type parameters, which compilers before 5.0 cannot read", async () => {
  for (const path of packed.filter((each) => each.endsWith(".d.ts"))) {
    expect(await readFile(join(ROOT, path), "utf8"), path).not.toMatch(/[<,]\s*const \w+( extends|[,>])/);
  }
});

test("the tarball holds every file that package.json names, types first", () => {
  const targets = Object.values(manifest.exports).flatMap((target) =>
    typeof target === "string" ? [target] : Object.values(target),
  );
  const named = [manifest.main, manifest.types, ...Object.values(manifest.bin), ...targets];
  expect(packed).toEqual(expect.arrayContaining(named.map((path) => path.replace("./", ""))));
  for (const conditions of Object.values(manifest.exports)) {
    if (typeof conditions === "object") expect(Object.keys(conditions)).toEqual(["types", "default"]);
  }
});

test("no command stands on the PATH of npm's scripts in the place of the plugin that is installed", () => {
  expect(Object.keys(manifest.bin).filter((name) => name.startsWith("pulumi-resource-"))).toEqual([]);
});

interface PackageManager {
  name: string;
  install(folder: string, packages: string[]): Promise<unknown>;
}

const PACKAGE_MANAGERS: PackageManager[] = [
  {
    name: "npm",
    install: (folder, packages) =>
      succeed(folder, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages),
  },
  {
    name: "pnpm",
    install: (folder, packages) =>
      succeed(folder, "npx", "--yes", "pnpm@10", "add", "--ignore-scripts", "--ignore-workspace", ...packages),
  },
];

/** Declares one resource against Pulumi's mocks and prints what the engine would have been told. */
const DECLARE = `
const registered = new Promise((resolve) => {
  pulumi.runtime.setMocks({
    newResource: (args) => {
      resolve({ type: args.type, provider: args.inputs.__provider });
      return { id: "some-id", state: args.inputs };
    },
    call: () => ({}),
  });
});
const zone = new brightdata.Zone("pages", { plan: { type: "unblocker" } });
Promise.all([registered, new Promise((resolve) => zone.id.apply(resolve))]).then(([told, id]) =>
  console.log(JSON.stringify({ ...told, id, classes: [brightdata.ProxyPort.name, brightdata.WhitelistIp.name] })),
);
`;

const DECLARED = {
  type: "pulumi-nodejs:dynamic/brightdata:Zone",
  provider: "this.handler=()=>require('pulumi-brightdata/provider').resource('Zone')",
  id: "some-id",
  classes: ["ProxyPort", "WhitelistIp"],
};

const PROGRAMS = {
  "program.cjs": `const pulumi = require("@pulumi/pulumi");
    const brightdata = require("pulumi-brightdata");
    ${DECLARE}`,
  "program.mjs": `import * as pulumi from "@pulumi/pulumi";
    import * as brightdata from "pulumi-brightdata";
    ${DECLARE}`,
  "named.mjs": `import { ProxyPort, WhitelistIp, Zone } from "pulumi-brightdata";
    import { resource } from "pulumi-brightdata/provider";
    import { startSimulator } from "pulumi-brightdata/simulator";
    console.log([ProxyPort, WhitelistIp, Zone, resource, startSimulator].map((each) => typeof each).join());`,
  "provider.cjs": `const { createRequire } = require("node:module");
    const engine = createRequire(require.resolve("@pulumi/pulumi/cmd/dynamic-provider"));
    const provider = engine("require-from-string")(process.argv[2]).handler();
    const operations = ["configure", "check", "diff", "create", "read", "update", "delete"];
    console.log(operations.map((name) => typeof provider[name]).join());`,
  "simulator.cjs": `const { startSimulator } = require("pulumi-brightdata/simulator");
    startSimulator().then(async (simulator) => {
      const { status } = await fetch(simulator.manager.url + "/api/version");
      await simulator.close();
      console.log(status);
    });`,
  "versions.cjs": `const { createRequire } = require("node:module");
    const own = createRequire(require.resolve("pulumi-brightdata"));
    const { version, scripts } = require("pulumi-brightdata/package.json");
    console.log(version, scripts);
    console.log(own.resolve("@pulumi/pulumi") === require.resolve("@pulumi/pulumi"));`,
  "program.mts": `import * as pulumi from "@pulumi/pulumi";
    import * as brightdata from "pulumi-brightdata";
    import type { ProxyPortArgs, WhitelistIpArgs, ZoneArgs } from "pulumi-brightdata";
    import { startSimulator } from "pulumi-brightdata/simulator";

    const args: ZoneArgs = { plan: { type: "static", ips: 2 } };
    // @ts-expect-error a zone has a plan
    const wrong: ZoneArgs = {};
    const more: [ProxyPortArgs?, WhitelistIpArgs?] = [];
    interface Told { type: string; provider: unknown }
    ${DECLARE.replace("new Promise((resolve) => {", "new Promise<Told>((resolve) => {")}
    export const id: pulumi.Output<string> = zone.id;
    export const used = [args, wrong, more, startSimulator];`,
  "program.cts": `import pulumi = require("@pulumi/pulumi");
    import brightdata = require("pulumi-brightdata");
    const zone = () => new brightdata.Zone("pages", { plan: { type: "unblocker" } }, { protect: true });
    export const make = (): pulumi.Output<string> => zone().id;
    export const limits = () => zone().timeouts;`,
};

describe.each(PACKAGE_MANAGERS.map((each, index) => ({ ...each, index })))(
  "installed by $name",
  ({ name, install, index }) => {
    let project: string;
    const node = (...args: string[]) => succeed(project, process.execPath, ...args);

    beforeAll(async () => {
      project = join(scratch, name);
      await mkdir(project);
      await writeFile(join(project, "package.json"), JSON.stringify({ name: "a-project", private: true }));
      const { "@pulumi/pulumi": sdk, typescript, "@types/node": types } = manifest.devDependencies;
      const packages = [`@pulumi/pulumi@${sdk}`, `typescript@${typescript}`, `@types/node@${types}`];
      await install(project, [tarball, ...packages]);
      for (const [file, text] of Object.entries(PROGRAMS)) await writeFile(join(project, file), text);
    });

    test.each(["program.cjs", "program.mjs", "program.mts"])("%s declares a resource", async (file) => {
      expect(JSON.parse(await node(file))).toEqual(DECLARED);
    });

    test("ESM sees every name", async () => {
      expect(await node("named.mjs")).toBe("function,function,function,function,function\n");
    });

    test("the engine's process gets a provider from the provider's text", async () => {
      expect(await node("provider.cjs", DECLARED.provider)).toBe(
        "function,function,function,function,function,function,function\n",
      );
    });

    test("the simulator starts and closes", async () => {
      expect(await node("simulator.cjs")).toBe("200\n");
    });

    test("it is this version, has no scripts, and shares the project's Pulumi SDK", async () => {
      expect(await node("versions.cjs")).toBe(`${manifest.version} undefined\ntrue\n`);
    });

    // What one does not install now is resolved in the other way.
    test.each(["nodenext", "bundler"].filter((_, way) => hasTurn(index + way, 2)))(
      "its types pass a strict compiler with module resolution %s",
      async (resolution) => {
        const options = {
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          declaration: true,
          noEmit: true,
          // As of Pulumi's own templates.
          target: "es2020",
          lib: ["es2020"],
          types: ["node"],
          moduleResolution: resolution,
          module: resolution === "bundler" ? "preserve" : resolution,
        };
        const file = `tsconfig.${resolution}.json`;
        const config = { compilerOptions: options, files: ["program.mts", "program.cts"] };
        await writeFile(join(project, file), JSON.stringify(config));
        expect(await node("node_modules/typescript/bin/tsc", "-p", file)).toBe("");
      },
    );

    test("the simulator is a command", async () => {
      const command = join(project, "node_modules/.bin", "pulumi-brightdata-simulator");
      expect(await succeed(project, command, "--help")).toMatch(/^Usage: pulumi-brightdata-simulator/);
    });
  },
);

/** Jest runs all that a test requires in a context of its own, without what Node.js itself has made. */
const IN_JEST = `
const { startSimulator } = require("pulumi-brightdata/simulator");
const { getZones, ManagerClient, readSettings } = require("pulumi-brightdata");

test("a function sends its request", async () => {
  const simulator = await startSimulator();
  Object.assign(process.env, simulator.environment());
  expect(await getZones()).toEqual({ zones: [] });
  await simulator.close();
});

test("a refused connection is known as one", async () => {
  process.env.BRIGHTDATA_PROXY_MANAGER_URL = "http://127.0.0.1:1";
  const { ports } = new ManagerClient(readSettings(() => undefined));
  await expect(ports.list()).rejects.toMatchObject({ code: "ECONNREFUSED", settled: true });
});
`;

describe("the simulator, as its page shows it", () => {
  const page = "docs/simulator.md";
  const [setup] = blocks(page, "sh");
  const [start = ""] = setup?.text.split(/^control=/m) ?? [];
  let project: string;

  /** Runs a script in the project, without what it has left running in the background. */
  const bash = (script: string): Promise<string> =>
    succeed(
      project,
      "bash",
      "-c",
      `set -e; trap 'kill $(jobs -p)' EXIT; export NO_PROXY=127.0.0.1 PATH="$PWD/node_modules/.bin:$PATH"\n${script.replaceAll("npx ", "")}`,
    );

  beforeAll(async () => {
    project = join(scratch, "tests");
    await mkdir(project);
    await writeFile(join(project, "package.json"), JSON.stringify({ name: "a-project", private: true }));
    const { "@pulumi/pulumi": sdk } = manifest.devDependencies;
    await PACKAGE_MANAGERS[0]?.install(project, [tarball, `@pulumi/pulumi@${sdk}`, "jest@30"]);
    for (const [language, file] of [
      ["js", "zones.test.js"],
      ["python", "test_zones.py"],
    ] as const)
      await writeFile(join(project, file), blocks(page, language)[0]?.text ?? "");
  });

  afterEach(() => rm(join(project, "simulator.env"), { force: true }));

  test("the commands with curl steer it", async () => {
    await bash(setup?.text ?? "");
    const state = JSON.parse(await readFile(join(project, "state.json"), "utf8")) as object;
    expect(state).toMatchObject({ balance: { balance: 0 }, manager: { loggedIn: true } });
  });

  test("the test passes in Jest", async () => {
    await succeed(project, "node_modules/.bin/jest", "zones");
  });

  test("functions and clients send their requests in Jest, too, and tell what comes of them", async () => {
    await writeFile(join(project, "functions.test.js"), IN_JEST);
    await succeed(project, "node_modules/.bin/jest", "functions");
  });

  test("the test passes in pytest", async () => {
    await succeed(project, "python3", "-m", "venv", "venv");
    await succeed(project, "venv/bin/pip", "install", "--quiet", "pytest");
    expect(await bash(`${start}\nvenv/bin/python -m pytest -q`)).toContain("1 passed");
  });
});
