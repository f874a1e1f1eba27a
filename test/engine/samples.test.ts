import * as files from "node:fs/promises";
import * as automation from "@pulumi/pulumi/automation";
import { expect, it, onTestFinished, vi } from "vitest";
import { makeProject, writeProgram } from "../../scripts/project.mts";
import { environmentFor } from "../../scripts/pulumi.mts";
import type { Stack } from "../../scripts/stack.mts";
import * as simulation from "../../simulator";
import { run, sample } from "../docs/program";
import { cli, scene } from "./harness";

async function projectOf(program: string): Promise<string> {
  const folder = await makeProject(program);
  onTestFinished(() => files.rm(folder, { recursive: true, force: true }));
  return folder;
}

const zonesOf = ({ account }: simulation.Simulator): string[] => account.liveZones().map(({ name }) => name);

const isUnchanged = async (stack: Stack): Promise<void> => {
  await stack.expect("preview", "--expect-no-changes");
};

const namesOf = async (stack: Stack): Promise<string[]> =>
  (await stack.resources()).map(({ urn }) => urn.slice(urn.lastIndexOf(":") + 1)).sort();

it("README: the first program comes up, stays as it is, and is not destroyed with its protected zone", async () => {
  const { simulator, stack } = await scene({}, await projectOf(sample("README.md", "new brightdata.Zone")));
  expect(await stack.expect("up")).toContain("+ 4 created");
  const { url } = await stack.outputs();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:24\d\d\d$/);
  expect(zonesOf(simulator)).toHaveLength(1);
  await isUnchanged(stack);
  const { status, stdout } = await stack.command("destroy", "--skip-preview=false");
  expect(stdout).toContain("because it is protected");
  expect({ status, left: await namesOf(stack) }).toEqual({ status: 1, left: ["office", "search", "web"] });
  await stack.expect("destroy", "--skip-preview=false", "--exclude-protected");
  expect(await namesOf(stack)).toEqual(["web"]);
});

it("refactoring: moving into a component creates the component alone", async () => {
  const before = `
      import * as pulumi from "@pulumi/pulumi";
      import * as brightdata from "pulumi-brightdata";
      const plan: brightdata.ZonePlanArgs = { type: "static", ipsType: "shared", country: "us" };
      const zone = new brightdata.Zone("web", { plan }, { protect: true });
      new brightdata.ZoneAccess("web", { zone: zone.name, allowedIps: ["203.0.113.7"] });
      const port = new brightdata.ProxyPort("web", { zone: zone.name });
      export const url = pulumi.interpolate\`http://127.0.0.1:\${port.listenPort}\`;
    `;
  const folder = await projectOf(before);
  const { simulator, stack } = await scene({}, folder);
  await stack.expect("up");
  const zones = zonesOf(simulator);
  await writeProgram(folder, sample("docs/refactoring.md", "class Proxies extends"));
  expect(await stack.expect("up")).toMatch(/Resources:\s+\+ 1 created\s+4 unchanged/);
  expect(zonesOf(simulator)).toEqual(zones);
  await isUnchanged(stack);
});

it("connections: a second provider uses the second account", async () => {
  const second = await simulation.startSimulator({ token: "the-token-of-the-second-account" });
  onTestFinished(() => second.close());
  const program = sample("docs/connections.md", "class Shop").replace(
    "{ apiToken:",
    `{ baseUrl: "${second.remote.url}", apiToken:`,
  );
  const { simulator, stack } = await scene({}, await projectOf(program));
  stack.setEnvironment({ BRIGHTDATA_API_TOKEN: undefined, BRIGHTDATA_BASE_URL: undefined });
  await stack.setConfig("secondToken", second.token, true);
  await stack.expect("up");
  expect([zonesOf(simulator).length, zonesOf(second).length]).toEqual([0, 1]);
  expect(await stack.stateText()).not.toContain(second.token);
  await isUnchanged(stack);
});

it("testing: the integration test passes", async () => {
  const folder = await projectOf(sample("docs/testing.md", "docs/proxies.ts"));
  const tests: (() => Promise<void>)[] = [];
  run(sample("docs/simulator.md", "docs/integration.test.ts").replace('workDir: "."', `workDir: "${folder}"`), {
    "node:fs/promises": files,
    "@pulumi/pulumi/automation/index.js": automation,
    "pulumi-brightdata/simulator": simulation,
    vitest: {
      expect,
      onTestFinished,
      test: (_title: string, _options: object, body: () => Promise<void>) => tests.push(body),
    },
  });
  expect(tests).toHaveLength(1);
  // Not the npm package's `pulumi`, which would download another version.
  vi.stubEnv("PATH", environmentFor(cli, process.env).PATH);
  onTestFinished(() => void vi.unstubAllEnvs());
  await tests[0]?.();
});
