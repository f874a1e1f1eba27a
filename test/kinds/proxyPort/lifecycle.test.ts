import { describe, expect, test, vi } from "vitest";
import { AlreadyExistsError, ArgumentError, InvalidRequestError, ServerError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { proxyPortLifecycle as proxyPort } from "../../../src/kinds/proxyPort/lifecycle";
import { UnknownOutcomeError } from "../../../src/lifecycle/creation";
import { DeadlineError } from "../../../src/lifecycle/deadline";
import { PartialFailure } from "../../../src/lifecycle/lifecycle";
import type { SimulatorOptions } from "../../../src/simulator";
import {
  changes,
  controlledDeadline,
  count,
  declaredIn,
  drift,
  failure,
  forgetRequests,
  notebook,
  type Stage,
  stage,
} from "../../lifecycle/harness";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

const INPUTS: JsonObject = { zone: "web", port: 24_500 };

/** A stage whose account has the zones `web` and `other`. */
async function scenery(options: SimulatorOptions = {}, settings: Record<string, string> = {}): Promise<Stage> {
  const scene = await stage(options, settings);
  scene.account.addZone("web", { type: "static", country: "us" });
  scene.account.addZone("other", { type: "resident" });
  return scene;
}

async function created(scene: Stage, inputs: JsonObject = INPUTS): Promise<JsonObject> {
  const { state } = await proxyPort.create(inputs, scene.run());
  forgetRequests(scene);
  return state;
}

const record = (scene: Stage, port = 24_500) => scene.manager.state.record(port);
const bodies = (scene: Stage, request: string) =>
  scene.manager.service.requests
    .filter(({ method, path }) => `${method} ${path}` === request)
    .map(({ body }) => body as { proxy: JsonObject });
const posts = (scene: Stage) => count(scene, "POST /api/proxies");

/** Another program's port, or one that the manager's web page made: made behind the lifecycle's back. */
const foreign = (scene: Stage, fields: JsonObject) => sendElsewhere(scene, "POST", "/api/proxies", fields);

/** Changes a port behind the lifecycle's back. */
const changeElsewhere = (scene: Stage, port: number, fields: JsonObject) =>
  sendElsewhere(scene, "PUT", `/api/proxies/${port}`, { zone: "web", ...fields });

async function sendElsewhere(scene: Stage, method: string, path: string, fields: JsonObject): Promise<void> {
  const response = await fetch(`${scene.manager.url}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ proxy: fields }),
  });
  expect(response.status).toBe(200);
  forgetRequests(scene);
}

/** The inputs of fifty ports that another process has made. */
async function fifty(scene: Stage, fields: JsonObject = {}): Promise<JsonObject[]> {
  const run = { ...scene.run(), context: scene.anotherContext() };
  const ports = Array.from({ length: 50 }, (_, index) => ({ zone: "web", port: 24_500 + index, ...fields }));
  await Promise.all(ports.map((inputs) => proxyPort.create(inputs, run)));
  forgetRequests(scene);
  return ports;
}

const EVERYTHING: JsonObject = {
  ...INPUTS,
  internalName: "shop",
  customer: "hl_other",
  password: "hush-hush",
  whitelistIps: ["10.20.30.77/16", "203.0.113.7"],
  users: ["Ann"],
  user: "u",
  userPassword: "hush-too",
  ssl: true,
  country: "us",
  session: true,
  proxyRetry: 2,
  dns: "remote",
  rules: [{ status: "200", action: { banIp: 60 } }],
  headers: [{ name: "accept-language", value: "de" }],
  ips: ["198.18.0.1"],
  vips: ["us_1"],
  extProxies: ["user:hush-ext@203.0.113.9:8080"],
  poolSize: 3,
  logs: 10,
  bwLimit: { days: 1, bytes: 1_000_000 },
  zip: "07001",
};

describe("creating a port", () => {
  test("makes it under its number and keeps what was declared", async () => {
    const scene = await scenery();
    const { id, state } = await proxyPort.create(EVERYTHING, scene.run());
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
    expect(await drift(proxyPort, id, state, EVERYTHING, scene.run())).toEqual([]);
    expect(changes(scene)).toEqual(["POST /api/proxies"]);
  });

  test("lets the manager choose a number, each port another one", async () => {
    const scene = await scenery();
    const run = scene.run();
    const made = await Promise.all(Array.from({ length: 20 }, () => proxyPort.create({ zone: "web" }, run)));
    expect(made.map(({ id }) => Number(id)).sort()).toEqual(Array.from({ length: 20 }, (_, index) => 24_000 + index));
    expect(made[0]?.state).toEqual({ zone: "web", port: Number(made[0]?.id), listenPort: Number(made[0]?.id) });
    expect(posts(scene)).toBe(20);
  });

  test("goes past numbers that other programs hold", async () => {
    const scene = await scenery();
    scene.manager.state.portsInUse.add(24_000).add(24_001);
    const { id } = await proxyPort.create({ zone: "web" }, scene.run());
    expect(id).toBe("24002");
  });

  test("begins when it is known which numbers are free: a failure to read them leaves nothing in doubt", async () => {
    const scene = await scenery();
    const journal = notebook();
    scene.context.claims.comes("elsewhere", { expects: ["port 24500"] });
    scene.manager.service.faults.add({ method: "GET", path: "/api/proxies", kind: "respond", status: 503 });
    const error = await failure(proxyPort.create({ zone: "web" }, { ...scene.run(), journal }));
    expect(error).toBeInstanceOf(ServerError);
    expect(journal.begun).toEqual([]);
    expect(changes(scene)).toEqual([]);
  });

  test("asks for what is needed once for all, not for each", async () => {
    const scene = await scenery();
    const run = scene.run();
    const ports = Array.from({ length: 50 }, (_, index) => ({ zone: "web", port: 24_500 + index }));
    await Promise.all(ports.map((inputs) => proxyPort.create(inputs, run)));
    expect(count(scene, "GET /api/mode")).toBe(1);
    expect(count(scene, "GET /api/zones")).toBe(1);
    expect(posts(scene)).toBe(50);
  });

  test("in a manager that is not logged in is refused", async () => {
    const scene = await scenery();
    scene.manager.logOut();
    const error = await failure(proxyPort.create(INPUTS, scene.run()));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error.message).toContain(`${scene.manager.url} is not logged in`);
    expect(changes(scene)).toEqual([]);
  });

  test("of a zone that the account does not have is refused, naming those that the manager knows", async () => {
    const scene = await scenery();
    const error = await failure(proxyPort.create({ ...INPUTS, zone: "wbe" }, scene.run()));
    expect(error.message).toMatch(/does not know zone "wbe"\. It knows "web", "other"\./);
    expect(changes(scene)).toEqual([]);
  });

  test("of a zone that is deleted is refused", async () => {
    const scene = await scenery();
    scene.account.removeZone("web");
    expect((await failure(proxyPort.create(INPUTS, scene.run()))).message).toContain('It knows "other"');
  });

  test("of a zone that the manager has yet to hear of waits for that", async () => {
    const scene = await stage({ manager: { zonesVisibleAfterReads: 3 } });
    scene.account.addZone("web", { type: "static" });
    await proxyPort.create(INPUTS, scene.run());
    expect(count(scene, "GET /api/zones")).toBeGreaterThanOrEqual(3);
    expect(record(scene)?.zone).toBe("web");
  });

  test("of a zone that is too new to be listed waits as well", async () => {
    const scene = await stage({ manager: { zonesVisibleAfterReads: 3 } });
    scene.account.addZone("web", { type: "static" });
    scene.remote.service.faults.add({ path: "/zone/get_all_zones", kind: "respond", status: 200, body: "[]" });
    await proxyPort.create(INPUTS, scene.run());
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
      const creation = failure(proxyPort.create({ ...INPUTS, zone: "wbe" }, scene.run()));
      await vi.waitFor(() => expect(count(scene, "GET /api/zones")).toBeGreaterThan(2));
      clock.mockReturnValue(start + 3_600_000);
      expect((await creation).message).toMatch(/does not know zone "wbe"\. It knows "web", "other"\./);
    } finally {
      clock.mockRestore();
    }
    expect(scene.remote.service.requests).toHaveLength(requests);
    expect(changes(scene)).toEqual([]);
  });

  test("gives up waiting for the zone when time is up", async () => {
    const scene = await stage({ manager: { zonesVisibleAfterReads: Number.POSITIVE_INFINITY } });
    scene.account.addZone("web", { type: "static" });
    const { deadline, expire } = controlledDeadline();
    const creation = failure(proxyPort.create(INPUTS, scene.run(deadline)));
    await vi.waitFor(() => expect(count(scene, "GET /api/zones")).toBeGreaterThan(2));
    expire();
    const error = await creation;
    expect(error).toBeInstanceOf(DeadlineError);
    expect(error.message).toContain(
      'waiting for the Proxy Manager to learn of zone "web", which the account of brightdata:apiToken has: the manager must be logged in to that account',
    );
    expect(changes(scene)).toEqual([]);
  });
});

describe("creating a port whose number is in use", () => {
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
  ])("by %s says whose it is", async (_, options, occupy, owner, adoptable) => {
    const scene = await scenery(options);
    await occupy(scene);
    const error = await failure(proxyPort.create(INPUTS, scene.run()));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error.cause).toBeInstanceOf(AlreadyExistsError);
    expect(error.message).toMatch(/^Port 24500 is in use by /);
    expect(error.message).toMatch(owner);
    expect(error.message.includes("`adopt: true`")).toBe(adoptable);
    expect(posts(scene)).toBe(1);

    if (adoptable) return;
    const refused = await failure(proxyPort.create({ ...INPUTS, adopt: true }, scene.run()));
    expect(refused.message).toMatch(owner);
    expect(refused.message).not.toContain("adopt");
    expect(count(scene, "PUT /api/proxies/24500")).toBe(0);
  });

  test("by the manager's drop-in port says so, and does not take it over", async () => {
    const scene = await scenery();
    for (const adopt of [false, true]) {
      const error = await failure(proxyPort.create({ zone: "web", port: 22_225, adopt }, scene.run()));
      expect(error.message).toMatch(/in use by the Proxy Manager's drop-in port/);
    }
    expect(count(scene, "PUT /api/proxies/22225")).toBe(0);
  });
});

describe("adopting a port", () => {
  test("makes it as declared, in place, and leaves the rest alone", async () => {
    const scene = await scenery();
    await foreign(scene, { port: 24_500, zone: "other", country: "de", ssl: true, ips: ["198.18.0.1"] });
    const inputs = { ...INPUTS, adopt: true, country: "us", password: "hush", dns: "local" };
    const { id, state } = await proxyPort.create(inputs, scene.run());
    expect(id).toBe("24500");
    expect(state).toEqual({ ...inputs, listenPort: 24_500 });
    expect(record(scene)).toMatchObject({ zone: "web", country: "us", ssl: true, ips: ["198.18.0.1"] });
    expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([
      { proxy: { zone: "web", country: "us", password: "hush", ips: ["198.18.0.1"] } },
    ]);
    expect(await drift(proxyPort, id, state, inputs, scene.run())).toEqual([]);
  });

  test("that is as declared sends nothing, and lists the ports once", async () => {
    const scene = await scenery();
    await foreign(scene, { port: 24_500, zone: "web", country: "us" });
    await proxyPort.create({ ...INPUTS, adopt: true, country: "us" }, scene.run());
    expect(changes(scene)).toEqual([]);
    expect(count(scene, "GET /api/proxies")).toBe(1);
    expect(count(scene, "GET /api/proxies/24500")).toBe(0);
  });

  test("that listens elsewhere is refused: that cannot be changed in place", async () => {
    const scene = await scenery();
    await foreign(scene, { port: 24_500, zone: "web", iface: "lo" });
    const error = await failure(proxyPort.create({ ...INPUTS, adopt: true, iface: "eth0" }, scene.run()));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error.message).toMatch(/`iface` is "lo" and not "eth0"/);
    expect(count(scene, "PUT /api/proxies/24500")).toBe(0);
  });
});

describe("adopting a port that a resource of the program declares", () => {
  const adopting = { ...INPUTS, adopt: true };

  test.each([{ mark: "m.there" }, { mark: "m.there", place: "there" }, undefined])(
    "is refused to another: %j",
    async (me) => {
      const scene = await scenery();
      await foreign(scene, { port: 24_500, zone: "other" });
      scene.context.claims.stays("m.here", { has: ["port 24500"] });
      const error = await failure(proxyPort.create(adopting, { ...scene.run(), ...(me === undefined ? {} : { me }) }));
      expect(error.message).toMatch(/^Port 24500 is another resource's of this program/);
      expect(changes(scene)).toEqual([]);
    },
  );

  test("is not refused to the resource itself", async () => {
    const scene = await scenery();
    await foreign(scene, { port: 24_500, zone: "other" });
    scene.context.claims.stays("m.here", { has: ["port 24500"] });
    expect((await proxyPort.create(adopting, { ...scene.run(), me: { mark: "m.here" } })).id).toBe("24500");
  });

  test("is refused once it is known what the others have", async () => {
    const scene = await scenery();
    await foreign(scene, { port: 24_500, zone: "other" });
    const others = async () => scene.context.claims.stays("m.here", { has: ["port 24500"] });
    const error = await failure(proxyPort.create(adopting, { ...scene.run(), me: { mark: "m.there" }, others }));
    expect(error.message).toMatch(/^Port 24500 is another resource's of this program/);
    expect(changes(scene)).toEqual([]);
  });
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
      const { id, state } = await proxyPort.create(inputs, scene.run());
      expect(posts(scene)).toBe(1);
      expect(scene.manager.state.records.filter(({ internal_name }) => internal_name === "shop")).toHaveLength(1);
      expect(record(scene, Number(id))?.internal_name).toBe("shop");
      expect(state).toMatchObject({ port: Number(id), listenPort: Number(id) });
    }
  });

  test("with a number of the manager's choice tells its own from those of its neighbours", async () => {
    const scene = await scenery();
    const { faults } = scene.manager.service;
    const run = scene.run();
    faults.add({ method: "POST", path: "/api/proxies", kind: "reset-after", after: 1, times: 3 });
    const made = await Promise.all(Array.from({ length: 6 }, () => proxyPort.create({ zone: "web" }, run)));
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
      const creation = proxyPort.create(inputs, scene.run(deadline));
      await vi.waitFor(() => expect(scene.manager.state.records.some(({ zone }) => zone === "web")).toBe(true));
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
    const { id } = await proxyPort.create(inputs, scene.run());
    expect(posts(scene)).toBe(2);
    expect(scene.manager.state.records.map(({ port }) => String(port))).toContain(id);
  });

  test("does not send it again where the manager may be at it yet, and has no number to tell by", async () => {
    const scene = await scenery();
    scene.manager.service.faults.add({ method: "POST", path: "/api/proxies", kind: "respond", status: 500 });
    const { deadline, expire } = controlledDeadline();
    const creation = failure(proxyPort.create({ zone: "web" }, scene.run(deadline)));
    await vi.waitFor(() => expect(count(scene, "GET /api/proxies")).toBeGreaterThan(10));
    expire();
    const error = await creation;
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error.message).toMatch(/Whether the proxy port was made is not known/);
    expect(posts(scene)).toBe(1);
  });

  test("without a number finds one beyond those that another program holds", async () => {
    const scene = await scenery();
    for (let port = 24_000; port < 30_000; port++) scene.manager.state.portsInUse.add(port);
    const made = await proxyPort.create({ zone: "web", multiply: 2 }, scene.run());
    expect(Number(made.id)).toBeGreaterThanOrEqual(30_000);
    expect(posts(scene)).toBeLessThan(40);
  });

  test("without a number says which it has tried where it finds none", async () => {
    const scene = await scenery();
    for (let port = 24_000; port <= 65_535; port++) scene.manager.state.portsInUse.add(port);
    const error = await failure(proxyPort.create({ zone: "web" }, scene.run()));
    expect(error.message).toMatch(
      /^No free port was found: port: port 24000 in use by another app, and neither is any of the \d\d after it that were tried, up to \d{5}\. Choose one that is free with `port`\.$/,
    );
  });

  test("without a number leaves out those that the program's other ports are about to get", async () => {
    const scene = await scenery();
    const { claims } = scene.context;
    await created(scene);
    claims.comes("elsewhere", { expects: ["port 24500", "port 24501", "zone 24999"] });
    const made = await Promise.all([1, 2].map(() => proxyPort.create({ zone: "web" }, scene.run())));
    expect(made.map(({ id }) => id).sort()).toEqual(["24502", "24503"]);
    expect((await proxyPort.create({ zone: "web", port: 24_501 }, scene.run())).id).toBe("24501");
  });

  test.each([[[]], [["port 8000"]], [["port 65535"]]])(
    "without a number gets the manager's next: %j",
    async (expects) => {
      const scene = await scenery();
      scene.context.claims.comes("elsewhere", { expects });
      expect((await proxyPort.create({ zone: "web" }, scene.run())).id).toBe("24000");
    },
  );

  test("does not take another's port for it, however alike, and says whose it is", async () => {
    const scene = await scenery();
    await foreign(scene, { port: 24_500, zone: "web" });
    scene.manager.service.faults.add({ method: "POST", path: "/api/proxies", kind: "reset-after" });
    const error = await failure(proxyPort.create(INPUTS, scene.run()));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error.message).toMatch(/Port 24500 is in use by a proxy port of zone "web"/);
    expect(posts(scene)).toBe(1);
  });

  test("does not take the port that another update makes at the same time", async () => {
    const scene = await scenery();
    // The request does not arrive; another's does, and asks for the very same.
    scene.manager.service.faults.add({ method: "POST", path: "/api/proxies", kind: "reset" });
    const neighbour = { ...scene.run(), context: scene.anotherContext() };
    const [ours, theirs] = await Promise.all([
      proxyPort.create({ zone: "web" }, scene.run()),
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
    const { id } = await proxyPort.create({ zone: "web" }, scene.run());
    expect(record(scene, Number(id))).toBeDefined();
    expect(posts(scene)).toBe(1);
  });

  test("keeps a number whose port may still come, and finishes it with the next update", async () => {
    const scene = await scenery();
    scene.manager.service.faults.add({ method: "POST", path: "/api/proxies", kind: "hang", times: 9 });
    const { deadline, expire } = controlledDeadline();
    const creation = failure(proxyPort.create(INPUTS, scene.run(deadline)));
    await vi.waitFor(() => expect(posts(scene)).toBe(1));
    expire();
    const error = await creation;
    expect(error).toBeInstanceOf(PartialFailure);
    const { id, state } = error as PartialFailure;
    expect(id).toBe("24500");
    scene.manager.service.faults.clear();

    // Whatever has that number by now and not the mark is somebody else's.
    await foreign(scene, { port: 24_500, zone: "web" });
    expect(await proxyPort.read(id, INPUTS, scene.run(), state)).toBeUndefined();
    await proxyPort.delete(id, state, scene.run());
    expect(record(scene)).toBeDefined();
    const refused = await failure(proxyPort.update(id, state, declaredIn(INPUTS), INPUTS, scene.run()));
    expect(refused.message).toMatch(/Port 24500 is in use by/);

    scene.manager.state.records.length = 0;
    scene.manager.state.running.clear();
    expect(await proxyPort.update(id, state, declaredIn(INPUTS), INPUTS, scene.run())).toEqual({
      ...INPUTS,
      listenPort: 24_500,
    });
    expect(record(scene)).toBeDefined();
  });
});

test("what is no longer declared is taken away from a port whose creation was uncertain", async () => {
  const scene = await scenery();
  await foreign(scene, { port: 24_500, zone: "web", country: "us", pulumi_id: "mark" });
  const before = { ...INPUTS, country: "us" };
  await proxyPort.update("24500", { ...before, mark: "mark" }, declaredIn(before), INPUTS, scene.run());
  expect(record(scene)?.country).toBe("");
});

describe("reading a port", () => {
  test("changes nothing", async () => {
    const scene = await scenery();
    const state = await created(scene, EVERYTHING);
    expect(await proxyPort.read("24500", EVERYTHING, scene.run(), {})).toEqual(state);
    expect(changes(scene)).toEqual([]);
  });

  test("finds nothing different after the manager was restarted", async () => {
    const scene = await scenery();
    const state = await created(scene, EVERYTHING);
    const response = await fetch(`${scene.manager.url}/api/restart`, { method: "POST" });
    expect(response.status).toBe(200);
    await scene.manager.settled();
    expect(
      await drift(proxyPort, "24500", state, EVERYTHING, { ...scene.run(), context: scene.anotherContext() }),
    ).toEqual([]);
  });

  test.each<[string, JsonObject, JsonObject, string[]]>([
    ["zone", {}, { zone: "other" }, ["zone"]],
    ["country", { country: "us" }, { country: "de" }, ["country"]],
    ["country that is not declared", {}, { country: "de" }, []],
    ["country taken away", { country: "us" }, { country: "" }, ["country"]],
    ["a flag", { ssl: true }, { ssl: false }, ["ssl"]],
    ["a flag back at its default", { ssl: false }, { ssl: undefined }, []],
    ["a number", { poolSize: 3 }, { pool_size: 4 }, ["poolSize"]],
    ["a number as text", { poolSize: 3 }, { pool_size: "3" }, []],
    [
      "a default that the manager leaves out",
      { dns: "local", proxyRetry: 2, session: true },
      { dns: undefined, proxy_retry: undefined, session: undefined },
      [],
    ],
    ["a default that is left out but was not declared as such", { dns: "remote" }, { dns: undefined }, ["dns"]],
    ["headers", { headers: [{ name: "a", value: "b" }] }, { headers: [{ name: "a", value: "c" }] }, ["headers"]],
    ["rules with digits as numbers", { rules: [{ status: "200" }] }, { rules: [{ status: 200 }] }, []],
    [
      "rules in the manager's spelling",
      { rules: [{ actionType: "ban_ip", action: { ban_ip: 1, of_tomorrow: 1 } }] },
      { rules: [{ action_type: "ban_ip", action: { ban_ip: 1, of_tomorrow: 1 } }] },
      [],
    ],
    [
      "a rule in a spelling that the manager does not know",
      { rules: [{ action: { banIp: 1 } }] },
      { rules: [{ action: { banIp: 1 } }] },
      ["rules"],
    ],
    ["lower-cased users", { users: ["Ann"] }, { users: ["ann"] }, []],
    [
      "a limit's part",
      { bwLimit: { days: 1, bytes: 5 } },
      { bw_limit: { days: 2, bytes: 5, renewable: false } },
      ["bwLimit.days"],
    ],
    [
      "a limit's further parts",
      { bwLimit: { days: 1, bytes: 5 } },
      { bw_limit: { days: 1, bytes: 5, start: "x" } },
      [],
    ],
    ["a limit taken away", { bwLimit: { days: 1, bytes: 5 } }, { bw_limit: "" }, ["bwLimit.days", "bwLimit.bytes"]],
    ["a password of the manager's own", { password: "hush" }, { password: "theirs" }, []],
    ["a customer that was forgotten", { customer: "hl_1" }, { customer: undefined }, []],
    ["addresses", { whitelistIps: ["203.0.113.7"] }, { whitelist_ips: ["203.0.113.8"] }, ["whitelistIps"]],
    ["addresses that are gone", { whitelistIps: ["203.0.113.7"] }, { whitelist_ips: undefined }, ["whitelistIps"]],
    ["addresses by another spelling", { whitelistIps: ["10.20.30.77/16"] }, { whitelist_ips: ["10.20.0.0/16"] }, []],
    ["no addresses", { whitelistIps: [] }, { whitelist_ips: undefined }, []],
  ])("finds drift in %s", async (_, fields, edit, expected) => {
    const scene = await scenery();
    const inputs = { ...INPUTS, ...fields };
    const state = await created(scene, inputs);
    Object.assign(record(scene) ?? {}, edit);
    expect(await drift(proxyPort, "24500", state, inputs, scene.run())).toEqual(expected);
    expect(changes(scene)).toEqual([]);
  });

  test("tells the port's own addresses from those that every port has", async () => {
    const scene = await scenery({ manager: { whitelistIps: ["198.51.100.1"] } });
    scene.manager.state.settings.www_whitelist_ips = ["198.51.100.2"];
    scene.manager.state.settings.whitelist_ips = ["198.51.100.3", "203.0.113.7"];
    const inputs = { ...INPUTS, whitelistIps: ["203.0.113.7", "203.0.113.8"] };
    const state = await created(scene, inputs);
    expect(record(scene)?.whitelist_ips).toHaveLength(5);
    expect(await drift(proxyPort, "24500", state, inputs, scene.run())).toEqual([]);

    Object.assign(record(scene) ?? {}, { whitelist_ips: ["198.51.100.2", "203.0.113.7", "203.0.113.9"] });
    const context = scene.anotherContext();
    const read = await proxyPort.read("24500", inputs, { ...scene.run(), context }, {});
    expect(read?.whitelistIps).toEqual(["203.0.113.9"]);
  });

  test("believes that it is gone only when a look for that port alone says so too", async () => {
    const scene = await scenery();
    const state = await created(scene);
    scene.manager.service.faults.add({ path: "/api/proxies", kind: "respond", status: 200, body: "[]" });
    expect(await proxyPort.read("24500", INPUTS, scene.run(), {})).toEqual(state);
    expect(count(scene, "GET /api/proxies/24500")).toBe(1);
    await proxyPort.delete("24500", state, scene.run());
    expect(await proxyPort.read("24500", INPUTS, scene.run(), {})).toBeUndefined();
  });

  test("does not believe that it is gone when that look fails", async () => {
    const scene = await scenery();
    await created(scene);
    scene.manager.service.faults.add({ path: "/api/proxies", kind: "respond", status: 200, body: "[]" });
    scene.manager.service.faults.add({ path: "/api/proxies/24500", kind: "respond", status: 500, body: "x" });
    expect(await failure(proxyPort.read("24500", INPUTS, scene.run(), {}))).toBeInstanceOf(ServerError);
  });

  test("of a manager that is logged out finds that the port has lost its zone, and nothing else", async () => {
    const scene = await scenery();
    const inputs = { ...INPUTS, country: "us", password: "hush" };
    const state = await created(scene, inputs);
    scene.manager.logOut();
    expect(await drift(proxyPort, "24500", state, inputs, scene.run())).toEqual(["zone"]);
  });

  test("of a manager that does not answer ends when time is up, also where many wait for one list", async () => {
    const scene = await scenery();
    await created(scene);
    scene.manager.service.faults.add({ path: "/api/proxies", kind: "hang" });
    const { deadline, expire } = controlledDeadline();
    const hurried = failure(proxyPort.read("24500", INPUTS, scene.run(deadline), {}));
    await vi.waitFor(() => expect(count(scene, "GET /api/proxies")).toBe(1));
    expire();
    expect(await hurried).toBeInstanceOf(DeadlineError);
  });

  test("by its number alone tells what the manager has, and nothing of the account's", async () => {
    const scene = await scenery();
    await created(scene, EVERYTHING);
    const state = await proxyPort.read("24500", undefined, scene.run(), {});
    expect(state).toMatchObject({ port: 24_500, listenPort: 24_500, zone: "web", internalName: "shop", country: "us" });
    expect(JSON.stringify(state)).not.toContain(scene.manager.state.settings.lpm_token?.split("|")[0]);
    expect(state).not.toHaveProperty("zones");
    expect(await proxyPort.read("24501", undefined, scene.run(), {})).toBeUndefined();
  });

  test.each(["", "web", "24000.5", "-1", "0"])("by what is no number (%j) is refused", async (id) => {
    const scene = await scenery();
    expect((await failure(proxyPort.read(id, undefined, scene.run(), {}))).message).toContain(
      "is not the id of a proxy port",
    );
    expect(scene.manager.service.requests).toEqual([]);
  });

  test.each<[string, JsonObject, string[]]>([
    ["the list once", {}, ["GET /api/proxies"]],
    [
      "the list and the addresses of all ports once",
      { whitelistIps: ["203.0.113.7"] },
      ["GET /api/proxies", "GET /api/settings"],
    ],
  ])("of fifty asks for %s", async (_, fields, requests) => {
    const scene = await scenery();
    const inputs = await fifty(scene, fields);
    const run = scene.run();
    const states = await Promise.all(inputs.map((one) => proxyPort.read(String(one.port), one, run, {})));
    expect(states.map((state) => state?.port)).toEqual(inputs.map(({ port }) => port));
    expect(scene.manager.service.requests.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(requests);
  });
});

describe("ports that there are", () => {
  test("are listed by their numbers, without those that no resource can be", async () => {
    const scene = await scenery();
    await foreign(scene, { port: 24_500, zone: "web", multiply: 3 });
    await foreign(scene, { port: 24_600, zone: "other" });
    expect(scene.manager.state.records.map(({ port }) => port)).toContain(22_225);
    expect(await proxyPort.list(scene.run())).toEqual(["24500", "24600"]);
  });

  test("are described by what a program has to declare of them", async () => {
    const scene = await scenery();
    scene.manager.state.settings.whitelist_ips = ["198.51.100.3"];
    await created(scene, { ...EVERYTHING, dns: "local" });
    Object.assign(record(scene) ?? {}, { pool_size: "3", vip: "", ssl: "true", preset: "session_long" });
    const state = await proxyPort.read("24500", undefined, scene.run(), {});
    const described = proxyPort.describe(state ?? {});
    expect(described).toEqual({
      ...INPUTS,
      internalName: "shop",
      whitelistIps: ["10.20.0.0/16", "203.0.113.7"],
      users: ["ann"],
      user: "u",
      ssl: true,
      country: "us",
      rules: EVERYTHING.rules,
      headers: EVERYTHING.headers,
      ips: ["198.18.0.1"],
      vips: ["us_1"],
      poolSize: 3,
      bwLimit: { days: 1, bytes: 1_000_000, renewable: false, start: expect.any(String) },
      zip: "07001",
    });
    expect(proxyPort.check(described, undefined).failures).toEqual([]);
    expect(proxyPort.diff(state ?? {}, declaredIn(described), described)).toEqual({
      changed: [],
      replaces: [],
      deleteBeforeReplace: false,
    });
  });
});

describe("updating a port", () => {
  const update = (scene: Stage, state: JsonObject, before: JsonObject, after: JsonObject) =>
    proxyPort.update("24500", state, declaredIn(before), after, scene.run());

  test("sends what changes, and what must be repeated", async () => {
    const scene = await scenery();
    const before = { ...INPUTS, country: "us", ssl: true, ips: ["198.18.0.1"], vips: ["us_1"] };
    const state = await created(scene, before);
    const after = { ...before, country: "de", poolSize: 4 };
    expect(await update(scene, state, before, after)).toEqual({ ...after, listenPort: 24_500 });
    expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([
      { proxy: { zone: "web", ips: ["198.18.0.1"], vips: ["us_1"], country: "de", pool_size: 4 } },
    ]);
    expect(record(scene)).toMatchObject({ country: "de", pool_size: 4, ssl: true, zone: "web", ips: ["198.18.0.1"] });
    expect(await drift(proxyPort, "24500", state, after, scene.run())).toEqual(["poolSize"]);
  });

  test("waits until the manager has learned of a new zone, where the port gets another", async () => {
    const scene = await scenery({ manager: { zonesVisibleAfterReads: 3 } });
    const state = await created(scene);
    scene.account.addZone("late", { type: "static" });
    scene.context.managerZones.forget();
    expect(await update(scene, state, INPUTS, { ...INPUTS, zone: "late" })).toMatchObject({ zone: "late" });
    expect(count(scene, "GET /api/zones")).toBeGreaterThan(2);
    expect(record(scene)).toMatchObject({ zone: "late" });
  });

  test.each<[string, unknown, JsonObject]>([
    ["country", "us", { country: "" }],
    ["ssl", true, { ssl: false }],
    ["poolSize", 3, { pool_size: 0 }],
    ["proxyRetry", 5, { proxy_retry: 2 }],
    ["dns", "remote", { dns: "local" }],
    ["session", "mine", { session: "" }],
    ["headers", [{ name: "a", value: "b" }], { headers: [] }],
    ["rules", [{ status: 200 }], { rules: [] }],
    ["ips", ["198.18.0.1"], { ips: [] }],
    ["whitelistIps", ["203.0.113.7"], { whitelist_ips: [] }],
    ["bwLimit", { days: 1, bytes: 5 }, { bw_limit: "" }],
    ["userPassword", "hush", { user_password: "" }],
    ["customer", "hl_1", { customer: "" }],
    ["multiply", 3, { multiply: 0 }],
  ])("takes %s back to its default when it is no longer declared", async (field, value, sent) => {
    const scene = await scenery();
    const before = { ...INPUTS, [field]: value };
    const state = await created(scene, before);
    const after = await update(scene, state, before, INPUTS);
    expect(after).toEqual({ ...INPUTS, listenPort: 24_500 });
    expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy: { zone: "web", ...sent } }]);
    expect(await drift(proxyPort, "24500", { ...after, [field]: undefined }, INPUTS, scene.run())).toEqual([]);
    // Once is enough.
    forgetRequests(scene);
    await update(scene, after, INPUTS, INPUTS);
    expect(changes(scene)).toEqual([]);
  });

  test("leaves alone what was never declared", async () => {
    const scene = await scenery();
    const state = await created(scene);
    Object.assign(record(scene) ?? {}, { country: "de", ssl: true });
    await update(scene, state, INPUTS, { ...INPUTS, internalName: "shop" });
    expect(record(scene)).toMatchObject({ country: "de", ssl: true, internal_name: "shop" });
  });

  test("of what is there already sends nothing", async () => {
    const scene = await scenery();
    const state = await created(scene, EVERYTHING);
    await update(scene, state, EVERYTHING, { ...EVERYTHING, timeouts: { update: 5 }, users: ["ANN"] });
    expect(changes(scene)).toEqual([]);
  });

  test("sends what cannot be read back only when it is another", async () => {
    const scene = await scenery();
    const before = { ...INPUTS, userPassword: "hush", logs: 10 };
    const state = await created(scene, before);
    await update(scene, state, before, { ...before, country: "us" });
    expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy: { zone: "web", country: "us" } }]);
    forgetRequests(scene);
    await update(scene, state, before, { ...before, country: "us", userPassword: "hush-new" });
    expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy: { zone: "web", user_password: "hush-new" } }]);
  });

  test("keeps the addresses that every port has out of the port's own", async () => {
    const scene = await scenery();
    scene.manager.state.settings.whitelist_ips = ["198.51.100.3"];
    const before = { ...INPUTS, whitelistIps: ["203.0.113.7"] };
    const state = await created(scene, before);
    await update(scene, state, before, { ...INPUTS, whitelistIps: ["203.0.113.7", "198.51.100.3"] });
    expect(changes(scene)).toEqual([]);
    await update(scene, state, before, { ...INPUTS, whitelistIps: ["203.0.113.8"] });
    expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([
      { proxy: { zone: "web", whitelist_ips: ["203.0.113.8"] } },
    ]);
  });

  describe("of many", () => {
    /** Two ports of which the second is listed, and has not been changed since by this process. */
    async function listed(fields: JsonObject = {}): Promise<{ scene: Stage; inputs: JsonObject }> {
      const scene = await scenery();
      const [first, inputs] = (await fifty(scene, { country: "us", ...fields })) as [JsonObject, JsonObject];
      await proxyPort.update("24500", first, declaredIn(first), { ...first, country: "de" }, scene.run());
      forgetRequests(scene);
      return { scene, inputs };
    }

    const change = (scene: Stage, inputs: JsonObject, changed: JsonObject) =>
      proxyPort.update("24501", inputs, declaredIn(inputs), { ...inputs, ...changed }, scene.run());

    test.each<[string, JsonObject, JsonObject, string[]]>([
      ["asks for one list", {}, { country: "de" }, ["GET /api/proxies"]],
      [
        "asks for one list and for the addresses of all ports",
        { whitelistIps: ["203.0.113.7"] },
        { country: "de" },
        ["GET /api/proxies", "GET /api/settings"],
      ],
      [
        "asks for one list of ports and one of zones",
        {},
        { zone: "other" },
        ["GET /api/mode", "GET /api/proxies", "GET /api/zones"],
      ],
    ])("%s, and for no port", async (_, fields, changed, requests) => {
      const scene = await scenery();
      const inputs = await fifty(scene, fields);
      const run = scene.run();
      await Promise.all(
        inputs.map((one) =>
          proxyPort.update(String(one.port), one, declaredIn(one), { ...one, ...changed, zip: "07001" }, run),
        ),
      );
      expect(scene.manager.state.records.filter(({ zip }) => zip === "07001")).toHaveLength(50);
      expect(changes(scene)).toHaveLength(50);
      const asked = scene.manager.service.requests.filter(({ method }) => method === "GET");
      expect(asked.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(requests);
    });

    test("puts right what somebody else has changed since the list was asked for", async () => {
      const { scene, inputs } = await listed({ poolSize: 3 });
      await changeElsewhere(scene, 24_501, { pool_size: 9, asn: "7922" });
      await change(scene, inputs, { country: "de" });
      expect(record(scene, 24_501)).toMatchObject({ country: "de", pool_size: 3, asn: "7922" });
      expect(changes(scene)).toHaveLength(2);
    });

    test("puts right what somebody else has changed where the list has nothing to change", async () => {
      const { scene, inputs } = await listed();
      await changeElsewhere(scene, 24_501, { country: "fr" });
      await proxyPort.update("24501", inputs, declaredIn({ zone: "web" }), inputs, scene.run());
      expect(record(scene, 24_501)).toMatchObject({ country: "us" });
    });

    test("takes nothing back that must be repeated and was changed by somebody else", async () => {
      const scene = await scenery();
      const inputs = { zone: "web", port: 24_501, country: "us" };
      await foreign(scene, { ...inputs, ips: ["198.18.0.1"] });
      await scene.context.ports.find(24_501, scene.run().deadline.signal);
      await changeElsewhere(scene, 24_501, { ips: ["198.18.0.2"] });
      await change(scene, inputs, { country: "de" });
      expect(record(scene, 24_501)).toMatchObject({ country: "de", ips: ["198.18.0.2"] });
    });

    test("takes a port that has come since for what it is", async () => {
      const { scene } = await listed();
      await foreign(scene, { zone: "web", port: 25_000, country: "us" });
      const inputs = { zone: "web", port: 25_000 };
      await proxyPort.update("25000", inputs, declaredIn(inputs), { ...inputs, country: "de" }, scene.run());
      expect(record(scene, 25_000)).toMatchObject({ country: "de" });
    });

    test("tells of a port that has gone since", async () => {
      const { scene, inputs } = await listed();
      const elsewhere = { ...scene.run(), context: scene.anotherContext() };
      await proxyPort.delete("24501", inputs, elsewhere);
      const error = await failure(change(scene, inputs, { country: "de" }));
      expect(error.message).toMatch(/24501 is gone.*`pulumi refresh`/);
    });
  });

  test("of a port that is gone says how to get it back", async () => {
    const scene = await scenery();
    const state = await created(scene);
    await proxyPort.delete("24500", state, scene.run());
    const error = await failure(update(scene, state, INPUTS, { ...INPUTS, country: "us" }));
    expect(error.message).toMatch(/24500 is gone.*`pulumi refresh`/);
  });

  test("of a port of another kind, which the manager does not change, says so", async () => {
    const scene = await scenery();
    const state = { zone: "web", port: 22_225, listenPort: 22_225 };
    const inputs = { zone: "web", port: 22_225, country: "us" };
    const error = await failure(proxyPort.update("22225", state, declaredIn(state), inputs, scene.run()));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toMatch(/read-only.*drop-in port/s);
  });

  test.each<[string, (scene: Stage) => void, RegExp]>([
    [
      "that is gone",
      ({ account }) => account.removeZone("web"),
      /zone name is not valid.*does not know the port's zone/is,
    ],
    [
      "that is off",
      ({ account }) => Object.assign(account.zone("web") ?? {}, { status: "disabled" }),
      /zone disabled.*Enable the zone/is,
    ],
    ["in a manager that is logged out", ({ manager }) => manager.logOut(), /zone name is not valid.*log in/is],
  ])("of a zone %s says what to do", async (_, happen, words) => {
    const scene = await scenery();
    const state = await created(scene);
    happen(scene);
    const error = await failure(update(scene, state, INPUTS, { ...INPUTS, country: "us" }));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toMatch(words);
  });
});

describe("deleting a port", () => {
  test("deletes that one, alone in its call", async () => {
    const scene = await scenery();
    const run = scene.run();
    const ports = [24_500, 24_501, 24_502];
    await Promise.all(ports.map((port) => proxyPort.create({ zone: "web", port }, run)));
    forgetRequests(scene);
    await Promise.all(ports.map((port) => proxyPort.delete(String(port), {}, run)));
    expect(bodies(scene, "POST /api/proxies/delete")).toEqual(ports.map((port) => ({ ports: [port] })));
    expect(scene.manager.state.records.filter(({ proxy_type }) => proxy_type === "persist")).toEqual([]);
  });

  test("that is gone already is done, at once", async () => {
    const scene = await scenery({}, { BRIGHTDATA_RETRIES: "3" });
    await proxyPort.delete("24500", {}, scene.run());
    expect(count(scene, "POST /api/proxies/delete")).toBe(1);
  });

  test("whose answer is lost is settled by asking again", async () => {
    const scene = await scenery({}, { BRIGHTDATA_RETRIES: "1" });
    const state = await created(scene);
    scene.manager.service.faults.add({ path: "/api/proxies/delete", kind: "reset-after" });
    await proxyPort.delete("24500", state, scene.run());
    expect(record(scene)).toBeUndefined();
  });

  test("that is being deleted already waits until it is gone", async () => {
    const scene = await scenery();
    const state = await created(scene);
    const running = scene.manager.state.running.get("24500");
    expect(running).toBeDefined();
    Object.assign(running ?? {}, { stuck: true });
    const deletion = proxyPort.delete("24500", state, scene.run());
    await vi.waitFor(() => expect(count(scene, "GET /api/proxies/24500")).toBeGreaterThan(1));
    scene.manager.state.records = scene.manager.state.records.filter(({ port }) => port !== 24_500);
    await deletion;
    expect(count(scene, "POST /api/proxies/delete")).toBe(1);
  });

  test("that stays stuck ends with the time allowed, and says what helps", async () => {
    const scene = await scenery();
    const state = await created(scene);
    Object.assign(scene.manager.state.running.get("24500") ?? {}, { stuck: true });
    const { deadline, expire } = controlledDeadline();
    const deletion = failure(proxyPort.delete("24500", state, scene.run(deadline)));
    await vi.waitFor(() => expect(count(scene, "GET /api/proxies/24500")).toBeGreaterThan(1));
    expire();
    expect((await deletion).message).toMatch(/waiting for port 24500.*restart of the manager/);
  });

  test("that fails otherwise fails", async () => {
    const scene = await scenery();
    const state = await created(scene);
    scene.manager.service.faults.add({
      path: "/api/proxies/delete",
      kind: "respond",
      status: 500,
      body: "Server error: x",
    });
    expect(await failure(proxyPort.delete("24500", state, scene.run()))).toBeInstanceOf(ServerError);
  });
});
