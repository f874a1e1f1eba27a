import { chmod, copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { goBuild } from "./go.mts";
import { ROOT } from "./root.mts";

/** What the engine starts beside itself to run a Node program, and to run its dynamic resources. */
export const LANGUAGE_HOST = "pulumi-language-nodejs";
export const DYNAMIC_PROVIDER = "pulumi-resource-pulumi-nodejs";

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
  const build = (module: string, program: string, programVersion: string, target: string) => {
    const versionFlag = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${programVersion}`;
    const flags = ["-tags", "osusergo,grpcnotrace", "-ldflags", `-w -s ${versionFlag}`];
    return goBuild(join(ROOT, "tools/pulumi-cli", module), program, join(folder, target), { flags, env });
  };
  const languageHost = `github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/${LANGUAGE_HOST}`;
  await build("language-host", languageHost, "3.68.0", LANGUAGE_HOST);
  // The last one: where it is, all of it is.
  await build("cli", "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", version, "pulumi");
}
