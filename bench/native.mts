import { join } from "node:path";
import { run } from "../scripts/process.mts";
import { ROOT } from "../scripts/root.mts";

const FOLDER = join(ROOT, "build/native");
const TIMEOUT_MS = 5 * 60_000;

/** Builds the provider that does nothing, and returns its folder, or says why it cannot be built. */
export async function buildNative(): Promise<{ folder: string } | { problem: string }> {
  const args = ["build", "-trimpath", "-buildvcs=false", "-o", join(FOLDER, "pulumi-resource-noop"), "."];
  try {
    const { status, stderr, timedOut } = await run("go", args, {
      cwd: join(ROOT, "bench/native"),
      env: { ...process.env, GOFLAGS: "-mod=readonly", GOWORK: "off", CGO_ENABLED: "0" },
      timeoutMs: TIMEOUT_MS,
    });
    if (timedOut) return { problem: `go build took longer than ${TIMEOUT_MS / 60_000} minutes` };
    return status === 0 ? { folder: FOLDER } : { problem: `go build ended with status ${status}: ${stderr.trim()}` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { problem: "`go` is not on PATH" };
    throw error;
  }
}
