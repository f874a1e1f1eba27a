import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, it, onTestFinished } from "vitest";
import { dependencies } from "../../package.json";
import { run } from "../../scripts/process.mts";
import { environmentFor } from "../../scripts/pulumi.mts";
import { startSimulator } from "../../simulator";
import { VERSION } from "../../src/base/version";
import { KINDS, LOOKUPS } from "../../src/generated/kinds";
import { ResourceProvider } from "../../src/plugin/messages/pulumi/provider_pb";
import { grpcClient, pathOf } from "../plugin/grpc";
import { cli, ROOT } from "./harness";

const LIMIT_MS = 120_000;

/** A CLI that has no plugin yet. */
function home() {
  const folder = mkdtempSync(join(tmpdir(), "home-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { ...environmentFor(cli, process.env), PULUMI_HOME: folder };
  const runs = (command: string, ...args: string[]) => run(command, args, { env, timeoutMs: LIMIT_MS });
  return {
    plugins: join(folder, "plugins"),
    registered: join(folder, "plugins", `resource-brightdata-v${VERSION}`),
    pulumi: (...args: string[]) => runs(cli.bin, ...args),
    plugin: (...args: string[]) => runs(process.execPath, join(ROOT, "dist/cli/index.js"), "plugin", ...args),
  };
}

it("the plugin is registered at the package's version, as a copy that needs nothing beside it", async () => {
  const { plugins, registered, plugin, pulumi } = home();
  expect(await plugin("install", "--check")).toMatchObject({
    status: 1,
    stdout: `The plugin brightdata ${VERSION} is not registered: run \`npx pulumi-brightdata plugin install\`.\n`,
  });
  expect(await plugin("install")).toMatchObject({ status: 0, stderr: "" });
  const { stdout } = await pulumi("plugin", "ls", "--json");
  expect(JSON.parse(stdout)).toMatchObject([{ name: "brightdata", kind: "resource", version: VERSION }]);
  expect(await plugin("install", "--check")).toMatchObject({
    status: 0,
    stdout: `The plugin brightdata ${VERSION} is registered: ${registered}.\n`,
  });
  const told = await pulumi("package", "get-schema", join(registered, "pulumi-resource-brightdata"));
  expect(told.stderr).toBe("");
  expect(JSON.parse(told.stdout)).toMatchObject({ name: "brightdata" });
  const schema = join(plugins, "schema.json");
  writeFileSync(schema, told.stdout);
  expect(await pulumi("schema", "check", schema)).toMatchObject({ status: 0, stdout: "", stderr: "" });
});

it("the copy serves every kind and every function", async () => {
  const { registered, plugin } = home();
  await plugin("install");
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const child = spawn(process.execPath, [join(registered, "dist/plugin.js")], {
    env: { ...process.env, ...simulator.environment() },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  const ask = grpcClient(Number(line));
  const { check, invoke } = ResourceProvider.method;
  for (const kind of KINDS) {
    const urn = `urn:pulumi:demo::test::brightdata:index:${kind}::one`;
    await ask(pathOf("Check"), toBinary(check.input, create(check.input, { urn, news: {} })));
  }
  for (const name of LOOKUPS) {
    const request = create(invoke.input, { tok: `brightdata:index:${name}`, args: {} });
    // Most want arguments, and say so.
    const answer = await ask(pathOf("Invoke"), toBinary(invoke.input, request)).catch((error: Error) => error.message);
    expect(String(answer)).not.toMatch(/Cannot find module|is not a function|There is no function/);
  }
});

it("a plugin that is not what the package has is told of, and put right", async () => {
  const { registered, plugin } = home();
  await plugin("install");
  appendFileSync(join(registered, "bundles/package.js"), "// changed");
  expect(await plugin("install", "--check")).toMatchObject({
    status: 1,
    stdout: `The plugin brightdata ${VERSION} is registered, but it is not the one of this package: run \`npx pulumi-brightdata plugin install\`.\n`,
  });
  expect(await plugin("install")).toMatchObject({ status: 0 });
  expect(await plugin("install", "--check")).toMatchObject({ status: 0 });
});

it("which other versions are registered is said", async () => {
  const { plugins, registered, plugin } = home();
  await plugin("install");
  renameSync(registered, join(plugins, "resource-brightdata-v0.0.9"));
  expect(await plugin("install", "--check")).toMatchObject({
    status: 1,
    stdout: `The plugin brightdata ${VERSION} is not registered, only 0.0.9: run \`npx pulumi-brightdata plugin install\`.\n`,
  });
});

it.each([["remove"], ["install", "0.1.0"], ["install", "--chek"]])("a wrong call is refused: %j", async (...args) => {
  expect(await home().plugin(...args)).toMatchObject({ status: 2, stdout: "" });
});

it("the dependencies are bundled with their licences, and without messages in other languages", async () => {
  const { registered, plugin } = home();
  await plugin("install");
  for (const name of Object.keys(dependencies)) {
    expect(readFileSync(join(registered, `bundles/${name}.LICENSE`), "utf8")).toMatch(/Copyright/);
    expect(statSync(join(registered, `bundles/${name}.js`)).size).toBeGreaterThan(10_000);
  }
  const zod = readFileSync(join(registered, "bundles/zod.js"), "utf8");
  expect(["en", "fr"].filter((language) => zod.includes(`locales/${language}.cjs`))).toEqual(["en"]);
});

it("the licences of the library that is bundled stand in the bundle", () => {
  const bundle = readFileSync(join(ROOT, "dist/plugin.js"), "utf8");
  const names = ["Buf Technologies, Inc.", "Google Inc.  All rights reserved."];
  expect(names.filter((name) => !bundle.includes(name))).toEqual([]);
});

it("a Node.js that is too old is named in one sentence", async () => {
  const folder = mkdtempSync(join(tmpdir(), "older-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const older = join(folder, "older.cjs");
  writeFileSync(
    older,
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });',
  );
  const args = ["--require", older, join(ROOT, "dist/plugin.js")];
  expect(await run(process.execPath, args, { timeoutMs: 5_000 })).toMatchObject({
    status: 1,
    stdout: "",
    stderr: "The plugin brightdata needs Node.js 22 or later; the node on the PATH is 20.20.2.\n",
  });
});

it("a machine without Node.js is told so in one sentence", async () => {
  const { plugins, registered, plugin } = home();
  await plugin("install");
  symlinkSync("/usr/bin/dirname", join(plugins, "dirname"));
  const env = { PATH: plugins };
  expect(await run(join(registered, "pulumi-resource-brightdata"), [], { env, timeoutMs: 5_000 })).toMatchObject({
    status: 1,
    stdout: "",
    stderr: "The plugin brightdata needs Node.js 22 or later; there is no node on the PATH.\n",
  });
});
