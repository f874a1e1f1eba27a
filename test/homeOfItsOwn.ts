import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Has Pulumi's files be in a folder of the test's own.
 *
 * @returns removes it, whatever the variable says by then: of tests that run at the same time, it may be another's, or a person's
 */
export function homeOfItsOwn(): () => Promise<void> {
  const home = join(tmpdir(), `pulumi-brightdata-home-${randomUUID()}`);
  process.env.PULUMI_HOME = home;
  return () => rm(home, { recursive: true, force: true });
}
