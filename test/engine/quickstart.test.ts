import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT, scene } from "./harness";

it.each([
  ["the repository's root", ROOT],
  ["its own folder", join(ROOT, "examples/quickstart")],
])(
  "the quickstart goes up in %s, with a configuration instead of the environment, and comes down again",
  async (_where, folder) => {
    const { stack, simulator } = await scene({}, folder);
    const unset = { BRIGHTDATA_API_TOKEN: undefined, BRIGHTDATA_BASE_URL: undefined };
    stack.setEnvironment({ ...unset, BRIGHTDATA_PROXY_MANAGER_URL: undefined });
    await stack.setConfig("brightdata:apiToken", simulator.token, true);
    await stack.setConfig("brightdata:baseUrl", simulator.remote.url);
    await stack.setConfig("brightdata:proxyManagerUrl", simulator.manager.url);
    expect(await stack.expect("up")).toMatch(/\+ 6 created/);
    await stack.expect("preview", "--expect-no-changes");
    const outputs = await stack.outputs();
    expect(outputs).toMatchObject({ dollarsThisMonth: expect.any(Number), bytesThisMonth: expect.any(Number) });
    expect(outputs.urls).toHaveLength(3);
    await stack.expect("destroy");
    expect(simulator.account.liveZones()).toEqual([]);
    expect(simulator.account.sweeps).toEqual([]);
  },
);
