import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { Interrupted } from "../../../src/cli/commands/command";
import { env } from "../../../src/cli/commands/env";
import { spoken } from "./spoken";

let folder: string;
let file: string;

const OUTPUTS = { zoneName: "web", proxyUrl: "http://u:p@h:1", ports: [24_000] };

/** Outputs that are secrets, or have one in them, and how the CLI shows them. */
const PARTLY = { login: { user: "u", password: "p" }, all: [["a"], ["b", "p"]] };
const PARTLY_HIDDEN = { login: { user: "u", password: "[secret]" }, all: [["a"], ["b", "[secret]"]] };

/** A CLI that has these outputs, of which the URL is a secret, and writes down what it was asked. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "env-"));
  file = join(folder, "out");
  pretendCli(OUTPUTS, { ...OUTPUTS, proxyUrl: "[secret]" });
});

function pretendCli(shown: object, hidden: object): void {
  const script = `#!${process.execPath}
require("node:fs").appendFileSync(${JSON.stringify(join(folder, "asked"))}, process.argv.slice(2).join(" ") + "\\n");
console.log(JSON.stringify(process.argv.includes("--show-secrets") ? ${JSON.stringify(shown)} : ${JSON.stringify(hidden)}));
`;
  writeFileSync(join(folder, "pulumi"), script);
  chmodSync(join(folder, "pulumi"), 0o755);
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
}

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const asked = (): string => readFileSync(join(folder, "asked"), "utf8");

test("an interruption of the CLI is one of the command", async () => {
  writeFileSync(join(folder, "pulumi"), "#!/bin/sh\nkill -INT $$\n");
  const attempt = spoken(env, "--stack", "dev");
  await expect(attempt).rejects.toBeInstanceOf(Interrupted);
  await expect(attempt).rejects.toMatchObject({
    message: "Interrupted. `pulumi stack output --json --stack dev` has not ended.",
    signal: "SIGINT",
  });
});

test("secrets are left out, and named, unless they are asked for", async () => {
  expect(await spoken(env, "--stack", "dev")).toEqual({
    code: 0,
    said: "ZONE_NAME=web\nPORTS='[24000]'\n",
    warned: "Left out, because secret: PROXY_URL. --show-secrets writes them in plain text.\n",
  });
  expect(await spoken(env, "--show-secrets")).toEqual({
    code: 0,
    said: "ZONE_NAME=web\nPROXY_URL=http://u:p@h:1\nPORTS='[24000]'\n",
    warned: "",
  });
  expect(asked()).toBe("stack output --json --stack dev\nstack output --json --show-secrets\n");
});

test("an output with a secret in it is left out as a whole", async () => {
  pretendCli({ zoneName: "web", ...PARTLY }, { zoneName: "web", ...PARTLY_HIDDEN });
  expect(await spoken(env)).toEqual({
    code: 0,
    said: "ZONE_NAME=web\n",
    warned: "Left out, because secret: LOGIN, ALL. --show-secrets writes them in plain text.\n",
  });
  expect(await spoken(env, "--show-secrets")).toEqual({
    code: 0,
    said: `ZONE_NAME=web\nLOGIN='{"user":"u","password":"p"}'\nALL='[["a"],["b","p"]]'\n`,
    warned: "",
  });
});

test("a file is readable by its owner alone, and is replaced by the next", async () => {
  const args = ["--show-secrets", "--output", file];
  expect(await spoken(env, ...args)).toEqual({ code: 0, said: "", warned: "" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await spoken(env, ...args, "--format", "compose", "--name", "scraper");
  expect(readFileSync(file, "utf8")).toBe(`# Written by pulumi-brightdata: changes are lost.
services:
  "scraper":
    environment:
      "ZONE_NAME": "web"
      "PROXY_URL": "http://u:p@h:1"
      "PORTS": "[24000]"
`);
  expect(readdirSync(folder).sort()).toEqual(["asked", "out", "pulumi"]);
});

test("a file of somebody else is not replaced, and the CLI is not asked", async () => {
  writeFileSync(file, "MINE=1\n");
  await expect(spoken(env, "--output", file)).rejects.toThrow(
    `${file} is there already. Name another file, or replace it with --force.`,
  );
  expect(readFileSync(file, "utf8")).toBe("MINE=1\n");
  expect(readdirSync(folder)).not.toContain("asked");
  await spoken(env, "--output", file, "--force", "--format", "json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ ZONE_NAME: "web", PORTS: "[24000]" });
});

test("JSON that it has written is replaced by the next, and no other", async () => {
  const args = ["--output", file, "--format", "json"];
  await spoken(env, ...args);
  expect(await spoken(env, ...args)).toMatchObject({ code: 0 });
  const own = readFileSync(file, "utf8");
  for (const text of ['{"ZONE_NAME":"web"}\n', '{\n  "name": "web"\n}\n', '{\n  "A": 1\n}\n', "{", "[]\n"]) {
    writeFileSync(file, text);
    await expect(spoken(env, ...args)).rejects.toThrow("is there already");
  }
  writeFileSync(file, own);
  chmodSync(file, 0o644);
  await expect(spoken(env, ...args)).rejects.toThrow("is there already");
});

test("on Windows, whose files have the permissions of all, JSON that it has written is replaced by the next", async () => {
  const args = ["--output", file, "--format", "json"];
  await spoken(env, ...args);
  chmodSync(file, 0o666);
  const own = process.platform;
  onTestFinished(() => void Object.defineProperty(process, "platform", { value: own }));
  Object.defineProperty(process, "platform", { value: "win32" });
  expect(await spoken(env, ...args)).toMatchObject({ code: 0 });
});

test("a place where no file can be is named, and the CLI is not asked", async () => {
  const missing = join(folder, "none");
  await expect(spoken(env, "--output", folder, "--force")).rejects.toThrow(`${folder} is a folder: name a file.`);
  await expect(spoken(env, "--output", join(missing, "f"))).rejects.toThrow(`There is no folder ${missing}: make it`);
  expect(readdirSync(folder)).toEqual(["pulumi"]);
});

test.skipIf(process.platform === "win32")("a pipe is neither waited for nor replaced, and no link is", async () => {
  const [pipe, link] = [join(folder, "pipe"), join(folder, "link")];
  execFileSync("mkfifo", [pipe]);
  symlinkSync(file, link);
  for (const [other, ...args] of [[pipe], [pipe, "--force"], [link], [link, "--force"]] as const) {
    await expect(spoken(env, "--output", other, ...args)).rejects.toThrow(
      `${other} is a link, a pipe or a device: name a plain file.`,
    );
  }
  expect(lstatSync(pipe).isFIFO()).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(["link", "pipe", "pulumi"]);
});

test("without the Pulumi CLI, it says so", async () => {
  vi.stubEnv("PATH", join(folder, "none"));
  await expect(spoken(env)).rejects.toThrow("There is no `pulumi` in the PATH: install the Pulumi CLI");
});

test.each([
  [["--format", "toml"], '--format takes dotenv, compose, kubernetes, json, not "toml".'],
  [["--name", "x"], "--name has no meaning for the format dotenv."],
  [["--format", "kubernetes", "--name", "A_B"], '--name takes the name of a Secret, not "A_B".'],
  [["--format", "kubernetes", "--name", "a..b"], '--name takes the name of a Secret, not "a..b".'],
  [["--format", "kubernetes", "--name", "a.-b"], '--name takes the name of a Secret, not "a.-b".'],
  [["--format", "compose", "--name", "a b"], '--name takes the name of a service, not "a b".'],
  [["--force"], "--force is for the file of --output: name that, or leave it out."],
  [["dev"], "There is nothing to do with dev."],
])("%j is misuse", async (args, words) => {
  await expect(spoken(env, ...args)).rejects.toThrow(words);
});
