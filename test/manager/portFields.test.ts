import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { camelCase, snakeCase } from "../../src/base/case";
import type { Property } from "../../src/declaration/property";
import { addressSet } from "../../src/declaration/values";
import {
  emptyValue,
  fromServicePort,
  isInherited,
  isPortField,
  PORT_FIELDS,
  portField,
  portValue,
  toServicePort,
} from "../../src/manager/portFields";

const field = fc.constantFrom(...PORT_FIELDS);
const ofType = (is: Property["is"]) => PORT_FIELDS.filter((name) => portField(name).is === is);
const fieldOf = (is: Property["is"]) => fc.constantFrom(...ofType(is));

describe("a value as it compares", () => {
  test.each(PORT_FIELDS)("%s: nothing, the empty text, the empty list and the default are the same", (name) => {
    for (const value of [undefined, null, "", [], portField(name).default]) {
      expect(portValue(name, value)).toBeUndefined();
    }
  });

  test.each([...ofType("list"), ...ofType("object")])("%s: the empty object is nothing", (name) => {
    expect(portValue(name, {})).toBeUndefined();
  });

  test.each(ofType("flag"))("%s: a flag is true in four spellings, and false in all others", (name) => {
    for (const value of [true, "true", 1, "1"]) expect(portValue(name, value)).toBe(true);
    for (const value of [false, "false", 0, "0"]) expect(portValue(name, value)).toBeUndefined();
  });

  test("a number is the same as its text", () => {
    fc.assert(
      fc.property(fieldOf("number"), fc.integer(), (name, number) => {
        expect(portValue(name, String(number))).toBe(portValue(name, number));
        expect(portValue(name, number)).toBe(number === portField(name).default ? undefined : number);
      }),
    );
  });

  test("a text is the same as the number or the flag that it spells", () => {
    fc.assert(
      fc.property(fieldOf("text"), fc.oneof(fc.integer(), fc.boolean()), (name, value) => {
        expect(portValue(name, String(value))).toBe(portValue(name, value));
      }),
    );
  });

  test("addresses are a set of networks", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 }))),
        fc.infiniteStream(fc.nat()),
        (networks, order) => {
          const plain = networks.map(([address, bits]) => `${address}/${bits}`);
          const canonical = [...addressSet(plain)];
          const keys = new Map(plain.map((network) => [network, order.next().value]));
          const shuffled = plain.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
          expect(portValue("whitelistIps", [...shuffled, ...plain])).toEqual(portValue("whitelistIps", canonical));
        },
      ),
    );
  });

  test("an address that is none stays to be seen", () => {
    expect(portValue("whitelistIps", ["any", "1.2.3.4/32", "1.2.3.4"])).toEqual(["1.2.3.4", "any"]);
  });

  test("names are a list without case", () => {
    expect(portValue("users", ["Alice", "bob"])).toEqual(["alice", "bob"]);
    expect(portValue("users", ["bob", "alice"])).not.toEqual(portValue("users", ["alice", "bob"]));
  });

  test("lists keep their order", () => {
    expect(portValue("rules", [{ a: 1 }, { b: 2 }])).toEqual([{ a: 1 }, { b: 2 }]);
    expect(portValue("bwLimit", { days: 1 })).toEqual({ days: 1 });
  });

  test("the session's default is `true`, as a flag or as a text", () => {
    expect(portValue("session", true)).toBeUndefined();
    expect(portValue("session", "true")).toBeUndefined();
    expect(portValue("session", "abc")).toBe("abc");
  });

  test("has one form: applied again it changes nothing, and it never fails", () => {
    fc.assert(
      fc.property(field, fc.oneof(fc.jsonValue(), fc.constant({ toString: 0 })), (name, value) => {
        const once = portValue(name, value);
        expect(portValue(name, once)).toEqual(once);
      }),
    );
  });

  test("leaves the value that it looks at as it is", () => {
    const addresses = ["9.9.9.9", "1.1.1.1/24"];
    portValue("whitelistIps", addresses);
    expect(addresses).toEqual(["9.9.9.9", "1.1.1.1/24"]);
  });
});

// `port` is never taken away, and in place of some others come the manager's values.
const REMOVABLE = PORT_FIELDS.filter((name) => name !== "port" && !isInherited(name));

test.each(REMOVABLE)("what takes %s away compares as nothing, and is not null", (name) => {
  expect(emptyValue(name)).not.toBeNull();
  expect(emptyValue(name)).not.toBeUndefined();
  expect(portValue(name, emptyValue(name))).toBeUndefined();
});

test("a record of the manager has every field's name in snake case, and gives it back", () => {
  for (const name of PORT_FIELDS) expect(camelCase(snakeCase(name))).toBe(name);
  const values = Object.fromEntries(PORT_FIELDS.map((name) => [name, `value of ${name}`]));
  const record = toServicePort(values);
  expect(Object.keys(record)).toEqual(PORT_FIELDS.map(snakeCase));
  expect(fromServicePort(record)).toEqual(values);
});

test("a record of the manager is spelt as the manager spells it", () => {
  const fields = { whitelistIps: ["1.2.3.4"], extProxyPort: 1, maxBanRetries: 2, har_limit: 3 };
  expect(Object.keys(toServicePort(fields))).toEqual([
    "whitelist_ips",
    "ext_proxy_port",
    "max_ban_retries",
    "har_limit",
  ]);
});

test("a record of the manager is taken over field by field: credentials of the account stay behind", () => {
  const record = {
    port: 24000,
    zone: "web",
    listen_port: 24000,
    lpm_token: "secret",
    token_auth: "secret",
    zones: { web: "secret" },
    www_whitelist_ips: ["1.1.1.1"],
    gb_cost: 1,
    constructor: "x",
    toString: "x",
    __proto__: { polluted: true },
  };
  expect(fromServicePort(record)).toEqual({ port: 24000, zone: "web", listenPort: 24000 });
});

test("a record of the manager is read in the types of the fields, whichever the manager has kept", () => {
  const kept = {
    port: "24000",
    listen_port: "24000",
    pool_size: "3",
    ssl: "true",
    sticky_ip: 0,
    country: 5,
    throttle: "x",
  };
  expect(fromServicePort({ ...kept, session: true, vips: [1, "us_1"] })).toEqual({
    port: 24_000,
    listenPort: 24_000,
    poolSize: 3,
    ssl: true,
    stickyIp: false,
    country: "5",
    throttle: "x",
    session: true,
    vips: [1, "us_1"],
  });
});

test("a record of the manager is read under the manager's names alone", () => {
  expect(fromServicePort({ proxy_type: "persist", proxyType: "x", "proxy-type": "y" })).toEqual({
    proxyType: "persist",
  });
  expect(fromServicePort({ proxyType: "x", listenPort: 1 })).toEqual({});
});

test("a record of the manager has the names in rules as programs spell them, unless they are somebody's own", () => {
  const kept = { min_req_time: 5, active: true, action: { ban_ip: 1, of_tomorrow: 1, process: { my_name: "1" } } };
  const read = { minReqTime: 5, active: true, action: { banIp: 1, of_tomorrow: 1, process: { my_name: "1" } } };
  expect(fromServicePort({ rules: [kept, "x"] })).toEqual({ rules: [read, "x"] });
  expect(toServicePort({ rules: [read] })).toEqual({ rules: [kept] });
  expect(toServicePort({ rules: [kept] })).toEqual({ rules: [kept] });
  expect(fromServicePort({ rules: [{ action: { banIp: 1 } }] })).toEqual({ rules: [{ action: {} }] });
});

test("a record of the manager leaves nothing where the manager has null", () => {
  expect(fromServicePort({ port: 24000, zone: null, ip: undefined, ssl: false, vip: 0, city: "" })).toEqual({
    port: 24000,
    ssl: false,
    vip: 0,
    city: "",
  });
});

test("a record of the manager leaks no key that is not a field, whatever it is called", () => {
  const key = fc.oneof(fc.string(), fc.constantFrom(...PORT_FIELDS.map(snakeCase), "lpm_token", "zones", "__proto__"));
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.jsonValue())), (entries) => {
      const fields = fromServicePort(Object.fromEntries(entries));
      expect(Object.keys(fields).every((name) => isPortField(name) || name === "listenPort")).toBe(true);
      expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
    }),
  );
});

test.each([
  ["zone", true],
  ["whitelistIps", true],
  ["whitelist_ips", false],
  ["toString", false],
  ["__proto__", false],
  ["", false],
])("%j is a field: %s", (name, expected) => {
  expect(isPortField(name)).toBe(expected);
});

test("every password is a secret", () => {
  const passwords = PORT_FIELDS.filter((name) => /password/i.test(name));
  expect(passwords.length).toBeGreaterThan(0);
  for (const name of passwords) expect(portField(name).secret).toBe(true);
});
