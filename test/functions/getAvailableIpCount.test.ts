import { expect, test } from "vitest";
import { ArgumentError, InvalidRequestError, NotFoundError } from "../../src/base/errors";
import { getAvailableIpCount } from "../../src/generated";
import { startService } from "./harness";

test("getAvailableIpCount counts for a plan", async () => {
  const { asked } = await startService({ remote: { availableIps: 7 } });
  await expect(getAvailableIpCount({ plan: { country: "us" } })).resolves.toEqual({ count: 7 });
  await expect(getAvailableIpCount({ plan: { country: "aq" } })).resolves.toEqual({ count: 0 });
  expect(asked()).toHaveLength(2);
});

test("getAvailableIpCount counts for a zone", async () => {
  const { account, asked } = await startService({ remote: { availableIps: 7 } });
  account.addZone("web", { type: "static" });
  await expect(getAvailableIpCount({ zone: "web" })).resolves.toEqual({ count: 7 });
  expect(asked()).toEqual(["GET /zone/count_available_ips?zone=web"]);
});

test("getAvailableIpCount tells a zone that does not exist, and one that can have none", async () => {
  const { account } = await startService();
  account.addZone("homes", { type: "resident" });
  const missing = getAvailableIpCount({ zone: "home" });
  await expect(missing).rejects.toBeInstanceOf(NotFoundError);
  await expect(missing).rejects.toThrow('the most similar is "homes"');
  await expect(getAvailableIpCount({ zone: "homes" })).rejects.toBeInstanceOf(InvalidRequestError);
});

test.each([{}, { zone: "web", plan: {} }, { zone: " " }])("getAvailableIpCount sends nothing for %j", async (args) => {
  const { asked } = await startService();
  await expect(getAvailableIpCount(args)).rejects.toBeInstanceOf(ArgumentError);
  expect(asked()).toEqual([]);
});
