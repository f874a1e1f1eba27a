import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { accountOf, locationOf } from "../../src/base/location";
import { acknowledge } from "../../src/run/acknowledge";
import { Announcer } from "../../src/run/announcements";
import { PROVIDER_NAME } from "../../src/settings/settings";
import { changes, count, forgetRequests, type Stage, stage } from "../lifecycle/harness";
import { failed, HOME, ProviderProcess, providerText, UNKNOWN } from "./providerProcess";

const configOf = ({ token, remote, manager }: Stage): Record<string, string> => ({
  "brightdata:apiToken": token,
  "brightdata:baseUrl": remote.url,
  "brightdata:proxyManagerUrl": manager.url,
  "brightdata:retries": "0",
});

interface Scenery {
  scene: Stage;
  engine: ProviderProcess;
  /** The process of another update: this one knows nothing of what that one has made. */
  nextRun(): Promise<ProviderProcess>;
}

async function scenery(config: Record<string, string> = {}): Promise<Scenery> {
  const scene = await stage();
  const nextRun = () => new ProviderProcess().start({ ...configOf(scene), ...config });
  return { scene, engine: await nextRun(), nextRun };
}

const of = (kind: string, inputs: JsonObject): JsonObject => ({ __provider: providerText(kind), ...inputs });

/** What stands in a state and says who the resource is, whatever that is. */
const MARKED = { __mark: expect.stringMatching(/^m\.[\w-]{12}$/) };

const ZONE = of("Zone", { __key: "place", plan: { type: "static", country: "US" }, __autoname: "My Zone" });

test("a zone's life on the wire from check to delete", async () => {
  const { scene, engine, nextRun } = await scenery();
  const { inputs, failures } = await engine.check({}, ZONE);
  expect(failures).toEqual([]);
  expect(inputs).toEqual({ ...ZONE, name: expect.stringMatching(/^my_zone_[0-9a-f]{7}$/) });
  expect(scene.remote.service.requests).toEqual([]);

  const { id, properties, secrets } = await engine.create(inputs);
  expect(id).toBe(inputs.name);
  expect(secrets).toEqual(["password", "passwords"]);
  const live = scene.account.zone(id);
  expect(properties).toMatchObject({
    ...inputs,
    __declared: "__autoname,name,plan.country,plan.type",
    passwords: live?.password,
    password: live?.password[0],
    status: "active",
    disabled: false,
    ips: ["any"],
  });
  forgetRequests(scene);

  // Nothing has changed: not for the engine's next check, not for its comparison, not for a refresh.
  expect((await engine.check(inputs, ZONE)).inputs).toEqual(inputs);
  const same = { changes: false, replaces: [], deleteBeforeReplace: false };
  expect(await engine.diff(id, properties, inputs)).toEqual(same);
  expect(scene.remote.service.requests).toEqual([]);
  expect(await engine.read(id, properties)).toEqual({ id, properties, inputs, secrets });

  // The dashboard switches it off, and adds a password.
  Object.assign(live ?? {}, { status: "disabled", password: ["p1", "p2"] });
  Object.assign(live?.plan ?? {}, { disabled: 1, country: "de" });
  const drifted = await engine.read(id, properties);
  expect(drifted.properties).toMatchObject({ disabled: true, passwords: ["p1", "p2"], __provider: ZONE.__provider });
  expect(drifted.inputs).toEqual({ ...inputs, plan: { type: "static", country: "de" } });
  expect(await engine.diff(id, drifted.properties, inputs)).toEqual({
    changes: true,
    replaces: ["plan"],
    deleteBeforeReplace: false,
  });
  expect(changes(scene)).toEqual([]);

  const on = { ...inputs, disabled: false };
  expect(await engine.diff(id, properties, on)).toEqual({ ...same, changes: true });
  expect(await engine.update(id, properties, on)).toMatchObject({
    disabled: false,
    status: "active",
    __provider: ZONE.__provider,
  });
  expect(changes(scene)).toEqual(["POST /zone/change_disable"]);

  const later = await nextRun();
  await later.delete(id, properties);
  expect(scene.account.zone(id)).toBeUndefined();
  expect(await later.read(id, properties)).toMatchObject({ id: "" });
  await later.delete(id, properties);
  expect((await engine.printed()) + (await later.printed())).toBe(
    `brightdata: Zone ${id} is replaced: its passwords, its IPs and its access lists are lost. The new zone gets a password of its own, and what the program declares for it is made anew.\n`,
  );
});

test("a zone on the wire is guarded by its account, though nobody says whose the token is before the zone is there", async () => {
  for (const isKept of [false, true]) {
    const { scene, engine } = await scenery();
    scene.remote.service.faults.add({ path: "/status", kind: "respond", status: 500 });
    if (isKept) scene.remote.service.faults.add({ method: "GET", path: "/zone", kind: "respond", status: 500 });
    const creation = engine.create(of("Zone", { name: "web", plan: { type: "static" } }));
    const { properties } = isKept ? ((await failed(creation)).made ?? {}) : await creation;
    expect(properties?.__at).toBe(accountOf(scene.customer));
  }
});

test("a zone on the wire that fails after its creation is kept with all that is needed to go on", async () => {
  const { scene, engine, nextRun } = await scenery();
  scene.remote.service.faults.add({ method: "GET", path: "/zone", kind: "respond", status: 500, body: "oops" });
  const inputs = of("Zone", { name: "web", plan: { type: "static" } });
  const { message, made } = await failed(engine.create(inputs));
  expect(message).toContain("oops");
  expect(made).toEqual({
    id: "web",
    properties: {
      ...inputs,
      status: "not visible yet",
      ...MARKED,
      __at: accountOf(scene.customer),
      __declared: "name,plan.type",
      __unfinished: true,
    },
    reasons: [message],
    secrets: [],
  });
  const properties = await engine.update("web", made?.properties ?? {}, inputs);
  expect(properties).toMatchObject({ status: "active", passwords: scene.account.zone("web")?.password });
  expect(count(scene, "POST /zone")).toBe(1);
  await (await nextRun()).delete("web", made?.properties ?? {});
  expect(scene.account.liveZones()).toEqual([]);
});

test("a zone on the wire whose answer is lost is made once", async () => {
  const { scene, engine } = await scenery();
  scene.remote.service.faults.add({ method: "POST", path: "/zone", kind: "reset-after" });
  const { id } = await engine.create(of("Zone", { name: "web", plan: { type: "static" } }));
  expect(id).toBe("web");
  expect(count(scene, "POST /zone")).toBe(1);
});

test("a zone on the wire that was there before is not taken over, and nothing is kept of it", async () => {
  const { scene, engine } = await scenery();
  scene.account.addZone("web", { type: "static" });
  const { message, made } = await failed(engine.create(of("Zone", { name: "web", plan: { type: "static" } })));
  expect(message).toContain("exists already");
  expect(made).toBeUndefined();
  expect(await engine.printed()).toBe("");
});

test("a zone on the wire is looked up by its name alone", async () => {
  const { scene, engine } = await scenery();
  const live = scene.account.addZone("web", { type: "static", country: "us" });
  const found = await engine.read("web", of("Zone", {}));
  expect(found).toMatchObject({
    id: "web",
    properties: { ...of("Zone", {}), name: "web", passwords: live.password },
  });
  expect(found.inputs).toBeUndefined();
  expect(found.properties.__declared).toBe("looked up");
  // A refresh finds the same, and still nothing declared.
  expect(await engine.read("web", found.properties)).toEqual(found);
  expect(changes(scene)).toEqual([]);
});

test("an update that ends early by one Ctrl-C keeps what it waits for, and the next goes on with it", async () => {
  const { scene, engine, nextRun } = await scenery();
  scene.remote.behaviour.zoneVisibleAfterReads = Number.POSITIVE_INFINITY;
  const inputs = of("Zone", { __key: "cancelled", name: "web", plan: { type: "static" } });
  const creation = failed(engine.create(inputs));
  await vi.waitFor(() => expect(count(scene, "GET /zone")).toBeGreaterThan(0));
  await engine.cancel();
  const { message, made } = await creation;
  expect(message).toBe('The update was cancelled, waiting for zone "web" to become visible.');
  expect(made).toMatchObject({ id: "web", properties: { name: "web" }, reasons: [message] });

  Object.assign(scene.account.zone("web") ?? {}, { hiddenReads: 0 });
  const properties = await (await nextRun()).update("web", made?.properties ?? {}, inputs);
  expect(properties).toMatchObject({ status: "active", __key: "cancelled" });
  expect(count(scene, "POST /zone")).toBe(1);
});

test("an update that ends early by force is taken up by the next, which makes nothing twice", async () => {
  const { scene, engine, nextRun } = await scenery();
  scene.remote.service.faults.add({ method: "POST", path: "/zone", kind: "hang-after" });
  const { inputs } = await engine.check({}, { ...ZONE, __key: "killed" });
  engine.create(inputs).catch(() => {});
  await vi.waitFor(() => expect(scene.account.zone(String(inputs.name))).toBeDefined());
  const ended = once(engine.child, "exit");
  engine.child.kill("SIGKILL");
  await ended;

  const later = await nextRun();
  expect((await later.check({}, { ...ZONE, __key: "killed" })).inputs).toEqual(inputs);
  expect(await later.create(inputs)).toMatchObject({ id: inputs.name, properties: { status: "active" } });
  expect(await later.printed()).toContain(`zone ${JSON.stringify(inputs.name)}`);
  expect(count(scene, "POST /zone")).toBe(1);
});

test("an update that ends early in good order is taken up as long as nobody knows whether its state was saved", async () => {
  const { scene, engine, nextRun } = await scenery();
  const inputs = of("Zone", { __key: "ended", name: "web", plan: { type: "static" } });
  const ends = async ({ child }: ProviderProcess) => {
    const ended = once(child, "exit");
    child.kill("SIGINT");
    await ended;
  };
  const { properties } = await engine.create(inputs);
  await ends(engine);
  const later = await nextRun();
  expect((await later.create(inputs)).properties.__mark).toBe(properties.__mark);
  await ends(later);
  // The engine has answered the program.
  vi.stubEnv("PULUMI_HOME", HOME);
  acknowledge(new Map([[String(properties.__mark), {}]]), process.cwd());
  vi.unstubAllEnvs();
  // The state that had it is gone: it is somebody else's now.
  expect((await failed((await nextRun()).create(inputs))).message).toContain("exists already");
  expect(count(scene, "POST /zone")).toBe(1);
});

test("one update lets go of what another of its resources has by now, and says so", async () => {
  const { scene, engine, nextRun } = await scenery();
  const inputs = (place: string) => of("Zone", { __key: place, name: "web", plan: { type: "static" }, adopt: true });
  scene.account.addZone("web", { type: "static" });
  const { id, properties } = await engine.create(inputs("former"));
  const later = await nextRun();
  await later.create(inputs("present"));
  await later.delete(id, properties);
  expect(scene.account.zone("web")).toBeDefined();
  expect(changes(scene)).toEqual([]);
  expect(await later.printed()).toBe(
    "brightdata: zone web belongs to another resource of this program now, and is kept: nothing is deleted.\n",
  );
});

test("a port's life on the wire from check to delete", async () => {
  const { scene, engine, nextRun } = await scenery();
  scene.account.addZone("web", { type: "static" });
  const program = of("ProxyPort", {
    zone: "web",
    country: "us",
    whitelistIps: ["10.0.0.1/8"],
    password: "hush-hush",
  });
  const { inputs, ...checked } = await engine.check({}, program);
  expect({ inputs, ...checked }).toEqual({ inputs: program, secrets: ["password"], failures: [] });

  const { id, properties, secrets } = await engine.create(inputs);
  expect(id).toBe("24000");
  expect(secrets).toEqual(["password"]);
  expect(properties).toEqual({
    ...program,
    ...MARKED,
    port: 24_000,
    listenPort: 24_000,
    __declared: "country,password,whitelistIps,zone",
  });
  expect(await engine.diff(id, properties, inputs)).toEqual({
    changes: false,
    replaces: [],
    deleteBeforeReplace: false,
  });
  expect(await engine.read(id, properties)).toEqual({ id, properties, inputs, secrets });

  const after = of("ProxyPort", { zone: "web", whitelistIps: [], password: "hush-hush" });
  expect(await engine.diff(id, properties, after)).toMatchObject({ changes: true, replaces: [] });
  expect(await engine.update(id, properties, after)).toEqual({
    ...after,
    __mark: properties.__mark,
    port: 24_000,
    listenPort: 24_000,
    __declared: "password,whitelistIps,zone",
  });
  expect(scene.manager.state.record(24_000)).toMatchObject({ zone: "web", country: "", whitelist_ips: [] });

  const moved = { ...after, port: 24_001 };
  expect(await engine.diff(id, properties, moved)).toEqual({
    changes: true,
    replaces: ["port"],
    deleteBeforeReplace: false,
  });
  const later = await nextRun();
  await later.delete(id, properties);
  expect(scene.manager.state.record(24_000)).toBeUndefined();
  expect(await later.read(id, properties)).toMatchObject({ id: "" });
  expect((await engine.printed()) + (await later.printed())).toBe("");
});

test("a port that another program has made is looked up by its number", async () => {
  const { scene, engine, nextRun } = await scenery();
  scene.account.addZone("web", { type: "static" });
  await engine.create(of("ProxyPort", { __key: "theirs", zone: "web", port: 24_000 }));
  const later = await nextRun();
  const found = await later.read("24000", of("ProxyPort", {}));
  expect(found.properties).toMatchObject({ zone: "web", port: 24_000, __declared: "looked up" });
  expect(await later.read("24000", found.properties)).toEqual(found);
});

test("an allowed address's life on the wire from check to delete", async () => {
  const { scene, engine, nextRun } = await scenery();
  const program = of("WhitelistIp", { ip: "10.1.2.3/8", list: "ports" });
  const { inputs } = await engine.check({}, program);
  expect(inputs).toEqual({ ...program, ip: "10.0.0.0/8" });
  const { id, properties } = await engine.create(inputs);
  expect(id).toBe("ports/10.0.0.0/8");
  const __at = locationOf(scene.manager.url);
  expect(properties).toEqual({ ...inputs, ...MARKED, __at, __declared: "ip,list" });
  expect(scene.manager.state.settings.whitelist_ips).toEqual(["10.0.0.0/8"]);
  expect(await engine.read(id, properties)).toEqual({ id, properties, inputs, secrets: [] });
  expect(await engine.diff(id, properties, { ...inputs, ip: "10.0.0.0/9" })).toMatchObject({
    changes: true,
    replaces: ["ip"],
  });
  const updated = await engine.update(id, properties, { ...inputs, adopt: true });
  expect(updated).toEqual({
    ...inputs,
    adopt: true,
    __mark: properties.__mark,
    __at,
    __declared: "adopt,ip,list",
  });
  const later = await nextRun();
  await later.delete(id, updated);
  expect(scene.manager.state.settings.whitelist_ips ?? []).toEqual([]);
  expect(await later.read(id, properties)).toMatchObject({ id: "" });
  expect(count(scene, "GET /api/gen_token")).toBe(1);
});

test("what is not known yet comes back in its place, is never complained about, and counts as a change", async () => {
  const { scene, engine } = await scenery();
  const plan = { type: "static", ips: UNKNOWN, extra: { x_y: [UNKNOWN, 1] } };
  const inputs = of("Zone", { name: UNKNOWN, plan, disabled: UNKNOWN });
  expect(await engine.check({}, inputs)).toEqual({ inputs, secrets: [], failures: [] });
  const olds = { ...of("Zone", { name: "web", plan: { type: "static" } }), __declared: "name,plan.type" };
  expect(await engine.diff("web", olds, inputs)).toEqual({
    changes: true,
    replaces: ["name", "plan"],
    deleteBeforeReplace: false,
  });
  const whole = of("ProxyPort", { zone: UNKNOWN, rules: UNKNOWN, whitelistIps: [UNKNOWN, "nonsense"] });
  const { inputs: kept, failures } = await engine.check({}, whole);
  expect(kept).toEqual(whole);
  expect(failures).toEqual([{ property: "", reason: expect.stringContaining("`whitelistIps[1]`") }]);
  expect([...scene.remote.service.requests, ...scene.manager.service.requests]).toEqual([]);
});

test("errors on the wire are sentences, with no stack and no secret", async () => {
  const { scene, engine } = await scenery();
  const { token } = scene;
  const body = `no such token: ${token}, password hush-hush`;
  scene.account.addZone("web", { type: "static" });
  scene.manager.service.faults.add({ method: "POST", kind: "respond", status: 400, body, times: 2 });
  scene.remote.service.faults.add({ kind: "respond", status: 401, body, times: 9 });
  const inputs = of("ProxyPort", { zone: "web", port: 24_000, userPassword: "hush-hush" });
  const errors = [
    await failed(engine.create(inputs)),
    await failed(engine.delete("24000", inputs)),
    await failed(engine.read("web", of("Zone", { password: "hush-hush" }))),
    await failed(engine.delete("web", of("Zone", { password: "hush-hush" }))),
  ];
  const shown = `${errors.map(({ message }) => message).join("\n")}\n${await engine.printed()}`;
  expect(shown).toContain("Could not create proxy port 24000");
  expect(shown).toContain("brightdata:apiToken");
  expect(shown).not.toContain(token);
  expect(shown).not.toContain("hush");
  expect(shown).not.toMatch(/\bat .*:\d+:\d+/);
});

test("errors on the wire of a setting come with the check and with the operation that needs it, and name it", async () => {
  const { engine } = await scenery({ "brightdata:requestTimeout": "soon" });
  for (const call of [() => engine.check({}, ZONE), () => engine.create(ZONE), () => engine.create(ZONE)]) {
    expect((await failed(call())).message).toContain("brightdata:requestTimeout");
  }
});

test("errors on the wire of a provider that this version does not know say what to do", async () => {
  const { engine } = await scenery();
  const text = 'exports.handler=()=>require("pulumi-brightdata/provider").resource("Zone",2)';
  expect((await failed(engine.create({ __provider: text }))).message).toMatch(/made with a newer one: install that/);
});

test("fifty at once are all made, from the very first call on", async () => {
  const { scene, engine, nextRun } = await scenery();
  const names = Array.from({ length: 50 }, (_, index) => `zone_${index}`);
  const zones = await Promise.all(names.map((name) => engine.create(of("Zone", { name, plan: { type: "static" } }))));
  expect(zones.map(({ id }) => id)).toEqual(names);
  expect(count(scene, "POST /zone")).toBe(50);

  const ports = await Promise.all(names.map((zone) => engine.create(of("ProxyPort", { zone }))));
  expect(new Set(ports.map(({ id }) => id)).size).toBe(50);
  expect(count(scene, "POST /api/proxies")).toBe(50);
  forgetRequests(scene);

  const read = await Promise.all([
    ...zones.map(({ id, properties }) => engine.read(id, properties)),
    ...ports.map(({ id, properties }) => engine.read(id, properties)),
  ]);
  expect(read.every(({ id, inputs }) => id !== "" && inputs !== undefined)).toBe(true);
  expect(changes(scene)).toEqual([]);
  // Lists are shared, within the second for which they are good.
  expect(count(scene, "GET /zone/get_all_zones")).toBeLessThan(10);
  expect(count(scene, "GET /api/proxies")).toBeLessThan(10);

  const later = await nextRun();
  await Promise.all(ports.map(({ id, properties }) => later.delete(id, properties)));
  await Promise.all(zones.map(({ id, properties }) => later.delete(id, properties)));
  expect(scene.account.liveZones()).toEqual([]);
  expect(scene.manager.state.records.filter(({ proxy_type }) => proxy_type === "persist")).toEqual([]);
});

describe("two processes of one run", () => {
  const ENGINE = "127.0.0.1:4711";

  /** A process for each of two explicit providers of one account and one manager. */
  async function two(scene: Stage): Promise<[ProviderProcess, ProviderProcess]> {
    vi.stubEnv("PULUMI_HOME", HOME);
    onTestFinished(() => void vi.unstubAllEnvs());
    const announcer = new Announcer(ENGINE, "run");
    for (const home of ["a", "b"])
      announcer.add({ kind: "WhitelistIp", place: `place ${home}`, name: home, home, inputs: {} });
    announcer.write();
    const start = async (home: string) => {
      const engine = await new ProviderProcess(undefined, {}, ENGINE).start({
        ...configOf(scene),
        [PROVIDER_NAME]: home,
      });
      const told = { __key: `place ${home}`, __program: { run: announcer.file } };
      await engine.check({}, of("WhitelistIp", { ip: "203.0.113.7", ...told }));
      return engine;
    };
    return [await start("a"), await start("b")];
  }

  const BLOCKS = ["10.20.0.0/16", "10.30.0.0/16"] as const;

  test("that both write the whole of a list lose nothing of it", async () => {
    const scene = await stage({ manager: { keepsMask: false } });
    const [a, b] = await two(scene);
    scene.manager.service.faults.add({ method: "PUT", path: "/api/settings", delayMs: 300, times: 2 });
    await Promise.all([a.create(of("WhitelistIp", { ip: BLOCKS[0] })), b.create(of("WhitelistIp", { ip: BLOCKS[1] }))]);
    expect([...(scene.manager.state.settings.www_whitelist_ips ?? [])].sort()).toEqual(BLOCKS);
  });

  test("do not wait for one that was killed while it was alone with a list", async () => {
    const scene = await stage({ manager: { keepsMask: false } });
    const [a, b] = await two(scene);
    scene.manager.service.faults.add({ method: "PUT", path: "/api/settings", kind: "hang" });
    const cut = failed(a.create(of("WhitelistIp", { ip: BLOCKS[0] })));
    await vi.waitFor(() => expect(count(scene, "PUT /api/settings")).toBe(1));
    const next = b.create(of("WhitelistIp", { ip: BLOCKS[1] }));
    a.child.kill("SIGKILL");
    await cut;
    expect((await next).id).toBe(`ui/${BLOCKS[1]}`);
  });

  test("do not wait for each other when the run is cancelled", async () => {
    const scene = await stage({ manager: { keepsMask: false } });
    const [a, b] = await two(scene);
    scene.manager.service.faults.add({ method: "PUT", path: "/api/settings", kind: "hang" });
    const cut = failed(a.create(of("WhitelistIp", { ip: BLOCKS[0] })));
    await vi.waitFor(() => expect(count(scene, "PUT /api/settings")).toBe(1));
    const waiting = failed(b.create(of("WhitelistIp", { ip: BLOCKS[1] })));
    await b.cancel();
    expect((await waiting).message).toMatch(
      /^The update was cancelled, (?:before anything was done|waiting for another process of it)\./,
    );
    expect(scene.manager.state.settings.www_whitelist_ips).toEqual(["10.20.0.0"]);
    a.child.kill("SIGKILL");
    await cut;
  });
});

test.each(["examples/quickstart", "."])("the process finds this package from %s", async (folder) => {
  const scene = await stage();
  const engine = await new ProviderProcess(folder).start(configOf(scene));
  expect((await engine.check({}, ZONE)).failures).toEqual([]);
});

test("the process takes the environment's word before the stack's", async () => {
  const scene = await stage();
  const environment = { BRIGHTDATA_API_TOKEN: scene.token, BRIGHTDATA_BASE_URL: scene.remote.url };
  const engine = await new ProviderProcess(undefined, environment).start({
    "brightdata:apiToken": "rotated-away",
    "brightdata:baseUrl": "http://127.0.0.1:1",
  });
  expect((await engine.create(of("Zone", { name: "web", plan: { type: "static" } }))).id).toBe("web");
});

test("the process outlives a connection that the engine closes, and not the engine", async () => {
  const scene = await stage();
  // As a gRPC server does, the engine speaks first.
  const listener = createServer((socket) => socket.on("error", () => {}).write("settings"));
  await once(listener.listen(0, "127.0.0.1"), "listening");
  const address = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const engine = await new ProviderProcess(undefined, {}, address).start(configOf(scene));
  await engine.check({}, ZONE);
  await engine.check({}, ZONE);

  const asked = once(listener, "connection");
  engine.disconnect();
  const [question] = (await asked) as [Socket];
  await once(question, "close");
  engine.connect();
  expect((await engine.check({}, ZONE)).failures).toEqual([]);

  await once(listener.close(), "close");
  const ended = once(engine.child, "exit");
  engine.disconnect();
  expect(await ended).toEqual([1, null]);
});

test("the process ends when it is told, idle or in the middle of something", async () => {
  for (const busy of [false, true]) {
    const { scene, engine } = await scenery();
    scene.account.addZone("web", { type: "static" });
    expect((await engine.read("web", of("Zone", {}))).id).toBe("web");
    if (busy) {
      scene.remote.service.faults.add({ kind: "hang", times: 9 });
      // It is cut off: how, is the engine's affair.
      engine.delete("web", of("Zone", {})).catch(() => {});
      await vi.waitFor(() => expect(count(scene, "DELETE /zone")).toBe(1));
    }
    const ended = once(engine.child, "exit");
    engine.child.kill("SIGINT");
    expect(await ended).toEqual([null, "SIGINT"]);
  }
});
