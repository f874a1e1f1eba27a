import type { ChildProcess, SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { startLocalSimulator } from "../../../src/cli/commands/localSimulator";

vi.mock("node:child_process", async (importOriginal) => {
  const original = await importOriginal<typeof import("node:child_process")>();
  /** Of two pipes, the system may tell of the second one first. */
  const spawn = (command: string, args: string[], options: SpawnOptions): ChildProcess => {
    const child = original.spawn(command, args, options);
    const { stdout, stderr } = child;
    stdout?.once("data", () => setImmediate(() => stderr?.pipe(late)));
    const late = new PassThrough();
    return Object.assign(child, { stderr: late });
  };
  return { ...original, spawn };
});

test("that something else has the drop-in port is known, whichever words come first", async () => {
  const folder = mkdtempSync(join(tmpdir(), "local-simulator-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  await expect(startLocalSimulator(folder, ["--dropin-port", String(port)])).rejects.toThrow(
    `Port ${port} is in use, by another simulator or a Proxy Manager maybe`,
  );
});
