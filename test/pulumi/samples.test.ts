import * as files from "node:fs/promises";
import * as path from "node:path";
import * as automation from "@pulumi/pulumi/automation";
import { describe, expect, it, onTestFinished } from "vitest";
import { run as runProcess } from "../../scripts/process.mts";
import { makeProject, writeProgram } from "../../scripts/project.mts";
import type { Stack } from "../../scripts/stack.mts";
import * as simulation from "../../src/simulator";
import { run, sample } from "../docs/program";
import { scene } from "./harness";

async function projectOf(program: string): Promise<string> {
  const folder = await makeProject(program);
  onTestFinished(() => files.rm(folder, { recursive: true, force: true }));
  return folder;
}

const zonesOf = ({ account }: simulation.Simulator): string[] => account.liveZones().map(({ name }) => name);

const isUnchanged = async (stack: Stack): Promise<void> => {
  await stack.expect("preview", "--expect-no-changes");
};

describe("the documents' programs", () => {
  it("README: the first program comes up and stays as it is", async () => {
    const { simulator, stack } = await scene({}, await projectOf(sample("README.md", "new brightdata.Zone")));
    expect(await stack.expect("up")).toContain("+ 4 created");
    const { url } = await stack.outputs();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:24\d\d\d$/);
    expect(zonesOf(simulator)).toHaveLength(1);
    await isUnchanged(stack);
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

  it("the documents' programs connections: a second provider uses the second account", async () => {
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

  it("adopting: the script, the import and an update take an account over and change nothing in it", async () => {
    const folder = await projectOf("");
    const { simulator, stack } = await scene({ manager: { dropin: false } }, folder);
    simulator.account.addZone("web_scraping", { type: "static", ips_type: "shared", country: "de" });
    const created = await fetch(`${simulator.manager.url}/api/proxies`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        proxy: { port: 24_000, zone: "web_scraping", internal_name: "shop", proxy_type: "persist" },
      }),
    });
    expect(created.status).toBe(200);

    await files.writeFile(path.join(folder, "adopt.mts"), sample("docs/adopting.md", "writeFileSync"));
    const env = { ...process.env, ...simulator.environment() };
    const script = await runProcess(process.execPath, ["adopt.mts"], { cwd: folder, env, timeoutMs: 60_000 });
    expect(script).toMatchObject({ status: 0 });
    await writeProgram(folder, `import * as brightdata from "pulumi-brightdata";\n${script.stdout}`);

    expect(await stack.importFile(path.join(folder, "import.json"))).toMatchObject({ status: 0 });
    const preview = await stack.expect("preview", "--diff");
    expect(preview).not.toMatch(/to create|to replace|to delete/);
    const requests = [simulator.remote.service.requests, simulator.manager.service.requests].map((all) => all.length);
    await stack.expect("up");
    const changes = [simulator.remote.service, simulator.manager.service].flatMap((service, index) =>
      service.requests.slice(requests[index]).filter(({ method }) => method !== "GET"),
    );
    expect(changes).toEqual([]);
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
    await tests[0]?.();
  });
});
