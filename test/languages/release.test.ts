import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { ownPlatform } from "../../scripts/executables/node.mts";
import { run } from "../../scripts/process.mts";
import { makeRelease } from "../../scripts/release-files.mts";
import { blocks } from "../docs/documents";
import { cli, ROOT, scene } from "../engine/harness";

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };

it("the program in Python on the page runs where there is no Node.js, with the files of a release alone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (name: string) => join(folder, name);
  await makeRelease(at("release"), { platforms: [ownPlatform()], python: true });
  const [venv = "", ...others] = inject("languagePaths").python.split(delimiter);
  const PATH = [venv, others[0], dirname(cli.bin), systemIn(at("system"))].join(delimiter);
  const found = await succeeded("/bin/sh", ["-c", "command -v node || command -v pulumi"], { PATH });
  expect(found.trim()).toBe(cli.bin);

  const wheel = join(at("release"), `pulumi_brightdata-${version}-py3-none-any.whl`);
  await succeeded(join(venv, "pip"), ["install", "--quiet", "--no-deps", "--target", at("packages"), wheel], { PATH });
  mkdirSync(at("program"));
  writeFileSync(at("program/Pulumi.yaml"), "name: proxies\nruntime: python\n");
  writeFileSync(at("program/__main__.py"), blocks("docs/other-languages.md", "python")[0]?.text ?? "");
  const { stack, simulator } = await scene({}, at("program"));
  const withoutNode = { PATH, PYTHONPATH: at("packages"), NODE_OPTIONS: undefined, NODE_COMPILE_CACHE: undefined };
  stack.setEnvironment(withoutNode);
  const archive = join(at("release"), `pulumi-resource-brightdata-v${version}-${ownPlatform()}.tar.gz`);
  await succeeded(cli.bin, ["plugin", "install", "resource", "brightdata", version, "--file", archive], {
    PATH,
    PULUMI_HOME: join(stack.folder, "home"),
  });

  await stack.expect("up");
  await stack.expect("preview", "--expect-no-changes");
  expect(simulator.account.liveZones()[0]?.plan).toMatchObject({ type: "static", ips_type: "shared", country: "us" });
  expect(await stack.outputs()).toEqual({ proxyUrl: "http://127.0.0.1:24000" });
  await stack.expect("destroy");
  expect(simulator.account.liveZones()).toEqual([]);
});

/** Puts there what a program in Python needs of a system. */
function systemIn(folder: string): string {
  mkdirSync(folder);
  for (const name of ["sh", "env"]) symlinkSync(join("/usr/bin", name), join(folder, name));
  return folder;
}

async function succeeded(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { status, stdout, stderr } = await run(command, args, { env, timeoutMs: 120_000 });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} has failed:\n${stdout}${stderr}`);
  return stdout;
}
