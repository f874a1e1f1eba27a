import { expect, onTestFinished, test } from "vitest";
import { send } from "../../../scripts/send.mts";
import { SimulatedManager, startSimulator } from "../../../simulator";
import { Held } from "../../../src/cli/account/held";
import { listed, thingTitle } from "../../../src/cli/account/inventory";
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

test("managers of one account have its users, and those of another account their own", async () => {
  const [simulator, other] = await Promise.all([startSimulator(), startSimulator({ customer: "hl_other" })]);
  const { account } = simulator;
  const twin = new SimulatedManager({ account, clock: account.clock });
  await twin.listen();
  onTestFinished(async () => void (await Promise.all([simulator.close(), other.close(), twin.close()])));
  for (const { url } of [simulator.manager, twin, other.manager])
    await send(url, "POST", "/api/lpm_user", { email: "ops@example.com" });
  const settings = readSettings(() => undefined, {
    ...simulator.environment(),
    BRIGHTDATA_MANAGERS: JSON.stringify({ other: { url: other.manager.url }, twin: { url: twin.url } }),
  });
  const selection = { kinds: ["ManagerUser"], isMeant: () => true };
  const { found } = await listed(sources(settings, { accounts: undefined, managers: undefined }), selection);
  const others = "ManagerUser ops@example.com (manager other)";
  expect(found.map(thingTitle)).toEqual(["ManagerUser ops@example.com (manager)", others]);

  const type = "brightdata:index:ManagerUser";
  const outputs = { email: "ops@example.com", manager: "twin" };
  const user = { type, urn: `urn:pulumi:dev::proxies::${type}::ops`, id: "twin/ops@example.com", outputs };
  const held = new Held([{ deployment: { resources: [user] } }], settings);
  expect((await held.lacking(found)).map(thingTitle)).toEqual([others]);
});
