import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { LIFECYCLES } from "../../src/generated/lifecycles";
import { Identity } from "../../src/pulumi/identity";

const identityOf = (kind: string): Identity => {
  const { service, localId } = LIFECYCLES[kind] as (typeof LIFECYCLES)[string];
  return new Identity(service, localId);
};

/** Ids of each kind that has a slash in some. */
const HIDDEN = `r${"0123456789abcdef".repeat(2)}`;

const IDS: [kind: string, ids: string[]][] = [
  ["Zone", ["web"]],
  ["ZoneAccess", ["web"]],
  ["ZoneIps", ["web/ips", "web/gips"]],
  ["ZonePassword", ["web/1f2e3d4c"]],
  ["ZoneIpRefresh", ["web/1f2e3d4c"]],
  ["ProxyPort", ["24000"]],
  ["WhitelistIp", ["ui/203.0.113.7", "ports/10.0.0.0/8"]],
  ["BannedIp", ["203.0.113.7", "203.0.113.7/example.com", "2001:db8::1/example.com", HIDDEN, `${HIDDEN}/abc.de`]],
  ["PortIpRefresh", ["24000/203.0.113.7"]],
  ["SnapshotDelivery", ["dl_m4x7", "s_m4x7/1f2e3d4c"]],
  ["ManagerSettings", ["settings"]],
  ["ManagerUser", ["ops@example.com"]],
];

// Names that are parts of ids too.
const NAMES = ["fra-1", "ui", "ports", "web", "24000", "ips", "settings"];

describe.each(IDS)("ids of %s", (kind, ids) => {
  test("say the connection, whatever its name", () => {
    const identity = identityOf(kind);
    for (const id of ids) {
      expect([identity.local(id), identity.nameIn({}, id)]).toEqual([id, undefined]);
      for (const name of NAMES) {
        const full = identity.full(id, name);
        expect([full, identity.local(full), identity.nameIn({}, full)]).toEqual([`${name}/${id}`, id, name]);
      }
    }
  });
});

test("a state says the connection, whatever the id", () => {
  const identity = identityOf("ProxyPort");
  expect(identity.nameIn({ port: 24_000, manager: "fra-1" }, "24000")).toBe("fra-1");
  expect(identity.nameIn({ port: 24_000 }, "fra-1/24000")).toBeUndefined();
});

describe("an id that names a connection, with a state that names none,", () => {
  const identity = identityOf("Zone");
  const require = (props: JsonObject, elsewhere: string[] = [], id: unknown = "shop/web", isRecorded = false) =>
    identity.requireOwn(id, props, isRecorded, (name) => elsewhere.includes(name));

  test("is refused where nobody has recorded that it is the one without a name", () => {
    expect(() => require({ name: "web" })).toThrow(
      'The id "shop/web" says that `account` is "shop", and the state has no `account`, so it is not certain whose it is. Nothing was done. Give the state `account: "shop"`, in an import file among the inputs, or the id "web".',
    );
  });

  test("is that of the state where it was recorded, unless the names are those of two services", () => {
    require({ name: "web" }, [], "shop/web", true);
    require({ name: "web" }, ["other"], "shop/web", true);
    expect(() => require({ name: "web" }, ["shop"], "shop/web", true)).toThrow("it is not certain whose it is");
  });

  test("is fine where the state has a name, where there is no state, and where the id names none", () => {
    require({ name: "web", account: "else" }, ["shop", "else"]);
    require({}, ["shop"]);
    require({ name: "web" }, [], "web");
    identityOf("ZoneIps").requireOwn("web/ips", { zone: "web" }, false, () => true);
  });

  test.each([7, "", "shop/", null, undefined, ["web"]])("that is no text, or an empty one, is refused (%j)", (id) => {
    expect(() => identity.requireOwn(id, {}, false, () => false)).toThrow(/ is no id: expected a text/);
  });
});

test("what is no id of the kind is left as it is", () => {
  expect(identityOf("ZoneIps").local("fra-1/web")).toBe("fra-1/web");
  expect(identityOf("Zone").nameIn({}, "a/b/c")).toBeUndefined();
});
