import { afterEach, describe, expect, test, vi } from "vitest";
import type { SimulatorOptions } from "../../../simulator";
import { ArgumentError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { proxyPortsLifecycle as proxyPorts } from "../../../src/kinds/proxyPorts/lifecycle";
import { PartialFailure, type Step, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import { installClock, passing } from "../../clock";
import {
  cancellableDeadline,
  changes,
  count,
  declaredIn,
  drift,
  failure,
  forgetRequests,
  MARK,
  notebook,
  type Stage,
  stage,
} from "../../lifecycle/harness";

type Ports = Record<string, JsonObject>;

async function scenery(options: SimulatorOptions = {}, settings: Record<string, string> = {}): Promise<Stage> {
  const scene = await stage(options, settings);
  scene.account.addZone("web", { type: "static" });
  scene.account.addZone("shop", { type: "static" });
  return scene;
}

const inputsOf = (ports: Ports, more: JsonObject = {}): JsonObject => ({ defaults: { zone: "web" }, ports, ...more });

const many = (length: number): Ports =>
  Object.fromEntries(Array.from({ length }, (_, index) => [`p${index}`, { port: 24_000 + index }]));

async function created(scene: Stage, inputs: JsonObject): Promise<JsonObject> {
  const { state } = await proxyPorts.create(inputs as never, scene.step());
  forgetRequests(scene);
  return state;
}

/** Another run of the engine: nothing is remembered of what has been made. */
const later = (scene: Stage): Step => ({ ...scene.step(), context: scene.anotherContext() });

const updated = (scene: Stage, state: JsonObject, before: JsonObject, inputs: JsonObject) =>
  proxyPorts.update("set", state as never, declaredIn(before), inputs as never, later(scene));

/** The state after a refresh. */
async function refreshed(scene: Stage, state: JsonObject, inputs: JsonObject): Promise<JsonObject> {
  const known = proxyPorts.set.declaredIn(state, declaredIn(inputs));
  return (await proxyPorts.read("set", known as never, later(scene), state)) ?? {};
}

const numbers = (scene: Stage): number[] =>
  scene.manager.state.records.filter(({ proxy_type }) => proxy_type === "persist").map(({ port }) => port);

const failures = (inputs: JsonObject) => proxyPorts.check(inputs, undefined).failures;

test.each<[string, JsonObject, string[]]>([
  [
    "a setting, by its path",
    inputsOf({ "us-1": { port: 80 }, "us-2": { contry: "us" } }),
    [
      '`ports["us-1"].port` is 80: expected a whole number from 1000 to 65535.',
      '`ports["us-2"].contry` is not a property of this resource. Did you mean `ports["us-2"].country`?',
    ],
  ],
  [
    "a zone that nobody gives",
    { ports: { "us-1": {} } },
    ['`ports["us-1"].zone` is missing: give the zone of the port, or that of all ports as `defaults.zone`.'],
  ],
  [
    "what all share, once",
    { defaults: { zone: "web", ip: "203.0.113.7", vip: 5, country: "usa" }, ports: { a: {}, b: {} } },
    [
      '`defaults.country` is "usa": expected a two-letter country code, such as "us".',
      "`defaults`: `ip` and `vip` exclude each other: a port leaves by one of them.",
    ],
  ],
  [
    "what a port and the others make together",
    { defaults: { zone: "web", ip: "203.0.113.7" }, ports: { a: { vip: 5 }, b: {} } },
    ["`ports.a`: `ip` and `vip` exclude each other: a port leaves by one of them."],
  ],
  [
    "two ports of one number",
    inputsOf({ a: { port: 24_001, multiply: 10 }, b: { port: 24_010 }, c: { port: 24_011 } }),
    [
      "`ports.a` has the numbers from 24001 to 24010 (`multiply`), and `ports.b` has the number 24010: give each port numbers of its own.",
    ],
  ],
  [
    "a number for all",
    { defaults: { zone: "web", port: 24_000 }, ports: {} },
    ["`defaults.port` is given: a number is one port's own, so it goes in `ports`."],
  ],
])("checking a set of ports refuses %s", (_, inputs, expected) => {
  expect(failures(inputs)).toEqual(expected);
});

test("checking a set of ports takes lists of each port's own for what all are multiplied for, and names those that have none", () => {
  const defaults = { zone: "web", multiplyIps: true, multiply: 2 };
  const [a, b] = [{ ips: ["203.0.113.7", "203.0.113.8"] }, { ips: ["203.0.113.9"] }];
  const lacking = "`multiplyIps` is true without `ips`: give the IPs that the port is to be multiplied for.";
  expect(failures({ defaults, ports: { a, b } })).toEqual([]);
  expect(failures({ defaults, ports: { a, b: {} } })).toEqual([`\`ports.b\`: ${lacking}`]);
  expect(failures({ defaults, ports: { a: {}, b: {} } })).toEqual([`\`defaults\`: ${lacking}`]);
  for (const ports of [UNKNOWN, { a: UNKNOWN }, { a: { ips: UNKNOWN } }])
    expect(failures({ defaults, ports })).toEqual([]);
});

test("checking a set of ports shows no secret", () => {
  const [words] = failures(inputsOf({ a: { userPassword: 5, port: 24_000 } }));
  expect(words).toBe(
    "`ports.a.userPassword` is not usable (its value, a number, is a secret and not shown): expected a text without a colon: the manager reads no further.",
  );
});

test("checking a set of ports says of thousands of ports what is wrong with some, and how many more there are", () => {
  const words = failures({ ports: many(1000) });
  expect(words).toHaveLength(21);
  expect(words.at(-1)).toBe("980 more like these.");
});

test.each([
  { ports: UNKNOWN },
  { ports: { a: UNKNOWN } },
  { defaults: UNKNOWN, ports: { a: {}, b: { multiplyUsers: true } } },
  inputsOf({ a: { port: UNKNOWN }, b: { port: 24_000, country: UNKNOWN } }),
])("checking a set of ports complains of nothing that is not known yet", (inputs) => {
  expect(failures(inputs)).toEqual([]);
});

describe("comparing a set of ports", () => {
  test("names the port and the setting, and takes no default for a difference", async () => {
    const scene = await scenery();
    const inputs = inputsOf({ a: { port: 24_000 }, b: { port: 24_001 } });
    const state = await created(scene, inputs);
    const compare = (next: JsonObject) => proxyPorts.diff(state, declaredIn(inputs), next);
    expect(compare(inputs).changed).toEqual([]);
    const wanted = inputsOf({ a: { port: 24_000, country: "us" }, b: { port: 24_001, session: true }, c: {} });
    expect(compare(wanted)).toMatchObject({
      changed: expect.arrayContaining(["ports.a.country", "ports.c"]),
      replaces: [],
    });
    expect(compare(inputsOf({ a: { port: 24_000, country: UNKNOWN }, b: { port: 24_001 } }))).toEqual({
      changed: ["ports.a.country", "ports.a"],
      replaces: [],
      deleteBeforeReplace: false,
    });
  });
});

test("which set it is stands in what is said of its ports, and is no difference", async () => {
  const scene = await scenery();
  const inputs = inputsOf({ a: { port: 24_000 } });
  const state = await created(scene, inputs);
  const named = { ...inputs, __autoname: "fleet" };
  expect(proxyPorts.check(named, undefined)).toEqual({ inputs: named, failures: [] });
  expect(proxyPorts.diff(state, declaredIn(inputs), named).changed).toEqual([]);
  const known = await updated(scene, state, inputs, named);
  expect(proxyPorts.diff(known, declaredIn(named), { ...named, __autoname: "renamed" }).changed).toEqual([]);
  const more = { ...inputsOf({ a: { port: 24_000 }, b: {} }), __autoname: "fleet" };
  expect(proxyPorts.announceUpdate(known, declaredIn(named), more)).toBe('Ports of the set "fleet": 1 to add (b).');
});

test("rules in the manager's spelling are no difference to those in this package's, whoever has them", async () => {
  const scene = await scenery();
  const rulesOf = (action: JsonObject) => ({ rules: [{ status: "403", action }] });
  const [theirs, ours] = [rulesOf({ ban_ip: 5 }), rulesOf({ banIp: 5 })];
  const inputs = {
    defaults: { zone: "web", ...theirs },
    ports: { a: { port: 24_000 }, b: { port: 24_001, ...theirs } },
  };
  const wanted = { defaults: { zone: "web", ...ours }, ports: { a: { port: 24_000 }, b: { port: 24_001, ...ours } } };
  const state = await created(scene, inputs);
  for (const known of [state, await refreshed(scene, state, inputs)])
    expect(proxyPorts.diff(known, declaredIn(inputs), wanted).changed).toEqual([]);
});

describe("updating a set of ports", () => {
  const before = inputsOf({ a: { port: 24_000 }, b: { port: 24_001 }, c: { port: 24_002 } });

  test("removes before it changes before it adds, and touches nothing else", async () => {
    const scene = await scenery();
    const state = await created(scene, before);
    const wanted = inputsOf({ a: { port: 24_000 }, b: { port: 24_001, country: "us" }, d: { port: 24_003 } });
    await updated(scene, state, before, wanted);
    expect(changes(scene)).toEqual(["POST /api/proxies/delete", "PUT /api/proxies/24001", "POST /api/proxies"]);
    expect(numbers(scene)).toEqual([24_000, 24_001, 24_003]);
  });

  test.each<[string, Ports, string[]]>([
    ["a key gets another name", { x: { port: 24_000 }, b: { port: 24_001 }, c: { port: 24_002 } }, []],
    ["two keys swap their numbers", { a: { port: 24_001 }, b: { port: 24_000 }, c: { port: 24_002 } }, []],
    [
      "a key gets another number",
      { a: { port: 24_009 }, b: { port: 24_001 }, c: { port: 24_002 } },
      ["POST /api/proxies/delete", "POST /api/proxies"],
    ],
  ])("when %s", async (_, ports, requests) => {
    const scene = await scenery();
    const state = await created(scene, before);
    const next = await updated(scene, state, before, inputsOf(ports));
    expect(changes(scene)).toEqual(requests);
    expect(await drift(proxyPorts as never, "set", next, inputsOf(ports), scene.step())).toEqual([]);
  });

  test("lets go of a port that another resource takes over, and deletes one that another is merely to get", async () => {
    const scene = await scenery();
    const state = await created(scene, before);
    const said: string[] = [];
    const step = { ...later(scene), me: { mark: "m.here" }, say: (words: string) => void said.push(words) };
    const { claims } = step.context;
    claims.stays("m.here", { has: ["port 24000"] });
    claims.comes("there", { expects: ["port 24001"], adopts: ["port 24002"] });
    const wanted = inputsOf({ a: { port: 24_000 } });
    const next = await proxyPorts.update("set", state as never, declaredIn(before), wanted as never, step);
    expect(next).toEqual(expect.objectContaining({ ports: { a: expect.objectContaining({ port: 24_000 }) } }));
    expect(numbers(scene)).toEqual([24_000, 24_002]);
    // Whoever has one of these in its state, too, makes it again.
    expect(["port 24000", "port 24001", "port 24002"].map((port) => claims.isTaken(port, "m.there"))).toEqual([
      false,
      true,
      false,
    ]);
    expect(said).toEqual(["Port 24002 belongs to another resource of this program now, and is kept."]);
  });

  test("names the ports that it has, by their marks where nobody knows their numbers", () => {
    const state = { ports: { a: { port: 24_000 }, b: { port: 24_001 } }, marks: { b: "mark/b", 24002: "mark/24002" } };
    expect(proxyPorts.holdings("set", state).has).toEqual(["port 24000", "port 24001", "port being made (mark/24002)"]);
    expect(proxyPorts.holdings(undefined, inputsOf({ a: { port: 24_000 }, b: {} })).has).toEqual(["port 24000"]);
    const pool = { ports: { a: { port: 24_000, multiply: 3 } } };
    expect(proxyPorts.holdings(undefined, pool).has).toEqual(["port 24000", "port 24002"]);
    expect(proxyPorts.holdings("set", pool).has).toEqual(["port 24000"]);
    const left = proxyPorts.without(state as never, new Set(["port 24000", "port 24001"]));
    expect([left.ports, left.marks]).toEqual([{}, { 24002: "mark/24002" }]);
    const other = proxyPorts.without({ ...state, defaults: { zone: "web" } } as never, new Set(["port 24000"]));
    expect(other).toMatchObject({ ports: { b: { port: 24_001 } }, defaults: { zone: "web" } });
    expect(Object.keys(other.ports as JsonObject)).toEqual(["b"]);
  });

  test("keeps the ports that its next inputs name still, whether they change or not, and lets go of the rest", () => {
    const state = { ...inputsOf({ a: { port: 24_000 }, b: { port: 24_001 }, c: { port: 24_002 } }) };
    const inputs = inputsOf({ a: { port: 24_000 }, b: { port: 24_001, country: "us" }, d: { port: 24_003 } });
    const next = { declared: declaredIn(state), inputs };
    expect([...proxyPorts.holdings("set", state, next).keeps].sort()).toEqual(["port 24000", "port 24001"]);
    expect(proxyPorts.holdings("set", state, { ...next, inputs: inputsOf({}) }).keeps).toEqual([]);
  });

  test("is with its manager as long as one of its ports bears its mark", async () => {
    const scene = await scenery();
    const me = { mark: MARK };
    const step = { ...scene.step(), me, journal: notebook() };
    const { state } = await proxyPorts.create(inputsOf({ a: { port: 24_000 }, b: { port: 24_001 } }) as never, step);
    const isMarked = () => proxyPorts.isMarked("set", state as never, { ...later(scene), me });
    expect(await isMarked()).toBe(true);
    const [first, second] = scene.manager.state.records.filter(({ proxy_type }) => proxy_type === "persist");
    Object.assign(first ?? {}, { pulumi_id: "m.another" });
    expect(await isMarked()).toBe(true);
    Object.assign(second ?? {}, { pulumi_id: "m.another" });
    expect(await isMarked()).toBe(false);
  });

  test("is found by the numbers of its ports alone", async () => {
    const scene = await scenery();
    await created(scene, inputsOf({ a: { port: 24_000 }, b: { port: 24_001 } }));
    const found = (await proxyPorts.read("24000-24001", undefined, later(scene), {})) as JsonObject;
    expect(Object.keys(found.ports as JsonObject)).toEqual(["24000", "24001"]);
  });

  test("names the ports that are taken over: those that `adopt`, whatever they are like", () => {
    const ports = {
      a: { port: 24_000, adopt: true },
      b: { port: 24_001 },
      c: { port: 24_002, adopt: false },
      d: {},
      // A port that listens elsewhere would not be taken over.
      e: { port: 24_003, adopt: true, iface: "lo" },
    };
    expect(proxyPorts.holdings(undefined, inputsOf(ports)).takesOver).toEqual(["port 24000"]);
    expect(proxyPorts.holdings(undefined, inputsOf(ports, { adopt: true })).takesOver).toEqual([
      "port 24000",
      "port 24001",
    ]);
    expect(proxyPorts.holdings(undefined, { ports: UNKNOWN, adopt: UNKNOWN }).takesOver).toEqual([]);
  });

  test("keeps what was done when some ports fail, says why, and goes on from there", async () => {
    const scene = await scenery();
    const state = await created(scene, inputsOf({ old: { port: 24_900 } }));
    const faults = scene.manager.service.faults;
    const [one] = [24_000, 24_001].map((port) => ({ port, zone: "shop" }));
    await fetch(`${scene.manager.url}/api/proxies`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ proxy: one }),
    });
    faults.add({ method: "POST", path: "/api/proxies/delete", kind: "respond", status: 500, body: "Server error: no" });
    forgetRequests(scene);
    const error = await failure(updated(scene, state, inputsOf({ old: { port: 24_900 } }), inputsOf(many(3))));
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.message).toContain("2 of 4 ports failed. The next `pulumi up` goes on with what is left.\n");
    expect(error.message).toMatch(/\n {2}old: Could not delete proxy port 24900/);
    expect(error.message).toMatch(/\n {2}p0: Port 24000 is in use by a proxy port of zone "shop"/);
    const left = (error as PartialFailure).state;
    expect(Object.keys(left.ports as Ports)).toEqual(["p1", "p2", "old"]);
    forgetRequests(scene);
    const wanted = inputsOf({ ...many(3), p0: { port: 24_009 } });
    await updated(scene, left, inputsOf(many(3)), wanted);
    expect(changes(scene)).toEqual(["POST /api/proxies/delete", "POST /api/proxies"]);
  });

  test.each(["is gone late", "stays"])("has a port again whose removal had failed, where that %s", async (end) => {
    const scene = await scenery();
    const [before, wanted] = [inputsOf(many(2)), inputsOf(many(1))];
    const state = await created(scene, before);
    scene.manager.service.faults.add({ path: "/api/proxies/delete", kind: "respond", status: 500, body: "no" });
    const { state: left } = (await failure(updated(scene, state, before, wanted))) as PartialFailure;
    if (end === "is gone late") await scene.context.manager.ports.remove(24_001);
    expect(proxyPorts.diff(left, declaredIn(wanted), before).changed).toContain("ports.p1");
    forgetRequests(scene);
    expect(await updated(scene, left, wanted, before)).toEqual(state);
    expect(numbers(scene)).toEqual([24_000, 24_001]);
    expect(changes(scene)).toEqual(end === "stays" ? [] : ["POST /api/proxies"]);
  });

  test.each(["at once", "after a refresh"])("takes away %s what a failed update was to take away", async (when) => {
    const scene = await scenery();
    const before = inputsOf(many(40), { defaults: { zone: "web", country: "us", userPassword: "Secret-1" } });
    const wanted = inputsOf(many(40));
    const state = await created(scene, before);
    scene.manager.service.faults.add({ method: "PUT", kind: "respond", status: 403, body: "no" });
    const error = await failure(updated(scene, state, before, wanted));
    expect(error.message).toMatch(/more were not tried/);
    const left = (error as PartialFailure).state;
    const known = when === "at once" ? left : await refreshed(scene, left, wanted);
    const declared = when === "at once" ? wanted : (proxyPorts.set.declaredIn(known, declaredIn(wanted)) as JsonObject);
    expect(proxyPorts.diff(known, declaredIn(declared), wanted).changed).toContain("ports.p39.userPassword");
    const announced = proxyPorts.announceUpdate(known, declaredIn(declared), wanted);
    expect(announced).toMatch(/^Ports of the set: (?!40)\d\d to change \(p\d+: country, userPassword, /);
    forgetRequests(scene);
    const next = await updated(scene, known, declared, wanted);
    expect(changes(scene).length).toBeLessThan(40);
    const records = scene.manager.state.records.filter(({ proxy_type }) => proxy_type === "persist");
    expect(records.filter(({ country, user_password }) => country || user_password)).toEqual([]);
    expect(proxyPorts.diff(next, declaredIn(wanted), wanted).changed).toEqual([]);
  });

  test.each(["at once", "after a refresh"])(
    "takes back %s what an update whose answer is lost has set",
    async (when) => {
      const scene = await scenery();
      const before = inputsOf(many(2));
      const wanted = inputsOf({ ...many(2), p0: { port: 24_000, country: "us", userPassword: "Secret-1" } });
      const state = await created(scene, before);
      scene.manager.service.faults.add({ method: "PUT", kind: "reset-after" });
      const error = await failure(updated(scene, state, before, wanted));
      const left = (error as PartialFailure).state;
      const known = when === "at once" ? left : await refreshed(scene, left, wanted);
      expect(proxyPorts.diff(known, declaredIn(wanted), before).changed).toContain("ports.p0.userPassword");
      const next = await updated(scene, known, wanted, before);
      expect(scene.manager.state.record(24_000)).toMatchObject({ country: "", user_password: "" });
      expect(next).toEqual(state);
    },
  );

  test("tells once what many ports have met, each with a number of its own", async () => {
    const scene = await scenery();
    for (let port = 24_000; port < 24_040; port++) await scene.context.manager.ports.create({ zone: "web", port });
    const error = await failure(proxyPorts.create(inputsOf(many(40)) as never, scene.step()));
    const [first, ...reasons] = error.message.split("\n");
    expect(first).toBe("40 of 40 ports failed. The next `pulumi up` goes on with what is left.");
    expect(reasons).toEqual([
      expect.stringMatching(
        /^ {2}p(\d+)(, p\d+){4} and 35 more, each with a number of its own: Port 240\d\d is in use by a proxy port of zone "web"\. /,
      ),
    ]);
  });

  test("tries no more when the manager is gone", async () => {
    const scene = await scenery();
    scene.manager.service.faults.add({ method: "POST", kind: "respond", status: 403, body: "no", times: 100 });
    const error = await failure(proxyPorts.create(inputsOf(many(200)) as never, scene.step()));
    expect(error).not.toBeInstanceOf(PartialFailure);
    expect(error.message).toMatch(/more were not tried: they would have met the same\.$/);
    expect(count(scene, "POST /api/proxies")).toBeLessThan(40);
  });
});

test("what a port was refused is sent with the next update, also where the manager tells the same of its command line", async () => {
  const scene = await scenery({ manager: { portDefaults: { country: "us" } } });
  const before = inputsOf(many(3));
  const state = await created(scene, before);
  scene.manager.service.faults.add({ method: "PUT", kind: "respond", status: 403, body: "no" });
  const inputs = { ...before, defaults: { zone: "web", country: "us" } };
  const error = await failure(updated(scene, state, before, inputs));
  if (!(error instanceof PartialFailure)) throw error;
  await updated(scene, error.state, inputs, inputs);
  expect(scene.manager.state.records.slice(1).map(({ country }) => country)).toEqual(["us", "us", "us"]);
});

test("a number that the manager has given is only written down: nothing is announced of its port", async () => {
  const scene = await scenery();
  const before = inputsOf({ a: {}, b: {} });
  const state = await created(scene, before);
  const { a, b } = state.ports as Record<string, { port: number }>;
  const announced = (ports: Ports) => proxyPorts.announceUpdate(state, declaredIn(before), inputsOf(ports));
  const written = { a: { port: a?.port }, b: { port: b?.port } };
  expect(proxyPorts.diff(state, declaredIn(before), inputsOf(written as Ports)).changed).toContain("ports.a.port");
  expect(announced(written as Ports)).toBeUndefined();
  expect(announced({ a: written.a, b: { ...written.b, country: "us" } } as Ports)).toBe(
    "Ports of the set: 1 to change (b: country).",
  );
});

test("of a port that nobody knows to be there, an update is announced though nothing of it has changed", async () => {
  const scene = await scenery();
  const before = inputsOf({ a: {}, b: {} });
  const state = await created(scene, before);
  const ports = { ...(state.ports as object), a: { mark: "m.unknown/a" } };
  expect(proxyPorts.announceUpdate({ ...state, ports }, declaredIn(before), before)).toMatch(/1 to change \(a\)/);
});

describe("a set that an import file declares", () => {
  const inputs = inputsOf({ a: { port: 24_000, country: "us" }, b: { port: 24_001 }, c: { port: 24_002 } });

  test("is compared with what there is, and completed", async () => {
    const scene = await scenery();
    await created(scene, inputsOf({ a: { port: 24_000, country: "de" }, c: { port: 24_002 } }));
    const step = { ...later(scene), isImported: true };
    const state = await proxyPorts.update("24000-24002", inputs as never, declaredIn(inputs), inputs as never, step);
    expect(changes(scene)).toEqual(["PUT /api/proxies/24000", "POST /api/proxies"]);
    expect(numbers(scene)).toEqual([24_000, 24_002, 24_001]);
    expect(await drift(proxyPorts as never, "set", state as JsonObject, inputs, scene.step())).toEqual([]);
    expect(count(scene, "GET /api/proxies")).toBeLessThan(5);
  });

  test("takes no port of somebody else's for one whose number it does not say", async () => {
    const scene = await scenery();
    await fetch(`${scene.manager.url}/api/proxies`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ proxy: { port: 24_700, zone: "web" } }),
    });
    const numberless = inputsOf({ a: {} });
    expect(await proxyPorts.read("set", numberless as never, scene.step(), numberless as never)).toBeUndefined();
  });
});

describe("reading a set of ports", () => {
  const inputs = inputsOf(many(20));

  test("takes one list, and asks for each that it misses", async () => {
    const scene = await scenery();
    const state = await created(scene, inputs);
    await proxyPorts.read("set", inputs as never, scene.step(), state);
    expect(scene.manager.service.requests.map(({ path }) => path)).toEqual(["/api/proxies"]);
    forgetRequests(scene);
    await fetch(`${scene.manager.url}/api/proxies/24003`, { method: "DELETE" });
    forgetRequests(scene);
    const read = await proxyPorts.read("set", inputs as never, scene.step(), state);
    expect(Object.keys((read?.ports ?? {}) as Ports)).toHaveLength(19);
    expect(scene.manager.service.requests.map(({ path }) => path)).toEqual(["/api/proxies", "/api/proxies/24003"]);
  });

  test("does not believe a list that has missed ports", async () => {
    const scene = await scenery();
    const state = await created(scene, inputs);
    for (const body of ["[]", '[{"port":22225}]']) {
      scene.manager.service.faults.add({ path: "/api/proxies", kind: "respond", status: 200, body });
      const read = await proxyPorts.read("set", inputs as never, scene.step(), state);
      expect(Object.keys((read?.ports ?? {}) as Ports), body).toHaveLength(20);
    }
  });

  test.each(["empty", "short"])("does not believe lists that are %s", async (how) => {
    const scene = await scenery();
    const inputs = inputsOf({ a: {}, b: { port: 24_001 } });
    const state = await created(scene, inputs);
    const { faults } = scene.manager.service;
    faults.add({ method: "GET", kind: "shorten", items: how === "short" ? 1 : 0, times: 8 });
    expect(await refreshed(scene, state, inputs)).toEqual(state);
  });

  test("refuses the id of a set, which does not say its ports, and says what to give", async () => {
    const scene = await scenery();
    const { id } = await proxyPorts.create(inputsOf(many(2)) as never, scene.step());
    const error = await failure(proxyPorts.read(id, undefined, scene.step(), {}));
    expect(error.message).toBe(
      `"${id}" does not say which proxy ports to look up: expected their numbers, such as "24000-24049,24100".`,
    );
  });

  test.each(["x", "24000-", "24001-24000", "70000", "-5", ""])("refuses the id %j", async (id) => {
    const scene = await scenery();
    expect(await failure(proxyPorts.read(id, undefined, scene.step(), {}))).toBeInstanceOf(ArgumentError);
  });
});

describe("many ports", () => {
  const PROGRESS = /^\d+ of 350 ports of the set "fleet"$/;
  afterEach(() => void vi.useRealTimers());

  test("are made without meeting the manager's limit, and told of on the way", async () => {
    const scene = await scenery({ manager: { rateLimit: { perMinute: 100 } } }, { BRIGHTDATA_LOG: "warn" });
    const logged = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const said: string[] = [];
    const restore = installClock();
    try {
      const step = { ...scene.step(), say: (words: string) => void said.push(words) };
      const { id, state } = await passing(
        proxyPorts.create(inputsOf(many(350), { __autoname: "fleet" }) as never, step),
      );
      expect(said.filter((words) => PROGRESS.test(words))).not.toEqual([]);
      said.length = 0;
      await passing(proxyPorts.delete(id, state, step));
    } finally {
      restore();
    }
    expect(count(scene, "POST /api/proxies")).toBe(350);
    expect(numbers(scene)).toEqual([]);
    const lines = logged.mock.calls.map(([line]) => String(line));
    expect(lines).toHaveLength(6);
    for (const line of lines)
      expect(line).toMatch(
        /^brightdata warn: http:\S+ accepts no more requests of this kind in this minute: waiting \d\d s\.\n$/,
      );
    expect(said.filter((words) => PROGRESS.test(words))).not.toEqual([]);
  });

  test("take whatever numbers are free beside those that have theirs", async () => {
    const scene = await scenery();
    const ports = { ...many(10), ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`any${index}`, {}])) };
    await proxyPorts.create(inputsOf(ports) as never, scene.step());
    expect(new Set(numbers(scene)).size).toBe(40);
    expect(count(scene, "POST /api/proxies")).toBe(40);
    expect(count(scene, "GET /api/proxies")).toBeLessThan(20);
  });

  test("that a killed process has made are taken up, whatever became of the others", async () => {
    const scene = await scenery();
    const first = notebook();
    await proxyPorts.create(inputsOf({ ...many(5), any: {} }) as never, { ...scene.step(), journal: first });
    const facts = { mark: MARK, declared: expect.arrayContaining(["ports.any"]) };
    expect(first.begun).toEqual([{ ...facts, isNumbered: true }, facts]);
    forgetRequests(scene);
    const step = { ...scene.step(), journal: notebook({ mark: MARK }) };
    const { state } = await proxyPorts.create(inputsOf({ ...many(7), any: {} }) as never, step);
    expect(changes(scene)).toEqual(["POST /api/proxies", "POST /api/proxies"]);
    expect(Object.keys(state.ports as Ports).sort()).toEqual([...Object.keys(many(7)), "any"].sort());
    expect(step.journal.isForgotten).toBe(false);
  });

  test("are looked for once where the state has them all", async () => {
    const scene = await scenery();
    const state = await created(scene, inputsOf(many(5)));
    const step = { ...later(scene), journal: notebook({ mark: MARK }) };
    await proxyPorts.update("set", state as never, declaredIn(inputsOf(many(5))), inputsOf(many(5)) as never, step);
    expect(step.journal.isForgotten).toBe(true);
  });
});

describe("an update that is cancelled", () => {
  const ports = many(400);

  /** Runs a task, and cancels it when some of so many requests have been sent. */
  async function cancelled(scene: Stage, request: string, task: (step: Step) => Promise<unknown>): Promise<Error> {
    forgetRequests(scene);
    const { deadline, cancel } = cancellableDeadline();
    const ended = failure(task(scene.step(deadline)));
    await vi.waitFor(() => expect(count(scene, request)).toBeGreaterThan(20), { interval: 1 });
    cancel();
    return ended;
  }

  test("begins with no more ports, and keeps those that are made", async () => {
    const scene = await scenery();
    const request = "POST /api/proxies";
    const error = await cancelled(scene, request, (step) => proxyPorts.create(inputsOf(ports) as never, step));
    expect(error).toBeInstanceOf(PartialFailure);
    const made = numbers(scene).length;
    expect(made).toBeLessThan(100);
    expect(error.message).toBe(
      `The update was cancelled: ${400 - made} of 400 ports were not tried. The next \`pulumi up\` goes on with what is left.`,
    );
    expect(Object.keys((error as PartialFailure).state.ports as Ports)).toHaveLength(made);
  });

  test("says so beside what failed", async () => {
    const scene = await scenery();
    scene.manager.service.faults.add({
      method: "POST",
      kind: "respond",
      status: 400,
      body: '{"errors":[{"msg":"no"}]}',
    });
    const request = "POST /api/proxies";
    const error = await cancelled(scene, request, (step) => proxyPorts.create(inputsOf(ports) as never, step));
    expect(error.message).toMatch(/^1 of 400 ports failed\./);
    expect(error.message).toMatch(/ more were not tried: the update was cancelled\.$/);
  });

  test("deletes no more ports", async () => {
    const scene = await scenery();
    const state = await created(scene, inputsOf(ports));
    const request = "POST /api/proxies/delete";
    const error = await cancelled(scene, request, (step) => proxyPorts.delete("set", state as never, step));
    expect(error.message).toMatch(
      /^The update was cancelled: \d+ of 400 ports were not tried\. The same command goes on with what is left\. To keep the set instead, run `pulumi refresh`/,
    );
    expect(numbers(scene).length).toBeGreaterThan(200);
  });
});

describe("ports that a killed update has made and the program does not declare", () => {
  const before = inputsOf({ a: { port: 24_000 } });

  /** A set in whose state the first of its five ports is, and another run that finds what was noted of the others. */
  async function killed(): Promise<{ scene: Stage; state: JsonObject; step: Step; said: string[] }> {
    const scene = await scenery();
    const state = await created(scene, before);
    const more = inputsOf({
      a: { port: 24_000 },
      b: { port: 24_001 },
      c: { port: 24_002 },
      d: { port: 24_100 },
      e: {},
    });
    const first = { ...later(scene), journal: notebook() };
    await proxyPorts.update("set", state as never, declaredIn(before), more as never, first);
    forgetRequests(scene);
    const said: string[] = [];
    const say = (words: string) => void said.push(words);
    return { scene, state, step: { ...later(scene), journal: notebook({ mark: MARK }), say }, said };
  }

  test("are kept by the next update, which says so: they may be another resource's by now", async () => {
    const { scene, state, step, said } = await killed();
    step.context.claims.made({ mark: "m.other" }, ["port 24002"]);
    const wanted = inputsOf({ a: { port: 24_000, country: "us" } });
    const next = await proxyPorts.update("set", state as never, declaredIn(before), wanted as never, step);
    expect(changes(scene)).toEqual(["PUT /api/proxies/24000"]);
    expect(Object.keys(next.ports as Ports)).toEqual(["a"]);
    expect(said).toEqual([
      "An update that was cut short has created 3 ports that the program does not declare: 24001,24100-24101. As another resource may have taken them over since, they are kept. To manage them, declare them with `adopt: true`; otherwise delete them in the manager.",
    ]);
  });

  test("go with the set, but for those of another resource", async () => {
    const { scene, state, step } = await killed();
    step.context.claims.made({ mark: "m.other" }, ["port 24002"]);
    await proxyPorts.delete("set", state as never, step);
    expect(numbers(scene)).toEqual([24_002]);
  });

  test("go with a set of which nothing else is left", async () => {
    const { scene, step } = await killed();
    await proxyPorts.delete("set", { ports: {} } as never, step);
    expect(numbers(scene)).toEqual([24_000]);
  });
});
