import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { portIpRefreshLifecycle as portIpRefresh } from "../../src/kinds/portIpRefresh/lifecycle";
import { portIpUnbanLifecycle as portIpUnban } from "../../src/kinds/portIpUnban/lifecycle";
import { proxyPortLifecycle as proxyPort } from "../../src/kinds/proxyPort/lifecycle";
import { proxyPortsLifecycle as proxyPorts } from "../../src/kinds/proxyPorts/lifecycle";
import { whitelistIpLifecycle as whitelistIp } from "../../src/kinds/whitelistIp/lifecycle";
import { zoneLifecycle as zone } from "../../src/kinds/zone/lifecycle";
import { zoneIpsLifecycle as zoneIps } from "../../src/kinds/zoneIps/lifecycle";
import { type Lifecycle, UNKNOWN } from "../../src/lifecycle/lifecycle";
import { PORT_FIELDS, portField } from "../../src/manager/portFields";
import { PLAN_FIELDS } from "../../src/model/plan";

const failuresOf = (lifecycle: Lifecycle, inputs: JsonObject): string[] => lifecycle.check(inputs, undefined).failures;

/** Failures as `[path, words that must stand in the sentence]`; all of them, in any order. */
function expectFailures(lifecycle: Lifecycle, inputs: JsonObject, expected: [string, RegExp][]): void {
  const failures = failuresOf(lifecycle, inputs);
  for (const [path, words] of expected) {
    const found = failures.filter((failure) => failure.startsWith(`\`${path}\``) && words.test(failure));
    expect(found, `${path} ${words} in ${JSON.stringify(failures)}`).toHaveLength(1);
  }
  expect(failures).toHaveLength(expected.length);
}

const static_ = { type: "static" };

const DEDICATED: [string, RegExp] = [
  "plan.ipsType",
  /"dedicated" without `plan\.ips`: the service makes another product of it then.*`ips: 10`/,
];

test.each<[string, JsonObject]>([
  ["the least", { plan: static_ }],
  [
    "every plan field",
    {
      name: "web_1",
      type: "dc",
      disabled: false,
      adopt: true,
      timeouts: { create: 300, read: 1, update: 1.5, delete: 86_400 },
      plan: {
        type: "static",
        ipsType: "selective",
        bandwidth: "unlimited",
        unlBwTiers: "std",
        poolIpType: "dc",
        ipAllocPreset: "shared_block",
        ips: "3",
        country: "US",
        countryCity: "us-chicago",
        city: "true",
        domainWhitelist: "example.com example.org",
        customHeaders: true,
        extra: { exclusive_type: "category" },
      },
    },
  ],
  [
    "every field of a residential plan",
    {
      plan: {
        type: "resident",
        ipAllocPreset: "shared_res_block",
        country: "any",
        city: "true",
        asn: 1,
        mobile: "0",
        vip: true,
        vips: 0,
        vipsType: "domain",
        vipCountry: "any",
        vipCountryCity: "any",
        domainWhitelist: "example.com example.org",
        customHeaders: true,
      },
    },
  ],
  [
    "every field of an unblocker plan",
    {
      plan: {
        type: "unblocker",
        serp: false,
        ubPremium: 0,
        solveCaptchaDisable: "1",
        country: "US",
        customHeaders: true,
      },
    },
  ],
  // Only the names of new zones follow the rule of today.
  ["the name of an older zone", { name: "Web-Old", plan: static_ }],
  [
    "what does not go with the type, where it is the default",
    { plan: { ...static_, mobile: "false", vips: "0", solveCaptchaDisable: 1, vipCountryCity: "any" } },
  ],
  [
    "what does not go with the type, among the further fields",
    { plan: { type: "resident", extra: { country_city: "us-chicago" } } },
  ],
  ["an ISP plan", { type: "ISP", plan: { type: "static", poolIpType: "static_res" } }],
])("a zone's inputs are accepted: %s", (_, inputs) => {
  expect(failuresOf(zone, inputs)).toEqual([]);
});

test("a zone's inputs are told everything that is wrong at once", () => {
  expectFailures(
    zone,
    {
      name: "my, zone",
      type: "",
      disabled: "yes",
      adopt: 1,
      timeouts: { create: 0, read: "1", wait: 3 },
      plan: {
        type: "static",
        ipsType: "own",
        bandwidth: "lots",
        poolIpType: "x",
        ips: -1,
        vips: 1.5,
        country: "usa",
        city: "yes",
        vipsType: "x",
        domainWhitelist: "",
        cuntry: "us",
        extra: "x",
      },
      pln: {},
    },
    [
      [
        "name",
        /"my, zone": expected 3 to 63 .* exist already may have other characters too, but no comma, slash or asterisk/,
      ],
      ["type", /not empty/],
      ["disabled", /"yes": expected true or false/],
      ["adopt", /1: expected true or false/],
      ["timeouts.create", /0: expected seconds, from 1/],
      ["timeouts.read", /"1": expected seconds/],
      ["timeouts.wait", /not a property/],
      ["plan.ipsType", /"own"/],
      ["plan.bandwidth", /"lots"/],
      ["plan.poolIpType", /"x"/],
      ["plan.ips", /-1: expected a whole number/],
      ["plan.vips", /1\.5: it goes with/],
      ["plan.country", /"usa": expected a two-letter/],
      ["plan.city", /"yes": expected true or false/],
      ["plan.vipsType", /"x": it goes with `type` "resident", not with "static"/],
      ["plan.domainWhitelist", /"": expected domains separated by spaces/],
      ["plan.cuntry", /Did you mean `plan.country`\?/],
      ["plan.extra", /expected an object/],
      ["pln", /Did you mean `plan`\?/],
    ],
  );
});

test.each<[string, JsonObject, [string, RegExp][]]>([
  ["no plan", {}, [["plan", /is missing: expected an object with at least a `type`/]]],
  ["a plan without a type", { plan: {} }, [["plan.type", /is missing: expected one of "static", "resident"/]]],
  ["a type unheard of", { plan: { type: "datacenter" } }, [["plan.type", /"datacenter": expected one of "static"/]]],
  [
    "a type unheard of, and what is wrong beside it",
    { plan: { type: "residential", contry: "us", ips: -1, mobile: "yes" } },
    [
      ["plan.type", /"residential": expected one of/],
      ["plan.contry", /Did you mean `plan.country`/],
      ["plan.ips", /-1: expected a whole number/],
      ["plan.mobile", /"yes": expected true or false/],
    ],
  ],
  [
    "what is wrong beside a type that is not known yet",
    { plan: { type: UNKNOWN, contry: "us", serp: true } },
    [["plan.contry", /Did you mean `plan.country`/]],
  ],
  [
    "fields of other products",
    { plan: { ...static_, mobile: true, serp: "true", vips: 1 } },
    [
      ["plan.mobile", /true: it goes with `type` "resident", not with "static"/],
      ["plan.serp", /"true": it goes with `type` "unblocker", not with "static"/],
      ["plan.vips", /1: it goes with `type` "resident", not with "static"/],
    ],
  ],
  ["dedicated IPs of which there are none", { plan: { ...static_, ipsType: "dedicated" } }, [DEDICATED]],
  ["dedicated IPs, none", { plan: { ...static_, ipsType: "dedicated", ips: "0" } }, [DEDICATED]],
  [
    "dedicated ISP IPs of which there are none",
    { plan: { ...static_, poolIpType: "static_res", ipsType: "dedicated" } },
    [DEDICATED],
  ],
  [
    "selected IPs without domains",
    { plan: { ...static_, ipsType: "selective" } },
    [["plan.ipsType", /"selective" without `plan.domainWhitelist`: it needs the target domains/]],
  ],
  ["a plan that is no object", { plan: "static" }, [["plan", /"static": expected an object/]]],
  ["unlimited without a tier", { plan: { ...static_, bandwidth: "unlimited" } }, [["plan.bandwidth", /unlBwTiers/]]],
  ["ISP without its pool", { type: "ISP", plan: static_ }, [["type", /static_res/]]],
  [
    "dedicated gIPs without domains",
    { plan: { type: "resident", vipsType: "domain" } },
    [["plan.vipsType", /domainWhitelist/]],
  ],
  [
    "a URL for the domain of gIPs",
    { plan: { type: "resident", vipsType: "domain", domainWhitelist: "example.org https://example.com" } },
    [["plan.domainWhitelist", /https:.*: expected domains separated by spaces/]],
  ],
  ["a gIP country without them", { plan: { type: "resident", vipCountry: "us" } }, [["plan.vipCountry", /vipsType/]]],
  ["a number for a name", { name: 5, plan: static_ }, [["name", /5: expected a text/]]],
  ["a name with a slash", { name: "a/b", plan: static_ }, [["name", /3 to 63/]]],
  ["a name that stands for all zones", { name: "*", plan: static_ }, [["name", /3 to 63/]]],
  ["a path for a field's name", { plan: { ...static_, extra: { "a.b": 1 } } }, [['plan.extra["a.b"]', /expected/]]],
  [
    "a field of the plan that has a name here",
    { plan: { ...static_, extra: { ips_type: "x" } } },
    [["plan.extra.ips_type", /`plan\.ipsType`/]],
  ],
  [
    "a service's spelling",
    { plan: { ...static_, ips_type: "shared" } },
    [["plan.ips_type", /Did you mean `(plan\.)?ipsType`/]],
  ],
  ["something unheard of", { plan: static_, quux: 1 }, [["quux", /Check its spelling/]]],
])("a zone's inputs are refused: %s", (_, inputs, expected) => {
  expectFailures(zone, inputs, expected);
});

test("a zone's inputs keep a name that is given, and make one of the resource's where none is", () => {
  const named = { name: "web", plan: static_, __autoname: "Web!" };
  expect(zone.check(named, undefined, { place: "named" }).inputs).toEqual({ name: "web", plan: static_ });
  const program = { plan: static_, __autoname: "My Web-Zone" };
  const { inputs } = zone.check(program, undefined, { place: "place" });
  expect(inputs).toEqual({ ...program, name: expect.stringMatching(/^my_web_zone_[0-9a-f]{7}$/) });
  // The preview's name is the update's.
  expect(zone.check(program, undefined, { place: "place" }).inputs).toEqual(inputs);
  expect(zone.check(program, inputs, { place: "place" }).inputs).toEqual(inputs);
  // The engine checks a replacement without what was before, after a check with it.
  const replaced = { place: "place", former: inputs };
  const replacement = zone.check(program, undefined, replaced).inputs;
  expect(replacement.name).not.toBe(inputs.name);
  expect(zone.check(program, undefined, replaced).inputs).toEqual(replacement);
});

test("a zone's inputs have the name of their resource, which their protocol tells", () => {
  const check = (inputs: JsonObject, name: string | undefined) =>
    zone.check(inputs, undefined, { place: "place", name }).inputs;
  expect(check({ plan: static_ }, "My Web")).toEqual(check({ plan: static_, __autoname: "My Web" }, undefined));
  // A class of an earlier version has said it itself.
  expect(check({ plan: static_, __autoname: "web" }, "another").__autoname).toBe("web");
  expect(check({ plan: static_, name: "given" }, "web")).not.toHaveProperty("__autoname");
});

test("a zone's inputs have a random name where the resource's place is not known", () => {
  const names = [1, 2].map(() => zone.check({ plan: static_, __autoname: "web" }, undefined).inputs.name);
  expect(new Set(names).size).toBe(2);
});

test("a zone's inputs have no name yet where the plan is not known, unless they have one already", () => {
  const program = { plan: { type: "static", country: UNKNOWN }, __autoname: "web" };
  expect(zone.check(program, undefined, { place: "unknown" }).inputs.name).toBe(UNKNOWN);
  expect(zone.check({ ...program, plan: UNKNOWN }, undefined, { place: "unknown" }).inputs.name).toBe(UNKNOWN);
  expect(zone.check(program, { name: "web_1234567" }, { place: "unknown" }).inputs.name).toBe("web_1234567");
  expect(zone.check({ ...program, name: "mine" }, undefined, { place: "unknown" }).inputs.name).toBe("mine");
});

test("a zone's inputs keep the name that was given before when the program gives none any more", () => {
  const before = { name: "mine", plan: static_ };
  expect(zone.check({ plan: static_, __autoname: "web" }, before, { place: "given" }).inputs.name).toBe("mine");
});

test("a generated name is one that the service takes, whatever the resource is called", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (logicalName) => {
      const { inputs, failures } = zone.check({ plan: static_, __autoname: logicalName }, undefined, {
        place: "any place",
      });
      expect(failures).toEqual([]);
      expect(inputs.name).toMatch(/^[a-z0-9_]{3,63}$/);
      expect(failuresOf(zone, { plan: static_, name: inputs.name })).toEqual([]);
    }),
  );
});

describe("a port's inputs", () => {
  test("are accepted with every field", () => {
    const samples: Record<string, unknown> = {
      text: "x",
      number: 2,
      flag: true,
      list: [],
      object: { days: 1, bytes: 1 },
    };
    const inputs: JsonObject = {
      ...Object.fromEntries(PORT_FIELDS.map((name) => [name, samples[portField(name).is]])),
      port: 24_000,
      whitelistIps: ["203.0.113.7", "10.20.0.0/16"],
      users: ["Ann"],
      proxyType: "persist",
      country: "us",
      asn: "7922",
      proxyCountry: "any",
      routeErr: "block",
      lpmAuth: "full",
      testUrl: "http://example.com/",
      socketInactivityTimeout: 60_000,
      tlsLib: "flex_tls",
      proxyConnectionType: "socks",
      dns: "remote",
      debug: "full",
      session: true,
      extProxies: ["user:password@203.0.113.7:8080"],
      ip: "198.18.0.1",
      ips: ["198.18.0.1"],
      vips: ["us_1", 2],
      rules: [{ status: "200", action: { retry: true } }],
      headers: [{ name: "accept-language", value: "" }],
      harLimit: -1,
      adopt: false,
      timeouts: { create: 5 },
    };
    expect(failuresOf(proxyPort, { ...inputs, ip: undefined })).toEqual([]);
    expect(failuresOf(proxyPort, { ...inputs, vip: undefined, session: "rotating" })).toEqual([]);
  });

  test("are told everything that is wrong at once", () => {
    expectFailures(
      proxyPort,
      {
        port: 999,
        proxyType: "duplicate",
        whitelistIps: ["203.0.113.7", "::1", "5.6.7", "example.com"],
        multiply: -1,
        ssl: "true",
        tlsLib: "x",
        proxyConnectionType: "x",
        proxyPort: 0,
        dns: "x",
        debug: "x",
        session: "a-b",
        users: "ann",
        vips: [{}],
        rules: ["x"],
        bwLimit: 5,
        internalName: "x".repeat(301),
        harLimit: -2,
        poolSize: 1.5,
        country: "",
        proxyCountry: "usa",
        state: "",
        zon: "web",
      },
      [
        ["zone", /is missing: expected a text/],
        ["port", /999: expected a whole number from 1000 to 65535/],
        ["proxyType", /"duplicate": expected "persist"/],
        ["whitelistIps[1]", /"::1": expected an IPv4/],
        ["whitelistIps[2]", /"5\.6\.7": expected an IPv4/],
        ["whitelistIps[3]", /"example\.com": expected an IPv4/],
        ["multiply", /-1/],
        ["ssl", /"true": expected true or false/],
        ["tlsLib", /expected "open_ssl" or "flex_tls"/],
        ["proxyConnectionType", /one of "http", "https", "socks"/],
        ["proxyPort", /0: expected a whole number from 1 to 65535/],
        ["dns", /"local" or "remote"/],
        ["debug", /"full" or "none"/],
        ["session", /"a-b": expected true/],
        ["users", /expected a list of texts/],
        ["vips[0]", /expected a list of gIPs|expected/],
        ["rules[0]", /expected/],
        ["bwLimit", /expected an object/],
        ["internalName", /at most 300 characters/],
        ["harLimit", /-2/],
        ["poolSize", /1\.5: expected a whole number/],
        ["country", /"": expected a two-letter country code/],
        ["proxyCountry", /"usa": expected a two-letter country code/],
        ["state", /without colons and hyphens/],
        ["zon", /Did you mean `zone`/],
      ],
    );
  });

  test.each<[string, JsonObject, [string, RegExp][]]>([
    ["users to multiply for, but none", { multiplyUsers: true }, [["multiplyUsers", /without `users`/]]],
    ["an empty list of them", { multiplyUsers: true, users: [] }, [["multiplyUsers", /without `users`/]]],
    ["an IP and a gIP", { ip: "198.18.0.1", vip: 1 }, [["ip", /exclude each other/]]],
    [
      "a time in words",
      { rules: [{ action: { ban_ip: "10min" } }] },
      [["rules[0].action.ban_ip", /"10min": .*milliseconds/]],
    ],
    [
      "a time in words, in the manager's spelling or not",
      { rules: [{ action: { banIp: "10min" } }, { action: { ban_ip_domain: "1h" } }] },
      [
        ["rules[0].action.banIp", /"10min": .*milliseconds/],
        ["rules[1].action.ban_ip_domain", /"1h": .*milliseconds/],
      ],
    ],
    [
      "a count and a port in words",
      { rules: [{ action: { retry: "twice", retryPort: "fallback" } }] },
      [
        ["rules[0].action.retry", /"twice": expected a whole number\./],
        ["rules[0].action.retryPort", /"fallback": expected the number of a port\./],
      ],
    ],
    [
      "what rules seem to mean, and what is wrong beside it",
      { rules: [{ stauts: 403, actionTyp: "ban_ip", action: { bann_ip: 1, direct: "no" } }, { trigger_cod: "x" }] },
      [
        ["rules[0].actionTyp", /Did you mean `rules\[0\]\.actionType`\?/],
        ["rules[0].action.bann_ip", /Did you mean `rules\[0\]\.action\.banIp`\?/],
        ["rules[0].action.direct", /true or false/],
        ["rules[1].trigger_cod", /Did you mean `rules\[1\]\.triggerCode`\?/],
        ["rules[1].action", /is missing: expected an action/],
      ],
    ],
    [
      "a part of a rule in both spellings",
      { rules: [{ action: { ban_ip: 1, banIp: 2 } }] },
      [["rules[0].action.ban_ip", /`banIp` is given too, and is the same/]],
    ],
    [
      "rules of other types",
      { rules: [{ status: [], action: { direct: 1 } }] },
      [
        ["rules[0].status", /regular expression/],
        ["rules[0].action.direct", /true or false/],
      ],
    ],
    ["a number that is none", { throttle: Number.NaN }, [["throttle", /is NaN: expected a whole number/]]],
    ["a limit in words", { bwLimit: { days: "a month", bytes: 1 } }, [["bwLimit.days", /whole number/]]],
    ["a limit without its traffic", { bwLimit: { days: 30 } }, [["bwLimit.bytes", /missing/]]],
    [
      "a header that may be a credential, unseen",
      { headers: ["authorization: hush"] },
      [["headers[0]", /secret and not shown.*name, value/]],
    ],
    ["a port beyond the last", { port: 70_000 }, [["port", /70000: expected/]]],
    ["a range that ends beyond the last port", { port: 65_530, multiply: 10 }, [["multiply", /65535/]]],
  ])("are refused: %s", (_, inputs, expected) => {
    expectFailures(proxyPort, { zone: "web", ...inputs }, expected);
  });

  test("may have rules with parts that are near to nothing: the manager may know them", () => {
    const rules = [{ active: true, min_conn_time: 5, action: { of_tomorrow: 1, process: { stauts: "1" } } }];
    expect(failuresOf(proxyPort, { zone: "web", rules })).toEqual([]);
  });

  test.each([
    "eth0",
    "eth0:1",
    "br-5f2a",
    "Ethernet 2",
    "vEthernet (WSL)",
    "LAN-Verbindung* 2",
    "Подключение по локальной сети",
  ])("may have the interface %j, as the systems of managers call theirs", (iface) => {
    expect(failuresOf(proxyPort, { zone: "web", iface })).toEqual([]);
  });

  test.each(["localhost", "::1", "*", "any", "999.1.1.1", "127.0.0.1:24000", "https://example.com", " eth0", "eth0 "])(
    "may not have the interface %j, which the manager would take for all or for none",
    (iface) => {
      expectFailures(proxyPort, { zone: "web", iface }, [["iface", /the name of an interface/]]);
    },
  );

  test("are told no other field where none is really near", () => {
    expectFailures(proxyPort, { zone: "web", rotate: true }, [["rotate", /Check its spelling/]]);
  });

  test("name the field that was meant by another spelling", () => {
    expectFailures(proxyPort, { zone: "web", whitelist_ips: [] }, [["whitelist_ips", /Did you mean `whitelistIps`/]]);
  });

  test.each(["password", "userPassword", "extProxies", "extProxyPassword", "headers"])(
    "never show a value of `%s`",
    (field) => {
      for (const value of [["hush-hush"], "hush-hush".repeat(40), { a: "hush-hush" }, [{ b: "hush-hush" }]]) {
        const failures = failuresOf(proxyPort, { zone: "web", [field]: value }).join();
        expect(failures).not.toContain("hush");
      }
      expect(failuresOf(proxyPort, { zone: "web", [field]: 5 })).toEqual([
        expect.stringContaining(`\`${field}\` is not usable (its value, a number, is a secret and not shown)`),
      ]);
    },
  );

  test.each(["https://example.com/hush-hush", { url: ["https://example.com/hush-hush"] }])(
    "never show a value of a rule's `requestUrl`: %j",
    (requestUrl) => {
      const failures = failuresOf(proxyPort, { zone: "web", rules: [{ status: "403", action: { requestUrl } }] });
      expect(failures).toEqual([expect.stringMatching(/^`rules\[0\]\.action\.requestUrl.*is a secret and not shown/)]);
      expect(failures.join()).not.toContain("hush");
    },
  );

  test.each([
    ["a number", 5],
    ["a boolean", true],
    ["a list", []],
    ["an object", {}],
  ])("say of a secret that it is %s where that is what is wrong", (type, userPassword) => {
    expect(failuresOf(proxyPort, { zone: "web", userPassword })).toEqual([
      expect.stringContaining(`(its value, ${type}, is a secret and not shown): expected a text`),
    ]);
    expect(failuresOf(proxyPort, { zone: "web", userPassword: "a:b" })).toEqual([
      expect.stringContaining("(its value is a secret and not shown): expected a text"),
    ]);
  });
});

const SECRET = "hush-hush".repeat(40);

test.each<[string, Lifecycle, JsonObject]>([
  ["a list where there should be a map", proxyPorts, { ports: [{ comment: "x".repeat(70), password: SECRET }] }],
  ["text where there should be settings", proxyPorts, { ports: {}, defaults: `${"z".repeat(100)} password=${SECRET}` }],
  ["an object of another shape", proxyPort, { zone: "web", rules: { x: "y".repeat(60), password: SECRET } }],
])("what is refused shows no part of a secret that stands where a value is cut off: %s", (_, kind, inputs) => {
  const failures = failuresOf(kind, inputs).join();
  expect(failures).toMatch(/: expected /);
  expect(failures).not.toMatch(/hu/);
});

test.each<[JsonObject, string]>([
  [{ ip: "203.0.113.7" }, "203.0.113.7"],
  [{ ip: " 203.0.113.7/32", list: "ports" }, "203.0.113.7"],
  [{ ip: "10.20.30.77/16", list: "ui", adopt: true, apiKey: "key" }, "10.20.0.0/16"],
  [{ ip: "0.0.0.0/0", allowAny: true }, "0.0.0.0/0"],
])("an allowed address's inputs are accepted, the address in its one form: %j", (inputs, ip) => {
  expect(whitelistIp.check(inputs, undefined)).toEqual({ inputs: { ...inputs, ip }, failures: [] });
});

test("an allowed address's inputs are told everything that is wrong at once, without the key", () => {
  expectFailures(whitelistIp, { ip: "::1", list: "all", allowAny: 1, apiKey: "hush hush", adopt: "x", lst: "ui" }, [
    ["ip", /"::1": expected an IPv4/],
    ["list", /"all": expected "ui"/],
    ["allowAny", /1: expected true or false/],
    ["apiKey", /not shown\): expected a key without blanks/],
    ["adopt", /"x"/],
    ["lst", /Did you mean `list`/],
  ]);
  expect(failuresOf(whitelistIp, { ip: "::1", apiKey: "hush hush" }).join()).not.toContain("hush");
});

test.each<[string, JsonObject, [string, RegExp][]]>([
  ["no address", {}, [["ip", /is missing/]]],
  ["three octets", { ip: "5.6.7" }, [["ip", /four octets/]]],
  ["everybody", { ip: "0.0.0.0/0" }, [["ip", /`allowAny: true`/]]],
  ["everybody, by another spelling", { ip: "1.2.3.4/0", allowAny: false }, [["ip", /`allowAny: true`/]]],
  ["the manager's own machine", { ip: "127.0.0.1/32" }, [["ip", /always allowed/]]],
])("an allowed address's inputs are refused: %s", (_, inputs, expected) => {
  expectFailures(whitelistIp, inputs, expected);
});

/** Inputs of every kind that are right, and wide enough to have nested and listed values. */
const GOOD: [string, Lifecycle, JsonObject][] = [
  [
    "zone",
    zone,
    {
      name: "web",
      type: "ISP",
      disabled: false,
      adopt: false,
      timeouts: { create: 5 },
      plan: {
        ...Object.fromEntries(Object.keys(PLAN_FIELDS).map((field) => [field, undefined])),
        type: "static",
        poolIpType: "static_res",
        bandwidth: "unlimited",
        unlBwTiers: "std",
        ipsType: "selective",
        domainWhitelist: "example.com",
        ips: 2,
        city: true,
        mobile: false,
        extra: { exclusive_type: "category" },
      },
    },
  ],
  [
    "port",
    proxyPort,
    {
      zone: "web",
      port: 24_000,
      multiply: 2,
      whitelistIps: ["203.0.113.7"],
      multiplyUsers: true,
      users: ["ann"],
      ip: "198.18.0.1",
      session: true,
      vips: ["us_1"],
      rules: [{ status: "200", action: { ban_ip: 1 } }],
      headers: [{ name: "a", value: "b" }],
      bwLimit: { days: 1, bytes: 1 },
      password: "hush",
      timeouts: { create: 5 },
    },
  ],
  ["allowed address", whitelistIp, { ip: "0.0.0.0/0", list: "ui", allowAny: true, apiKey: "hush", adopt: false }],
];

/** Every copy of a value in which one part, at whatever depth, is not known. */
function withUnknown(value: unknown): unknown[] {
  const inside = Array.isArray(value)
    ? value.flatMap((item, index) => withUnknown(item).map((part) => value.with(index, part)))
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, item]) => withUnknown(item).map((part) => ({ ...value, [key]: part })))
      : [];
  return value === undefined ? [] : [UNKNOWN, ...inside];
}

describe.each(GOOD)("what is not known yet in the inputs of a %s", (_, lifecycle, good) => {
  test("is never complained about, wherever it stands", () => {
    expect(failuresOf(lifecycle, good)).toEqual([]);
    const variants = withUnknown(good).filter((inputs) => inputs !== UNKNOWN) as JsonObject[];
    expect(variants.length).toBeGreaterThan(Object.keys(good).length - 1);
    for (const inputs of variants) {
      expect(failuresOf(lifecycle, inputs)).toEqual([]);
      // Twice unknown: rules read several properties.
      for (const more of withUnknown(inputs) as JsonObject[]) {
        if ((more as unknown) !== UNKNOWN) expect(failuresOf(lifecycle, more)).toEqual([]);
      }
    }
  });

  test("does not hide what is wrong beside it", () => {
    for (const inputs of withUnknown(good) as JsonObject[]) {
      if ((inputs as unknown) === UNKNOWN) continue;
      expect(failuresOf(lifecycle, { ...inputs, adopt: "x", quux: 1 })).toEqual([
        expect.stringContaining("adopt"),
        expect.stringContaining("quux"),
      ]);
    }
  });

  test("is left in its place", () => {
    for (const inputs of withUnknown(good) as JsonObject[]) {
      if ((inputs as unknown) !== UNKNOWN) expect(lifecycle.check(inputs, undefined).inputs).toEqual(inputs);
    }
  });
});

describe("what is not known yet keeps a rule from being applied", () => {
  test.each<[Lifecycle, JsonObject]>([
    [zone, { plan: { type: "static", bandwidth: "unlimited", unlBwTiers: UNKNOWN } }],
    [zone, { type: "ISP", plan: { type: "static", poolIpType: UNKNOWN } }],
    [zone, { type: UNKNOWN, plan: { type: "static" } }],
    [zone, { type: "ISP", plan: UNKNOWN }],
    [zone, { plan: { type: "resident", vipsType: "domain", domainWhitelist: UNKNOWN } }],
    [zone, { plan: { type: "resident", vipsType: UNKNOWN, vipCountry: "us" } }],
    [proxyPort, { zone: "web", multiplyUsers: true, users: UNKNOWN }],
    [proxyPort, { zone: "web", multiplyUsers: true, users: [UNKNOWN] }],
    [proxyPort, { zone: "web", ip: "198.18.0.1", vip: UNKNOWN }],
    [proxyPort, { zone: "web", port: 65_535, multiply: UNKNOWN }],
    [whitelistIp, { ip: "0.0.0.0/0", allowAny: UNKNOWN }],
    [whitelistIp, { ip: UNKNOWN }],
  ])("%# of them", (lifecycle, inputs) => {
    expect(failuresOf(lifecycle, inputs)).toEqual([]);
  });
});

/** What 0.1.0 took: another plan makes another zone, and other places other IPs. */
test.each<[string, Lifecycle, JsonObject, JsonObject]>([
  ["a plan without what it needs", zone, { plan: { type: "static", ipsType: "dedicated" } }, {}],
  ["a plan with fields of another product", zone, { plan: { type: "unblocker", ips: 3 } }, {}],
  ["a text in a plan", zone, { plan: { type: "static", domainWhitelist: "https://example.com/" } }, { disabled: true }],
  [
    "a city of another country",
    zoneIps,
    { zone: "web", count: 1, country: "us", countryCity: "de-berlin" },
    { count: 2 },
  ],
])("%s is refused, but where a resource has it, and would be replaced to lose it", (_, lifecycle, inputs, change) => {
  const failures = failuresOf(lifecycle, inputs);
  expect(failures).toHaveLength(1);
  expect(lifecycle.check({ ...inputs, ...change }, inputs).failures).toEqual([]);
  expect(lifecycle.check(inputs, {}).failures).toEqual(failures);
  expect(lifecycle.check(inputs, { ...inputs, plan: { type: "resident" }, country: "fr" }).failures).toEqual(failures);
});

test("what a resource can lose where it stands is refused, also where it has it", () => {
  const inputs = { zone: "web", vip: 0 };
  expect(proxyPort.check(inputs, inputs).failures).toEqual(failuresOf(proxyPort, inputs));
  expect(zone.check({ disabled: true }, { disabled: true }).failures).toEqual([
    expect.stringMatching(/^`plan` is missing/),
  ]);
});

test("what is left of inputs that went together is looked at", () => {
  const rest = { port: 24_000, domain: "example.com" };
  expect(portIpUnban.check(rest, { ...rest, ip: "203.0.113.7" }).failures).toHaveLength(1);
});

test("what is given for the first time is refused where nothing was given before", () => {
  expect(portIpRefresh.check({ port: 24_000 }, { port: 24_000 }).failures).toHaveLength(1);
});
