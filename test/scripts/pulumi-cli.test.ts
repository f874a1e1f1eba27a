import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { findPulumi, type Installer, PulumiMissing, resolvePulumi } from "../../scripts/pulumi-cli.mts";
import { cacheFolder, pinnedVersion } from "../../scripts/pulumi-home.mts";
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

const search = (env: NodeJS.ProcessEnv) => resolvePulumi({ allowInstall: false, env });

describe("the order of the search", () => {
  test("PULUMI_BIN goes before PATH", async () => {
    const { root, first, env } = await machine();
    await pulumiIn(first, "3.300.0");
    const bin = await pulumiIn(join(root, "named"), "3.250.0");
    expect(await search({ ...env, PULUMI_BIN: bin })).toEqual({
      bin,
      dir: join(root, "named"),
      version: "3.250.0",
      source: "PULUMI_BIN",
    });
  });

  test("PATH goes before the cache, in its own order", async () => {
    const { first, second, env, cache } = await machine();
    await pulumiIn(cache, "3.259.0");
    const later = await pulumiIn(second, "3.260.0");
    expect(await search(env)).toEqual({ bin: later, dir: second, version: "3.260.0", source: "PATH" });
    const sooner = await pulumiIn(first, "3.261.0");
    expect(await search(env)).toEqual({ bin: sooner, dir: first, version: "3.261.0", source: "PATH" });
  });

  test("the cache is the last place", async () => {
    const { env, cache } = await machine();
    const bin = await pulumiIn(cache, "3.259.0");
    expect(await search(env)).toEqual({ bin, dir: cache, version: "3.259.0", source: "cache" });
  });

  test("an empty PULUMI_BIN is none", async () => {
    const { first, env } = await machine();
    const bin = await pulumiIn(first, "3.259.0");
    expect(await search({ ...env, PULUMI_BIN: "" })).toMatchObject({ bin, source: "PATH" });
  });
});

describe("what is passed over, with its reason", () => {
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
    const launcher = await script(join(root, "node_modules/pulumi/run.js"), `touch ${mark}; echo v3.259.0`);
    await mkdir(first, { recursive: true });
    await symlink(launcher, join(first, "pulumi"));
    const bin = await pulumiIn(second, "3.259.0");
    expect(await search(env)).toMatchObject({ bin });
    await rm(bin);
    await expect(search(env)).rejects.toThrow("is the npm package's downloader, not the CLI");
    await expect(rm(mark)).rejects.toThrow("ENOENT");
  });

  test("a file that cannot be executed, and an empty one", async () => {
    const { first, second, env } = await machine();
    await pulumiIn(first, "3.259.0");
    await chmod(join(first, "pulumi"), 0o644);
    await script(join(second, "pulumi"));
    await writeFile(join(second, "pulumi"), "");
    await expect(search(env)).rejects.toThrow("there is no pulumi on PATH");
  });

  test("a CLI that fails", async () => {
    const { first, env } = await machine();
    await pulumiIn(first, "3.259.0");
    await script(join(first, "pulumi"), "echo 'wrong libc' >&2; exit 3");
    await expect(search(env)).rejects.toThrow("failed to answer `version` (wrong libc)");
  });

  test.each(["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"])("a CLI without %s", async (companion) => {
    const { first, second, env } = await machine();
    const bin = await pulumiIn(first, "3.259.0");
    await rm(join(first, companion));
    await expect(search(env)).rejects.toThrow(`${bin} has no ${companion} beside it or on PATH`);
    await script(join(second, companion), "exit 0");
    expect(await search(env)).toMatchObject({ bin });
  });

  test("companions beside the file that a link points to count", async () => {
    const { root, first, env } = await machine();
    const real = await pulumiIn(join(root, "opt/pulumi"), "3.259.0");
    await mkdir(first, { recursive: true });
    await symlink(real, join(first, "pulumi"));
    expect(await search(env)).toMatchObject({ bin: join(first, "pulumi"), source: "PATH" });
  });
});

describe("a PULUMI_BIN that cannot be used is an error, whatever else there is", () => {
  test.each([
    ["missing", "is not an executable file"],
    ["broken", "failed to answer `version` (status 1)"],
    ["old", "is version 3.1.0; 3.216.0 or newer is needed"],
  ])("%s", async (name, problem) => {
    const { root, first, env } = await machine();
    await pulumiIn(first, "3.259.0");
    await script(join(root, "broken"), "exit 1");
    await script(join(root, "old"), "echo v3.1.0");
    const named = { ...env, PULUMI_BIN: join(root, name) };
    await expect(search(named)).rejects.toThrow(`PULUMI_BIN is ${join(root, name)}, which ${problem}`);
    await expect(findPulumi(named)).rejects.toThrow("PULUMI_BIN");
  });
});

test("nothing found: the message says where it looked and what to do", async () => {
  const { env, cache } = await machine();
  const failure = await search(env).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PulumiMissing);
  expect((failure as Error).message).toBe(
    [
      "There is no usable Pulumi CLI.",
      "  - there is no pulumi on PATH",
      `  - ${join(cache, "pulumi")} is not an executable file`,
      "Install Pulumi 3.216.0 or newer (https://www.pulumi.com/docs/install/) and put it on PATH, or name it in",
      "PULUMI_BIN; or install Go 1.25 or newer and run `npm run pulumi:build`.",
    ].join("\n"),
  );
  expect(await findPulumi(env)).toBeUndefined();
});

describe("installing", () => {
  const failing = (name: string): Installer => ({ name, install: vi.fn().mockRejectedValue(new Error("no network")) });
  const working = (name: string): Installer => ({
    name,
    install: vi.fn(async (folder: string) => void (await pulumiIn(folder, "3.259.0"))),
  });

  test("happens only where there is none", async () => {
    const { first, env } = await machine();
    await pulumiIn(first, "3.259.0");
    const installer = working("download");
    await resolvePulumi({ allowInstall: true, env, installers: [installer] });
    expect(installer.install).not.toHaveBeenCalled();
  });

  test("goes on to the next way when one fails", async () => {
    const { env, cache } = await machine();
    const installers = [failing("download"), working("build")];
    expect(await resolvePulumi({ allowInstall: true, env, installers })).toEqual({
      bin: join(cache, "pulumi"),
      dir: cache,
      version: "3.259.0",
      source: "build",
    });
    expect(await findPulumi(env)).toMatchObject({ source: "cache" });
  });

  test("stops at the first way that works", async () => {
    const { env } = await machine();
    const build = working("build");
    await resolvePulumi({ allowInstall: true, env, installers: [working("download"), build] });
    expect(build.install).not.toHaveBeenCalled();
  });

  test("an unfinished build is built to its end, not downloaded anew", async () => {
    const { env, cache } = await machine();
    await pulumiIn(cache, "3.259.0");
    await rm(join(cache, "pulumi-language-nodejs"));
    const download = working("download");
    const pulumi = await resolvePulumi({ allowInstall: true, env, installers: [download, working("build")] });
    expect(pulumi).toMatchObject({ source: "build" });
    expect(download.install).not.toHaveBeenCalled();
  });

  test("an installer that leaves something incomplete has failed", async () => {
    const { env } = await machine();
    const half: Installer = {
      name: "half",
      install: async (folder) => void (await script(join(folder, "pulumi"), "echo v3.259.0")),
    };
    await expect(resolvePulumi({ allowInstall: true, env, installers: [half] })).rejects.toThrow(
      "has no pulumi-language-nodejs beside it or on PATH",
    );
  });

  test("when no way works the message gives each one's reason", async () => {
    const { env } = await machine();
    const attempt = resolvePulumi({ allowInstall: true, env, installers: [failing("download"), failing("build")] });
    await expect(attempt).rejects.toThrow(PulumiMissing);
    await expect(attempt).rejects.toThrow(/download: no network\n {2}- build: no network/);
  });

  test("two at once install once", async () => {
    const { env } = await machine();
    const installer = working("build");
    const options = { allowInstall: true, env, installers: [installer] };
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => print.mockRestore());
    const [one, other] = await Promise.all([resolvePulumi(options), resolvePulumi(options)]);
    expect(one.bin).toBe(other.bin);
    expect(installer.install).toHaveBeenCalledTimes(1);
    expect(print).toHaveBeenCalledExactlyOnceWith("Another process is installing Pulumi; waiting for it.");
  });
});
