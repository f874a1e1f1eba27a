import { run } from "./process.mts";

const TIMEOUT_MS = 15 * 60_000;

/** Builds a Go program of a module, with the versions that the module fixes. */
export async function goBuild(
  module: string,
  program: string,
  target: string,
  { flags = [] as readonly string[], env = process.env } = {},
): Promise<void> {
  const args = ["build", "-trimpath", "-buildvcs=false", ...flags, "-o", target, program];
  const { status, timedOut } = await run("go", args, {
    cwd: module,
    env: { ...env, GOFLAGS: "-mod=readonly", GOWORK: "off", CGO_ENABLED: "0" },
    timeoutMs: TIMEOUT_MS,
    output: "stderr",
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new Error("`go` is not on PATH: install Go 1.26 or newer") : error;
  });
  if (timedOut) throw new Error(`go build of ${program} took longer than ${TIMEOUT_MS / 60_000} minutes`);
  if (status !== 0) throw new Error(`go build of ${program} ended with status ${status}`);
}
