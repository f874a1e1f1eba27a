import { startSimulator } from "pulumi-brightdata/simulator";
import { expect, onTestFinished, test } from "vitest";
import { reviewStack } from "./stack";

test("a pull request's fleet comes up on two managers, stays as it is, and goes", async () => {
  const simulator = await startSimulator({ manager: { dropin: false }, managers: { "fra-1": {}, "fra-2": {} } });
  onTestFinished(() => simulator.close());
  const stack = await reviewStack(simulator, { managers: ["fra-1", "fra-2"], clients: ["198.51.100.0/24"] });
  const { outputs } = await stack.up();
  const names = [/^web_us_\w+_pr_1$/, /^web_de_\w+_pr_1$/].map((name) => expect.stringMatching(name));
  expect(outputs.zoneNames?.value).toEqual(names);
  const url = expect.stringMatching(/^http:\/\/127\.0\.0\.1:24\d{3}$/);
  expect(outputs.proxies?.value).toEqual({ us: [url, url, url, url], de: [url, url, url, url] });
  await stack.preview({ expectNoChanges: true });
  await stack.destroy();
  expect(simulator.account.liveZones()).toEqual([]);
});
