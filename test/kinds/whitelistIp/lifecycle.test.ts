import { expect, test, vi } from "vitest";
import type { SimulatorOptions } from "../../../simulator";
import {
  ArgumentError,
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  ResponseFormatError,
  ServerError,
} from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { whitelistIpLifecycle as whitelistIp } from "../../../src/kinds/whitelistIp/lifecycle";
import { UnknownOutcomeError } from "../../../src/lifecycle/creation";
import { PartialFailure, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import {
  changes,
  count,
  described,
  drift,
  failure,
  forgetRequests,
  outOfTime,
  type Stage,
  stage,
} from "../../lifecycle/harness";
import { MemoryJournal } from "../../lifecycle/memoryJournal";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

const UI: JsonObject = { ip: "203.0.113.7" };
const PORTS: JsonObject = { ip: "203.0.113.7", list: "ports" };

const listed = ({ manager }: Stage, list: "ui" | "ports"): string[] =>
  (list === "ui" ? manager.state.settings.www_whitelist_ips : manager.state.settings.whitelist_ips) ?? [];

/** A manager that has an API key. */
async function withKey(
  options: SimulatorOptions = {},
  settings: Record<string, string> = {},
): Promise<Stage & { key: string }> {
  const scene = await stage(options, settings);
  const response = await fetch(`${scene.manager.url}/api/gen_token`);
  const { token } = (await response.json()) as { token: string };
  forgetRequests(scene);
  return Object.assign(scene, { key: token });
}

const keysSent = ({ manager }: Stage): (string | undefined)[] =>
  manager.service.requests.filter(({ path }) => path === "/api/wip").map(({ headers }) => headers.authorization);

test("what an entry has of the manager is its place on a list", () => {
  expect(whitelistIp.holdings("ui/203.0.113.7", UI).has).toEqual(["ui-list 203.0.113.7"]);
  expect(whitelistIp.holdings(undefined, { ip: "10.20.30.77/16" }).has).toEqual(["ui-list 10.20.0.0/16"]);
  expect(whitelistIp.holdings(undefined, PORTS).has).toEqual(["ports-list 203.0.113.7"]);
  for (const unknown of [{ ip: UNKNOWN }, { ...UI, list: UNKNOWN }]) {
    expect(whitelistIp.holdings(undefined, unknown).has).toEqual([]);
  }
});

test("an address that goes on the `ui` list unasked is announced with what it may do", () => {
  const words =
    '203.0.113.7 goes on the `ui` list: it may use the Proxy Manager\'s UI and API, and every port. For the ports alone, declare `list: "ports"`.';
  expect(whitelistIp.announce(UI)).toBe(words);
  expect(whitelistIp.announce({ ip: UNKNOWN })).toBe(words.replace("203.0.113.7", "An address"));
  expect(whitelistIp.announce(UI, UI)).toBeUndefined();
  for (const list of ["ui", "ports", UNKNOWN]) expect(whitelistIp.announce({ ...UI, list })).toBeUndefined();
});

test("allowing an address puts it on the `ui` list unless another is named, without a key", async () => {
  const scene = await stage();
  const { id, state } = await whitelistIp.create(UI, scene.step());
  expect(id).toBe("ui/203.0.113.7");
  expect(state).toEqual({ ip: "203.0.113.7", list: "ui" });
  expect(listed(scene, "ui")).toEqual(["203.0.113.7"]);
  expect(changes(scene)).toEqual(["PUT /api/whitelist_ip"]);
  expect(scene.manager.service.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  expect(await drift(whitelistIp, id, state, UI, scene.step())).toEqual([]);
});

test("allowing an address makes the next one who asks for the lists see it", async () => {
  const scene = await stage();
  const { managerSettings } = scene.context;
  const { signal } = scene.step().deadline;
  await managerSettings.get(signal);
  const { id, state } = await whitelistIp.create(UI, scene.step());
  expect((await managerSettings.get(signal)).wwwWhitelistIps).toEqual(["203.0.113.7"]);
  await whitelistIp.delete(id, state, scene.step());
  expect((await managerSettings.get(signal)).wwwWhitelistIps).toEqual([]);
});

test("allowing an address puts a block on either list whole", async () => {
  for (const keepsMask of [false, true]) {
    const scene = await withKey({ manager: { keepsMask } });
    scene.manager.state.settings.www_whitelist_ips = ["198.51.100.1"];
    const ui = { ip: "10.20.30.77/16" };
    const ports = { ip: "192.168.7.7/24", list: "ports" };
    expect((await whitelistIp.create(ui, scene.step())).id).toBe("ui/10.20.0.0/16");
    expect((await whitelistIp.create(ports, scene.step())).id).toBe("ports/192.168.7.0/24");
    expect(listed(scene, "ui")).toEqual(["198.51.100.1", "10.20.0.0/16"]);
    expect(listed(scene, "ports")).toEqual(["192.168.7.0/24"]);
    expect(await drift(whitelistIp, "ui/10.20.0.0/16", ui, ui, scene.step())).toEqual([]);

    await whitelistIp.delete("ui/10.20.0.0/16", ui, scene.step());
    await whitelistIp.delete("ports/192.168.7.0/24", ports, scene.step());
    expect(listed(scene, "ui")).toEqual(["198.51.100.1"]);
    expect(listed(scene, "ports")).toEqual([]);
  }
});

test("allowing an address does not lose entries when many come at once", async () => {
  const scene = await withKey({ manager: { keepsMask: false } });
  const step = scene.step();
  const ips = Array.from({ length: 20 }, (_, index) => `10.${index}.0.0/16`);
  await Promise.all(
    ips
      .flatMap((ip) => [{ ip }, { ip: ip.replace("10.", "11."), list: "ports" }])
      .map((inputs) => whitelistIp.create(inputs, step)),
  );
  expect(listed(scene, "ui").sort()).toEqual([...ips].sort());
  expect(listed(scene, "ports")).toHaveLength(20);
  await Promise.all(ips.map((ip) => whitelistIp.delete(`ui/${ip}`, {}, step)));
  expect(listed(scene, "ui")).toEqual([]);
  expect(listed(scene, "ports")).toHaveLength(20);
});

test("allowing an address that is on the list already is refused, or taken over where that is wanted", async () => {
  for (const [inputs, list] of [
    [UI, "ui"],
    [PORTS, "ports"],
  ] as const) {
    const scene = await withKey();
    scene.manager.state.settings[list === "ui" ? "www_whitelist_ips" : "whitelist_ips"] = ["203.0.113.7/32"];
    const error = await failure(whitelistIp.create(inputs, scene.step()));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error.message).toContain(`stands on the \`${list}\` list already`);
    expect(error.message).toMatch(/`aliases`.*`adopt: true`/);
    expect((await whitelistIp.create({ ...inputs, adopt: true }, scene.step())).id).toBe(`${list}/203.0.113.7`);
    expect(changes(scene)).toEqual([]);
  }
});

test("allowing an address that is on the other list is refused: it cannot be on both", async () => {
  for (const [inputs, setting] of [
    [UI, "whitelist_ips"],
    [PORTS, "www_whitelist_ips"],
  ] as const) {
    const scene = await withKey();
    scene.manager.state.settings[setting] = ["203.0.113.7"];
    const error = await failure(whitelistIp.create({ ...inputs, adopt: true }, scene.step()));
    expect(error.message).toMatch(/stands on the `(ui|ports)` list/);
    expect(changes(scene)).toEqual([]);
  }
});

test("an address of the manager's command line is no entry of the `ports` list, whatever is listed", async () => {
  const scene = await withKey({ manager: { whitelistIps: ["203.0.113.7"] } });
  expect(listed(scene, "ports")).toEqual(["203.0.113.7"]);
  expect(await whitelistIp.list?.(scene.step())).toEqual([]);
  for (const inputs of [PORTS, { ...PORTS, adopt: true }]) {
    const { message } = await failure(whitelistIp.create(inputs, scene.step()));
    expect(message).toContain("203.0.113.7 stands on the Proxy Manager's command line (`--whitelist_ips`)");
  }
  expect(changes(scene)).toEqual([]);
  await whitelistIp.create(UI, scene.step());
  expect(await whitelistIp.list?.(scene.step())).toEqual(["ui/203.0.113.7"]);
});

test("allowing an address that the manager accepts, and nothing lists, fails, and is not forgotten", async () => {
  const scene = await stage();
  scene.manager.service.faults.add({ path: "/api/whitelist_ip", kind: "respond", status: 200, body: "OK" });
  const error = await failure(whitelistIp.create(UI, scene.step()));
  expect(error).toMatchObject({ id: "ui/203.0.113.7", state: { ip: "203.0.113.7", list: "ui" } });
  expect((error.cause as Error).message).toContain("did not put it there");
  if (!(error instanceof PartialFailure)) throw error;
  await whitelistIp.update(error.id, error.state, new Set(["ip"]), UI, scene.step());
  expect(listed(scene, "ui")).toEqual(["203.0.113.7"]);
});

test("allowing an address whose answer is lost is sent again where it is not on the list", async () => {
  const scene = await stage();
  scene.manager.service.faults.add({ path: "/api/whitelist_ip", kind: "reset" });
  await whitelistIp.create(UI, scene.step());
  expect(listed(scene, "ui")).toEqual(["203.0.113.7"]);
  expect(count(scene, "PUT /api/whitelist_ip")).toBe(2);
});

test("allowing an address whose answer is lost is kept where it has not come in time: it may come yet", async () => {
  const scene = await stage();
  scene.manager.service.faults.add({ path: "/api/whitelist_ip", kind: "reset", times: 2 });
  const error = await outOfTime(scene, "GET /api/settings", (step) => whitelistIp.create(UI, step), 20);
  expect(error).toMatchObject({ id: "ui/203.0.113.7", state: { ip: "203.0.113.7", list: "ui" } });
  expect(error.cause).toBeInstanceOf(UnknownOutcomeError);
  expect(count(scene, "PUT /api/whitelist_ip")).toBe(2);
});

test("allowing an address that is there, but cannot be read back, is kept", async () => {
  const scene = await stage();
  scene.manager.service.faults.add({ path: "/api/settings", kind: "respond", status: 500, after: 2 });
  const error = await failure(whitelistIp.create(UI, scene.step()));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error).toMatchObject({ id: "ui/203.0.113.7", state: { ip: "203.0.113.7", list: "ui" } });
  expect(error.cause).toBeInstanceOf(ServerError);
  expect(listed(scene, "ui")).toEqual(["203.0.113.7"]);
});

test("an entry that an update which was killed has put there is taken up by the next one, and is nobody else's", async () => {
  const scene = await stage();
  const journal = new MemoryJournal();
  await whitelistIp.create(UI, { ...scene.step(), journal });
  const another = { ip: "203.0.113.8" };
  scene.manager.state.settings.www_whitelist_ips = ["203.0.113.7", "203.0.113.8"];
  const next = { ...scene.step(), journal: new MemoryJournal(journal) };
  expect(await failure(whitelistIp.create(another, next))).toBeInstanceOf(ArgumentError);
  const said: string[] = [];
  const { id } = await whitelistIp.create(UI, { ...next, say: (words) => said.push(words) });
  expect(id).toBe("ui/203.0.113.7");
  expect(said).toEqual(["Took up 203.0.113.7 on the `ui` list, which an update that was cut short had created."]);
});

test("an entry that an update which was killed has put there is forgotten when the manager refuses it", async () => {
  const scene = await stage();
  scene.manager.service.faults.add({ path: "/api/whitelist_ip", kind: "respond", status: 403 });
  const journal = new MemoryJournal();
  await failure(whitelistIp.create(UI, { ...scene.step(), journal }));
  expect(journal.noted).toBeUndefined();
});

const BLOCK: JsonObject = { ip: "10.20.0.0/16" };

/** A manager on whose list the first address stands, and not the block: the second request has failed. */
async function halfway(journal = new MemoryJournal()): Promise<Stage & { state: JsonObject }> {
  const scene = await stage({ manager: { keepsMask: false } });
  scene.manager.state.settings.www_whitelist_ips = ["198.51.100.1"];
  scene.manager.service.faults.add({ method: "PUT", path: "/api/settings", kind: "reset" });
  const error = await failure(whitelistIp.create(BLOCK, { ...scene.step(), journal }));
  expect(error).toMatchObject({ id: "ui/10.20.0.0/16", state: { firstAddress: "10.20.0.0" } });
  expect(listed(scene, "ui")).toEqual(["198.51.100.1", "10.20.0.0"]);
  return Object.assign(scene, { state: (error as PartialFailure).state });
}

test("a block that an older manager takes for its first address gets it in its place with the next update, a refresh between them or not", async () => {
  const scene = await halfway();
  const found = await whitelistIp.read("ui/10.20.0.0/16", BLOCK, scene.step(), scene.state);
  expect(found).toEqual({ ...BLOCK, list: "ui", firstAddress: "10.20.0.0" });
  expect(whitelistIp.diff(scene.state, new Set(["ip"]), BLOCK)).toMatchObject({ changed: ["ip"], replaces: [] });
  const next = await whitelistIp.update("ui/10.20.0.0/16", scene.state, new Set(["ip"]), BLOCK, scene.step());
  expect(next).toEqual({ ...BLOCK, list: "ui" });
  expect(listed(scene, "ui")).toEqual(["198.51.100.1", "10.20.0.0/16"]);
});

test("a block that an older manager takes for its first address leaves no grant when that fails once more, or when it is destroyed", async () => {
  const scene = await halfway();
  scene.manager.service.faults.add({ method: "PUT", path: "/api/settings", kind: "respond", status: 500 });
  const update = whitelistIp.update("ui/10.20.0.0/16", scene.state, new Set(["ip"]), BLOCK, scene.step());
  expect(await failure(update)).toMatchObject({ state: { firstAddress: "10.20.0.0" } });
  await whitelistIp.delete("ui/10.20.0.0/16", scene.state, scene.step());
  expect(listed(scene, "ui")).toEqual(["198.51.100.1"]);
});

test("a block that an older manager takes for its first address leaves no grant when the process was killed between the two requests", async () => {
  const journal = new MemoryJournal();
  const scene = await halfway(journal);
  await whitelistIp.create(BLOCK, { ...scene.step(), journal: new MemoryJournal(journal) });
  expect(listed(scene, "ui")).toEqual(["198.51.100.1", "10.20.0.0/16"]);
});

test("a block that an older manager takes for its first address takes no address for its own that was there before", async () => {
  const scene = await stage({ manager: { keepsMask: false } });
  scene.manager.state.settings.www_whitelist_ips = ["10.20.0.0"];
  scene.manager.service.faults.add({ method: "PUT", path: "/api/settings", kind: "reset" });
  const error = (await failure(whitelistIp.create(BLOCK, scene.step()))) as PartialFailure;
  expect(error.state.firstAddress).toBeUndefined();
  await whitelistIp.update("ui/10.20.0.0/16", error.state, new Set(["ip"]), BLOCK, scene.step());
  expect(listed(scene, "ui")).toEqual(["10.20.0.0", "10.20.0.0/16"]);
  scene.manager.service.faults.add({ method: "PUT", path: "/api/settings", kind: "reset" });
  expect(await failure(whitelistIp.delete("ui/10.20.0.0/16", BLOCK, scene.step()))).toBeInstanceOf(ConnectionError);
  expect(listed(scene, "ui")).toEqual(["10.20.0.0", "10.20.0.0/16"]);
});

test("a block that an older manager takes for its first address leaves that on the list where another resource has it by then", async () => {
  const journal = new MemoryJournal();
  const scene = await halfway(journal);
  scene.context.claims.made({ mark: "m.other" }, ["ui-list 10.20.0.0"]);
  const step = { ...scene.step(), me: { mark: "m.me" } };
  const both = ["198.51.100.1", "10.20.0.0", "10.20.0.0/16"];
  await whitelistIp.update("ui/10.20.0.0/16", scene.state, new Set(["ip"]), BLOCK, step);
  expect(listed(scene, "ui")).toEqual(both);
  await whitelistIp.delete("ui/10.20.0.0/16", scene.state, step);
  expect(listed(scene, "ui")).toEqual(both.slice(0, 2));
  await whitelistIp.create(BLOCK, { ...step, journal: new MemoryJournal(journal) });
  expect(listed(scene, "ui")).toEqual(both);
});

/** Another program that writes the whole `ui` list as it has read it before, so many times, just after this one has written it. */
function writtenOver(scene: Stage, times: number): void {
  const { settings } = scene.context.manager;
  const { setWwwWhitelistIps } = settings;
  let left = times;
  const over: Pick<typeof settings, "setWwwWhitelistIps"> = {
    async setWwwWhitelistIps(...args) {
      const before = listed(scene, "ui");
      await setWwwWhitelistIps(...args);
      if (left-- > 0) scene.manager.state.settings.www_whitelist_ips = before;
    },
  };
  Object.assign(settings, over);
}

test("a `ui` list that another program writes over is written again", async () => {
  const scene = await stage({ manager: { keepsMask: false } });
  scene.manager.state.settings.www_whitelist_ips = ["198.51.100.1"];
  writtenOver(scene, 3);
  const { id, state } = await whitelistIp.create({ ip: "10.20.0.0/16" }, scene.step());
  expect(listed(scene, "ui")).toEqual(["198.51.100.1", "10.20.0.0/16"]);
  writtenOver(scene, 3);
  await whitelistIp.delete(id, state, scene.step());
  expect(listed(scene, "ui")).toEqual(["198.51.100.1"]);
});

test("a `ui` list that another program writes over again and again is told so", async () => {
  const scene = await stage({ manager: { keepsMask: false } });
  writtenOver(scene, Number.POSITIVE_INFINITY);
  const error = await failure(whitelistIp.create({ ip: "10.20.0.0/16" }, scene.step()));
  expect((error.cause as Error).message).toBe(
    "The Proxy Manager accepted 10.20.0.0/16 for the `ui` list but did not put it there.",
  );
  scene.manager.state.settings.www_whitelist_ips = ["10.20.0.0/16"];
  await expect(whitelistIp.delete("ui/10.20.0.0/16", {}, scene.step())).rejects.toThrow(
    "The Proxy Manager was to take 10.20.0.0/16 off the `ui` list, and it still stands there.",
  );
});

test("the key that the `ports` list wants is the one that the manager has: it is read, and no new one made", async () => {
  const scene = await withKey();
  const { id, state } = await whitelistIp.create(PORTS, scene.step());
  await whitelistIp.delete(id, state, scene.step());
  expect(keysSent(scene)).toEqual([scene.key, scene.key]);
  expect(count(scene, "GET /api/gen_token")).toBe(0);
  expect(scene.manager.state.settings.token_auth).toBe(scene.key);
  expect(JSON.stringify(state)).not.toContain(scene.key);
});

test("the key that the `ports` list wants is made when the manager has none, and once only", async () => {
  const scene = await stage();
  const step = scene.step();
  await Promise.all(
    ["203.0.113.7", "203.0.113.8", "203.0.113.9"].map((ip) => whitelistIp.create({ ip, list: "ports" }, step)),
  );
  expect(count(scene, "GET /api/gen_token")).toBe(1);
  expect(listed(scene, "ports")).toHaveLength(3);
});

test("the key that the `ports` list wants is the resource's own, or else the configured one", async () => {
  const scene = await withKey();
  await whitelistIp.create({ ...PORTS, apiKey: scene.key }, scene.step());
  const context = scene.anotherContext({ BRIGHTDATA_MANAGER_API_KEY: scene.key });
  await whitelistIp.create({ ip: "203.0.113.8", list: "ports" }, { ...scene.step(), context });
  expect(keysSent(scene)).toEqual([scene.key, scene.key]);
  expect(count(scene, "GET /api/config")).toBe(0);
});

test("the key that the `ports` list wants that is no longer good is told so, and is not shown", async () => {
  const scene = await withKey();
  const error = await failure(whitelistIp.create({ ...PORTS, apiKey: "hush-old-key" }, scene.step()));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error.message).toMatch(/key is missing or has been replaced/);
  expect(error.message).not.toContain("hush");
  expect(count(scene, "GET /api/gen_token")).toBe(0);
});

test("the key that the `ports` list wants is asked for when it may not be read", async () => {
  const scene = await withKey();
  scene.manager.service.faults.add({ path: "/api/config", kind: "respond", status: 403, body: "no" });
  const error = await failure(whitelistIp.create(PORTS, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toMatch(/cannot be changed without the manager's API key.*BRIGHTDATA_MANAGER_API_KEY/);
  expect(count(scene, "GET /api/gen_token")).toBe(0);
});

test("the key that the `ports` list wants is not made anew because it could not be read", async () => {
  const scene = await withKey();
  scene.manager.service.faults.add({ path: "/api/config", kind: "respond", status: 500 });
  expect(await failure(whitelistIp.create(PORTS, scene.step()))).toBeInstanceOf(ServerError);
  scene.manager.service.faults.add({
    path: "/api/config",
    kind: "respond",
    status: 200,
    body: '{"config":"{\\"_def"}',
  });
  expect(await failure(whitelistIp.create(PORTS, scene.step()))).toBeInstanceOf(Error);
  expect(count(scene, "GET /api/gen_token")).toBe(0);
});

test("the key that the `ports` list wants does not travel in clear to another machine", async () => {
  const scene = await withKey();
  // This machine by a name that does not say so.
  const elsewhere = scene.manager.url.replace("127.0.0.1", "0.0.0.0");
  const context = scene.anotherContext({ BRIGHTDATA_PROXY_MANAGER_URL: elsewhere });
  const step = { ...scene.step(), context };
  for (const inputs of [PORTS, { ...PORTS, apiKey: "hush-key" }, { ...UI, apiKey: "hush-key" }]) {
    const error = await failure(whitelistIp.create(inputs, step));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toMatch(/plain http/);
    expect(error.message).not.toContain("hush");
  }
  expect(changes(scene)).toEqual([]);
  expect(count(scene, "GET /api/config")).toBe(0);
  // Without a key there is nothing to hide.
  await whitelistIp.create(UI, step);
  expect(listed(scene, "ui")).toEqual(["203.0.113.7"]);
});

test("reading an entry finds it by whatever spelling the list has", async () => {
  const scene = await stage();
  scene.manager.state.settings.www_whitelist_ips = ["10.20.30.40/16"];
  expect(await whitelistIp.read("ui/10.20.0.0/16", undefined, scene.step(), {})).toEqual({
    ip: "10.20.0.0/16",
    list: "ui",
  });
  expect(await whitelistIp.read("ui/10.20.0.0/17", undefined, scene.step(), {})).toBeUndefined();
  expect(await whitelistIp.read("ports/10.20.0.0/16", undefined, scene.step(), {})).toBeUndefined();
  expect(changes(scene)).toEqual([]);
});

test("reading an entry keeps what cannot be read", async () => {
  const scene = await withKey();
  const inputs = { ...PORTS, apiKey: scene.key, adopt: true };
  await whitelistIp.create(inputs, scene.step());
  expect(await whitelistIp.read("ports/203.0.113.7", inputs, scene.step(), {})).toEqual(inputs);
});

test("reading an entry does not believe that it is gone because the manager fails, or answers no lists", async () => {
  const scene = await stage();
  for (const body of ["{}", "<!doctype html><html></html>", '{"www_whitelist_ips":null}']) {
    scene.manager.service.faults.add({ path: "/api/settings", kind: "respond", status: 200, body });
    expect(await failure(whitelistIp.read("ui/203.0.113.7", UI, scene.step(), {}))).toBeInstanceOf(ResponseFormatError);
  }
  scene.manager.service.faults.add({ path: "/api/settings", kind: "respond", status: 500 });
  expect(await failure(whitelistIp.read("ui/203.0.113.7", UI, scene.step(), {}))).toBeInstanceOf(ServerError);
});

test("reading an entry of fifty asks for the lists once, and for no key", async () => {
  const scene = await withKey();
  scene.manager.state.settings.whitelist_ips = Array.from({ length: 50 }, (_, index) => `203.0.113.${index + 1}`);
  const step = scene.step();
  const ids = Array.from({ length: 50 }, (_, index) => `ports/203.0.113.${index + 1}`);
  expect(await Promise.all(ids.map((id) => whitelistIp.read(id, undefined, step, {})))).not.toContain(undefined);
  expect(scene.manager.service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /api/settings"]);
});

test.each(["203.0.113.7", "all/203.0.113.7", "ui/", "ui/::1", ""])(
  "reading an entry by what is no id (%j) is refused",
  async (id) => {
    const scene = await stage();
    expect((await failure(whitelistIp.read(id, undefined, scene.step(), {}))).message).toContain(
      "expected the list and the address",
    );
  },
);

test("updating an entry changes nothing: only how requests are made can change", async () => {
  const scene = await stage();
  const { id, state } = await whitelistIp.create(UI, scene.step());
  forgetRequests(scene);
  const inputs = { ...UI, list: "ui", timeouts: { delete: 5 } };
  expect(await whitelistIp.update(id, state, new Set(["ip"]), inputs, scene.step())).toEqual(inputs);
  expect(changes(scene)).toEqual([]);
});

test("updating an entry puts one there that is missing after all", async () => {
  const scene = await stage();
  const { faults } = scene.manager.service;
  faults.add({ path: "/api/whitelist_ip", kind: "reset" });
  faults.add({ path: "/api/settings", kind: "respond", status: 500, after: 2, times: 1e6 });
  const error = await outOfTime(scene, "GET /api/settings", (step) => whitelistIp.create(UI, step));
  faults.clear();
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error.cause).toBeInstanceOf(UnknownOutcomeError);
  expect(listed(scene, "ui")).toEqual([]);
  const { id, state } = error as PartialFailure;
  await whitelistIp.update(id, state, new Set(["ip"]), UI, scene.step());
  expect(listed(scene, "ui")).toEqual(["203.0.113.7"]);
});

test("taking an address off that is gone already is done, and asks for no key", async () => {
  const scene = await stage();
  await whitelistIp.delete("ports/203.0.113.7", PORTS, scene.step());
  expect(changes(scene)).toEqual([]);
  expect(count(scene, "GET /api/config")).toBe(0);
});

test("taking an address off that goes in the meantime is done", async () => {
  const scene = await stage();
  scene.manager.state.settings.www_whitelist_ips = ["203.0.113.7"];
  const body = JSON.stringify({ www_whitelist_ips: ["203.0.113.7"], whitelist_ips: [], fixed_whitelist_ips: [] });
  scene.manager.service.faults.add({ path: "/api/settings", kind: "respond", status: 200, body });
  delete scene.manager.state.settings.www_whitelist_ips;
  await whitelistIp.delete("ui/203.0.113.7", UI, scene.step());
  expect(changes(scene)).toEqual(["DELETE /api/whitelist_ip"]);
});

test("taking an address off takes off that one, even where the manager takes a block for its first address", async () => {
  const scene = await stage({ manager: { keepsMask: false } });
  scene.manager.state.settings.www_whitelist_ips = ["10.20.0.0", "10.20.0.0/16", "198.51.100.1"];
  await whitelistIp.delete("ui/10.20.0.0/16", {}, scene.step());
  expect(listed(scene, "ui")).toEqual(["10.20.0.0", "198.51.100.1"]);
});

test("taking an address off is done where the manager then refuses it, from which that was asked", async () => {
  const scene = await stage();
  const refusing = (address: string, after: number) => {
    const body = `Connection from your IP is forbidden. If you want to access this site ask the administrator to add ${address} to the whitelist. for more info visit https://help.example`;
    scene.manager.service.faults.clear();
    scene.manager.service.faults.add({
      ...{ path: "/api/settings", after, times: Number.POSITIVE_INFINITY },
      ...{ kind: "respond", status: 403, body },
    });
  };
  const said: string[] = [];
  const step = { ...scene.step(), say: (words: string) => said.push(words) };
  scene.manager.state.settings.www_whitelist_ips = ["203.0.113.7"];
  refusing("203.0.113.7", 1);
  await whitelistIp.delete("ui/203.0.113.7", UI, step);
  expect(changes(scene)).toEqual(["DELETE /api/whitelist_ip"]);
  const words =
    "203.0.113.7 is off the `ui` list: from now on, the Proxy Manager refuses 203.0.113.7, where this runs.";
  expect(said).toEqual([words]);
  // A deletion that was cut short finds the same.
  refusing("203.0.113.7", 0);
  await whitelistIp.delete("ui/203.0.112.0/20", {}, step);
  expect(said).toEqual([words, words.replace("203.0.113.7", "203.0.112.0/20")]);
  for (const [id, state] of [
    ["ui/198.51.100.1", {}],
    ["ports/203.0.113.7", PORTS],
  ] as const)
    await expect(whitelistIp.delete(id, state, step)).rejects.toThrow("answered 403");
  // What may stand there in place of a block nobody can look for any more.
  said.length = 0;
  await whitelistIp.delete("ui/203.0.112.0/20", { firstAddress: "203.0.112.0" }, step);
  expect(said).toEqual([`${words.replace("203.0.113.7", "203.0.112.0/20")} 203.0.112.0 may stand there in its place.`]);
});

test("taking a block off takes off first what an older manager has put there in its place", async () => {
  const scene = await halfway();
  scene.manager.state.settings.www_whitelist_ips = ["10.20.0.0", "10.20.0.0/16", "198.51.100.1"];
  const { settings } = scene.context.manager;
  const lists: string[][] = [];
  const get = settings.get.bind(settings);
  const observed: Pick<typeof settings, "get"> = {
    get(...given) {
      lists.push(listed(scene, "ui"));
      return get(...given);
    },
  };
  Object.assign(settings, observed);
  await whitelistIp.delete("ui/10.20.0.0/16", scene.state, scene.step());
  expect(listed(scene, "ui")).toEqual(["198.51.100.1"]);
  expect(lists).not.toContainEqual(["10.20.0.0", "198.51.100.1"]);
});

test("taking an address off whose answer is lost looks whether it was done, and that is only pretended is told", async () => {
  const scene = await withKey();
  const { faults } = scene.manager.service;
  await whitelistIp.create(PORTS, scene.step());
  faults.add({ method: "DELETE", path: "/api/wip", kind: "respond", status: 200, body: "OK" });
  const error = await failure(whitelistIp.delete("ports/203.0.113.7", PORTS, scene.step()));
  expect(error.message).toContain("it still stands there");
  faults.add({ method: "DELETE", path: "/api/wip", kind: "reset" });
  expect(await failure(whitelistIp.delete("ports/203.0.113.7", PORTS, scene.step()))).toBeInstanceOf(ConnectionError);
  faults.add({ method: "DELETE", path: "/api/wip", kind: "reset-after" });
  await whitelistIp.delete("ports/203.0.113.7", PORTS, scene.step());
  expect(listed(scene, "ports")).toEqual([]);
});

test("taking an address off takes the configured key where that of the state has been replaced, or else the manager's current one", async () => {
  const scene = await withKey();
  const configured = scene.anotherContext({ BRIGHTDATA_MANAGER_API_KEY: scene.key });
  const stale = scene.anotherContext({ BRIGHTDATA_MANAGER_API_KEY: "hush-older" });
  for (const [context, readings, removals] of [
    [configured, 0, 2],
    [stale, 1, 3],
    [scene.context, 1, 2],
  ] as const) {
    await whitelistIp.create(PORTS, scene.step());
    forgetRequests(scene);
    await whitelistIp.delete("ports/203.0.113.7", { ...PORTS, apiKey: "hush-old" }, { ...scene.step(), context });
    expect(listed(scene, "ports")).toEqual([]);
    expect(count(scene, "GET /api/config")).toBe(readings);
    expect(changes(scene)).toEqual(Array(removals).fill("DELETE /api/wip"));
  }
});

test("taking an address off uses the key that an update has brought", async () => {
  const scene = await withKey();
  const { id, state } = await whitelistIp.create({ ...PORTS, apiKey: scene.key }, scene.step());
  const old = { ...state, apiKey: "hush-old" };
  const updated = await whitelistIp.update(id, old, new Set(["apiKey"]), { ...PORTS, apiKey: scene.key }, scene.step());
  forgetRequests(scene);
  await whitelistIp.delete(id, updated, scene.step());
  expect(changes(scene)).toEqual(["DELETE /api/wip"]);
});

test("taking an address off that the manager refuses with every key fails, and generates none", async () => {
  const scene = await withKey();
  await whitelistIp.create(PORTS, scene.step());
  forgetRequests(scene);
  scene.manager.service.faults.add({ path: "/api/config", kind: "respond", status: 403, body: "no" });
  const error = await failure(whitelistIp.delete("ports/203.0.113.7", { ...PORTS, apiKey: "hush-old" }, scene.step()));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error.message).not.toContain("hush");
  expect(error.message).toContain("The API key is missing or has been replaced.");
  expect(changes(scene)).toEqual(["DELETE /api/wip"]);
  expect(listed(scene, "ports")).toEqual(["203.0.113.7"]);
});

test("all entries are listed, and each is described by what declares it", async () => {
  const scene = await stage();
  scene.manager.state.settings.www_whitelist_ips = ["203.0.113.7", "127.0.0.1", "office.example.com"];
  scene.manager.state.settings.whitelist_ips = ["10.20.30.40/16", "0.0.0.0/0"];
  expect(await described(whitelistIp, scene.step())).toEqual({
    "ui/203.0.113.7": { ip: "203.0.113.7" },
    "ports/10.20.0.0/16": { ip: "10.20.0.0/16", list: "ports" },
    "ports/0.0.0.0/0": { ip: "0.0.0.0/0", list: "ports", allowAny: true },
  });
  expect(whitelistIp.describe({ ...PORTS, apiKey: "hush", adopt: true, timeouts: { create: 5 } })).toEqual(PORTS);
});

const ENTRY = { ip: "203.0.113.7", list: "ui" as const };
const OTHERS = ["198.51.100.1", "198.51.100.3"];

/** The next answers have the first address of the `ui` list alone. */
const shorten = (scene: Stage, times: number) =>
  scene.manager.service.faults.add({ method: "GET", path: "/api/settings", kind: "shorten", items: 1, times });

/** A manager that has two addresses on its list, and then that of a resource. */
async function third(): Promise<Stage> {
  const scene = await stage();
  scene.manager.state.settings.www_whitelist_ips = [...OTHERS];
  expect((await whitelistIp.create(UI, scene.step())).state).toEqual(ENTRY);
  scene.context.managerSettings.forget();
  return scene;
}

test.each([1, 12])("lists that are short do not make a refresh forget an address (%i times)", async (times) => {
  const scene = await third();
  shorten(scene, times);
  expect(await whitelistIp.read("ui/203.0.113.7", UI, scene.step(), ENTRY)).toEqual(ENTRY);
  scene.manager.service.faults.clear();
  scene.context.managerSettings.forget();
  await fetch(`${scene.manager.url}/api/whitelist_ip`, {
    method: "DELETE",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(UI),
  });
  expect(await whitelistIp.read("ui/203.0.113.7", UI, scene.step(), ENTRY)).toBeUndefined();
});

test.each([1, 12])("lists that are short keep no address from being taken off (%i times)", async (times) => {
  const scene = await third();
  shorten(scene, times);
  await whitelistIp.delete("ui/203.0.113.7", ENTRY, scene.step());
  expect(listed(scene, "ui")).toEqual(OTHERS);
});

test("lists that are short hand no address over that is there", async () => {
  const scene = await third();
  shorten(scene, 1);
  expect((await failure(whitelistIp.create(UI, scene.step()))).message).toContain("stands on the `ui` list already");
});

test("lists that are short keep what was accepted in the state", async () => {
  const scene = await stage();
  scene.manager.state.settings.www_whitelist_ips = [...OTHERS];
  shorten(scene, 12);
  const error = await failure(whitelistIp.create(UI, scene.step()));
  expect(error).toMatchObject({ id: "ui/203.0.113.7", state: ENTRY });
  expect(listed(scene, "ui")).toEqual([...OTHERS, UI.ip]);
  scene.manager.service.faults.clear();
  const { id, state } = error as PartialFailure;
  expect(await whitelistIp.update(id, state, new Set(["ip"]), UI, scene.step())).toEqual(ENTRY);
});

test("lists that are short take nobody's address off where a list is written whole", async () => {
  const scene = await stage({ manager: { keepsMask: false } });
  scene.manager.state.settings.www_whitelist_ips = [...OTHERS];
  shorten(scene, 1);
  await whitelistIp.create({ ip: "10.20.0.0/16" }, scene.step());
  shorten(scene, 1);
  await whitelistIp.delete("ui/10.20.0.0/16", { ip: "10.20.0.0/16", list: "ui" }, scene.step());
  expect(listed(scene, "ui")).toEqual(OTHERS);
});

test.each([
  ["ui", UI, "whitelistIps"],
  ["ports", PORTS, "wwwWhitelistIps"],
] as const)("an entry of the `%s` list is gone that stands on the other one", async (list, inputs, other) => {
  const scene = await stage();
  await scene.context.manager.settings.update({ [other]: ["203.0.113.7"] });
  expect(await whitelistIp.read(`${list}/203.0.113.7`, inputs, scene.step(), inputs)).toBeUndefined();
});

test.each([true, false])(
  "an entry is gone of a manager without declared ports, which says that it has a drop-in port (it has: %s)",
  async (dropin) => {
    const scene = await stage({ manager: { dropin } });
    expect(scene.manager.state.settings.dropin).toBe(true);
    const read = () => whitelistIp.read("ui/203.0.113.7", UI, scene.step(), ENTRY);
    expect(await read()).toBeUndefined();
    scene.manager.service.faults.add({ method: "GET", path: "/api/proxies", kind: "shorten" });
    scene.context.managerSettings.forget();
    expect(await read()).toBeUndefined();
  },
);

test("no list of ports that is empty once hides that every port has an address", async () => {
  const scene = await stage();
  await scene.context.manager.settings.update({ wwwWhitelistIps: ["203.0.113.7"] });
  scene.manager.service.faults.add({ method: "GET", path: "/api/settings", kind: "shorten", times: 2 });
  scene.manager.service.faults.add({ method: "GET", path: "/api/proxies", kind: "shorten" });
  expect(await whitelistIp.read("ui/203.0.113.7", UI, scene.step(), ENTRY)).toMatchObject(ENTRY);
});
