import { expect, test } from "vitest";
import { getManagerSettings } from "../../src/generated";
import { startManager } from "./harness";

test("getManagerSettings are the general settings, without credentials", async () => {
  const { manager, account, asked } = await startManager();
  Object.assign(manager.state.settings, { password: "a-password", whitelist_ips: ["203.0.113.7"], log: "info" });
  const settings = await getManagerSettings();
  expect(settings).toMatchObject({ customer: account.customer, whitelistIps: ["203.0.113.7"], log: "info" });
  const text = JSON.stringify(settings);
  for (const secret of ["a-password", manager.state.settings.lpm_token]) expect(text).not.toContain(secret);
  expect(asked()).toEqual(["GET /api/settings"]);
});
