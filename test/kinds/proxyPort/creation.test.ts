import { describe, expect, test, vi } from "vitest";
import type { SimulatorOptions } from "../../../simulator";
import { AlreadyExistsError, ArgumentError, ServerError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { proxyPortLifecycle as proxyPort } from "../../../src/kinds/proxyPort/lifecycle";
import { proxyPortsLifecycle as proxyPorts } from "../../../src/kinds/proxyPorts/lifecycle";
import { UnknownOutcomeError } from "../../../src/lifecycle/creation";
import { DeadlineError } from "../../../src/lifecycle/deadline";
import { type Lifecycle, PartialFailure } from "../../../src/lifecycle/lifecycle";
import {
  changes,
  controlledDeadline,
  count,
  declaredIn,
  drift,
  failure,
  MARK,
  notebook,
  type Stage,
  stage,
} from "../../lifecycle/harness";
import { bodies, created, EVERYTHING, foreign, INPUTS, record, scenery } from "./setup";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));
const posts = (scene: Stage) => count(scene, "POST /api/proxies");

test("creating a port makes it under its number and keeps what was declared", async () => {
  const scene = await scenery();
  const { id, state } = await proxyPort.create(EVERYTHING, scene.step());
  expect(id).toBe("24500");
  expect(state).toEqual({ ...EVERYTHING, listenPort: 24_500 });
  expect(changes(scene)).toEqual(["POST /api/proxies"]);
  expect(bodies(scene, "POST /api/proxies")[0]?.proxy).toMatchObject({
    port: 24_500,
    zone: "web",
    internal_name: "shop",
    whitelist_ips: ["10.20.0.0/16", "203.0.113.7"],
    ext_proxies: EVERYTHING.extProxies,
    rules: [{ status: "200", action: { ban_ip: 60 } }],
    bw_limit: EVERYTHING.bwLimit,
  });
  expect(await drift(proxyPort, id, state, EVERYTHING, scene.step())).toEqual([]);
  expect(changes(scene)).toEqual(["POST /api/proxies"]);
});

test("creating a port tells the manager nothing but the port's fields", async () => {
  const scene = await scenery();
  await created(scene, { ...INPUTS, manager: "fra", adopt: true, timeouts: { create: 5 } });
  expect(record(scene)).not.toHaveProperty("manager");
  expect(record(scene)).not.toHaveProperty("adopt");
});

test("creating a port lets the manager choose a number, each port another one", async () => {
  const scene = await scenery();
  const step = scene.step();
  const made = await Promise.all(Array.from({ length: 20 }, () => proxyPort.create({ zone: "web" }, step)));
  expect(made.map(({ id }) => Number(id)).sort()).toEqual(Array.from({ length: 20 }, (_, index) => 24_000 + index));
  expect(made[0]?.state).toEqual({ zone: "web", port: Number(made[0]?.id), listenPort: Number(made[0]?.id) });
  expect(posts(scene)).toBe(20);
});

test("creating a port goes past numbers that other programs hold", async () => {
  const scene = await scenery();
  scene.manager.state.portsInUse.add(24_000).add(24_001);
  const { id } = await proxyPort.create({ zone: "web" }, scene.step());
  expect(id).toBe("24002");
});

test("creating a port begins when it is known which numbers are free: a failure to read them leaves nothing in doubt", async () => {
  const scene = await scenery();
  const journal = notebook();
  scene.context.claims.comes("elsewhere", { expects: ["port 24500"] });
  scene.manager.service.faults.add({ method: "GET", path: "/api/proxies", kind: "respond", status: 503 });
  const error = await failure(proxyPort.create({ zone: "web" }, { ...scene.step(), journal }));
  expect(error).toBeInstanceOf(ServerError);
  expect(journal.begun).toEqual([]);
  expect(changes(scene)).toEqual([]);
});

test("creating a port asks for what is needed once for all, not for each", async () => {
  const scene = await scenery();
  const step = scene.step();
  const ports = Array.from({ length: 50 }, (_, index) => ({ zone: "web", port: 24_500 + index }));
  await Promise.all(ports.map((inputs) => proxyPort.create(inputs, step)));
  expect(count(scene, "GET /api/mode")).toBe(1);
  expect(count(scene, "GET /api/zones")).toBe(1);
  expect(posts(scene)).toBe(50);
});

test("creating a port in a manager that is not logged in is refused", async () => {
  const scene = await scenery();
  scene.manager.logOut();
  const error = await failure(proxyPort.create(INPUTS, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toContain(`${scene.manager.url} is not logged in`);
  expect(changes(scene)).toEqual([]);
});

test("of many zones that the manager knows, those are named that may have been meant", async () => {
  const scene = await scenery();
  for (let index = 0; index < 40; index++) scene.account.addZone(`shop_${index}`, { type: "static" });
  const error = await failure(proxyPort.create({ ...INPUTS, zone: "wbe" }, scene.step()));
  expect(error.message).toMatch(
    /does not know zone "wbe"\. It knows 42 zones; the most similar are "web"(, "\w+"){2}\. Name one of its zones, declare the zone,/,
  );
});

test("creating a port of a zone that the account does not have is refused, naming those that the manager knows", async () => {
  const scene = await scenery();
  const error = await failure(proxyPort.create({ ...INPUTS, zone: "wbe" }, scene.step()));
  expect(error.message).toMatch(/does not know zone "wbe"\. It knows "web", "other"\./);
  expect(error.message).toMatch(/Where somebody has deleted a declared zone, `pulumi up --refresh` makes it again\.$/);
  expect(changes(scene)).toEqual([]);
});

test("where the manager knows no zone, none of these is to be named", async () => {
  const scene = await scenery();
  for (const zone of ["web", "other"]) scene.account.removeZone(zone);
  expect((await failure(proxyPort.create(INPUTS, scene.step()))).message).toContain(
    "It knows none. Declare the zone, or",
  );
});

test("creating a port of a zone that is deleted is refused", async () => {
  const scene = await scenery();
  scene.account.removeZone("web");
  expect((await failure(proxyPort.create(INPUTS, scene.step()))).message).toContain('It knows "other"');
});

test("creating a port of a zone that the manager has yet to hear of waits for that", async () => {
  const scene = await stage({ manager: { zonesVisibleAfterReads: 3 } });
  scene.account.addZone("web", { type: "static" });
  await proxyPort.create(INPUTS, scene.step());
  expect(count(scene, "GET /api/zones")).toBeGreaterThanOrEqual(3);
  expect(record(scene)?.zone).toBe("web");
});

test("creating a port of a zone that is too new to be listed waits as well", async () => {
  const scene = await stage({ manager: { zonesVisibleAfterReads: 3 } });
  scene.account.addZone("web", { type: "static" });
  scene.remote.service.faults.add({ path: "/zone/get_all_zones", kind: "respond", status: 200, body: "[]" });
  await proxyPort.create(INPUTS, scene.step());
  expect(record(scene)?.zone).toBe("web");
});

test.each([
  ["without a token", 0],
  ["with a token that may not list zones", 1],
])("%s waits a while for the zone, and then says which ones there are", async (_, requests) => {
  const scene = await scenery({}, requests === 0 ? { BRIGHTDATA_API_TOKEN: "" } : {});
  scene.remote.service.faults.add({ path: "/zone/get_all_zones", kind: "respond", status: 403 });
  const start = Date.now();
  const clock = vi.spyOn(Date, "now");
  try {
    const creation = failure(proxyPort.create({ ...INPUTS, zone: "wbe" }, scene.step()));
    await vi.waitFor(() => expect(count(scene, "GET /api/zones")).toBeGreaterThan(2));
    clock.mockReturnValue(start + 3_600_000);
    expect((await creation).message).toMatch(/does not know zone "wbe"\. It knows "web", "other"\./);
  } finally {
    clock.mockRestore();
  }
  expect(scene.remote.service.requests).toHaveLength(requests);
  expect(changes(scene)).toEqual([]);
});

test("creating a port gives up waiting for the zone when time is up", async () => {
  const scene = await stage({ manager: { zonesVisibleAfterReads: Number.POSITIVE_INFINITY } });
  scene.account.addZone("web", { type: "static" });
  const { deadline, expire } = controlledDeadline();
  const creation = failure(proxyPort.create(INPUTS, scene.step(deadline)));
  await vi.waitFor(() => expect(count(scene, "GET /api/zones")).toBeGreaterThan(2));
  expire();
  const error = await creation;
  expect(error).toBeInstanceOf(DeadlineError);
  expect(error.message).toContain(
    'waiting for the Proxy Manager to learn of zone "web", which the account of brightdata:apiToken / BRIGHTDATA_API_TOKEN has: the manager must be logged in to that account',
  );
  expect(changes(scene)).toEqual([]);
});

test.each<[string, SimulatorOptions, (scene: Stage) => Promise<unknown> | unknown, RegExp, boolean]>([
  [
    "another port",
    {},
    (scene) => foreign(scene, { port: 24_500, zone: "other", internal_name: "theirs" }),
    /a proxy port of zone "other", named "theirs"/,
    true,
  ],
  [
    "a port without a name",
    {},
    (scene) => foreign(scene, { port: 24_500, zone: "other" }),
    /a proxy port of zone "other"\. If this program created it.*`aliases`.*set `adopt: true`/,
    true,
  ],
  [
    "a range",
    {},
    (scene) => foreign(scene, { port: 24_498, zone: "web", multiply: 5 }),
    /the range that port 24498 is multiplied to/,
    false,
  ],
  [
    "another program",
    {},
    (scene) => scene.manager.state.portsInUse.add(24_500),
    /another program on the manager's machine/,
    false,
  ],
  [
    "the manager itself",
    { manager: { www: 24_500 } },
    () => undefined,
    /the Proxy Manager itself \(its UI and API\)/,
    false,
  ],
])("creating a port whose number is in use by %s says whose it is", async (_, options, occupy, owner, adoptable) => {
  const scene = await scenery(options);
  await occupy(scene);
  const error = await failure(proxyPort.create(INPUTS, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.cause).toBeInstanceOf(AlreadyExistsError);
  expect(error.message).toMatch(/^Port 24500 is in use by /);
  expect(error.message).toMatch(owner);
  expect(error.message.includes("`adopt: true`")).toBe(adoptable);
  expect(posts(scene)).toBe(1);

  if (adoptable) return;
  const refused = await failure(proxyPort.create({ ...INPUTS, adopt: true }, scene.step()));
  expect(refused.message).toMatch(owner);
  expect(refused.message).not.toContain("adopt");
  expect(count(scene, "PUT /api/proxies/24500")).toBe(0);
});

test.each<[string, (scene: Stage) => Promise<unknown> | unknown, string]>([
  [
    "a port",
    (scene) => foreign(scene, { port: 24_502, zone: "other", internal_name: "theirs" }),
    'a proxy port of zone "other", named "theirs"',
  ],
  ["a range", (scene) => foreign(scene, { port: 24_502, zone: "web", multiply: 5 }), 'a proxy port of zone "web"'],
  [
    "another program",
    (scene) => scene.manager.state.portsInUse.add(24_502),
    "another program on the manager's machine",
  ],
])("creating a range in which %s has a number says which", async (_, occupy, owner) => {
  const scene = await scenery();
  await occupy(scene);
  for (const adopt of [false, true]) {
    const error = await failure(proxyPort.create({ ...INPUTS, multiply: 4, adopt }, scene.step()));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error.message).toBe(
      `Port 24502, in the range from \`port: 24500\` on that \`multiply: 4\` asks for, is in use by ${owner}: choose another number; without \`port\` the manager takes a free one.`,
    );
  }
});

test("creating a port whose number is in use by the manager's drop-in port says so, and does not take it over", async () => {
  const scene = await scenery();
  for (const adopt of [false, true]) {
    const error = await failure(proxyPort.create({ zone: "web", port: 22_225, adopt }, scene.step()));
    expect(error.message).toMatch(/in use by the Proxy Manager's drop-in port/);
  }
  expect(count(scene, "PUT /api/proxies/22225")).toBe(0);
});

test("adopting a port makes it as declared, in place, and leaves the rest alone", async () => {
  const scene = await scenery();
  await foreign(scene, { port: 24_500, zone: "other", country: "de", ssl: true, ips: ["198.18.0.1"] });
  const inputs = { ...INPUTS, adopt: true, country: "us", password: "hush", dns: "local" };
  const { id, state } = await proxyPort.create(inputs, scene.step());
  expect(id).toBe("24500");
  expect(state).toEqual({ ...inputs, listenPort: 24_500 });
  expect(record(scene)).toMatchObject({ zone: "web", country: "us", ssl: true, ips: ["198.18.0.1"] });
  expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([
    { proxy: { zone: "web", country: "us", password: "hush", ips: ["198.18.0.1"] } },
  ]);
  expect(await drift(proxyPort, id, state, inputs, scene.step())).toEqual([]);
});

test("adopting a port that is as declared sends nothing, and lists the ports once", async () => {
  const scene = await scenery();
  await foreign(scene, { port: 24_500, zone: "web", country: "us" });
  await proxyPort.create({ ...INPUTS, adopt: true, country: "us" }, scene.step());
  expect(changes(scene)).toEqual([]);
  expect(count(scene, "GET /api/proxies")).toBe(1);
  expect(count(scene, "GET /api/proxies/24500")).toBe(0);
});

test("adopting a port that cannot be changed keeps it in the state, with what is known of it", async () => {
  const scene = await scenery();
  await foreign(scene, { port: 24_500, zone: "web", pulumi_id: "m.before" });
  scene.manager.service.faults.add({ method: "PUT", path: "/api/proxies/24500", kind: "respond", status: 403 });
  const inputs = { ...INPUTS, adopt: true, country: "us" };
  const error = await failure(proxyPort.create(inputs, { ...scene.step(), me: { mark: "m.me" } }));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error).toMatchObject({ id: "24500", state: { ...inputs, bears: "m.before" } });
});

test("adopting a port that listens elsewhere is refused: that cannot be changed in place", async () => {
  const scene = await scenery();
  await foreign(scene, { port: 24_500, zone: "web", iface: "lo" });
  const error = await failure(proxyPort.create({ ...INPUTS, adopt: true, iface: "eth0" }, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toMatch(/`iface` is "lo" and not "eth0"/);
  expect(count(scene, "PUT /api/proxies/24500")).toBe(0);
});

const adopting = { ...INPUTS, adopt: true };

test.each([{ mark: "m.there" }, { mark: "m.there", place: "there" }, undefined])(
  "adopting a port that a resource of the program declares is refused to another: %j",
  async (me) => {
    const scene = await scenery();
    await foreign(scene, { port: 24_500, zone: "other" });
    scene.context.claims.stays("m.here", { has: ["port 24500"] });
    const error = await failure(proxyPort.create(adopting, { ...scene.step(), ...(me === undefined ? {} : { me }) }));
    expect(error.message).toMatch(/^Port 24500 is another resource's of this program/);
    expect(changes(scene)).toEqual([]);
  },
);

test("adopting a port that a resource of the program declares is not refused to the resource itself", async () => {
  const scene = await scenery();
  await foreign(scene, { port: 24_500, zone: "other" });
  scene.context.claims.stays("m.here", { has: ["port 24500"] });
  expect((await proxyPort.create(adopting, { ...scene.step(), me: { mark: "m.here" } })).id).toBe("24500");
});

test("a port that is being adopted is the resource's own before anything is sent: one that has it, too, is refused", async () => {
  const scene = await scenery();
  await foreign(scene, { port: 24_500, zone: "other" });
  scene.manager.service.faults.add({ method: "PUT", path: "/api/proxies/24500", kind: "respond", status: 400 });
  await failure(proxyPort.create(adopting, { ...scene.step(), me: { mark: "m.there" } }));
  expect(scene.context.claims.isMadeByAnother("port 24500", "m.here")).toBe(true);
});

test("adopting a port that a resource of the program declares is refused", async () => {
  const scene = await scenery();
  await foreign(scene, { port: 24_500, zone: "other" });
  scene.context.claims.stays("m.here", { has: ["port 24500"] });
  const error = await failure(proxyPort.create(adopting, { ...scene.step(), me: { mark: "m.there" } }));
  expect(error.message).toMatch(/^Port 24500 is another resource's of this program/);
  expect(changes(scene)).toEqual([]);
});

describe("creating a port whose answer is lost", () => {
  test.each([
    ["with a number", EVERYTHING],
    ["with a number of the manager's choice", { ...EVERYTHING, port: undefined }],
  ])("%s finds it, and never makes it twice", async (_, inputs) => {
    for (const kind of ["reset-after", "truncate"] as const) {
      const scene = await scenery();
      await foreign(scene, { zone: "web" });
      scene.manager.service.faults.add({ method: "POST", path: "/api/proxies", kind });
      const { id, state } = await proxyPort.create(inputs, scene.step());
      expect(posts(scene)).toBe(1);
      expect(scene.manager.state.records.filter(({ internal_name }) => internal_name === "shop")).toHaveLength(1);
      expect(record(scene, Number(id))?.internal_name).toBe("shop");
      expect(state).toMatchObject({ port: Number(id), listenPort: Number(id) });
    }
  });

  test("with a number of the manager's choice tells its own from those of its neighbours", async () => {
    const scene = await scenery();
    const { faults } = scene.manager.service;
    const step = scene.step();
    faults.add({ method: "POST", path: "/api/proxies", kind: "reset-after", after: 1, times: 3 });
    const made = await Promise.all(Array.from({ length: 6 }, () => proxyPort.create({ zone: "web" }, step)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(6);
    expect(posts(scene)).toBe(6);
    expect(scene.manager.state.records.filter(({ proxy_type }) => proxy_type === "persist")).toHaveLength(6);
  });

  test("by a time limit finds it as well", async () => {
    for (const inputs of [INPUTS, { zone: "web" }] as JsonObject[]) {
      const scene = await scenery();
      // It takes place, and the answer is stuck on its way.
      scene.manager.service.faults.add({ method: "POST", path: "/api/proxies", kind: "hang-after" });
      const { deadline, expire } = controlledDeadline();
      const creation = proxyPort.create(inputs, scene.step(deadline));
      // The drop-in's port gets the zone as soon as the manager hears of it.
      const isThere = () => scene.manager.state.records.some(({ proxy_type }) => proxy_type === "persist");
      await vi.waitFor(() => expect(isThere()).toBe(true));
      expire();
      expect((await creation).id).toBe(inputs.port === undefined ? "24000" : "24500");
      expect(posts(scene)).toBe(1);
    }
  });

  test.each([
    ["a broken connection", INPUTS, { kind: "reset" } as const],
    ["a broken connection", { zone: "web" }, { kind: "reset" } as const],
    ["a failing manager", INPUTS, { kind: "respond", status: 500, body: "Server error: x" } as const],
  ])("sends it once more where it certainly made nothing: %s, %j", async (_, inputs, fault) => {
    const scene = await scenery();
    scene.manager.service.faults.add({ method: "POST", path: "/api/proxies", ...fault });
    const { id } = await proxyPort.create(inputs, scene.step());
    expect(posts(scene)).toBe(2);
    expect(scene.manager.state.records.map(({ port }) => String(port))).toContain(id);
  });

  test("does not send it again where the manager may be at it yet, and has no number to tell by", async () => {
    const scene = await scenery();
    scene.manager.service.faults.add({ method: "POST", path: "/api/proxies", kind: "respond", status: 500 });
    const { deadline, expire } = controlledDeadline();
    const creation = failure(proxyPort.create({ zone: "web" }, scene.step(deadline)));
    await vi.waitFor(() => expect(count(scene, "GET /api/proxies")).toBeGreaterThan(10));
    expire();
    const error = await creation;
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error.message).toMatch(/Whether the proxy port was created is not known/);
    expect(posts(scene)).toBe(1);
  });

  test.each([
    [{}, []],
    [
      { reverseLookupFile: "/etc" },
      [
        [
          "the manager does not answer where `reverseLookupFile` names a folder, and holds the port's number until it is restarted.",
        ],
      ],
    ],
  ])("whose answer never comes says, with %j, what may have come of it", async (fields, said) => {
    const scene = await scenery();
    const say = vi.fn();
    scene.manager.service.faults.add({ method: "POST", path: "/api/proxies", kind: "respond", status: 500 });
    const { deadline, expire } = controlledDeadline();
    const creation = failure(proxyPort.create({ zone: "web", ...fields }, { ...scene.step(deadline), say }));
    await vi.waitFor(() => expect(count(scene, "GET /api/proxies")).toBeGreaterThan(10));
    expire();
    expect(await creation).toBeInstanceOf(UnknownOutcomeError);
    expect(say.mock.calls).toEqual(said);
  });

  test("without a number finds one beyond those that another program holds", async () => {
    const scene = await scenery();
    for (let port = 24_000; port < 30_000; port++) scene.manager.state.portsInUse.add(port);
    const made = await proxyPort.create({ zone: "web", multiply: 2 }, scene.step());
    expect(Number(made.id)).toBeGreaterThanOrEqual(30_000);
    expect(posts(scene)).toBeLessThan(40);
  });

  test("without a number does not run out of them where many processes look for one", async () => {
    const scene = await scenery();
    scene.manager.state.portsInUse.add(24_000);
    const many = Array.from({ length: 80 }, () => ({ ...scene.step(), context: scene.anotherContext() }));
    const made = await Promise.all(many.map((step) => proxyPort.create({ zone: "web" }, step)));
    expect(made.map(({ id }) => Number(id)).sort()).toEqual(many.map((_, index) => 24_001 + index));
  });

  test("without a number says which it has tried where it finds none", async () => {
    const scene = await scenery();
    for (let port = 24_000; port <= 65_535; port++) scene.manager.state.portsInUse.add(port);
    const error = await failure(proxyPort.create({ zone: "web" }, scene.step()));
    expect(error.message).toMatch(
      /^No free port was found: port: port 24000 in use by another app, and neither is any of the \d\d after it that were tried, up to \d{5}\. Choose one that is free with `port`\.$/,
    );
  });

  test("without a number leaves out those that the program's other ports are about to get", async () => {
    const scene = await scenery();
    const { claims } = scene.context;
    await created(scene);
    claims.comes("elsewhere", { expects: ["port 24500", "port 24501", "zone 24999"] });
    const made = await Promise.all([1, 2].map(() => proxyPort.create({ zone: "web" }, scene.step())));
    expect(made.map(({ id }) => id).sort()).toEqual(["24502", "24503"]);
    expect((await proxyPort.create({ zone: "web", port: 24_501 }, scene.step())).id).toBe("24501");
  });

  test.each([
    ["a port", proxyPort, { zone: "web", port: 25_000, multiply: 100 }],
    ["a set", proxyPorts, { defaults: { zone: "web", multiply: 100 }, ports: { pool: { port: 25_000 }, any: {} } }],
  ] as [string, Lifecycle, JsonObject][])(
    "without a number leaves out those that %s of the program is about to multiply into",
    async (_, kind, inputs) => {
      const scene = await scenery();
      scene.context.claims.foresee(kind.holdings(undefined, inputs).has);
      expect((await proxyPort.create({ zone: "web" }, scene.step())).id).toBe("25100");
    },
  );

  test.each([[[]], [["port 8000"]], [["port 65535"]]])(
    "without a number gets the manager's next: %j",
    async (expects) => {
      const scene = await scenery();
      scene.context.claims.comes("elsewhere", { expects });
      expect((await proxyPort.create({ zone: "web" }, scene.step())).id).toBe("24000");
    },
  );

  test("does not take another's port for it, however alike, and says whose it is", async () => {
    const scene = await scenery();
    await foreign(scene, { port: 24_500, zone: "web" });
    scene.manager.service.faults.add({ method: "POST", path: "/api/proxies", kind: "reset-after" });
    const error = await failure(proxyPort.create(INPUTS, scene.step()));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error.message).toMatch(/Port 24500 is in use by a proxy port of zone "web"/);
    expect(posts(scene)).toBe(1);
  });

  test("does not take the port that another update makes at the same time", async () => {
    const scene = await scenery();
    // The request does not arrive; another's does, and asks for the very same.
    scene.manager.service.faults.add({ method: "POST", path: "/api/proxies", kind: "reset" });
    const neighbour = { ...scene.step(), context: scene.anotherContext() };
    const [ours, theirs] = await Promise.all([
      proxyPort.create({ zone: "web" }, scene.step()),
      vi
        .waitFor(() => expect(count(scene, "GET /api/proxies")).toBeGreaterThan(0))
        .then(() => proxyPort.create({ zone: "web" }, neighbour)),
    ]);
    expect(ours.id).not.toBe(theirs.id);
    expect(scene.manager.state.records.filter(({ proxy_type }) => proxy_type === "persist")).toHaveLength(2);
  });

  test("survives an outage", async () => {
    const scene = await scenery();
    const { faults } = scene.manager.service;
    faults.add({ method: "POST", path: "/api/proxies", kind: "reset-after" });
    faults.add({ method: "GET", path: /^\/api\/proxies/, kind: "respond", status: 500, times: 40 });
    const { id } = await proxyPort.create({ zone: "web" }, scene.step());
    expect(record(scene, Number(id))).toBeDefined();
    expect(posts(scene)).toBe(1);
  });

  test("keeps a number whose port may still come, and finishes it with the next update", async () => {
    const scene = await scenery();
    scene.manager.service.faults.add({ method: "POST", path: "/api/proxies", kind: "hang", times: 9 });
    const { deadline, expire } = controlledDeadline();
    const creation = failure(proxyPort.create(INPUTS, scene.step(deadline)));
    await vi.waitFor(() => expect(posts(scene)).toBe(1));
    expire();
    const error = await creation;
    expect(error).toBeInstanceOf(PartialFailure);
    const { id, state } = error as PartialFailure;
    expect(id).toBe("24500");
    scene.manager.service.faults.clear();

    // Whatever has that number by now and not the mark is somebody else's.
    await foreign(scene, { port: 24_500, zone: "web" });
    expect(await proxyPort.read(id, INPUTS, scene.step(), state)).toBeUndefined();
    await proxyPort.delete(id, state, scene.step());
    expect(record(scene)).toBeDefined();
    const refused = await failure(proxyPort.update(id, state, declaredIn(INPUTS), INPUTS, scene.step()));
    expect(refused.message).toMatch(/Port 24500 is in use by/);

    scene.manager.state.records.length = 0;
    scene.manager.state.running.clear();
    expect(await proxyPort.update(id, state, declaredIn(INPUTS), INPUTS, scene.step())).toEqual({
      ...INPUTS,
      listenPort: 24_500,
    });
    expect(record(scene)).toBeDefined();
  });
});

test("a port that an update which was cut short has made under another number is told of, once, and left", async () => {
  const scene = await scenery();
  await foreign(scene, { port: 24_400, zone: "web", pulumi_id: MARK });
  scene.manager.service.faults.add({ method: "POST", path: "/api/proxies", kind: "reset-after" });
  const say = vi.fn();
  const journal = notebook({ mark: MARK, declared: ["zone"] });
  expect((await proxyPort.create(INPUTS, { ...scene.step(), say, journal })).id).toBe("24500");
  expect(say.mock.calls).toEqual([
    [
      "proxy port 24400, which an update that was cut short has created, may be in no state, and the program declares another. To manage it, declare a ProxyPort with `port: 24400` and `adopt: true`; otherwise delete it in the manager.",
    ],
  ]);
  expect([24_400, 24_500].map((port) => record(scene, port)?.zone)).toEqual(["web", "web"]);
  expect(journal.begun).toHaveLength(1);
});

test.each([
  ["has, is told to nobody", "has", []],
  ["is yet to take over, is told of", "adopts", [expect.stringMatching(/^proxy port 24400, .* Look first whether /)]],
])(
  "a port that an update which was cut short has made under another number, and another resource %s",
  async (_, strength, said) => {
    const scene = await scenery();
    await foreign(scene, { port: 24_400, zone: "web", pulumi_id: MARK });
    const { claims } = scene.context;
    if (strength === "has") claims.made({ mark: "m.another" }, ["port 24400"]);
    else claims.announced("another place", ["port 24400"]);
    const words: string[] = [];
    const journal = notebook({ mark: MARK, declared: ["zone"] });
    const say = (each: string) => void words.push(each);
    await proxyPort.create(INPUTS, { ...scene.step(), me: { place: "place" }, say, journal });
    expect(words).toEqual(said);
  },
);

test("a port that an update which was cut short has made is taken up, and what is not declared any more is taken away", async () => {
  const scene = await scenery();
  await foreign(scene, { port: 24_500, zone: "web", country: "us", pulumi_id: MARK });
  const journal = notebook({ mark: MARK, declared: ["zone", "country"] });
  const { state } = await proxyPort.create({ ...INPUTS, dns: "remote" }, { ...scene.step(), journal });
  expect(state).toMatchObject({ ...INPUTS, dns: "remote" });
  expect(posts(scene)).toBe(0);
  expect(record(scene)).toMatchObject({ country: "", dns: "remote" });
});

test("a port that an update which was cut short has made is not taken up where another resource has its number by now", async () => {
  const scene = await scenery();
  await foreign(scene, { port: 24_500, zone: "web", pulumi_id: MARK });
  scene.context.claims.announced("another place", ["port 24500"]);
  const step = { ...scene.step(), me: { place: "place" }, journal: notebook({ mark: MARK, declared: ["zone"] }) };
  const { id } = await proxyPort.create({ zone: "web" }, step);
  expect(id).not.toBe("24500");
  expect(posts(scene)).toBe(1);
});

test("what is no longer declared is taken away from a port whose creation was uncertain", async () => {
  const scene = await scenery();
  await foreign(scene, { port: 24_500, zone: "web", country: "us", pulumi_id: "mark" });
  const before = { ...INPUTS, country: "us" };
  await proxyPort.update("24500", { ...before, mark: "mark" }, declaredIn(before), INPUTS, scene.step());
  expect(record(scene)?.country).toBe("");
});
