import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { digestWith, sharedKey } from "../../src/base/ownKey";

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

test("what is kept and is no key, as after a full disk, makes room for one", () => {
  const fresh = randomBytes(32);
  sharedKey(randomBytes(32));
  for (const damaged of ["too short", ""]) {
    writeFileSync(join(home, "brightdata", "key"), damaged);
    expect(sharedKey(fresh)).toEqual(fresh);
    expect(sharedKey(randomBytes(32))).toEqual(fresh);
  }
});

test("a process has a key of its own where none can be kept", () => {
  const fresh = randomBytes(32);
  writeFileSync(join(home, "a file"), "");
  vi.stubEnv("PULUMI_HOME", join(home, "a file"));
  expect(sharedKey(fresh)).toEqual(fresh);
});

type Files = typeof import("node:fs");

/** The same where the system does some things with files in another way. */
async function withFiles(other: (actual: Files) => object): Promise<typeof sharedKey> {
  vi.resetModules();
  vi.doMock("node:fs", async (original) => {
    const actual = await original<Files>();
    return { ...actual, ...other(actual) };
  });
  onTestFinished(() => void vi.doUnmock("node:fs"));
  return (await import("../../src/base/ownKey.ts")).sharedKey;
}

const refusal = (code: string) => Object.assign(new Error("the system refuses"), { code });

test("a full disk leaves no key behind that is none: when there is room again, processes share one", async () => {
  const [lonely, first] = [randomBytes(32), randomBytes(32)];
  const onFullDisk = await withFiles((actual) => ({
    writeFileSync(file: string, _text: string, options: object) {
      actual.writeFileSync(file, "", options);
      throw refusal("ENOSPC");
    },
  }));
  expect(onFullDisk(lonely)).toEqual(lonely);
  expect(readdirSync(join(home, "brightdata"))).toEqual([]);
  expect(sharedKey(first)).toEqual(first);
  expect(sharedKey(randomBytes(32))).toEqual(first);
});

test("of two processes that begin at once, the later one takes the key of the earlier one", async () => {
  const [first, second] = [randomBytes(32), randomBytes(32)];
  const beside = await withFiles((actual) => ({
    linkSync(from: string, to: string) {
      sharedKey(first);
      actual.linkSync(from, to);
    },
  }));
  expect(beside(second)).toEqual(first);
  expect(readdirSync(join(home, "brightdata"))).toEqual(["key"]);
});

test("a key is kept where a file can have one name only", async () => {
  const first = randomBytes(32);
  const withoutLinks = await withFiles(() => ({
    linkSync() {
      throw refusal("EPERM");
    },
  }));
  expect(withoutLinks(first)).toEqual(first);
  expect(withoutLinks(randomBytes(32))).toEqual(first);
  expect(statSync(join(home, "brightdata", "key")).mode & 0o777).toBe(0o600);
});

test("what stands for a secret is told from one, and is the same with the same key alone", () => {
  const [key, other] = [randomBytes(32), randomBytes(32)];
  const digest = digestWith(key, "Given-Password-01");
  expect(digest).toMatch(/^•[0-9a-f]{8}\.[0-9a-f]{16}$/);
  expect(digestWith(key, digest)).toBe(digest);
  expect(digestWith(key, "Given-Password-02")).not.toBe(digest);
  expect(digestWith(other, "Given-Password-01")).not.toBe(digest);
});
