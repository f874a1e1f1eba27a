import { anything, assert, constantFrom, jsonValue, oneof, property, record, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import type { Call } from "../../src/http/call";
import * as access from "../../src/remote/access";
import { refuseNamelessZone } from "../../src/remote/guard";
import * as ips from "../../src/remote/ips";
import * as passwords from "../../src/remote/passwords";
import * as zones from "../../src/remote/zones";
import { failure, startRemote } from "./harness";

const METHODS = ["POST", "PUT", "DELETE"] as const;
const PATHS = [
  "/zone",
  "/zone/",
  "/zone/change_disable",
  "/zone/whitelist",
  "/zone/blacklist",
  "/zone/domain_perm",
  "/zone/add_password",
  "/zone/ips",
  "/zone/vips",
  "/zone/ips/refresh",
  "/zone/some/call/to/come",
  "/./zone",
  "/a/../zone",
  "/%2e/zone",
  "/zone?zone=web",
  "/zone#web",
];

type Part = { method?: "GET" | (typeof METHODS)[number]; path?: string; body?: unknown };

const guarded =
  ({ method = "DELETE", path = "/zone", body }: Part) =>
  () => {
    const whole: Call = { operation: "change a zone", request: `${method} ${path as "/"}`, body };
    refuseNamelessZone(whole, whole.body === undefined ? undefined : JSON.stringify(whole.body));
  };

const NO_NAMES = [
  "",
  " ",
  "\t\n",
  "\u00a0",
  undefined,
  null,
  0,
  1,
  true,
  [],
  ["web"],
  {},
  { name: "" },
  { name: null },
];

describe.each(METHODS)("%s", (method) => {
  describe.each(PATHS)("%s", (path) => {
    test("leaves with a name", () => {
      expect(guarded({ method, path, body: { zone: "web" } })).not.toThrow();
      expect(guarded({ method, path, body: { zone: { name: "web" }, plan: {} } })).not.toThrow();
    });

    test("does not leave without a body", () => {
      expect(guarded({ method, path })).toThrow(ArgumentError);
    });

    test.each(NO_NAMES)("does not leave for %j", (zone) => {
      expect(guarded({ method, path, body: { zone } })).toThrow(ArgumentError);
    });

    test.each([null, [], ["web"], "web", 1, { Zone: "web" }, { zones: "web" }, { ip: "any" }])(
      "does not leave with the body %j",
      (body) => {
        expect(guarded({ method, path, body })).toThrow(ArgumentError);
      },
    );
  });
});

test("the message says what would have happened, and that it has not", () => {
  expect(guarded({})).toThrow(
    "Could not change a zone: the zone's name is missing, and without it the request would act on every zone of the account. Nothing was sent.",
  );
});

test("a name must come out of serialisation as a name", () => {
  const silent = { toJSON: () => undefined };
  const blank = { toJSON: () => "" };
  for (const zone of [silent, blank, () => "web", Symbol("web"), Number.NaN]) {
    expect(guarded({ body: { zone } })).toThrow(ArgumentError);
  }
  expect(guarded({ body: { zone: new String("web") } })).not.toThrow();
});

test("a move between zones names both", () => {
  const path = "/zone/ips/migrate";
  expect(guarded({ method: "POST", path, body: { from: "web", to: "shop", ips: [] } })).not.toThrow();
  expect(guarded({ method: "POST", path, body: { from: "web", to: "", ips: [] } })).toThrow(ArgumentError);
  expect(guarded({ method: "POST", path, body: { from: " ", to: "shop" } })).toThrow(ArgumentError);
  expect(guarded({ method: "POST", path, body: { from: "web" } })).toThrow(ArgumentError);
  expect(guarded({ method: "POST", path, body: { from: "web", to: "shop", zone: "" } })).toThrow(ArgumentError);
});

test("reading changes nothing, and other paths are nobody's zone", () => {
  expect(guarded({ method: "GET" })).not.toThrow();
  for (const path of ["/zones", "/zonepath/x", "/datasets/v3/trigger", "/status"]) {
    expect(guarded({ method: "POST", path, body: {} })).not.toThrow();
  }
});

test("whatever the body is, a request leaves only when it names a zone", () => {
  const bodies = oneof(
    anything(),
    jsonValue(),
    record({ zone: oneof(anything(), string(), record({ name: oneof(anything(), string()) })) }),
    record({ from: anything(), to: anything(), zone: anything() }, { requiredKeys: [] }),
  );
  assert(
    property(constantFrom(...METHODS), constantFrom(...PATHS), bodies, (method, path, body) => {
      let sent: unknown;
      try {
        const text = JSON.stringify(body);
        sent = text === undefined ? undefined : JSON.parse(text);
      } catch {
        return; // A circular body or a big integer cannot be serialised, and so not be sent.
      }
      const { zone, from, to } = Object(sent) as Record<string, unknown>;
      const named = (name: unknown) => typeof name === "string" && name.trim() !== "";
      const leaves =
        !Array.isArray(sent) &&
        (named(zone) ||
          (!Array.isArray(zone) && named(Object(zone).name)) ||
          (!Object.hasOwn(Object(sent), "zone") && named(from) && named(to)));
      const attempt = guarded({ method, path, body });
      if (leaves) expect(attempt).not.toThrow();
      else expect(attempt).toThrow(ArgumentError);
    }),
    { numRuns: 2000 },
  );
});

describe("no operation of a client gets round it", () => {
  // As a program in plain JavaScript may call them.
  const badNames = ["", "   ", undefined, null, [], {}] as unknown as string[];

  test.each(badNames)("%j", async (name) => {
    const { client, requests, account } = await startRemote();
    account.addZone("web", { type: "static" });
    await failure(client.zones.remove(name), ArgumentError);
    await failure(client.zones.setDisabled(name, true), ArgumentError);
    await failure(client.zones.create({ name, plan: { type: "static" } }), ArgumentError);
    await failure(client.zones.setFullUptime(name, true), ArgumentError);
    await failure(client.passwords.add(name, ["secret"]), ArgumentError);
    await failure(client.passwords.remove(name, ["secret"]), ArgumentError);
    for (const operation of ["allowIps", "denyIps"] as const) {
      await failure(client.access[operation](name, ["any"]), ArgumentError);
    }
    for (const operation of ["removeAllowedIp", "removeDeniedIp"] as const) {
      await failure(client.access[operation](name, "any"), ArgumentError);
    }
    for (const operation of ["allowDomains", "denyDomains", "removeAllowedDomains", "removeDeniedDomains"] as const) {
      await failure(client.access[operation](name, ["example.com"]), ArgumentError);
    }
    await failure(client.ips.remove(name, ["198.51.100.1"]), ArgumentError);
    await failure(client.ips.removeGips(name, ["us_1"]), ArgumentError);
    await failure(client.ips.refresh(name, { all: true }), ArgumentError);
    await failure(client.ips.migrate({ from: name, to: "web", ips: ["198.51.100.1"] }), ArgumentError);
    await failure(client.ips.migrate({ from: "web", to: name, ips: ["198.51.100.1"] }), ArgumentError);
    expect(requests).toEqual([]);
    // It reads the customer's id first, and then goes no further.
    await failure(client.ips.add(name, { count: 1 }), ArgumentError);
    expect(requests.map(({ method, path }) => [method, path])).toEqual([["GET", "/status"]]);
    expect(account.sweeps).toEqual([]);
    expect(account.liveZones()).toHaveLength(1);
  });

  test("whatever operations there will be", async () => {
    const { client, requests, account } = await startRemote();
    account.addZone("web", { type: "static" });
    const nouns: [unknown, object][] = [
      [client.zones, zones],
      [client.passwords, passwords],
      [client.access, access],
      [client.ips, ips],
    ];
    const calls = nouns.flatMap(([noun, module]) =>
      Object.keys(module).map((operation) => {
        const call = (noun as Record<string, (...rest: unknown[]) => Promise<unknown>>)[operation];
        if (call === undefined) throw new Error(`There is no ${operation}.`);
        return call;
      }),
    );
    const firsts = badNames.flatMap((name) => [
      ...[name, { name, plan: {} }, { zone: name }, { from: name, to: "web", ips: ["a"] }],
    ]);
    for (const call of calls) {
      for (const first of firsts) {
        for (const second of [undefined, true, "any", ["any"], { all: true }, { count: 1 }]) {
          await call(first, second).catch(() => undefined);
        }
      }
    }
    expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(account.sweeps).toEqual([]);
    expect(account.zone("web")?.status).toBe("active");
  });

  test("no answer of the service makes it follow a redirect, which would lose the name", async () => {
    const { client, requests, answer, account } = await startRemote();
    account.addZone("web", { type: "static" });
    answer(307, "", { location: "/zone" });
    await expect(client.zones.remove("web")).rejects.toMatchObject({ status: 307 });
    expect(requests).toHaveLength(1);
    expect(account.sweeps).toEqual([]);
  });
});
