import { chmod, copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./process.mts";
import { ROOT } from "./root.mts";

/** What the engine starts beside itself to run a Node program, and to run its dynamic resources. */
export const LANGUAGE_HOST = "pulumi-language-nodejs";
export const DYNAMIC_PROVIDER = "pulumi-resource-pulumi-nodejs";

const BUILD_TIMEOUT_MS = 15 * 60_000;

/**
 * Builds into `folder` what a Node program needs of the Pulumi CLI. For machines that reach a Go module proxy but not the vendor's
 * download. The language host is an older one: it left the SDK's module at 3.69 and its own module was never tagged; what it lacks
 * (linking packages, other package managers) `pulumi up` does not use.
 */
export async function buildPulumi(folder: string, version: string, env: NodeJS.ProcessEnv): Promise<void> {
  console.error("Building the Pulumi CLI with Go: about 4 minutes on 2 cores.");
  await mkdir(folder, { recursive: true });
  await copyFile(join(ROOT, "node_modules/@pulumi/pulumi", DYNAMIC_PROVIDER), join(folder, DYNAMIC_PROVIDER));
  await chmod(join(folder, DYNAMIC_PROVIDER), 0o755);
  const languageHost = `github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/${LANGUAGE_HOST}`;
  await goBuild("language-host", languageHost, "3.68.0", join(folder, LANGUAGE_HOST), env);
  // The last one: where it is, all of it is.
  await goBuild("cli", "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", version, join(folder, "pulumi"), env);
}

/** @param module folder of the module that names the program as its tool and fixes every dependency */
async function goBuild(module: string, program: string, version: string, target: string, env: NodeJS.ProcessEnv) {
  const versionFlag = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  const flags = ["-trimpath", "-buildvcs=false", "-tags", "osusergo,grpcnotrace", "-ldflags", `-w -s ${versionFlag}`];
  const { status, timedOut } = await run("go", ["build", ...flags, "-o", target, program], {
    cwd: join(ROOT, "tools/pulumi-cli", module),
    env: { ...env, GOFLAGS: "-mod=readonly", GOWORK: "off", CGO_ENABLED: "0" },
    timeoutMs: BUILD_TIMEOUT_MS,
    output: "stderr",
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new Error("`go` is not on PATH: install Go 1.25 or newer") : error;
  });
  if (timedOut) throw new Error(`go build of ${program} took longer than ${BUILD_TIMEOUT_MS / 60_000} minutes`);
  if (status !== 0) throw new Error(`go build of ${program} ended with status ${status}`);
}
