import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../scripts/process.mts";
import { installWorkflowChecks, type WorkflowChecks } from "../../scripts/workflow-checks.mts";
import { blocks } from "../docs/documents";
import { evaluate } from "./expression";
import { readYaml, type Yaml } from "./yaml";

const SHARED = join(__dirname, "../../templates/shared");
const FILES = globSync("workflows/*.yml", { cwd: join(SHARED, ".github") }).sort();

let checks: WorkflowChecks;
let folder: string;

beforeAll(async () => {
  checks = await installWorkflowChecks();
  folder = mkdtempSync(join(tmpdir(), "pulumi-brightdata-workflows-"));
  cpSync(join(SHARED, ".github"), join(folder, ".github"), { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = (file: string): string => readFileSync(join(SHARED, file), "utf8");
const check = (command: string, ...args: string[]) => run(command, args, { cwd: folder, timeoutMs: 60_000 });
const actionlint = (...files: string[]) => check(checks.actionlint, "-color=false", ...files);
const zizmor = (path: string) =>
  check(checks.zizmor, "--offline", "--no-progress", "--config", join(__dirname, "zizmor.yml"), path);

test("actionlint has nothing to say about the workflows", async () => {
  expect(FILES).toEqual([
    "workflows/drift.yml",
    "workflows/preview.yml",
    "workflows/review.yml",
    "workflows/unlock.yml",
    "workflows/update.yml",
  ]);
  expect(await actionlint(...FILES.map((file) => join(".github", file)))).toMatchObject({ status: 0, stdout: "" });
});

test("zizmor finds nothing in the workflows and in the action that they share", async () => {
  const { status, stdout, stderr } = await zizmor(".github");
  expect(stdout + stderr).toContain("No findings to report.");
  expect(status).toBe(0);
});

test("secrets are given to the steps that need them, with those of every backend, and to no installation", () => {
  const given = /^\$\{\{ (?:env\.\w+ \|\| )?secrets\.(\w+) \}\}$/;
  const named = (values: Yaml | undefined) =>
    Object.entries(values ?? {}).flatMap(([name, value]) => (given.test(String(value)) ? [name] : []));
  const backends = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AZURE_STORAGE_KEY", "GOOGLE_CREDENTIALS"];
  for (const file of FILES) {
    const { jobs } = readYaml(join(SHARED, ".github", file)) as {
      jobs: Record<string, { env?: Yaml; steps: { run?: string; env?: Yaml }[]; "timeout-minutes"?: number }>;
    };
    for (const job of Object.values(jobs)) {
      expect(named(job.env)).toEqual([]);
      expect(job["timeout-minutes"]).toBeGreaterThan(0);
      for (const { run: script = "", env } of job.steps) {
        const isPulumi = /\bpulumi\b/.test(script);
        const wanted = isPulumi ? ["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE", ...backends] : [];
        expect(named(env), script).toEqual(isPulumi ? expect.arrayContaining(wanted) : []);
      }
    }
  }
});

test("a project that is begun as the page says has the branch whose pushes are updates", async () => {
  const [first = ""] = blocks("docs/gitops.md", "sh").map(({ text }) => text);
  const [init = ""] = /^git init[^&]*/m.exec(first) ?? [];
  const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  const script = `cd "$(mktemp -d "$0/XXXXXX")" && ${init} >&2 && git symbolic-ref --short HEAD`;
  const { stdout } = await run("sh", ["-c", script, folder], { env, timeoutMs: 60_000 });
  const { on } = readYaml(join(SHARED, ".github/workflows/update.yml"));
  expect(on).toEqual({ push: { branches: [stdout.trim()] } });
});

test("both forges run the same versions of Node and of the Pulumi CLI", () => {
  const [, node, cli] = /^image: pulumi\/pulumi-nodejs-(\d+):([\d.]+)$/m.exec(text(".gitlab-ci.yml")) ?? [];
  const setup = text(".github/actions/setup/action.yml");
  expect(/node-version: (.*)/.exec(setup)?.[1]).toBe(node);
  expect(/pulumi-version: (.*)/.exec(setup)?.[1]).toBe(cli);
});

test("both have new versions of dependencies proposed after a week, those of Pulumi together", () => {
  const dependabot = readYaml(join(SHARED, ".github/dependabot.yml")) as {
    updates: { cooldown: Yaml; groups?: { pulumi: { patterns: string[] } } }[];
  };
  const [npm] = dependabot.updates;
  const renovate = JSON.parse(text("renovate.json"));
  for (const { cooldown } of dependabot.updates) expect(cooldown).toEqual({ "default-days": 7 });
  expect(renovate).toMatchObject({ enabledManagers: ["npm", "gitlabci"], minimumReleaseAge: "7 days" });
  const image = /^image: (.*):/m.exec(text(".gitlab-ci.yml"))?.[1];
  expect(renovate.packageRules).toEqual([
    { groupName: "pulumi", matchPackageNames: [...(npm?.groups?.pulumi.patterns ?? []), image] },
  ]);
});

test("both find what is wrong", async () => {
  const right = readFileSync(join(SHARED, ".github/workflows/drift.yml"), "utf8");
  writeFileSync(join(folder, "misspelled.yml"), right.replace("runs-on:", "run-on:"));
  const linted = await actionlint("misspelled.yml");
  expect(linted.status).toBe(1);
  expect(linted.stdout).toContain('unexpected key "run-on"');
  writeFileSync(join(folder, "open.yml"), right.replace('"$each"', `"\${{ github.head_ref }}"`));
  expect((await zizmor("open.yml")).stdout).toContain("template-injection");
});

test.each([
  ["vars.STACK || 'production'", "production"],
  ["github.event_name == 'schedule' && github.event.number != '5'", true],
  ["!(inputs.tunnel != '') && always()", true],
  ["'it''s'", "it's"],
])("the expression %s is %j", (text, value) => {
  const contexts = { vars: {}, inputs: { tunnel: "" }, github: { event_name: "schedule", event: { number: 6 } } };
  expect(evaluate(text, contexts)).toBe(value);
});

test.each(["secrets.TOKEN", "contains(vars.A, 'b')", "vars.A vars.B", "(vars.A", "vars.A + 1"])(
  "the expression %s is an error, and no guess",
  (text) => {
    expect(() => evaluate(text, { vars: {} })).toThrow(/known|expression|parenthesis/);
  },
);
