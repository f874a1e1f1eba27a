import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { sharedKey } from "../../../src/kinds/zonePassword/sharedKey";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pulumi-home-"));
  vi.stubEnv("PULUMI_HOME", home);
  return () => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  };
});

test("the processes of a user have one key, which nobody else can read", () => {
  const first = randomBytes(32);
  expect(sharedKey(first)).toEqual(first);
  expect(sharedKey(randomBytes(32))).toEqual(first);
  expect(statSync(join(home, "brightdata", "key")).mode & 0o777).toBe(0o600);
});

test("a process has a key of its own where none can be kept, or what is kept is none", () => {
  const fresh = randomBytes(32);
  sharedKey(randomBytes(32));
  writeFileSync(join(home, "brightdata", "key"), "too short");
  expect(sharedKey(fresh)).toEqual(fresh);
  writeFileSync(join(home, "a file"), "");
  vi.stubEnv("PULUMI_HOME", join(home, "a file"));
  expect(sharedKey(fresh)).toEqual(fresh);
});
