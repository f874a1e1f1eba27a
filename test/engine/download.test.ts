import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startSimulator, syntheticRecords } from "../../simulator";
import { newProject } from "./newProject";

it("a download with --stack takes the tokens of the stack's configuration", async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const snapshot = simulator.account.addSnapshot("gd_simulated", ["ready"], []);
  Object.assign(snapshot, { status: "ready", records: syntheticRecords(3) });
  const { folder, shell } = await newProject(simulator);
  await shell(`pulumi config set --secret --stack demo brightdata:apiToken ${simulator.token}`);
  await shell(`pulumi config set --secret --stack demo --path brightdata:accounts.shop.apiToken ${simulator.token}`);
  const download = (file: string, options: string) =>
    `unset BRIGHTDATA_API_TOKEN; npx pulumi-brightdata download ${snapshot.id} --to ${file} --quiet ${options}`;

  expect(await shell(download("own.json", "--stack demo"))).toBe(`${join(folder, "own.json")}\n`);
  expect(await shell(download("shop.json", "--stack demo --account shop"))).toBe(`${join(folder, "shop.json")}\n`);
  const files = await Promise.all(["own.json", "shop.json"].map((file) => readFile(join(folder, file), "utf8")));
  for (const text of files) expect(JSON.parse(text)).toHaveLength(3);

  const status = (options: string) => shell(`(${download("no.json", options)}) 2>&1 || echo "status $?"`);
  expect(await status("")).toMatch(/BRIGHTDATA_API_TOKEN[\s\S]*status 1\n$/);
  expect(await status("--stack other")).toMatch(/no stack named 'other' found[\s\S]*status 1\n$/);
  expect(await status("--stack demo --account store")).toMatch(/"store".*configured is "shop"[\s\S]*status 2\n$/);
});
