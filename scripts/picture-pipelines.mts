// The pictures of what pipelines write, from real runs on simulated services; needs chromium: npm run picture
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pictureOf } from "./picture-markdown.mts";
import { run } from "./process.mts";
import { makeProject, writeProgram } from "./project.mts";
import { environmentFor, resolvePulumi } from "./pulumi.mts";
import { ROOT } from "./root.mts";
import { send } from "./send.mts";

const IMAGES = join(ROOT, "docs/images");
const TIMEOUT_MS = 120_000;

const program = (ips: number, countries: readonly string[]) => `import * as brightdata from "pulumi-brightdata";

const plan: brightdata.ZonePlanArgs = { type: "static", ipsType: "dedicated", ips: 10, country: "us" };
const zone = new brightdata.Zone("scraping", { name: "scraping", plan }, { protect: true });
new brightdata.ZoneIps("peak", { zone: zone.name, count: ${ips} });
for (const country of ${JSON.stringify(countries)}) {
  new brightdata.ProxyPort(country, { zone: zone.name, country, rotateSession: true });
}
`;

const cli = await resolvePulumi();
const { startSimulator } = await import("../dist/simulator/index.js");
const simulator = await startSimulator();
const project = await makeProject(program(2, ["us", "de"]));
const env = {
  ...environmentFor(cli, process.env),
  ...simulator.environment(),
  PULUMI_HOME: join(project, "home"),
  PULUMI_BACKEND_URL: `file://${project}`,
  PULUMI_CONFIG_PASSPHRASE: "correct horse battery staple",
  BRIGHTDATA_PRICES: JSON.stringify({ "datacenter-dedicated-ip": 0.8 }),
};

async function output(expected: number, command: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(command, args, { cwd: project, env, timeoutMs: TIMEOUT_MS });
  if (status !== expected) throw new Error(`${command} ${args.join(" ")} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

const own = (expected: number, ...args: string[]) =>
  output(expected, process.execPath, join(ROOT, "dist/cli/index.js"), ...args, "--stack", "production");

try {
  await output(0, cli.bin, "stack", "init", "production");
  await output(0, cli.bin, "up", "--yes", "--skip-preview", "--stack", "production");
  const zone = simulator.account.zones.get("scraping");
  if (zone !== undefined) zone.usage = { [new Date().toISOString().slice(0, 10)]: { cost: 41.37 } };

  await writeProgram(project, program(5, ["us", "de", "fr"]));
  await pictureOf(await own(0, "comment"), join(IMAGES, "comment.png"));

  await writeProgram(project, program(2, ["us", "de"]));
  const [, port] = simulator.manager.state.records;
  await send(simulator.manager.url, "PUT", `/api/proxies/${port?.port}`, {
    proxy: { rotate_session: false, country: "gb" },
  });
  simulator.account.addZone("tmp_test", { type: "static", ips_type: "dedicated", ips: 1 });
  await pictureOf(await own(7, "drift"), join(IMAGES, "drift-issue.png"), "Drift in proxies/production");
} finally {
  await simulator.close();
  await rm(project, { recursive: true, force: true });
}
