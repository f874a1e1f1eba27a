import { describe, expect, test, vi } from "vitest";
import { ArgumentError, ConnectionError, InvalidRequestError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { managerSettingsLifecycle as managerSettings } from "../../../src/kinds/managerSettings/lifecycle";
import { whitelistIpLifecycle as whitelistIp } from "../../../src/kinds/whitelistIp/lifecycle";
import { CancelledError } from "../../../src/lifecycle/deadline";
import { PartialFailure, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import { pick } from "../../../src/lifecycle/paths";
import {
  cancelledBy,
  changes,
  count,
  declaredIn,
  described,
  drift,
  failure,
  forgetRequests,
  notebook,
  type Stage,
  stage,
} from "../../lifecycle/harness";
import { MemoryJournal } from "../../lifecycle/memoryJournal";
import { foreign, scenery } from "../proxyPort/setup";

const put = ({ manager }: Stage): unknown[] =>
  manager.service.requests.filter(({ method }) => method === "PUT").map(({ body }) => body);

/** The answer to `PUT /api/settings` that has changed nothing. */
const unchanged = async ({ manager }: Stage) =>
  ({
    method: "PUT",
    path: "/api/settings",
    kind: "respond",
    status: 200,
    headers: { "content-type": "application/json" },
    body: await (await fetch(`${manager.url}/api/settings`)).text(),
  }) as const;

const update = async (scene: Stage, state: JsonObject, before: JsonObject, inputs: JsonObject): Promise<JsonObject> =>
  managerSettings.update("settings", state, declaredIn(before), inputs, scene.step());

test("settings by which ports or statistics are lost are announced, and where they were so already, nothing is", () => {
  const [sync, stats] = [
    "the update will turn `syncConfig` on: the Proxy Manager takes over what the vendor's cloud has, and loses ports that are not there.",
    "the update will turn `requestStats` off: the Proxy Manager's statistics of requests are cleared.",
  ];
  const lossy = { syncConfig: true, requestStats: false };
  const changed = (state: JsonObject, inputs: JsonObject) =>
    managerSettings.announceUpdate(state, declaredIn(state), inputs);
  expect(managerSettings.announce(lossy)).toBe(`${sync} ${stats}`);
  expect(changed({ logs: 1, syncConfig: false }, { syncConfig: true })).toBe(sync);
  expect(changed({ requestStats: true, previous: { requestStats: false } }, { logs: 1 })).toBe(stats);
  expect(managerSettings.announce(lossy, lossy)).toBeUndefined();
  expect(changed(lossy, { ...lossy, logs: 1 })).toBeUndefined();
  for (const inputs of [
    { syncConfig: false, requestStats: true },
    { syncConfig: UNKNOWN, requestStats: UNKNOWN },
  ])
    expect([managerSettings.announce(inputs), changed({}, inputs)]).toEqual([undefined, undefined]);
});

describe("checking settings", () => {
  test.each<[JsonObject, string]>([
    [{ log: "loud" }, '`log` is "loud": expected one of "error", "warn", "notice", "info", "debug".'],
    [{ logs: -1 }, "`logs` is -1: expected a whole number from 0 on."],
    [{ logs: 1.5 }, "`logs` is 1.5: expected a whole number from 0 on."],
    [{ harLimit: -2 }, "`harLimit` is -2: expected a whole number from -1 on."],
    [
      { socketInactivityTimeout: 0 },
      "`socketInactivityTimeout` is 0: expected a whole number of milliseconds from 1000 on, such as 120000.",
    ],
    [{ debug: "some" }, '`debug` is "some": expected "full" or "none".'],
    [{ lpmAuth: true }, '`lpmAuth` is true: expected "full" or "none".'],
    [{ requestStats: "yes" }, '`requestStats` is "yes": expected true or false.'],
    [{ zone: "" }, '`zone` is "": expected the name of one zone'],
    [
      { bwLimitWebhookUrl: "example.com" },
      "`bwLimitWebhookUrl` is not usable (its value is a secret and not shown): expected a URL that begins",
    ],
    [{ whitelistIps: ["10.1.2"] }, '`whitelistIps[0]` is "10.1.2": expected an IPv4 address or CIDR block'],
    [{ whitelistIps: "10.1.2.3" }, '`whitelistIps` is "10.1.2.3": expected a list of addresses.'],
    [{ wwwWhitelistIps: ["1.2.3.4/0"] }, '`wwwWhitelistIps` has "0.0.0.0/0", the whole internet'],
    [{ whitelistIps: ["127.0.0.1/32"] }, '`whitelistIps[0]` is "127.0.0.1/32": the manager\'s own machine'],
    [{ whitelistIps: ["10.1.2.3/24"], wwwWhitelistIps: ["10.1.2.0/24"] }, "both have 10.1.2.0/24"],
    [{ wwwWhitelist: [] }, "`wwwWhitelist` is not a property of this resource."],
  ])("%j fails", (inputs, words) => {
    const { failures } = managerSettings.check(inputs, undefined);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toContain(words);
  });

  test("says everything at once, and shows no credential", () => {
    const { failures } = managerSettings.check({ log: "x", logs: "y", logsSettings: "hush" }, undefined);
    expect(failures).toHaveLength(3);
    expect(failures.join()).not.toContain("hush");
  });

  test("tolerates what is not known yet", () => {
    for (const name of ["zone", "whitelistIps", "logs", "allowAny", "logsSettings"]) {
      expect(managerSettings.check({ [name]: UNKNOWN }, undefined).failures).toEqual([]);
    }
    const inputs = { whitelistIps: [UNKNOWN], wwwWhitelistIps: ["0.0.0.0/0"], allowAny: true };
    expect(managerSettings.check(inputs, undefined)).toEqual({ inputs, failures: [] });
  });
});

const ALL: JsonObject = {
  zone: "web",
  wwwWhitelistIps: ["198.51.100.7", "203.0.113.77/28"],
  whitelistIps: ["10.20.30.40/16"],
  logs: 500,
  log: "info",
  harLimit: -1,
  debug: "full",
  lpmAuth: "full",
  requestStats: false,
  socketInactivityTimeout: 60_000,
  bwLimitWebhookUrl: "https://example.com/full",
  bwThWebhookUrl: "https://example.com/part",
};

async function withZone(): Promise<Stage> {
  const scene = await stage();
  for (const name of ["first", "web"]) scene.account.addZone(name, { type: "static" });
  return scene;
}

test("all that settings take over is announced: what is to have them by another name would have others meanwhile", () => {
  const inputs = { ...ALL, syncConfig: true, logsSettings: { type: "s3" } };
  const { takesOver } = managerSettings.holdings(undefined, inputs);
  const announced = pick(inputs, managerSettings.declaration.announced ?? []);
  expect(managerSettings.holdings(undefined, announced).takesOver).toEqual(takesOver);
  expect(takesOver).toHaveLength(Object.keys(inputs).length + 3);
});

test("declaring settings sends them in one request, and finds them as declared", async () => {
  const scene = await withZone();
  const { id, state } = await managerSettings.create(ALL, scene.step());
  expect(id).toBe("settings");
  expect(put(scene)).toEqual([
    {
      zone: "web",
      www_whitelist_ips: ["198.51.100.7", "203.0.113.64/28"],
      whitelist_ips: ["10.20.0.0/16"],
      logs: 500,
      log: "info",
      har_limit: -1,
      debug: "full",
      lpm_auth: "full",
      request_stats: false,
      socket_inactivity_timeout: 60_000,
      bw_limit_webhook_url: "https://example.com/full",
      bw_th_webhook_url: "https://example.com/part",
    },
  ]);
  expect(await drift(managerSettings, id, state, ALL, scene.step())).toEqual([]);
  forgetRequests(scene);
  await update(scene, state, ALL, ALL);
  expect(changes(scene)).toEqual([]);
});

test("declaring settings puts back what was there before when it is destroyed", async () => {
  const scene = await withZone();
  const { settings } = scene.manager.state;
  scene.manager.state.settings.www_whitelist_ips = ["198.51.100.1"];
  const before = await scene.context.manager.settings.get();
  const { id, state } = await managerSettings.create(ALL, scene.step());
  expect(state.previous).toMatchObject({ logs: 1000, log: "notice", wwwWhitelistIps: ["198.51.100.1"] });
  await managerSettings.delete(id, state, scene.step());
  expect(await scene.context.manager.settings.get()).toEqual(before);
  expect(settings.bw_limit_webhook_url).toBe("");
  forgetRequests(scene);
  await managerSettings.delete(id, state, scene.step());
  // One answer without an address proves nothing: lists are written as they are to be.
  expect(put(scene)).toEqual([{ www_whitelist_ips: ["198.51.100.1"], whitelist_ips: [] }]);
  expect(await scene.context.manager.settings.get()).toEqual(before);
});

test("declaring settings leaves what is not declared alone, and what is as declared already", async () => {
  const scene = await stage();
  scene.manager.state.settings.debug = "full";
  const inputs = { logs: 1000, log: "info" };
  const { id, state } = await managerSettings.create(inputs, scene.step());
  expect(put(scene)).toEqual([{ log: "info" }]);
  scene.manager.state.settings.debug = "none";
  expect(await drift(managerSettings, id, state, inputs, scene.step())).toEqual([]);
  await managerSettings.delete(id, state, scene.step());
  expect(scene.manager.state.settings).toMatchObject({ log: "notice", logs: 1000, debug: "none" });
});

test("declaring settings remembers what a setting was before it was declared, and puts it back when it is not any more", async () => {
  const scene = await stage();
  const first = { logs: 500 };
  const { state } = await managerSettings.create(first, scene.step());
  scene.manager.state.settings.log = "warn";
  const second = { log: "debug" };
  const next = await update(scene, state, first, second);
  expect(put(scene).at(-1)).toEqual({ logs: 1000, log: "debug" });
  expect(next).toEqual({ log: "debug", previous: { log: "warn" } });
  await managerSettings.delete("settings", next, scene.step());
  expect(scene.manager.state.settings).toMatchObject({ log: "warn", logs: 1000 });
});

test("declaring settings finds each setting that somebody has changed, and puts it right", async () => {
  const scene = await withZone();
  const { id, state } = await managerSettings.create(ALL, scene.step());
  for (const [name, value] of Object.entries({
    log: "error",
    logs: 1,
    harLimit: 7,
    debug: "none",
    requestStats: true,
    whitelistIps: [],
    wwwWhitelistIps: ["198.51.100.7"],
    bwThWebhookUrl: "https://example.com/else",
  })) {
    await scene.context.manager.settings.update({ [name]: value });
    scene.context.managerSettings.forget();
    expect(await drift(managerSettings, id, state, ALL, scene.step())).toEqual([name]);
    await update(scene, state, ALL, ALL);
    scene.context.managerSettings.forget();
    expect(await drift(managerSettings, id, state, ALL, scene.step())).toEqual([]);
  }
});

describe("numbers that ports have of their own", () => {
  const OWN = { zone: "web", har_limit: 77, ips: ["198.51.100.7"] };

  async function withPorts(): Promise<Stage> {
    const scene = await scenery();
    await foreign(scene, { port: 24_000, ...OWN, multiply: 2 });
    await foreign(scene, { port: 24_002, zone: "web" });
    return scene;
  }

  const running = ({ manager }: Stage) =>
    [24_000, 24_001, 24_002].map((port) => manager.state.running.get(String(port))?.config.har_limit);

  test("are sent again after the manager has run all ports with another one, and are put back", async () => {
    const scene = await withPorts();
    const inputs = { harLimit: 5000, logs: 10 };
    const { state } = await managerSettings.create(inputs, scene.step());
    expect(running(scene)).toEqual([77, 77, 5000]);
    expect(put(scene)).toEqual([{ har_limit: 5000, logs: 10 }, { proxy: OWN }]);
    await managerSettings.delete("settings", state, scene.step());
    expect(running(scene)).toEqual([77, 77, 1024]);
  });

  test.each<[string, JsonObject]>([
    ["another setting changes", { logs: 10 }],
    ["they are the manager's", { harLimit: 77 }],
  ])("are not sent where %s", async (_, inputs) => {
    const scene = await withPorts();
    await managerSettings.create(inputs, scene.step());
    expect(changes(scene)).toEqual(["PUT /api/settings"]);
  });

  test("are sent again by the next update where one was killed before it did", async () => {
    const scene = await withPorts();
    await scene.context.manager.settings.update({ harLimit: 5000 });
    expect(running(scene)).toEqual([5000, 5000, 5000]);
    const killed = notebook({ previous: { harLimit: 1024 } });
    await managerSettings.create({ harLimit: 5000 }, { ...scene.step(), journal: killed });
    expect(running(scene)).toEqual([77, 77, 5000]);
  });

  test("are sent again by the next update where one was cancelled before it did", async () => {
    const scene = await withPorts();
    const inputs = { harLimit: 5000 };
    const cancelled = scene.step(cancelledBy(scene.manager.service, "PUT /api/settings"));
    const error = await failure(managerSettings.create(inputs, cancelled));
    expect(running(scene)).toEqual([5000, 5000, 5000]);
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.cause).toBeInstanceOf(CancelledError);
    const { state: known } = error as PartialFailure;
    expect(managerSettings.diff(known, declaredIn(inputs), inputs).changed).toEqual(["harLimit"]);
    const state = await update(scene, known, inputs, inputs);
    expect(running(scene)).toEqual([77, 77, 5000]);
    expect(state).toEqual({ ...inputs, previous: { harLimit: 1024 } });
  });

  test("are sent again where the answer of the manager is lost", async () => {
    const scene = await scenery({ manager: { zagent: true } });
    await foreign(scene, { port: 24_000, ...OWN });
    scene.manager.service.faults.add({ method: "PUT", path: "/api/settings", kind: "reset-after" });
    const inputs = { harLimit: -1, logsSettings: { type: "s3", secret_key: "hush" } };
    const { state } = (await failure(managerSettings.create(inputs, scene.step()))) as PartialFailure;
    expect(scene.manager.state.settings.har_limit).toBe(-1);
    expect(running(scene)).toEqual([77, undefined, undefined]);
    expect(state).toEqual({ harLimit: -1, previous: { harLimit: 1024, logsSettings: { disable: true } } });
  });

  test("are sent with the manager's default zone to a port that has none of its own, which would lose it", async () => {
    const scene = await scenery();
    Object.assign(scene.manager.state.settings, { zone: "web" });
    await foreign(scene, { port: 24_000, har_limit: 77 });
    await managerSettings.create({ harLimit: 5000 }, scene.step());
    expect(scene.manager.state.running.get("24000")?.config).toMatchObject({ har_limit: 77, zone: "web" });
    expect(put(scene)).toEqual([{ har_limit: 5000 }, { proxy: { har_limit: 77, zone: "web" } }]);
  });

  test("keep nobody from the lists of addresses while they wait for an update of a port", async () => {
    const scene = await withPorts();
    const { context } = scene;
    let finish = () => {};
    const busy = context.alone("change of port 24000", () => new Promise<void>((resolve) => (finish = resolve)));
    const created = managerSettings.create({ harLimit: 5000 }, scene.step());
    await vi.waitFor(() => expect(count(scene, "GET /api/proxies")).toBe(1));
    await context.alone("allowlists", async () => {});
    finish();
    await Promise.all([busy, created]);
    expect(running(scene)).toEqual([77, 77, 5000]);
  });

  test("that the manager refuses are told of", async () => {
    const scene = await withPorts();
    scene.manager.service.faults.add({
      path: "/api/proxies/24000",
      kind: "respond",
      status: 400,
      body: "zone disabled",
    });
    const said: string[] = [];
    await managerSettings.create({ harLimit: 5000 }, { ...scene.step(), say: (words) => said.push(words) });
    expect(said).toEqual([
      expect.stringMatching(/^port 24000 may run with the manager's `harLimit` instead of its own: .*zone disabled/s),
    ]);
  });
});

test("declaring settings takes an address for listed that may use every port anyway", async () => {
  const scene = await stage();
  scene.manager.state.settings.www_whitelist_ips = ["198.51.100.7"];
  const inputs = { whitelistIps: ["198.51.100.7", "10.0.0.0/8"] };
  const { id, state } = await managerSettings.create(inputs, scene.step());
  expect(scene.manager.state.settings.whitelist_ips).toEqual(["10.0.0.0/8"]);
  expect(await drift(managerSettings, id, state, inputs, scene.step())).toEqual([]);
});

test("declaring settings refuses a zone that the manager does not know, which the manager would not", async () => {
  const scene = await withZone();
  const error = await failure(managerSettings.create({ zone: "wbe" }, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toContain('does not know zone "wbe"');
  expect(changes(scene)).toEqual([]);
});

test("declaring settings keeps no nonsense for later that was set before", async () => {
  const scene = await stage();
  Object.assign(scene.manager.state.settings, { log: "nonsense", www_whitelist_ips: ["any", "198.51.100.7"] });
  const inputs = { log: "info", wwwWhitelistIps: [] };
  const { id, state } = await managerSettings.create(inputs, scene.step());
  expect(state.previous).toEqual({ wwwWhitelistIps: ["198.51.100.7"] });
  await managerSettings.delete(id, state, scene.step());
  expect(scene.manager.state.settings).toMatchObject({ log: "info", www_whitelist_ips: ["198.51.100.7"] });
});

test("declaring settings tells that only a manager in the cloud delivers its logs", async () => {
  const scene = await stage();
  const inputs = { logsSettings: { type: "s3", secret_key: "hush" } };
  const error = await failure(managerSettings.create(inputs, scene.step()));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error.message).toContain("Available only in Cloud Proxy Manager");
  expect(error.message).not.toContain("hush");
});

test("declaring settings leaves the delivery of logs of a manager in the cloud, which cannot be read, to what was sent last", async () => {
  const scene = await stage({ manager: { zagent: true } });
  const inputs = { logsSettings: { type: "s3", secret_key: "hush" } };
  const { state } = await managerSettings.create(inputs, scene.step());
  const other = { logsSettings: { type: "s3", secret_key: "hush2" } };
  expect(managerSettings.diff(state, declaredIn(inputs), other).changed).toEqual(["logsSettings.secret_key"]);
  const next = await update(scene, await update(scene, state, inputs, inputs), inputs, other);
  await managerSettings.delete("settings", next, scene.step());
  expect(put(scene)).toEqual([
    { logs_settings: inputs.logsSettings },
    { logs_settings: other.logsSettings },
    { logs_settings: { disable: true } },
  ]);
});

test("declaring settings turns the delivery of logs off that a state of version 0.1.0 has", async () => {
  const scene = await stage({ manager: { zagent: true } });
  const inputs = { logs: 500, logsSettings: { type: "s3" } };
  await managerSettings.create(inputs, scene.step());
  const state = { ...inputs, previous: { logs: 1000 } };
  const kept = { logs: 500 };
  expect(await update(scene, state, inputs, kept)).toEqual({ ...kept, previous: { logs: 1000 } });
  await managerSettings.delete("settings", state, scene.step());
  expect(put(scene).slice(1)).toEqual([
    { logs_settings: { disable: true } },
    { logs: 1000, logs_settings: { disable: true } },
  ]);
});

test("declaring settings tells a manager that delivers its logs where they go whenever their number changes", async () => {
  const scene = await stage({ manager: { zagent: true } });
  const inputs = { logs: 500, logsSettings: { type: "s3" } };
  const { state } = await managerSettings.create(inputs, scene.step());
  await update(scene, state, inputs, { ...inputs, logs: 600 });
  expect(put(scene).at(-1)).toEqual({ logs: 600, logs_settings: inputs.logsSettings });
});

test("a request for settings whose answer is lost is kept where nothing has changed: it may come yet", async () => {
  const scene = await stage();
  scene.manager.service.faults.add({ method: "PUT", path: "/api/settings", kind: "reset" });
  const error = await failure(managerSettings.create({ logs: 5 }, scene.step()));
  expect(error).toMatchObject({ id: "settings", state: { logs: 5, previous: { logs: 1000 } } });
  expect(error.cause).toBeInstanceOf(ConnectionError);
});

test("a request for settings whose answer is lost is not done by what is no answer of the manager", async () => {
  const scene = await stage();
  for (const body of ["<!doctype html><html></html>", "{}", "[]", "null"]) {
    scene.manager.service.faults.add({ ...(await unchanged(scene)), body });
    expect(await failure(managerSettings.create({ logs: 5 }, scene.step()))).toBeInstanceOf(PartialFailure);
  }
});

test("a request for settings whose answer is lost is kept, with what was there before, where they cannot be read", async () => {
  const scene = await stage();
  scene.manager.service.faults.add({ method: "PUT", path: "/api/settings", kind: "reset-after" });
  scene.manager.service.faults.add({ method: "GET", path: "/api/settings", kind: "respond", status: 500, after: 1 });
  const error = await failure(managerSettings.create({ logs: 5 }, scene.step()));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error).toMatchObject({ id: "settings", state: { logs: 5, previous: { logs: 1000 } } });
});

test("a request for settings whose answer is lost keeps what is to be put back until that is done", async () => {
  const scene = await stage();
  const before = { logs: 5, log: "info" };
  const { state } = await managerSettings.create(before, scene.step());
  scene.manager.service.faults.add({ method: "PUT", path: "/api/settings", kind: "reset" });
  scene.manager.service.faults.add({ method: "GET", path: "/api/settings", kind: "respond", status: 500, after: 1 });
  const error = await failure(update(scene, state, before, { logs: 5 }));
  const kept = (error as PartialFailure).state;
  expect(kept).toEqual({ logs: 5, previous: { logs: 1000, log: "notice" } });
  const read = await managerSettings.read("settings", { logs: 5 }, scene.step(), kept);
  expect(managerSettings.diff(read ?? {}, declaredIn({ logs: 5 }), { logs: 5 }).changed).toEqual(["log"]);
  expect(await update(scene, kept, { logs: 5 }, { logs: 5 })).toEqual({ logs: 5, previous: { logs: 1000 } });
  expect(scene.manager.state.settings.log).toBe("notice");
});

test("a request for settings whose answer is lost is kept without the delivery of logs, which is sent again: it cannot be read", async () => {
  const scene = await stage();
  scene.manager.service.faults.add({ method: "PUT", path: "/api/settings", kind: "reset" });
  const inputs = { logs: 5, logsSettings: { type: "s3" } };
  const error = await failure(managerSettings.create(inputs, scene.step()));
  expect(error).toBeInstanceOf(PartialFailure);
  expect((error as PartialFailure).state).toEqual({
    logs: 5,
    previous: { logs: 1000, logsSettings: { disable: true } },
  });
});

test("what the manager accepts but does not keep is told, and kept too", async () => {
  const scene = await stage();
  scene.manager.service.faults.add(await unchanged(scene));
  const error = await failure(managerSettings.create({ logs: 5, log: "info" }, scene.step()));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error.message).toBe("The Proxy Manager accepted `logs`, `log` but did not keep it.");
});

describe("what was there before", () => {
  const declared = { logs: 5, log: "info" };

  test("is known to the next update when the process was killed", async () => {
    const scene = await stage();
    const journal = new MemoryJournal();
    await managerSettings.create(declared, { ...scene.step(), journal });
    const { state } = await managerSettings.create(declared, { ...scene.step(), journal: new MemoryJournal(journal) });
    expect(state).toEqual({ ...declared, previous: { logs: 1000, log: "notice" } });
    expect(count(scene, "PUT /api/settings")).toBe(1);
  });

  test("is not noted when the manager has refused", async () => {
    const scene = await stage();
    scene.manager.service.faults.add({ method: "PUT", path: "/api/settings", kind: "respond", status: 403 });
    const journal = new MemoryJournal();
    await failure(managerSettings.create(declared, { ...scene.step(), journal }));
    expect(journal.noted).toBeUndefined();
  });

  test("outlives a replacement, in which the old one goes first", async () => {
    const scene = await stage();
    const { id, state } = await managerSettings.create(declared, scene.step());
    expect(managerSettings.diff(state, declaredIn(declared), declared).deleteBeforeReplace).toBe(true);
    await managerSettings.delete(id, state, scene.step());
    expect((await managerSettings.create(declared, scene.step())).state).toEqual(state);
  });

  test("is not put back on the UI's list where another resource has it on that of the ports, which would lose it", async () => {
    const scene = await stage();
    const { context, manager } = scene;
    manager.state.settings.whitelist_ips = ["203.0.113.7"];
    context.claims.made({ mark: "m.other" }, ["ports-list 203.0.113.7"]);
    const state = { wwwWhitelistIps: ["198.51.100.1"], previous: { wwwWhitelistIps: ["203.0.113.7", "203.0.113.8"] } };
    await managerSettings.delete("settings", state, scene.step());
    expect(manager.state.settings).toMatchObject({
      www_whitelist_ips: ["203.0.113.8"],
      whitelist_ips: ["203.0.113.7"],
    });
  });

  test("is put back for the settings that are no other resource's by now", async () => {
    const scene = await stage();
    const { id, state } = await managerSettings.create(declared, scene.step());
    expect(managerSettings.holdings(id, state).has).toEqual(["setting logs", "setting log"]);
    expect(managerSettings.holdings(undefined, { zone: UNKNOWN, logsSettings: {}, allowAny: true }).has).toEqual([
      "setting zone",
      "setting logsSettings",
    ]);
    await managerSettings.delete(id, managerSettings.without(state, new Set(["setting log"])), scene.step());
    expect(scene.manager.state.settings).toMatchObject({ logs: 1000, log: "info" });
  });
});

describe("what settings have of the manager", () => {
  const inputs = { log: "info", whitelistIps: ["10.20.30.40/16", UNKNOWN], wwwWhitelistIps: ["198.51.100.7"] };

  test("are the settings, and the addresses on its lists", () => {
    const has = [
      "setting wwwWhitelistIps",
      "setting whitelistIps",
      "setting log",
      "ui-list 198.51.100.7",
      "ports-list 10.20.0.0/16",
    ];
    const { has: declared, takesOver } = managerSettings.holdings(undefined, inputs);
    expect([...declared].sort()).toEqual(has.sort());
    // It is written over whatever is there.
    expect(takesOver).toEqual(declared);
    expect(managerSettings.holdings(undefined, { whitelistIps: UNKNOWN }).has).toEqual(["setting whitelistIps"]);
  });

  test("is what they are still to put back, too, until that is done", () => {
    const state = { log: "info", previous: { log: "notice", logs: 1000 } };
    const next = { declared: declaredIn({ log: "info" }), inputs: { debug: "full" } };
    expect(managerSettings.holdings("settings", state).has).toEqual(["setting log", "setting logs"]);
    expect(managerSettings.holdings("settings", state, next).keeps).toEqual([]);
    expect(managerSettings.holdings("settings", state, { ...next, inputs: { log: "warn" } }).keeps).toEqual([
      "setting log",
    ]);
    expect(managerSettings.diff(state, declaredIn({ log: "info" }), { log: "info" }).changed).toEqual(["logs"]);
    expect(managerSettings.diff(state, declaredIn({ log: "info" }), { log: "info", logs: 5 }).changed).toEqual([
      "logs",
    ]);
  });

  test("is not put back, nor remembered, where it is another resource's by now", async () => {
    const scene = await stage();
    const state = { log: "info", previous: { log: "notice", logs: 5 } };
    const rest = managerSettings.without(state, new Set(["setting logs"]));
    expect(rest).toEqual({ log: "info", previous: { log: "notice" } });
    await managerSettings.delete("settings", rest, scene.step());
    expect(put(scene)).toEqual([]);
  });

  test("say which addresses of other resources leave a list with them, and would come back", async () => {
    const scene = await stage();
    const [me, say] = [{ mark: "m.me" }, vi.fn()];
    const declared = { whitelistIps: ["10.0.0.0/8"] };
    const { id, state } = await managerSettings.create(declared, { ...scene.step(), me, say });
    const { claims, manager } = scene.context;
    claims.made({ mark: "m.other" }, ["ports-list 203.0.113.7", "ports-list 10.0.0.0/8", "ui-list 203.0.113.8"]);
    await manager.settings.update({ whitelistIps: ["10.0.0.0/8", "203.0.113.7"] });
    expect(say).not.toHaveBeenCalled();
    await managerSettings.update(id, state, declaredIn(declared), declared, { ...scene.step(), me, say });
    expect(say.mock.calls).toEqual([
      [
        "`whitelistIps` has no 203.0.113.7, which another resource of the program puts on the `ports` list: each undoes the other. Declare it in one place.",
      ],
    ]);
  });

  test("leave the addresses of other resources on its lists where they are put back", async () => {
    const scene = await stage();
    scene.manager.state.settings.whitelist_ips = ["198.51.100.1"];
    const me = { mark: "m.me" };
    const declared = { whitelistIps: ["10.0.0.0/8"] };
    const { id, state } = await managerSettings.create(declared, { ...scene.step(), me });
    scene.context.claims.made({ mark: "m.other" }, ["ports-list 203.0.113.7", "ui-list 203.0.113.8"]);
    await scene.context.manager.settings.update({ whitelistIps: ["10.0.0.0/8", "203.0.113.7"] });
    await managerSettings.delete(id, state, { ...scene.step(), me });
    const { whitelist_ips: left, www_whitelist_ips: open } = scene.manager.state.settings;
    expect([left, open]).toEqual([["198.51.100.1", "203.0.113.7"], []]);
  });

  test("give an address back to the list of the ports, off which it went, where another resource has it there", async () => {
    const scene = await stage();
    const me = { mark: "m.me" };
    scene.manager.state.settings.whitelist_ips = ["198.51.100.1", "203.0.113.7", "203.0.113.8"];
    const declared = { wwwWhitelistIps: ["203.0.113.7", "203.0.113.8"] };
    const { id, state } = await managerSettings.create(declared, { ...scene.step(), me });
    expect(scene.manager.state.settings.whitelist_ips).toEqual(["198.51.100.1"]);
    scene.context.claims.made({ mark: "m.other" }, ["ports-list 203.0.113.7"]);
    const say = vi.fn();
    await managerSettings.delete(id, state, { ...scene.step(), me, say });
    const { whitelist_ips: ports, www_whitelist_ips: ui } = scene.manager.state.settings;
    expect([ports, ui ?? []]).toEqual([["198.51.100.1", "203.0.113.7"], []]);
    expect(say).not.toHaveBeenCalled();
  });

  test("give an address back that the program declares, before the engine has told whether it is there or created", async () => {
    const scene = await stage();
    const { claims, scope } = scene.context;
    const me = { mark: "m.me", place: "here" };
    const ui = ["203.0.113.7", "203.0.113.8", "203.0.113.9"];
    const { id, state } = await managerSettings.create({ wwwWhitelistIps: ui }, { ...scene.step(), me });
    for (const ip of ui.slice(0, 2))
      scope.declarations.declareOnce("WhitelistIp", [`ports-list ${ip}`], { place: ip, name: ip });
    // What is certain to be created is put there by its creation.
    claims.comes(ui[1], { expects: [`ports-list ${ui[1]}`] });
    const say = vi.fn();
    await managerSettings.update(id, state, declaredIn(state), { logs: 5 }, { ...scene.step(), me, say });
    expect(scene.manager.state.settings.whitelist_ips).toEqual([ui[0]]);
    expect(say.mock.calls).toEqual([
      [
        "203.0.113.7 is kept on the `ports` list: the program declares it there, and the engine has not told whether a resource has it.",
      ],
    ]);
    for (const ip of ui.slice(0, 2)) await whitelistIp.create({ ip, list: "ports" }, scene.step());
    expect(scene.manager.state.settings.whitelist_ips).toEqual(ui.slice(0, 2));
  });

  test("give back what stands on the list of the UI, whatever the state says, together with what they put back", async () => {
    const scene = await stage();
    const me = { mark: "m.me" };
    scene.manager.state.settings.whitelist_ips = ["198.51.100.1"];
    const first = { whitelistIps: ["198.51.100.2"], wwwWhitelistIps: ["192.0.2.1"] };
    const { id, state } = await managerSettings.create(first, { ...scene.step(), me });
    await scene.context.manager.settings.update({ wwwWhitelistIps: ["192.0.2.1", "203.0.113.7"] });
    const other = { place: "there", name: "other" };
    scene.context.scope.declarations.declareOnce("WhitelistIp", ["ports-list 203.0.113.7"], other);
    await managerSettings.update(
      id,
      state,
      declaredIn(state),
      { wwwWhitelistIps: ["192.0.2.1"] },
      { ...scene.step(), me },
    );
    const { whitelist_ips: ports, www_whitelist_ips: open } = scene.manager.state.settings;
    expect([ports, open]).toEqual([["198.51.100.1", "203.0.113.7"], ["192.0.2.1"]]);
  });

  test("give an address back that an update took off before it was killed, and write nothing where it is back", async () => {
    const scene = await stage();
    const me = { mark: "m.me" };
    const ui = ["192.0.2.1", "203.0.113.7"];
    const { id, state } = await managerSettings.create({ wwwWhitelistIps: ui }, { ...scene.step(), me });
    await scene.context.manager.settings.update({ wwwWhitelistIps: ["192.0.2.1"] });
    scene.context.claims.made({ mark: "m.other" }, ["ports-list 203.0.113.7"]);
    const again = () =>
      managerSettings.update(id, state, declaredIn(state), { wwwWhitelistIps: ["192.0.2.1"] }, { ...scene.step(), me });
    await again();
    expect(scene.manager.state.settings.whitelist_ips).toEqual(["203.0.113.7"]);
    forgetRequests(scene);
    await again();
    expect(put(scene)).toEqual([{ www_whitelist_ips: ["192.0.2.1"] }]);
  });

  test("give nothing back while they leave the list of the UI as it is", async () => {
    const scene = await stage();
    scene.manager.state.settings.www_whitelist_ips = ["203.0.113.7"];
    scene.context.claims.made({ mark: "m.other" }, ["ports-list 203.0.113.7"]);
    await managerSettings.create({ logs: 5 }, { ...scene.step(), me: { mark: "m.me" } });
    expect(put(scene)).toEqual([{ logs: 5 }]);
  });

  test("give nothing to a list of the ports that they declare", async () => {
    const scene = await stage();
    const me = { mark: "m.me" };
    const ports = { whitelistIps: ["198.51.100.1"] };
    const both = { ...ports, wwwWhitelistIps: ["203.0.113.7"] };
    const { id, state } = await managerSettings.create(both, { ...scene.step(), me });
    scene.context.claims.made({ mark: "m.other" }, ["ports-list 203.0.113.7"]);
    await managerSettings.update(id, state, declaredIn(both), ports, { ...scene.step(), me });
    expect(scene.manager.state.settings.whitelist_ips).toEqual(["198.51.100.1"]);
  });

  test("leave the addresses that the program declares by themselves, too, before the engine has told of these", async () => {
    const scene = await stage();
    const { declarations } = scene.context.scope;
    const me = { mark: "m.me", place: "here" };
    scene.manager.state.settings.www_whitelist_ips = ["198.51.100.1"];
    const declared = { wwwWhitelistIps: ["192.0.2.1", "203.0.113.9"] };
    const { id, state } = await managerSettings.create(declared, { ...scene.step(), me });
    await scene.context.manager.settings.update({ wwwWhitelistIps: ["192.0.2.1", "203.0.113.7", "203.0.113.8"] });
    // What is not there is not put there, and what the list has declared itself goes with it.
    for (const ip of ["203.0.113.7", "203.0.113.6", "203.0.113.9"])
      declarations.declareOnce("WhitelistIp", [`ui-list ${ip}`], { place: ip, name: ip });
    await managerSettings.update(id, state, declaredIn(declared), { logs: 5 }, { ...scene.step(), me });
    expect(scene.manager.state.settings.www_whitelist_ips).toEqual(["198.51.100.1", "203.0.113.7"]);
  });

  test("remember no address of a list that another resource of the program has: it comes and goes with that one", async () => {
    const scene = await stage();
    const { claims } = scene.context;
    scene.manager.state.settings.www_whitelist_ips = ["198.51.100.1", "203.0.113.7", "203.0.113.8"];
    claims.made({ mark: "m.other" }, ["ui-list 203.0.113.7"]);
    // Nobody knows whether that one comes.
    claims.comes("another place", { adopts: ["ui-list 203.0.113.8"] });
    const step = { ...scene.step(), me: { mark: "m.me" } };
    const inputs = { wwwWhitelistIps: ["192.0.2.1", "203.0.113.7", "203.0.113.8"] };
    const { id, state } = await managerSettings.create(inputs, step);
    expect(state.previous).toEqual({ wwwWhitelistIps: ["198.51.100.1", "203.0.113.8"] });
    // A state of before that has one of them loses it with the next update.
    const former = { ...state, previous: { wwwWhitelistIps: ["198.51.100.1", "203.0.113.7"] } };
    const { previous } = await managerSettings.update(id, former, declaredIn(inputs), inputs, step);
    expect(previous).toEqual({ wwwWhitelistIps: ["198.51.100.1"] });
  });

  test("are put back where each answer leaves out the address that is to go", async () => {
    const scene = await stage();
    scene.manager.state.settings.www_whitelist_ips = ["198.51.100.1"];
    const { id, state } = await managerSettings.create(
      { wwwWhitelistIps: ["198.51.100.1", "203.0.113.7"] },
      scene.step(),
    );
    scene.manager.service.faults.add({ method: "GET", path: "/api/settings", kind: "shorten", items: 1, times: 9 });
    await managerSettings.delete(id, state, scene.step());
    expect(scene.manager.state.settings.www_whitelist_ips).toEqual(["198.51.100.1"]);
  });

  test("are not put back with an address that another resource has taken off its list in the same run", async () => {
    const scene = await stage();
    const state = { wwwWhitelistIps: ["192.0.2.1"], previous: { wwwWhitelistIps: ["198.51.100.1", "203.0.113.7/32"] } };
    scene.manager.state.settings.www_whitelist_ips = ["192.0.2.1"];
    scene.context.claims.note("deleted", ["ui-list 203.0.113.7"]);
    await managerSettings.delete("settings", state, scene.step());
    expect(scene.manager.state.settings.www_whitelist_ips).toEqual(["198.51.100.1"]);
  });

  test("what settings have changed before a kill is not put back where it is another resource's by now", async () => {
    const scene = await stage();
    const journal = new MemoryJournal();
    const declared = { logs: 5, log: "info" };
    await managerSettings.create(declared, { ...scene.step(), journal });
    expect(journal.noted?.advice).toContain(`settings of the Proxy Manager at ${scene.manager.url}`);
    scene.context.claims.made({ mark: "m.other" }, ["setting logs"]);
    const step = { ...scene.step(), me: { mark: "m.me" }, journal: new MemoryJournal(journal) };
    const { state } = await managerSettings.create({ debug: "full" }, step);
    expect(state).toEqual({ debug: "full", previous: { debug: "none" } });
    expect(scene.manager.state.settings).toMatchObject({ logs: 5, log: "notice", debug: "full" });
  });

  test("what settings have changed stays noted where it is not known whether they were, and a deletion keeps no state", async () => {
    const scene = await stage();
    const { id, state } = await managerSettings.create({ logs: 5 }, scene.step());
    scene.manager.service.faults.add({ method: "PUT", path: "/api/settings", kind: "reset" });
    const journal = new MemoryJournal();
    const error = await failure(managerSettings.delete(id, state, { ...scene.step(), journal }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(journal.noted?.facts).toEqual({ previous: { logs: 1000 } });
  });

  test("keeps addresses in the order and the spelling of the program", async () => {
    const scene = await stage();
    const lists = { wwwWhitelistIps: ["198.51.100.1", "10.0.0.7/24"], whitelistIps: ["10.20.30.40/16", "1.2.3.4/32"] };
    const { state } = await managerSettings.create(lists, scene.step());
    const read = () => managerSettings.read("settings", lists, scene.step(), state);
    expect(await read()).toEqual(state);
    await scene.context.manager.settings.update({ whitelistIps: ["1.2.3.4", "10.20.0.0/16"] });
    scene.context.managerSettings.forget();
    expect(await read()).toEqual(state);
    await scene.context.manager.settings.update({ whitelistIps: ["1.2.3.4"] });
    scene.context.managerSettings.forget();
    expect(await read()).toEqual({ ...state, whitelistIps: ["1.2.3.4"] });
  });

  test("what settings have is seen by those that look for it next", async () => {
    const scene = await stage();
    const look = () => managerSettings.read("settings", { logs: 5 }, scene.step(), {});
    expect(await look()).toMatchObject({ logs: 1000 });
    await managerSettings.create({ logs: 5 }, scene.step());
    expect(await look()).toEqual({ logs: 5, previous: {} });
  });
});

test("looking settings up answers all of them and no credential, and sends nothing else", async () => {
  const scene = await stage();
  const found = await managerSettings.read("settings", undefined, scene.step(), {});
  expect(found).toMatchObject({ logs: 1000, log: "notice", debug: "none", wwwWhitelistIps: [], whitelistIps: [] });
  expect(Object.keys(found ?? {})).not.toContain("lpmToken");
  expect(changes(scene)).toEqual([]);
  const error = await failure(managerSettings.read("other", undefined, scene.step(), {}));
  expect(error.message).toContain('is not the id of a manager\'s settings: expected "settings"');
});

const describedBy = async (settings: JsonObject): Promise<JsonObject | undefined> => {
  const scene = await stage();
  scene.account.addZone("web", { type: "static" });
  Object.assign(scene.manager.state.settings, settings);
  return (await described(managerSettings, scene.step())).settings;
};

test("settings as they are are described by what is not as the manager has it by itself", async () => {
  const untouched = await describedBy({});
  expect(
    await describedBy({
      logs: 5000,
      log: "info",
      har_limit: 1024,
      request_stats: false,
      whitelist_ips: ["10.20.30.40/16"],
      logs_settings: { bucket: "hush" },
    }),
  ).toEqual({ ...untouched, logs: 5000, log: "info", requestStats: false, whitelistIps: ["10.20.0.0/16"] });
});

test("settings as they are are described without nonsense, and open to everybody only on purpose", async () => {
  const untouched = await describedBy({});
  expect(await describedBy({ log: "loud", logs: -7, www_whitelist_ips: ["0.0.0.0/0"] })).toEqual({
    ...untouched,
    wwwWhitelistIps: ["0.0.0.0/0"],
    allowAny: true,
  });
});

describe("a webhook's URL", () => {
  const URL_BEFORE = "https://hooks.example.com/T0/former-secret";
  const DECLARED = { bwLimitWebhookUrl: "https://hooks.example.com/T0/new-secret" };

  test("a webhook's URL is a secret, as it is and as it was before, and stands in no note", async () => {
    const scene = await stage();
    scene.manager.state.settings.bw_limit_webhook_url = URL_BEFORE;
    const journal = notebook();
    const { state } = await managerSettings.create(DECLARED, { ...scene.step(), journal });
    expect(state).toEqual({ ...DECLARED, previous: { bwLimitWebhookUrl: URL_BEFORE }, hushed: true });
    expect(managerSettings.secrets).toEqual(
      expect.arrayContaining([["bwLimitWebhookUrl"], ["previous", "bwLimitWebhookUrl"]]),
    );
    expect(JSON.stringify(journal.begun)).not.toContain("secret");
    expect(managerSettings.describe(state)).toEqual({});
    expect(managerSettings.diff(state, declaredIn(DECLARED), DECLARED).changed).toEqual([]);
  });

  test("a webhook's URL that is imported has been a secret from the beginning", async () => {
    const scene = await stage();
    scene.manager.state.settings.bw_limit_webhook_url = DECLARED.bwLimitWebhookUrl;
    const byId = await managerSettings.read("settings", undefined, scene.step(), {});
    expect(byId).toMatchObject({ ...DECLARED, hushed: true });
    for (const state of [DECLARED, byId as JsonObject]) {
      const imported = await managerSettings.read("settings", DECLARED, scene.step(), state);
      expect(imported).toEqual({ ...DECLARED, previous: {}, hushed: true });
      expect(managerSettings.diff(imported as JsonObject, declaredIn(DECLARED), DECLARED).changed).toEqual([]);
    }
  });

  test("a webhook's URL that a state has in clear is mended by the next update, which says so", async () => {
    const scene = await stage();
    scene.manager.state.settings.bw_limit_webhook_url = DECLARED.bwLimitWebhookUrl;
    const old = { ...DECLARED, previous: { bwLimitWebhookUrl: URL_BEFORE } };
    const refreshed = await managerSettings.read("settings", DECLARED, scene.step(), old);
    expect(managerSettings.diff(refreshed as JsonObject, declaredIn(DECLARED), DECLARED).changed).toEqual(["previous"]);
    const said: string[] = [];
    const step = { ...scene.step(), say: (words: string) => void said.push(words) };
    const state = await managerSettings.update("settings", old, declaredIn(DECLARED), DECLARED, step);
    expect(state).toEqual({ ...old, hushed: true });
    expect(said).toEqual([expect.stringContaining("give the webhooks other URLs")]);
  });
});
