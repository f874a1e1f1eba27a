import { afterEach, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import type { Adapter } from "../../src/dynamic/adapter";

let resource: (kind: string) => Adapter;
let said: MockInstance;

beforeEach(async () => {
  // What a process has said once it does not say again.
  vi.resetModules();
  ({ resource } = await import("../../src/provider.js"));
  said = vi.spyOn(console, "log").mockReturnValue();
  vi.stubEnv("BRIGHTDATA_API_TOKEN", "");
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const configured = (kind: string, config: Record<string, string> = {}): Adapter => {
  const adapter = resource(kind);
  void adapter.configure({ config: { get: (key) => config[key] } });
  return adapter;
};

const plan = { type: "static" };

test("a preview without a token says so once, and goes on", async () => {
  const zone = configured("Zone");
  for (const name of ["one", "two"]) {
    expect((await zone.check({}, { name, plan })).failures).toEqual([]);
  }
  expect((await configured("ZoneAccess").check({}, { zone: "one", allowedIps: ["any"] })).failures).toEqual([]);
  expect(said.mock.calls).toEqual([
    [expect.stringMatching(/^brightdata: There is no Bright Data API token\. A preview goes on without one;/)],
  ]);
});

test("what needs no token is not told of it", async () => {
  await configured("ProxyPort").check({}, { zone: "web" });
  await configured("Zone", { "brightdata:apiToken": "the-token" }).check({}, { name: "one", plan });
  await configured("Zone", { "brightdata:accounts": '{"shop":{"apiToken":"t"}}' }).check(
    {},
    { name: "one", account: "shop", plan },
  );
  expect(said).not.toHaveBeenCalled();
});

test("a Proxy Manager's URL that leads to the account fails the preview", async () => {
  const port = configured("ProxyPort", { "brightdata:proxyManagerUrl": "https://api.brightdata.com" });
  expect((await port.check({}, { zone: "web" })).failures).toEqual([
    { property: "", reason: expect.stringContaining("which is Bright Data's API and not a Proxy Manager") },
  ]);
});
