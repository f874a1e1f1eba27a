import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { isRpcSecret, unwrapRpcSecret } from "@pulumi/pulumi/runtime/rpc";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { ProxyPort, WhitelistIp, Zone } from "../../src";
import type { JsonObject } from "../../src/http/case";
import { PORT_FIELDS } from "../../src/manager/portFields";

/** What a program asked the engine for. */
interface Registration {
  type: string;
  name: string;
  id: string | undefined;
  /** As they are sent, secrets in their envelopes. */
  inputs: JsonObject;
  secretOutputs: string[];
}

let registrations: Registration[];
/** What the provider answers beside the inputs. */
let outputs: JsonObject;

beforeEach(async () => {
  registrations = [];
  outputs = {};
  const secretOutputs: string[][] = [];
  for (const method of ["registerResource", "readResource"] as const) {
    const original = MockMonitor.prototype[method];
    vi.spyOn(MockMonitor.prototype, method).mockImplementation(function (this: MockMonitor, request, callback) {
      secretOutputs.push(request.getAdditionalsecretoutputsList());
      return original.call(this, request, callback);
    });
  }
  await pulumi.runtime.setMocks({
    call: () => ({}),
    newResource: ({ type, name, id, inputs }) => {
      registrations.push({ type, name, id: id || undefined, inputs, secretOutputs: secretOutputs.shift() ?? [] });
      return { id: id || `${name}-id`, state: { ...inputs, ...outputs } };
    },
  });
  return () => vi.restoreAllMocks();
});

/** The value of an output once it is known, and whether it is a secret. */
async function settled<T>(output: pulumi.Output<T>): Promise<{ value: T; secret: boolean }> {
  const secret = await pulumi.isSecret(output);
  return new Promise((resolve) => {
    pulumi.unsecret(output).apply((value) => resolve({ value: value as T, secret }));
  });
}

/** The one registration there was, once it is there. */
async function registration(resource: pulumi.CustomResource): Promise<Registration> {
  await settled(resource.id);
  expect(registrations).toHaveLength(1);
  return registrations[0] as Registration;
}

const inputsSent = ({ inputs }: Registration): JsonObject => {
  const { __provider, ...rest } = inputs;
  return rest;
};

const KINDS = [
  {
    kind: "Zone",
    type: Zone,
    make: () => new Zone("it", { plan: { type: "static" } }),
    get: () => Zone.get("it", "web"),
  },
  {
    kind: "ProxyPort",
    type: ProxyPort,
    make: () => new ProxyPort("it", { zone: "web" }),
    get: () => ProxyPort.get("it", "24000"),
  },
  {
    kind: "WhitelistIp",
    type: WhitelistIp,
    make: () => new WhitelistIp("it", { ip: "203.0.113.7" }),
    get: () => WhitelistIp.get("it", "ui/203.0.113.7"),
  },
] as const;

describe.each(KINDS)("$kind", ({ kind, type, make, get }) => {
  test("is a dynamic resource whose provider's text is short, and the same for ever", async () => {
    const { type: sent, inputs, id } = await registration(make());
    expect(sent).toBe(`pulumi-nodejs:dynamic/brightdata:${kind}`);
    expect(id).toBeUndefined();
    // It stands in people's state files: another text is an update of everything they have.
    expect(inputs.__provider).toBe(`exports.handler=()=>require("pulumi-brightdata/provider").resource("${kind}",1)`);
    expect(String(inputs.__provider).length).toBeLessThanOrEqual(100);
  });

  test("is looked up by an id, with nothing declared", async () => {
    const resource = get();
    const { id, inputs, type: sent } = await registration(resource);
    expect(sent).toBe(`pulumi-nodejs:dynamic/brightdata:${kind}`);
    expect(id).toMatch(/^(web|24000|ui\/203\.0\.113\.7)$/);
    expect(Object.keys(inputs)).toEqual(["__provider"]);
    expect((await settled(resource.id)).value).toBe(id);
  });

  test("is told from other things, and from other kinds", async () => {
    const resource = make();
    await registration(resource);
    expect(type.isInstance(resource)).toBe(true);
    for (const { kind: other, type: another } of KINDS) expect(another.isInstance(resource)).toBe(other === kind);
    // Another copy of this package has other classes.
    expect(type.isInstance({ __pulumiType: `pulumi-nodejs:dynamic/brightdata:${kind}` })).toBe(true);
    for (const thing of [undefined, null, {}, "x", type]) expect(type.isInstance(thing)).toBe(false);
    expect(pulumi.CustomResource.isInstance(resource)).toBe(true);
  });

  test("keeps its own secret outputs secret beside those that the program names", async () => {
    const own = {
      Zone: ["password", "passwords"],
      ProxyPort: ["password", "userPassword", "extProxies", "extProxyPassword"],
      WhitelistIp: ["apiKey"],
    };
    const options = { additionalSecretOutputs: ["mine"] };
    const resource = {
      Zone: () => new Zone("it", { plan: { type: "static" } }, options),
      ProxyPort: () => new ProxyPort("it", { zone: "web" }, options),
      WhitelistIp: () => new WhitelistIp("it", { ip: "203.0.113.7" }, options),
    }[kind]();
    expect(new Set((await registration(resource)).secretOutputs)).toEqual(new Set(["mine", ...own[kind]]));
    // The program's own object is left as it was.
    expect(options).toEqual({ additionalSecretOutputs: ["mine"] });
  });
});

describe("a Zone", () => {
  test("registers what was declared and the name that one can be made of", async () => {
    const plan = { type: "static", ips: 2, extra: { x_y: 1 } } as const;
    const zone = new Zone("My Zone", {
      name: "web",
      type: "dc",
      plan,
      disabled: true,
      adopt: true,
      timeouts: { create: 5 },
    });
    expect(inputsSent(await registration(zone))).toEqual({
      name: "web",
      type: "dc",
      plan,
      disabled: true,
      adopt: true,
      timeouts: { create: 5 },
      __autoname: "My Zone",
    });
  });

  test("has every output of the service's, though the program declares none of them", async () => {
    outputs = {
      name: "web",
      created: "then",
      passwords: ["hush"],
      password: "hush",
      ips: ["any"],
      perm: "country",
      status: "active",
      description: "d",
    };
    const zone = new Zone("it", { plan: { type: "static" } });
    const values = await Promise.all(
      [zone.name, zone.created, zone.passwords, zone.password, zone.ips, zone.perm, zone.status, zone.description].map(
        async (output) => (await settled(output as pulumi.Output<unknown>)).value,
      ),
    );
    expect(values).toEqual(["web", "then", ["hush"], "hush", ["any"], "country", "active", "d"]);
  });
});

describe("a ProxyPort", () => {
  const EVERY = Object.fromEntries(Object.keys(PORT_FIELDS).map((field) => [field, `value of ${field}`])) as JsonObject;

  test("registers every field that was declared, secrets as secrets, and no other", async () => {
    const port = new ProxyPort("it", { ...EVERY, zone: "web", adopt: true, timeouts: { read: 1 } });
    const sent = inputsSent(await registration(port));
    const secrets = Object.keys(sent).filter((key) => isRpcSecret(sent[key]));
    expect(secrets.sort()).toEqual(["extProxies", "extProxyPassword", "password", "userPassword"]);
    const plain = Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, unwrapRpcSecret(value)]));
    expect(plain).toEqual({ ...EVERY, zone: "web", adopt: true, timeouts: { read: 1 } });
  });

  test("answers `undefined` for what was not declared, though nothing is registered for it", async () => {
    outputs = { port: 24_000, listenPort: 24_000 };
    const port = new ProxyPort("it", { zone: "web", country: "us", password: undefined as unknown as string });
    expect(inputsSent(await registration(port))).toEqual({ zone: "web", country: "us" });
    expect((await settled(port.country)).value).toBe("us");
    expect((await settled(port.port)).value).toBe(24_000);
    expect((await settled(port.listenPort)).value).toBe(24_000);
    for (const field of Object.keys(PORT_FIELDS)) {
      if (["zone", "country", "port"].includes(field)) continue;
      const output = port[field as keyof ProxyPort] as pulumi.Output<unknown>;
      expect(pulumi.Output.isInstance(output), field).toBe(true);
      expect((await settled(output)).value, field).toBeUndefined();
    }
  });

  test("that is looked up has whatever there is", async () => {
    outputs = { zone: "web", country: "us", port: 24_000, rules: [{ status: 200 }] };
    const port = ProxyPort.get("it", "24000");
    expect((await settled(port.country)).value).toBe("us");
    expect((await settled(port.rules)).value).toEqual([{ status: 200 }]);
    expect((await settled(port.ssl)).value).toBeUndefined();
  });

  test("does not share what is declared with other ports", async () => {
    const one = new ProxyPort("one", { zone: "web", country: "us" });
    const other = new ProxyPort("other", { zone: "web", city: "berlin" });
    expect((await settled(one.country)).value).toBe("us");
    expect((await settled(other.country)).value).toBeUndefined();
    expect((await settled(one.city)).value).toBeUndefined();
    expect((await settled(other.city)).value).toBe("berlin");
  });

  test("takes outputs of other resources, secret ones included", async () => {
    outputs = { name: "web", password: "hush" };
    const zone = new Zone("zone", { plan: { type: "static" } });
    const port = new ProxyPort("port", { zone: zone.name, userPassword: pulumi.secret("hush") });
    await settled(port.id);
    const sent = registrations.find(({ name }) => name === "port")?.inputs ?? {};
    expect(sent.zone).toBe("web");
    expect(isRpcSecret(sent.userPassword)).toBe(true);
    expect((await settled(port.userPassword)).secret).toBe(true);
  });
});

describe("a WhitelistIp", () => {
  test("registers what was declared, its key as a secret", async () => {
    const args = { ip: "203.0.113.7", list: "ports", allowAny: false, adopt: true, timeouts: { delete: 3 } } as const;
    const sent = inputsSent(await registration(new WhitelistIp("it", { ...args, apiKey: "hush" })));
    expect(isRpcSecret(sent.apiKey)).toBe(true);
    expect({ ...sent, apiKey: unwrapRpcSecret(sent.apiKey) }).toEqual({ ...args, apiKey: "hush" });
  });

  test("without a key registers none", async () => {
    expect(inputsSent(await registration(new WhitelistIp("it", { ip: "203.0.113.7" })))).toEqual({ ip: "203.0.113.7" });
  });
});
