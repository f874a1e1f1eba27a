import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { buildPulumi } from "../../scripts/pulumi-build.mts";
import { downloadPulumi } from "../../scripts/pulumi-download.mts";
import { cacheFolder, inspectPulumi, pinnedVersion, ROOT } from "../../scripts/pulumi-home.mts";
import { script, temporaryFolder } from "./fakes";

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void printed.push(line));
  return () => vi.restoreAllMocks();
});

async function emptyHome() {
  const root = await temporaryFolder();
  const env = { PATH: `${join(root, "bin")}:${process.env.PATH}`, PULUMI_HOME: join(root, "home") };
  return { root, env, folder: cacheFolder(await pinnedVersion(), env) };
}

describe("the build", () => {
  /** A `go` that writes down how it was called and makes the program it was asked for. */
  async function fakeGo(root: string, status = 0): Promise<string> {
    const log = join(root, "go.log");
    await script(
      join(root, "bin/go"),
      `echo "$(basename "$PWD") $GOFLAGS $CGO_ENABLED $GOWORK $*" >> ${log}`,
      'while [ "$1" != -o ]; do shift; done',
      `printf '#!/bin/sh\\necho v3.259.0\\n' > "$2"; chmod +x "$2"; exit ${status}`,
    );
    return log;
  }

  test("makes both programs from their own modules and adds the dynamic provider", async () => {
    const { root, env, folder } = await emptyHome();
    const log = await fakeGo(root);
    await buildPulumi(folder, env);
    const calls = (await readFile(log, "utf8")).trim().split("\n");
    expect(calls).toEqual([
      expect.stringMatching(
        /^cli -mod=readonly 0 off build .*Version=v3\.259\.0 .*github.com\/pulumi\/pulumi\/pkg\/v3\/cmd\/pulumi$/,
      ),
      expect.stringMatching(/^language-host -mod=readonly 0 off build .*Version=v3\.68\.0 .*pulumi-language-nodejs$/),
    ]);
    const made = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];
    expect((await readdir(folder)).sort()).toEqual(made);
    expect(await inspectPulumi(join(folder, "pulumi"), env)).toEqual({ version: "3.259.0" });
    expect(printed[0]).toBe("Building the Pulumi CLI with Go: about 3 minutes on 2 cores.");
  });

  test("makes only what is missing", async () => {
    const { root, env, folder } = await emptyHome();
    const log = await fakeGo(root);
    await buildPulumi(folder, env);
    await writeFile(log, "");
    await writeFile(join(folder, "pulumi-language-nodejs"), "");
    await buildPulumi(folder, env);
    expect(await readFile(log, "utf8")).toMatch(/^language-host .*\n$/);
  });

  test("leaves nothing behind when it fails", async () => {
    const { root, env, folder } = await emptyHome();
    await fakeGo(root, 2);
    await expect(buildPulumi(folder, env)).rejects.toThrow(
      "go build of github.com/pulumi/pulumi/pkg/v3/cmd/pulumi ended with status 2",
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test("says so where there is no Go", async () => {
    const { root, env, folder } = await emptyHome();
    await expect(buildPulumi(folder, { ...env, PATH: join(root, "bin") })).rejects.toThrow(
      "`go` is not on PATH: install Go 1.25 or newer",
    );
  });

  test("its module is of the version that package.json pins", async () => {
    const goMod = await readFile(join(ROOT, "tools/pulumi-cli/cli/go.mod"), "utf8");
    expect(goMod).toContain(`github.com/pulumi/pulumi/pkg/v3 v${await pinnedVersion()}\n`);
  });
});

describe("the download", () => {
  /** A stand-in for the npm package's program, which installs below PULUMI_HOME and then runs what it installed. */
  async function launcher(root: string, ...statements: string[]): Promise<string> {
    const file = join(root, "run.cjs");
    const prelude = `const { mkdirSync, writeFileSync } = require("node:fs");
      const bin = process.env.PULUMI_HOME + "/versions/" + process.env.PULUMI_VERSION + "/bin";
      mkdirSync(bin, { recursive: true });
      writeFileSync(bin + "/pulumi", "whole");`;
    await writeFile(file, [prelude, ...statements].join("\n"));
    return file;
  }

  test("arrives as a whole", async () => {
    const { root, env, folder } = await emptyHome();
    const file = await launcher(root, 'writeFileSync(bin + "/pulumi-language-nodejs", "whole");');
    await downloadPulumi(folder, env, { launcher: file });
    expect((await readdir(folder)).sort()).toEqual(["pulumi", "pulumi-language-nodejs"]);
    expect(await readdir(dirname(dirname(folder)))).toEqual([await pinnedVersion()]);
  });

  test.each([
    ["fails", "process.exit(1);", 60_000, "could not download the CLI (status 1)"],
    ["never ends", "setInterval(() => {}, 1000);", 500, "the download took longer than 0.5 s"],
  ])("leaves nothing behind when it %s", async (_, statement, timeoutMs, message) => {
    const { root, env, folder } = await emptyHome();
    const options = { launcher: await launcher(root, statement), timeoutMs };
    await expect(downloadPulumi(folder, env, options)).rejects.toThrow(message);
    expect(await readdir(dirname(dirname(folder)))).toEqual([]);
  });
});
