import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, vi } from "vitest";

// What one test's service has answered is nothing to another's, though it may listen on the same port.
const before = process.env.PULUMI_HOME;

beforeEach(() => {
  process.env.PULUMI_HOME = join(tmpdir(), `pulumi-brightdata-home-${randomUUID()}`);
});

// What is waited for comes; on a busy machine it may take longer than the second that Vitest allows.
const PATIENCE_MS = 15_000;
const { waitFor } = vi;
vi.waitFor = (look, options) =>
  waitFor(look, typeof options === "number" ? options : { timeout: PATIENCE_MS, ...options });

afterEach(async () => {
  await rm(process.env.PULUMI_HOME ?? "", { recursive: true, force: true });
  if (before === undefined) delete process.env.PULUMI_HOME;
  else process.env.PULUMI_HOME = before;
});
