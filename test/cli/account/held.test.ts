import { expect, test } from "vitest";
import { Held } from "../../../src/cli/account/held";
import { typeOf } from "../../../src/dynamic/type";
import { readSettings } from "../../../src/settings/settings";

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
