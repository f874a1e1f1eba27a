import { expect, test } from "vitest";
import { Held } from "../../../src/cli/account/held";
import { typeOf } from "../../../src/dynamic/type";
import { readSettings } from "../../../src/settings/settings";

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
