import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { installedByNpm } from "./installed.mts";
import { run } from "./process.mts";
import { environmentFor, type PulumiCli } from "./pulumi.mts";
import { LANGUAGE_HOST } from "./pulumi-build.mts";
import { ROOT } from "./root.mts";

const TIMEOUT_MS = 120_000;

/** What the policy pack depends on, which nothing else here needs: 111 MB. */
async function installSdk(): Promise<string> {
  const [pack, { devDependencies }] = await Promise.all(
    ["policies/package.json", "package.json"].map(async (file) => JSON.parse(await readFile(join(ROOT, file), "utf8"))),
  );
  const sdk = pack.dependencies["@pulumi/policy"].replace("^", "");
  const version = devDependencies["@pulumi/pulumi"];
  const installation = { name: `policy-${sdk}-${version}`, effort: "about 110 MB and 15 seconds" };
  return installedByNpm(installation, [`@pulumi/policy@${sdk}`, `@pulumi/pulumi@${version}`]);
}

async function succeed(cwd: string, command: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(command, args, { cwd, timeoutMs: TIMEOUT_MS });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}

/**
 * Makes a folder in which the policy pack is installed as its tarball, beside `pulumi-brightdata`.
 *
 * @returns the folder of the installed pack
 */
export async function installPolicyPack(folder: string): Promise<string> {
  const sdk = join(await installSdk(), "node_modules/@pulumi");
  const source = await mkdtemp(join(folder, "source-"));
  await cp(join(ROOT, "policies"), source, { recursive: true, filter: (path) => !/\/(dist|node_modules)$/.test(path) });
  await mkdir(join(source, "node_modules"));
  await symlink(sdk, join(source, "node_modules/@pulumi"));
  await symlink(join(ROOT, "node_modules/@types"), join(source, "node_modules/@types"));
  await succeed(source, process.execPath, join(ROOT, "node_modules/typescript/bin/tsc"), "-p", source);
  const [packed] = JSON.parse(await succeed(source, "npm", "pack", "--json", "--ignore-scripts")) as [
    { filename: string },
  ];
  const modules = join(folder, "node_modules");
  const pack = join(modules, "pulumi-brightdata-policy");
  await mkdir(pack, { recursive: true });
  await succeed(source, "tar", "-xzf", packed.filename, "-C", pack, "--strip-components=1");
  await symlink(sdk, join(modules, "@pulumi"));
  await symlink(ROOT, join(modules, "pulumi-brightdata"));
  await rm(source, { recursive: true });
  return pack;
}

/** The PATH with which a CLI runs policy packs: where its language host is too old for that, another stands in. */
export async function pathForPolicies(cli: PulumiCli, folder: string): Promise<string> {
  const path = environmentFor(cli, process.env).PATH ?? "";
  const host = join(dirname(cli.bin), LANGUAGE_HOST);
  if ((await readFile(host)).includes("cmd/run-policy-pack")) return path;
  const bin = join(folder, "bin");
  await mkdir(bin);
  const command = [process.execPath, join(ROOT, "scripts/policy-host.mts"), host].map((each) => `'${each}'`).join(" ");
  await writeFile(join(bin, LANGUAGE_HOST), `#!/bin/sh\nexec ${command} "$@"\n`);
  await chmod(join(bin, LANGUAGE_HOST), 0o755);
  return `${bin}:${path}`;
}
