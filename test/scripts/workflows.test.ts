import { readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../scripts/process.mts";
import { ROOT } from "../../scripts/root.mts";
import { readYaml } from "../pipelines/yaml";
import { script, temporaryFolder } from "./fakes";

const FOLDER = join(ROOT, ".github/workflows");
const PINNED = /^(\.\/\S+|[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;

test.each(readdirSync(FOLDER))("%s uses actions by their commit, with the version beside it", (file) => {
  const used = [...readFileSync(join(FOLDER, file), "utf8").matchAll(/\buses: *(.*)$/gm)].map(([, action]) => action);
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((action) => !PINNED.test(action ?? ""))).toEqual([]);
});

test.each([
  ["publishes a version that npm does not have", "exit 1", "publish ./release/pulumi-brightdata-*.tgz --provenance"],
  ["goes on, run again, where npm has the version", "echo 1.2.3", "view pulumi-brightdata@1.2.3 version"],
])("a release %s", async (_, view, last) => {
  const { jobs } = readYaml(join(FOLDER, "release.yml")) as { jobs: { publish: { steps: { run?: string }[] } } };
  const publishing = jobs.publish.steps.find((step) => step.run?.includes("npm publish"))?.run ?? "";
  const folder = await temporaryFolder();
  await script(join(folder, "npm"), 'echo "$*" >> calls', `[ "$1" != view ] || { ${view}; exit; }`);
  const env = { PATH: [folder, process.env.PATH].join(delimiter), GITHUB_REF_NAME: "v1.2.3" };
  expect(await run("bash", ["-e", "-c", publishing], { cwd: folder, env, timeoutMs: 30_000 })).toMatchObject({
    status: 0,
  });
  const calls = readFileSync(join(folder, "calls"), "utf8").trim().split("\n");
  expect(calls.at(-1)).toContain(last);
});
