import { execFile } from "node:child_process";
import { cp, glob, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packed } from "../../scripts/packed.mts";

const ROOT = join(__dirname, "../..");
let folder: string;

// The sources as they are now, not as they were last built, compiled as a build does it.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pulumi-brightdata-loading-"));
  await cp(join(ROOT, "src"), join(folder, "src"), { recursive: true });
  for (const name of ["package.json", "node_modules"]) await symlink(join(ROOT, name), join(folder, name));
  const compilerOptions = { module: ModuleKind.Node20, target: ScriptTarget.ES2022 };
  for await (const file of glob("src/**/*.ts", { cwd: folder })) {
    const source = await readFile(join(folder, file), "utf8");
    const { outputText } = transpileModule(source, { compilerOptions, fileName: "as-commonjs.cts" });
    await writeFile(join(folder, file.replace(/\.ts$/, ".js")), packed(outputText, false));
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** What a program loads that is written in JavaScript: the names of packages, and `.` for a file of this one. */
async function loadedBy(program: string): Promise<string[]> {
  const script = `
    const { registerHooks } = require("node:module");
    require("@pulumi/pulumi");
    const loaded = new Set();
    registerHooks({
      resolve(specifier, context, next) {
        const { url } = next(specifier, context);
        const name = /^node:/.test(url) ? undefined : /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url)?.[1] ?? ".";
        if (name !== undefined) loaded.add(name);
        return next(specifier, context);
      },
    });
    (async () => { ${program} })().then(() => console.log(JSON.stringify([...loaded].sort())));
  `;
  const environment = { ...process.env, BRIGHTDATA_API_TOKEN: "token", BRIGHTDATA_RETRIES: "0" };
  const { stdout } = await promisify(execFile)(process.execPath, ["--eval", script], { cwd: folder, env: environment });
  return JSON.parse(stdout);
}

test("importing the package loads no library but Pulumi's", async () => {
  await expect(loadedBy(`require("./src/index.js")`)).resolves.toEqual([".", "@pulumi/pulumi"]);
});

test("the first call loads them", async () => {
  const call = `require("./src/index.js").getZone({ name: "web" }).catch(() => {})`;
  const loaded = await loadedBy(`process.env.BRIGHTDATA_BASE_URL = "http://127.0.0.1:1"; await ${call}`);
  expect(loaded).toEqual([".", "@pulumi/pulumi", "ipaddr.js", "undici", "zod"]);
});
