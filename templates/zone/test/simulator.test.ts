import { startSimulator } from "pulumi-brightdata/simulator";
import { expect, onTestFinished, test } from "vitest";
import { reviewStack } from "./stack";

test("a pull request's zone comes up, stays as it is, and goes", async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const stack = await reviewStack(simulator);
  const { outputs } = await stack.up();
  const zoneName = String(outputs.zoneName?.value);
  expect(zoneName).toMatch(/^web_\w+_pr_1$/);
  const zone = simulator.account.zone(zoneName);
  expect(outputs.proxyUrl).toEqual({
    value: `http://brd-customer-${simulator.account.customer}-zone-${zoneName}:${zone?.password[0]}@brd.superproxy.io:44445`,
    secret: true,
  });
  await stack.preview({ expectNoChanges: true });
  await stack.destroy();
  expect(simulator.account.liveZones()).toEqual([]);
});
