import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { run } from "../../scripts/process.mts";
import { environmentFor } from "../../scripts/pulumi.mts";
import { cli, ROOT } from "../engine/harness";
import { policyScene, STRICT } from "./policyScene";

test("a comment says what policies have found, and which stop the change", async () => {
  const { stack, simulator, configured } = await policyScene();
  const packs = await configured({
    all: "disabled",
    "max-ips": { ...STRICT["max-ips"], enforcementLevel: "mandatory" },
  });
  const comment = async (ips: number) => {
    const plan = { type: "static", ipsType: "dedicated", ips };
    const env = {
      ...environmentFor(cli, process.env),
      ...simulator.environment(),
      PULUMI_HOME: join(stack.folder, "home"),
      PULUMI_BACKEND_URL: `file://${join(stack.folder, "backend")}`,
      ...inject("keys").environment,
      PULUMI_CONFIG_PASSPHRASE: "correct horse battery staple",
      PATH: inject("policyPath"),
      PROGRAM: JSON.stringify([{ kind: "Zone", name: "web", args: { name: "web", plan } }]),
    };
    const args = [join(ROOT, "dist/cli/index.js"), "comment", "--stack", "demo", "--", ...packs];
    return run(process.execPath, args, { cwd: join(ROOT, "test/engine/program"), env, timeoutMs: 120_000 });
  };
  const stopped = await comment(6);
  expect(stopped).toMatchObject({ status: 1, stderr: "" });
  expect(stopped.stdout).toMatch(/^### `declared\/demo`: stopped by policies\n\n\*\*Money\*\*\n/);
  expect(stopped.stdout).toMatch(/^\| \*\*mandatory\*\* \| `\S+\/max-ips` \| `web` \| .*Zone web has 6 IPs/m);
  const passed = await comment(5);
  expect(passed).toMatchObject({ status: 0, stderr: "" });
  expect(passed.stdout).toMatch(/^\*\*Policies\*\*: passed `\S+ \S+`\.$/m);
});
