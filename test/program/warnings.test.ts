import * as pulumi from "@pulumi/pulumi";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { getManagerSession, ProxyPort, Zone } from "../../src";
import { program, startManager } from "../functions/harness";

let warnings: string[];

beforeEach(async () => {
  warnings = [];
  await program(false);
  vi.spyOn(pulumi.log, "warn").mockImplementation(async (words) => void warnings.push(words));
  onTestFinished(() => {
    vi.restoreAllMocks();
    pulumi.runtime.setAllConfig({});
  });
});

/** Runs a program as the engine does: with a stack of its own. */
const run = (declare: () => Promise<void>) => pulumi.runtime.runInPulumiStack(async () => void (await declare()));

const declareTwice = async () => {
  new ProxyPort("a", { zone: "web" });
  new ProxyPort("b", { zone: "web" });
};

test("the stack's configuration is looked at once in a run, and again in the next one", async () => {
  pulumi.runtime.setAllConfig({ "brightdata:apitoken": "the-token" });
  await run(declareTwice);
  expect(warnings).toEqual([expect.stringContaining("Did you mean brightdata:apiToken?")]);
  await run(declareTwice);
  expect(warnings).toHaveLength(2);
});

test("a function looks at it as well", async () => {
  await startManager();
  pulumi.runtime.setAllConfig({ "brightdata:apitoken": "the-token" });
  await run(async () => void (await getManagerSession()));
  expect(warnings).toHaveLength(1);
});

test("the SDK says which keys are secret", async () => {
  const configuration = { "brightdata:apiToken": "the-token", "brightdata:managerApiKey": "the-key" };
  pulumi.runtime.setAllConfig(configuration, ["brightdata:apiToken"]);
  await run(declareTwice);
  expect(warnings).toEqual([expect.stringMatching(/^brightdata:managerApiKey is in plain text/)]);
});

test("`customTimeouts` is told once for each kind", async () => {
  const options = { customTimeouts: { create: "5m" } };
  await run(async () => {
    new ProxyPort("a", { zone: "web" }, options);
    new ProxyPort("b", { zone: "web" }, options);
    new Zone("web", { plan: { type: "static" } }, options);
    new Zone("none", { plan: { type: "static" } });
  });
  const words = (what: string) =>
    `${what}: the option \`customTimeouts\` has no effect. Use the argument \`timeouts\`, in seconds, such as \`timeouts: { create: 300 }\`.`;
  expect(warnings).toEqual([words('ProxyPort "a"'), words('Zone "web"')]);
});
