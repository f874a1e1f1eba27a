import { readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run } from "../../scripts/process.mts";
import { environmentFor } from "../../scripts/pulumi.mts";
import { quietly } from "../../src/base/disk";
import { cli, scene } from "./harness";

const plan = { type: "static", ipsType: "shared", ips: 1 };
const before = [{ kind: "Zone", name: "web", args: { name: "web", plan } }];
/** The zone goes to another resource, of which the engine tells once the first has let go of it. */
const after = [
  { kind: "Zone", name: "web", args: { name: "new", plan } },
  { kind: "Zone", name: "taker", args: { name: "web", plan, adopt: true }, dependsOn: "web" },
];

it("an inline program of the Automation API announces what it takes over, and is told what the state has", async () => {
  const { simulator, stack } = await scene();
  const [home, backend] = ["home", "inline"].map((name) => join(stack.folder, name)) as [string, string];
  await mkdir(backend, { recursive: true });
  const { status, stdout, stderr } = await run(process.execPath, [join(__dirname, "inline/index.cjs")], {
    env: {
      ...environmentFor(cli, process.env),
      ...simulator.environment(),
      ...{ PULUMI_HOME: home, PULUMI_BACKEND_URL: `file://${backend}`, PULUMI_CONFIG_PASSPHRASE: "a passphrase" },
      PROGRAMS: JSON.stringify([before, after]),
    },
    timeoutMs: 120_000,
  });
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toContain("zone web is kept: another resource of this program is to take it over");
  const deletions = simulator.remote.service.requests.filter(({ method }) => method === "DELETE");
  expect(deletions).toEqual([]);
  expect(quietly(() => readdirSync(join(home, "brightdata/intents")))).toEqual([]);
});
