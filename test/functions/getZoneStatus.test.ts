import { expect, test } from "vitest";
import { getZoneStatus } from "../../src/generated";
import { startService } from "./harness";

test.each(["active", "disabled"] as const)("a zone that is %s", async (status) => {
  const { account, asked } = await startService();
  account.addZone("web", { type: "static" }).status = status;
  await expect(getZoneStatus({ zone: "web" })).resolves.toEqual({ zone: "web", status });
  expect(asked()).toEqual(["GET /zone/status?zone=web"]);
});
