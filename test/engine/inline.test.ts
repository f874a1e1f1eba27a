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

/** Brings up programs in one process, with what it is told, or the workspaces alone are. */
async function bringUp(whose: "process" | "workspace", ...programs: object[][]) {
  const { simulator, stack } = await scene();
  const [home, backend] = ["home", "inline"].map((name) => join(stack.folder, name)) as [string, string];
  await mkdir(backend, { recursive: true });
  const variables = {
    ...simulator.environment(),
    ...{ PULUMI_HOME: home, PULUMI_BACKEND_URL: `file://${backend}`, PULUMI_CONFIG_PASSPHRASE: "a passphrase" },
  };
  const isTold = whose === "process";
  const { status, stdout, stderr } = await run(process.execPath, [join(__dirname, "inline/index.cjs")], {
    env: {
      ...environmentFor(cli, process.env),
      ...(isTold ? variables : { PULUMI_HOME: join(stack.folder, "another home") }),
      ENVIRONMENT: JSON.stringify(isTold ? {} : variables),
      PROGRAMS: JSON.stringify(programs),
    },
    timeoutMs: 120_000,
  });
  expect(status, stdout + stderr).toBe(0);
  return { simulator, stdout, intents: quietly(() => readdirSync(join(home, "brightdata/intents"))) };
}

it("an inline program of the Automation API announces what it takes over, and is told what the state has", async () => {
  const { simulator, stdout, intents } = await bringUp("process", before, after);
  expect(stdout).toContain("zone web is kept: another resource of this program is to take it over");
  const deletions = simulator.remote.service.requests.filter(({ method }) => method === "DELETE");
  expect(deletions).toEqual([]);
  expect(intents).toEqual([]);
});

it("an inline program is told what the state has where its workspace has another home, and another backend", async () => {
  expect((await bringUp("workspace", before)).intents).toEqual([]);
});
