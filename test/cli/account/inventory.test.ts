import { expect, onTestFinished, test } from "vitest";
import { startSimulator } from "../../../simulator";
import { listed } from "../../../src/cli/account/inventory";
import { sources } from "../../../src/cli/account/source";
import { readSettings } from "../../../src/settings/settings";

test("nothing is imported of a manager that nobody has configured and that is not there", async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  simulator.account.addZone("web", { type: "static", ips_type: "shared" });
  const settings = readSettings(() => undefined, simulator.environment());
  await simulator.manager.close();
  const all = sources(settings, { accounts: undefined, managers: undefined });
  const { found, leftOut } = await listed(
    all.map((source) => ({ ...source, isConfigured: source.service === "remote" })),
    { kinds: undefined, isMeant: () => true },
  );
  expect(found.map(({ kind, id }) => `${kind} ${id}`)).toEqual(["Zone web"]);
  expect(leftOut.map(({ why }) => why)).toEqual(["no Proxy Manager answers there, and none is configured"]);
});
