import { globSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, inject, it } from "vitest";
import { pathForOldestPython } from "../../scripts/languages.mts";
import { run } from "../../scripts/process.mts";
import { spellingFor } from "../../src/plugin/spelling";
import { cli, ROOT, secretsOf } from "../engine/harness";
import { changesOf } from "../engine/nativeScene";
import { languageScene } from "./languageScene";

it("a program in Python imports what exists, keeps secrets, and is told what is wrong and what changes", async () => {
  const { stack, simulator } = await languageScene("python", "test/languages/program");
  simulator.account.addZone("web_scraping", { type: "static", ips_type: "shared", country: "us" });
  const plan = async (country: string) => JSON.parse(await previewed(country)) as Preview;
  const previewed = (country: string) => {
    stack.setEnvironment({ COUNTRY: country });
    return stack.expect("preview", "--json", "--diff");
  };
  const imported = await stack.import("brightdata:index:Zone", "web", "web_scraping");
  expect(imported).toMatchObject({ status: 0 });
  expect(changesOf(simulator)).toEqual([]);

  const { steps } = await plan("us");
  expect(
    steps
      .filter(({ op }) => op !== "same")
      .map(({ urn }) => urn.split("::").at(-1))
      .sort(),
  ).toEqual(["more", "search"]);
  // The program marks none of them as a secret.
  const own = ["a-password-of-the-program", "another-password-of-the-program", "one-that-all-share"];
  const secrets = [...secretsOf(simulator), ...own];
  const told = [await stack.expect("up", "--diff"), await stack.expect("preview", "--diff", "--expect-no-changes")];
  const seen = [...told, await stack.stateText()].join("");
  expect(secrets.filter((secret) => seen.includes(secret))).toEqual([]);
  expect((await stack.outputs()).url).toBe("http://search:a-password-of-the-program@127.0.0.1:24000");

  const changed = await plan("de");
  expect(changed.steps.find(({ op }) => op === "replace")?.detailedDiff).toMatchObject({
    "plan.country": { kind: "update-replace" },
  });

  stack.setEnvironment({ COUNTRY: "nowhere", IPS_TYPE: "none" });
  const { status, stdout } = await stack.command("preview");
  expect(status).not.toBe(0);
  expect(stdout).toContain('`plan.country` is "nowhere"');
  expect(stdout).toContain('`plan.ips_type` is "none"');
  expect(stdout).not.toContain("ipsType");

  stack.setEnvironment({ COUNTRY: "us", IPS_TYPE: "shared" });
  await stack.expect("destroy");
  expect(simulator.account.liveZones()).toEqual([]);
});

it("what `import --native` writes is taken into a project in Python", async () => {
  const { stack, simulator } = await languageScene("python", "test/languages/program");
  simulator.account.addZone("web_scraping", { type: "static", ips_type: "shared", country: "us" });
  const command = join(ROOT, "dist/cli/index.js");
  const asked = { timeoutMs: 60_000, env: { ...process.env, ...simulator.environment() } };
  const inProject = [command, "import", "--native", "--quiet", "--output", join(stack.folder, "project")];
  expect((await run(process.execPath, inProject, asked)).stderr).toContain("runs python");
  const elsewhere = [...inProject.slice(0, -1), join(stack.folder, "imported")];
  expect(await run(process.execPath, elsewhere, asked)).toMatchObject({ status: 0 });
  const before = changesOf(simulator);

  expect(await stack.importFile(join(stack.folder, "imported/import.json"))).toMatchObject({ status: 0 });
  const zones = (await stack.resources()).filter(({ type }) => type === "brightdata:index:Zone");
  expect(zones.map(({ id }) => id)).toEqual(["web_scraping"]);
  await stack.expect("refresh", "--expect-no-changes");
  expect(changesOf(simulator)).toEqual(before);
});

it("a program in Python runs with the oldest of Pulumi's SDKs that is asked for", async () => {
  const { stack } = await languageScene("python", "test/languages/program");
  stack.setEnvironment({ PATH: await pathForOldestPython(cli), COUNTRY: "us" });
  await stack.expect("up");
  await stack.expect("preview", "--expect-no-changes");
});

it("messages spell names as the SDK does", () => {
  const [bin = ""] = inject("languagePaths").python.split(delimiter);
  const sdk = globSync("lib/python*/site-packages/pulumi_brightdata/*.py", { cwd: dirname(bin) });
  const text = sdk.map((file) => readFileSync(join(dirname(bin), file), "utf8")).join("");
  const names = [...text.matchAll(/@pulumi\.getter\(name="(\w+)"\)\s+def (\w+)\(/g)];
  expect(names.length).toBeGreaterThan(500);
  const spelled = spellingFor("python", () => readFileSync(join(ROOT, "schema.json"), "utf8"));
  expect(names.filter(([, declared, inPython]) => spelled(`\`${declared}\``) !== `\`${inPython}\``)).toEqual([]);
});

interface Preview {
  steps: { op: string; urn: string; detailedDiff?: object }[];
}
