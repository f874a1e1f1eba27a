import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

// What one test's service has answered is nothing to another's, though it may listen on the same port.
const before = process.env.PULUMI_HOME;

beforeEach(() => {
  process.env.PULUMI_HOME = join(tmpdir(), `pulumi-brightdata-home-${randomUUID()}`);
});

afterEach(async () => {
  await rm(process.env.PULUMI_HOME ?? "", { recursive: true, force: true });
  if (before === undefined) delete process.env.PULUMI_HOME;
  else process.env.PULUMI_HOME = before;
});
