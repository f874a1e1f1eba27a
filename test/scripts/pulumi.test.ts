import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { cacheFolder, type Install, pinnedVersion, resolvePulumi } from "../../scripts/pulumi.mts";
import { buildPulumi } from "../../scripts/pulumi-build.mts";
import { ROOT } from "../../scripts/root.mts";
import { pulumiIn, script, temporaryFolder } from "./fakes";

/** A machine whose PATH is two folders, both empty at first. */
async function machine() {
  const root = await temporaryFolder();
  const first = join(root, "first");
  const second = join(root, "second");
  const home = join(root, "home");
  const env = { PATH: `${first}:${second}`, PULUMI_HOME: home };
  return { root, first, second, env, cache: cacheFolder(await pinnedVersion(), env) };
}

const search = (env: NodeJS.ProcessEnv) => resolvePulumi(env, {});

test("PULUMI_BIN goes before PATH", async () => {
  const { root, first, env } = await machine();
  await pulumiIn(first, "3.300.0");
  const bin = await pulumiIn(join(root, "named"), "3.250.0");
  expect(await search({ ...env, PULUMI_BIN: bin })).toEqual({
    bin,
    version: "3.250.0",
    source: "PULUMI_BIN",
  });
});

test("PATH goes before the cache, in its own order", async () => {
  const { first, second, env, cache } = await machine();
  await pulumiIn(cache, "3.276.0");
  const later = await pulumiIn(second, "3.260.0");
  expect(await search(env)).toEqual({ bin: later, version: "3.260.0", source: "PATH" });
  const sooner = await pulumiIn(first, "3.261.0");
  expect(await search(env)).toEqual({ bin: sooner, version: "3.261.0", source: "PATH" });
});

test("the cache is the last place", async () => {
  const { env, cache } = await machine();
  const bin = await pulumiIn(cache, "3.276.0");
  expect(await search(env)).toEqual({ bin, version: "3.276.0", source: "cache" });
});

test("an empty PULUMI_BIN is none", async () => {
  const { first, env } = await machine();
  const bin = await pulumiIn(first, "3.276.0");
  expect(await search({ ...env, PULUMI_BIN: "" })).toMatchObject({ bin, source: "PATH" });
});

test.each(["3.215.9", "2.300.0"])("version %s is too old", async (version) => {
  const { first, env } = await machine();
  const bin = await pulumiIn(first, version);
  await expect(search(env)).rejects.toThrow(`${bin} is version ${version}; 3.216.0 or newer is needed`);
});

test.each(["3.216.0", "3.1000.0", "4.0.0", "3.260.0-alpha.1763"])("version %s is new enough", async (version) => {
  const { first, env } = await machine();
  await pulumiIn(first, version);
  expect(await search(env)).toMatchObject({ version });
});

test("the npm package's launcher is never run", async () => {
  const { root, first, second, env } = await machine();
  const mark = join(root, "launcher-ran");
  const launcher = await script(join(root, "node_modules/pulumi/run.js"), `touch ${mark}; echo v3.276.0`);
  await mkdir(first, { recursive: true });
  await symlink(launcher, join(first, "pulumi"));
  const bin = await pulumiIn(second, "3.276.0");
  expect(await search(env)).toMatchObject({ bin });
  await rm(bin);
  await expect(search(env)).rejects.toThrow("is the npm package's downloader, not the CLI");
  await expect(rm(mark)).rejects.toThrow("ENOENT");
});

test("a file that cannot be executed, or is empty, is passed over", async () => {
  const { first, second, env } = await machine();
  await pulumiIn(first, "3.276.0");
  await chmod(join(first, "pulumi"), 0o644);
  await script(join(second, "pulumi"));
  await writeFile(join(second, "pulumi"), "");
  await expect(search(env)).rejects.toThrow(`${join(second, "pulumi")} failed to answer`);
});

test("a CLI that fails is passed over", async () => {
  const { first, env } = await machine();
  await pulumiIn(first, "3.276.0");
  await script(join(first, "pulumi"), "echo 'wrong libc' >&2; exit 3");
  await expect(search(env)).rejects.toThrow("failed to answer `version` (wrong libc)");
});

test.each(["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"])(
  "a CLI without %s is passed over",
  async (companion) => {
    const { first, second, env } = await machine();
    const bin = await pulumiIn(first, "3.276.0");
    await rm(join(first, companion));
    await expect(search(env)).rejects.toThrow(`${bin} has no ${companion} beside it or on PATH`);
    await script(join(second, companion), "exit 0");
    expect(await search(env)).toMatchObject({ bin });
  },
);

test("companions beside the file that a link points to count", async () => {
  const { root, first, env } = await machine();
  const real = await pulumiIn(join(root, "opt/pulumi"), "3.276.0");
  await mkdir(first, { recursive: true });
  await symlink(real, join(first, "pulumi"));
  expect(await search(env)).toMatchObject({ bin: join(first, "pulumi"), source: "PATH" });
});

describe("a PULUMI_BIN that cannot be used is an error, whatever else there is", () => {
  test.each([
    ["missing", "is not an executable file"],
    ["broken", "failed to answer `version` (status 1)"],
    ["old", "is version 3.1.0; 3.216.0 or newer is needed"],
  ])("%s", async (name, problem) => {
    const { root, first, env } = await machine();
    await pulumiIn(first, "3.276.0");
    await script(join(root, "broken"), "exit 1");
    await script(join(root, "old"), "echo v3.1.0");
    const named = { ...env, PULUMI_BIN: join(root, name) };
    await expect(search(named)).rejects.toThrow(`PULUMI_BIN is ${join(root, name)}, which ${problem}`);
  });
});

test("nothing found: the message says where it looked and what to do", async () => {
  const { env, cache } = await machine();
  await expect(search(env)).rejects.toThrow(
    [
      "There is no usable Pulumi CLI.",
      `  - ${join(cache, "pulumi")} is not an executable file`,
      "Install Pulumi 3.216.0 or newer (https://www.pulumi.com/docs/install/) and put it on PATH, or name it in",
      "PULUMI_BIN; or install Go 1.26 or newer, with which it is built here.",
    ].join("\n"),
  );
});

const failing = () => vi.fn<Install>().mockRejectedValue(new Error("no network"));
const working = () => vi.fn<Install>(async (folder, version) => void (await pulumiIn(folder, version)));

test("installing happens only where there is none", async () => {
  const { first, env } = await machine();
  await pulumiIn(first, "3.276.0");
  const download = working();
  await resolvePulumi(env, { download });
  expect(download).not.toHaveBeenCalled();
});

test("installing goes on to the next way when one fails", async () => {
  const { env, cache } = await machine();
  expect(await resolvePulumi(env, { download: failing(), build: working() })).toEqual({
    bin: join(cache, "pulumi"),
    version: await pinnedVersion(),
    source: "build",
  });
  expect(await search(env)).toMatchObject({ source: "cache" });
});

test("installing stops at the first way that works", async () => {
  const { env } = await machine();
  const build = working();
  await resolvePulumi(env, { download: working(), build });
  expect(build).not.toHaveBeenCalled();
});

test("installing goes on to the next way when one leaves something incomplete", async () => {
  const { env } = await machine();
  const half: Install = async (folder) => void (await script(join(folder, "pulumi"), "echo v3.276.0"));
  await expect(resolvePulumi(env, { half })).rejects.toThrow("has no pulumi-language-nodejs beside it or on PATH");
  expect(await resolvePulumi(env, { half, build: working() })).toMatchObject({ source: "build" });
});

test("installing fails with each way's reason where none works", async () => {
  const { env } = await machine();
  const attempt = resolvePulumi(env, { download: failing(), build: failing() });
  await expect(attempt).rejects.toThrow(/download: no network\n {2}- build: no network/);
});

describe("a build with Go", () => {
  /** A `go` that writes down how it was called and makes the program it was asked for. */
  async function fakeGo(folder: string, status = 0): Promise<string> {
    const log = join(folder, "go.log");
    await script(
      join(folder, "go"),
      `echo "$(basename "$PWD") $GOFLAGS $CGO_ENABLED $GOWORK $*" >> ${log}`,
      'while [ "$1" != -o ]; do shift; done',
      `printf '#!/bin/sh\\necho v3.276.0\\n' > "$2"; chmod +x "$2"; exit ${status}`,
    );
    return log;
  }
  const build = { build: buildPulumi };

  beforeEach(() => {
    const print = vi.spyOn(console, "error").mockReturnValue();
    return () => print.mockRestore();
  });

  test("makes both programs from their own modules and adds the dynamic provider", async () => {
    const { first, env, cache } = await machine();
    const log = await fakeGo(first);
    const path = `${env.PATH}:/usr/bin:/bin`;
    expect(await resolvePulumi({ ...env, PATH: path }, build)).toMatchObject({ version: "3.276.0", source: "build" });
    expect((await readFile(log, "utf8")).trim().split("\n")).toEqual([
      expect.stringMatching(/^language-host -mod=readonly 0 off build .*Version=v3\.68\.0 .*pulumi-language-nodejs$/),
      expect.stringMatching(
        /^cli -mod=readonly 0 off build .*Version=v3\.276\.0 .*github.com\/pulumi\/pulumi\/pkg\/v3\/cmd\/pulumi$/,
      ),
    ]);
    const made = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];
    expect((await readdir(cache)).sort()).toEqual(made);
  });

  test("fails as Go does", async () => {
    const { first, env } = await machine();
    await fakeGo(first, 2);
    await expect(resolvePulumi({ ...env, PATH: `${first}:/usr/bin:/bin` }, build)).rejects.toThrow(
      "build: go build of github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs ended with status 2",
    );
  });

  test("says so where there is no Go", async () => {
    const { env } = await machine();
    await expect(resolvePulumi(env, build)).rejects.toThrow("build: `go` is not on PATH: install Go 1.26 or newer");
  });

  test("is of the version of the engine that plays histories", async () => {
    const goMod = await readFile(join(ROOT, "tools/engine-box/go.mod"), "utf8");
    expect(goMod).toContain(`github.com/pulumi/pulumi/pkg/v3 v${await pinnedVersion()}\n`);
  });
});
