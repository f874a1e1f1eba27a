import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../scripts/freePort.mts";
import { startRealManager } from "../../scripts/real-manager/index.mts";
import { startSimulator } from "../../simulator";
import { proxyPortLifecycle as proxyPort } from "../../src/kinds/proxyPort/lifecycle";
import { Context } from "../../src/lifecycle/context";
import { Deadline } from "../../src/lifecycle/deadline";
import { readSettings } from "../../src/settings/settings";

/** A manager of each kind whose command line has `--country us --max_ban_retries 5`. */
const MANAGERS = {
  async real() {
    const real = await startRealManager({ restartDelayMs: 0, args: ["--country", "us", "--max_ban_retries", "5"] });
    onTestFinished(() => real.stop());
    return real.url;
  },
  async simulator() {
    const portDefaults = { country: "us", max_ban_retries: 5 };
    const simulator = await startSimulator({ manager: { portDefaults } });
    onTestFinished(() => simulator.close());
    simulator.account.addZone("static", { type: "static" });
    return simulator.manager.url;
  },
};

test.each(["real", "simulator"] as const)("the %s manager tells what it has forgotten of a port", async (name) => {
  const url = await MANAGERS[name]();
  const variables = { BRIGHTDATA_PROXY_MANAGER_URL: url, BRIGHTDATA_LOG: "off" };
  const context = new Context(readSettings(() => undefined, variables));
  const deadline = new Deadline(100, undefined);
  onTestFinished(() => deadline.release());
  const inputs = { zone: "static", port: await freePort(), country: "us", maxBanRetries: 10, proxyRetry: 3 };
  const { id, state } = await proxyPort.create(inputs, { context, deadline });
  await context.manager.process.restart();
  context.forgetManager();
  const { country, maxBanRetries } = (await context.manager.ports.get(inputs.port, deadline)) ?? {};
  expect({ country, maxBanRetries }).toEqual({ country: undefined, maxBanRetries: 10 });
  expect(await context.manager.ports.defaults(deadline)).toMatchObject({ country: "us", maxBanRetries: 5 });
  expect(await proxyPort.read(id, inputs, { context, deadline }, state)).toEqual(state);
  const declared = new Set(Object.keys(inputs));
  await proxyPort.update(id, state, declared, { zone: "static", port: inputs.port }, { context, deadline });
  expect(await context.manager.ports.get(inputs.port, deadline)).toMatchObject({ maxBanRetries: 5, proxyRetry: 2 });
});
