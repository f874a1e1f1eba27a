import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { backend as backendOf } from "../../src/run/backend";

let home: string;
let project: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "backend-"));
  project = join(home, "project");
  mkdirSync(join(project, "src"), { recursive: true });
  for (const name of ["PULUMI_BACKEND_URL", "PULUMI_CREDENTIALS_PATH"]) vi.stubEnv(name, "");
  vi.stubEnv("PULUMI_HOME", home);
  vi.stubEnv("HOME", home);
  return () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    rmSync(home, { recursive: true, force: true });
  };
});

const backend = (folder = project): string => backendOf(folder);

/** What stands for a backend that is told by the environment. */
function of(url: string): string {
  vi.stubEnv("PULUMI_BACKEND_URL", url);
  const found = backend();
  vi.stubEnv("PULUMI_BACKEND_URL", "");
  return found;
}

const logIn = (current: unknown, to = home): void =>
  writeFileSync(join(to, "credentials.json"), JSON.stringify({ current, accessTokens: { x: "hush" } }));

const S3 = "s3://states";

test("a backend is told from others, and does not show where it is", () => {
  const found = of(S3);
  expect(found).toMatch(/^[\w-]{8}$/);
  expect(of(S3)).toBe(found);
  expect(of("s3://others")).not.toBe(found);
});

test("a backend is the same with a slash at the end of its URL", () => {
  logIn("https://pulumi.example.com");
  expect(of("https://pulumi.example.com/")).toBe(backend());
});

test("what is told nowhere is one backend, also where nothing can be read", () => {
  const nowhere = backend();
  expect(nowhere).toMatch(/^[\w-]{8}$/);
  writeFileSync(join(home, "credentials.json"), "{");
  expect(backend()).toBe(nowhere);
  logIn(5);
  expect(backend()).toBe(nowhere);
  mkdirSync(join(project, "Pulumi.yaml"));
  expect(backend()).toBe(nowhere);
});

test("the environment comes before the project, and that before the login", () => {
  logIn("s3://login");
  expect(backend()).toBe(of("s3://login"));
  writeFileSync(join(project, "Pulumi.yaml"), `name: shop\nbackend:\n  url: ${S3}\n`);
  expect(backend()).toBe(of(S3));
  vi.stubEnv("PULUMI_BACKEND_URL", "s3://environment");
  expect(backend()).toBe(of("s3://environment"));
});

test("a login may be kept elsewhere", () => {
  logIn("s3://login");
  const elsewhere = join(home, "elsewhere");
  mkdirSync(elsewhere);
  logIn("s3://elsewhere", elsewhere);
  vi.stubEnv("PULUMI_CREDENTIALS_PATH", elsewhere);
  expect(backend()).toBe(of("s3://elsewhere"));
});

test.each([
  ["Pulumi.yaml", `name: shop\nbackend:\n  url: ${S3}\nruntime: nodejs\n`],
  ["Pulumi.yml", `name: shop\nbackend:\n    url: "${S3}"\n`],
  ["Pulumi.yaml", `name: shop\r\nbackend: { url: '${S3}' }\r\n`],
  ["Pulumi.json", JSON.stringify({ name: "shop", backend: { url: S3 }, runtime: "nodejs" }, undefined, 2)],
])("a project tells its backend in %s: %j", (name, text) => {
  writeFileSync(join(project, name), text);
  expect(backend()).toBe(of(S3));
});

test.each([
  "name: shop\n",
  `name: shop\n# backend:\n#  url: ${S3}\n`,
  `config:\n  backend:\n    link: ${S3}\n`,
  `description: |\n  my backend: url: x\n`,
])("a project may not tell it: %j", (text) => {
  logIn("s3://login");
  writeFileSync(join(project, "Pulumi.yaml"), text);
  expect(backend()).toBe(of("s3://login"));
});

test("a project is that of the folders above", () => {
  writeFileSync(join(project, "Pulumi.yaml"), `backend:\n  url: ${S3}\n`);
  expect(backend(join(project, "src"))).toBe(of(S3));
});

test("a folder is the same however it is written", () => {
  const folder = of(`file://${join(home, "states")}`);
  expect(of("file://~/states")).toBe(folder);
  expect(of("file://../states")).toBe(folder);
  expect(of("file://./states")).not.toBe(folder);
  expect(of("file://~")).toBe(of(`file://${home}`));
});
