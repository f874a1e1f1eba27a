import { expect, test } from "vitest";
import { Held } from "../../../src/cli/account/held";
import type { Source } from "../../../src/cli/account/source";
import { typeOf } from "../../../src/dynamic/type";
import { readSettings } from "../../../src/settings/settings";

/** As the plugin records what is with an explicit provider. */
const NATIVE = {
  ProxyPort: {
    id: "24000",
    inputs: { port: 24_000, zone: "web" },
    outputs: {
      __at: "EOXat7pW",
      __mark: "m.9VM3MvRawNBw",
      __with: "second",
      listenPort: 24_000,
      port: 24_000,
      zone: "web",
    },
  },
  ZoneIps: {
    id: "web/ips",
    inputs: { count: 2, zone: "web" },
    outputs: { __at: "9iwf537N", __mark: "m.elJJPH3yutTr", count: 2, ips: ["198.18.0.4"], zone: "web" },
  },
};

test("what native resources have is known by their service, with an explicit provider, too", () => {
  const resources = Object.entries(NATIVE).map(([kind, resource]) => {
    const type = `brightdata:index:${kind}`;
    return { ...resource, type, urn: `urn:pulumi:dev::proxies::${type}::mine` };
  });
  const held = new Held(
    [{ checkpoint: { latest: { resources } } }],
    readSettings(() => undefined, {}),
  );
  const holder = (kind: string, id: string, service: "manager" | "remote", location: string) =>
    held.holderOf({ kind, id, source: { service, name: undefined } as Source }, location);
  expect(holder("ProxyPort", "24000", "manager", "EOXat7pW")).toMatchObject({ kind: "ProxyPort", name: "mine" });
  expect(holder("ZoneIps", "web/ips", "remote", "9iwf537N")).toMatchObject({ kind: "ZoneIps", name: "mine" });
  expect(holder("ProxyPort", "24000", "manager", "another")).toBeUndefined();
  expect(holder("ProxyPort", "24001", "manager", "EOXat7pW")).toBeUndefined();
});

const stateOf = (...types: string[]) => ({
  deployment: {
    resources: types.map((type) => ({ type, urn: `urn:pulumi:dev::p::${type}::a`, id: "a", outputs: {} })),
  },
});

test.each<[boolean, string[]]>([
  [true, ["brightdata:index:Zone", "pulumi:providers:brightdata", "aws:s3/bucket:Bucket"]],
  [false, ["brightdata:index:Zone", typeOf("Zone")]],
  [false, [typeOf("Zone")]],
  [false, ["aws:s3/bucket:Bucket"]],
])("whether all that stacks hold is the plugin's is %s for %j", (isNative, types) => {
  const settings = readSettings(() => undefined, {});
  expect(new Held([stateOf(...types)], settings).isNative).toBe(isNative);
});

test.each([typeOf("ProxyPort"), "brightdata:index:ProxyPort"])(
  "the name of a resource that a stack holds is known whole, with colons (%s)",
  (type) => {
    const urn = `urn:pulumi:dev::proxies::${type}::eu::web`;
    const state = { deployment: { resources: [{ type, urn, id: "24000", outputs: { port: 24_000 } }] } };
    const held = new Held(
      [state],
      readSettings(() => undefined, {}),
    );
    expect([...held.names]).toEqual(["ProxyPort eu::web"]);
  },
);
