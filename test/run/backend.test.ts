import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type * as backends from "../../src/run/backend";

let home: string;
let project: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "backend-"));
  project = join(home, "project");
  mkdirSync(join(project, "src"), { recursive: true });
  for (const name of ["PULUMI_BACKEND_URL", "PULUMI_CREDENTIALS_PATH"]) vi.stubEnv(name, "");
  vi.stubEnv("PULUMI_HOME", home);
  vi.stubEnv("HOME", home);
  vi.spyOn(process, "cwd").mockImplementation(() => project);
  return () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    rmSync(home, { recursive: true, force: true });
  };
});

/** What stands for the backend in a process that begins now. */
async function backend(): Promise<string> {
  vi.resetModules();
  return (await vi.importActual<typeof backends>("../../src/run/backend")).backend();
}

/** What stands for a backend that is told by the environment. */
async function of(url: string): Promise<string> {
  vi.stubEnv("PULUMI_BACKEND_URL", url);
  const found = await backend();
  vi.stubEnv("PULUMI_BACKEND_URL", "");
  return found;
}

const logIn = (current: unknown, to = home): void =>
  writeFileSync(join(to, "credentials.json"), JSON.stringify({ current, accessTokens: { x: "hush" } }));

const S3 = "s3://states";

test("a backend is told from others, and does not show where it is", async () => {
  const found = await of(S3);
  expect(found).toMatch(/^[\w-]{8}$/);
  expect(await of(S3)).toBe(found);
  expect(await of("s3://others")).not.toBe(found);
});

test("what is told nowhere is one backend, also where nothing can be read", async () => {
  const nowhere = await backend();
  expect(nowhere).toMatch(/^[\w-]{8}$/);
  writeFileSync(join(home, "credentials.json"), "{");
  expect(await backend()).toBe(nowhere);
  logIn(5);
  expect(await backend()).toBe(nowhere);
  mkdirSync(join(project, "Pulumi.yaml"));
  expect(await backend()).toBe(nowhere);
});

test("the environment comes before the project, and that before the login", async () => {
  logIn("s3://login");
  expect(await backend()).toBe(await of("s3://login"));
  writeFileSync(join(project, "Pulumi.yaml"), `name: shop\nbackend:\n  url: ${S3}\n`);
  expect(await backend()).toBe(await of(S3));
  vi.stubEnv("PULUMI_BACKEND_URL", "s3://environment");
  expect(await backend()).toBe(await of("s3://environment"));
});

test("a login may be kept elsewhere", async () => {
  logIn("s3://login");
  const elsewhere = join(home, "elsewhere");
  mkdirSync(elsewhere);
  logIn("s3://elsewhere", elsewhere);
  vi.stubEnv("PULUMI_CREDENTIALS_PATH", elsewhere);
  expect(await backend()).toBe(await of("s3://elsewhere"));
});

describe("a project", () => {
  test.each([
    ["Pulumi.yaml", `name: shop\nbackend:\n  url: ${S3}\nruntime: nodejs\n`],
    ["Pulumi.yml", `name: shop\nbackend:\n    url: "${S3}"\n`],
    ["Pulumi.yaml", `name: shop\r\nbackend: { url: '${S3}' }\r\n`],
    ["Pulumi.json", JSON.stringify({ name: "shop", backend: { url: S3 }, runtime: "nodejs" }, undefined, 2)],
  ])("a project tells its backend in %s: %j", async (name, text) => {
    writeFileSync(join(project, name), text);
    expect(await backend()).toBe(await of(S3));
  });

  test.each([
    "name: shop\n",
    `name: shop\n# backend:\n#  url: ${S3}\n`,
    `config:\n  backend:\n    link: ${S3}\n`,
    `description: |\n  my backend: url: x\n`,
  ])("a project may not tell it: %j", async (text) => {
    logIn("s3://login");
    writeFileSync(join(project, "Pulumi.yaml"), text);
    expect(await backend()).toBe(await of("s3://login"));
  });

  test("a project is that of the folders above", async () => {
    writeFileSync(join(project, "Pulumi.yaml"), `backend:\n  url: ${S3}\n`);
    vi.spyOn(process, "cwd").mockImplementation(() => join(project, "src"));
    expect(await backend()).toBe(await of(S3));
  });
});

test("a folder is the same however it is written", async () => {
  const folder = await of(`file://${join(home, "states")}`);
  expect(await of("file://~/states")).toBe(folder);
  expect(await of("file://../states")).toBe(folder);
  expect(await of("file://./states")).not.toBe(folder);
  expect(await of("file://~")).toBe(await of(`file://${home}`));
});
