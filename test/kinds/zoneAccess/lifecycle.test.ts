import { describe, expect, test, vi } from "vitest";
import type { Fault } from "../../../simulator";
import { ResponseFormatError, ServerError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { zoneLifecycle } from "../../../src/kinds/zone/lifecycle";
import { zoneAccessLifecycle as zoneAccess } from "../../../src/kinds/zoneAccess/lifecycle";
import { holding } from "../../../src/kinds/zoneAccess/lists";
import { type Fate, PartialFailure, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import {
  changes,
  declaredIn,
  described,
  drift,
  failure,
  forgetRequests,
  outOfTime,
  type Stage,
} from "../../lifecycle/harness";
import { ALL, bodies, created, HOME, INPUTS, OFFICE, update, zones } from "./setup";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

const failures = (inputs: JsonObject): string[] => zoneAccess.check(inputs, undefined).failures;

describe("the inputs", () => {
  test.each<[string, JsonObject]>([
    ["all lists", ALL],
    ["everybody", { zone: "web", allowedIps: ["any"] }],
    ["empty lists", { zone: "web", deniedIps: [], allowedDomains: [], deniedDomains: [] }],
    ["every spelling", { zone: "web", allowedIps: ["10.0.0.0/255.0.0.0", "2001:db8::/32", "10.0.0.1-10.0.0.9"] }],
    ["what is not known yet", { zone: UNKNOWN, allowedIps: [OFFICE, UNKNOWN], deniedDomains: UNKNOWN }],
    ["an old zone", { ...INPUTS, zone: "Web-Old.2" }],
    ["the rest", { ...INPUTS, adopt: true, timeouts: { create: 5 } }],
  ])("may be %s", (_, inputs) => {
    expect(failures(inputs)).toEqual([]);
  });

  test.each<[JsonObject, RegExp]>([
    [{ zone: "web" }, /^No list is declared: give at least one of `allowedIps`, `deniedIps`/],
    [{ allowedIps: [OFFICE] }, /^`zone` is missing/],
    [{ zone: "*", allowedIps: [OFFICE] }, /^`zone` is "\*": expected the name of one zone/],
    [{ zone: " ", allowedIps: [OFFICE] }, /^`zone` is " "/],
    [{ zone: "web,other", allowedIps: [OFFICE] }, /^`zone` is "web,other": expected the name of one zone/],
    [
      { zone: "web", allowedIps: [] },
      /^`allowedIps` is \[\]: expected at least one entry: an empty list lets everybody/,
    ],
    [{ zone: "web", allowedIps: ["any", OFFICE] }, /^`allowedIps` has "any" and other entries/],
    [
      { zone: "web", allowedIps: ["0.0.0.0/0"] },
      /^`allowedIps\[0\]` is "0\.0\.0\.0\/0": expected some addresses, not all/,
    ],
    [{ zone: "web", allowedIps: ["::ffff:0:0/96"] }, /expected some addresses, not all/],
    [{ zone: "web", allowedIps: ["office"] }, /^`allowedIps\[0\]` is "office": expected an address.*, or "any"\.$/],
    [{ zone: "web", allowedIps: [" 203.0.113.7"] }, /^`allowedIps\[0\]` is " 203\.0\.113\.7": expected an address/],
    [{ zone: "web", deniedIps: ["203.0.113.1 - 203.0.113.9"] }, /^`deniedIps\[0\]` is .*: expected an address/],
    [{ zone: "web", deniedIps: ["any"] }, /^`deniedIps\[0\]` is "any": expected an address/],
    [
      { zone: "web", allowedDomains: ["https://example.com/"] },
      /^`allowedDomains\[0\]` .*without scheme, path or blanks/,
    ],
    [{ zone: "web", deniedDomains: ["a.com b.com"] }, /^`deniedDomains\[0\]`/],
    [{ ...INPUTS, allowedips: [] }, /Did you mean `allowedIps`\?/],
  ])("%j are refused", (inputs, words) => {
    expect(failures(inputs)).toEqual([expect.stringMatching(words)]);
  });
});

test("an update that opens the zone to everybody is announced", () => {
  const announced = (before: unknown, allowedIps?: unknown) =>
    zoneAccess.announceUpdate({ zone: "web", allowedIps: before }, new Set(), { zone: "web", allowedIps });
  const words = "zone web loses its allowed client addresses: everybody who knows a password may use it";
  expect(announced([OFFICE])).toBe(`${words}, unless another resource declares the list.`);
  expect(announced([OFFICE], ["any"])).toBe(`${words}.`);
  for (const wanted of [[HOME], UNKNOWN, [UNKNOWN]]) expect(announced([OFFICE], wanted)).toBeUndefined();
  for (const open of [undefined, ["any"], []]) expect(announced(open)).toBeUndefined();
});

test("a replacement that opens the former zone to everybody is announced", () => {
  const announced = (zone: unknown, allowedIps: unknown = [OFFICE], fate: Fate = "deleted", account?: string) =>
    zoneAccess.announceReplacement({ zone: "web", allowedIps }, { zone, allowedIps: [OFFICE], account }, fate);
  const words =
    "zone web loses its allowed client addresses: everybody who knows a password may use it, unless the zone is deleted, too, or another resource declares the list.";
  expect(announced("shop")).toBe(words);
  expect(announced(UNKNOWN)).toBe(`if \`zone\` changes, which is not known yet: ${words}`);
  for (const open of [undefined, ["any"], []]) expect(announced("shop", open ?? null)).toBeUndefined();
  expect(announced("web")).toBeUndefined();
  expect(announced("web", [OFFICE], "deleted", "of another")).toBe(words);
  for (const fate of ["another's", "gone"] as const) expect(announced("shop", [OFFICE], fate)).toBeUndefined();
});

const diff = (before: JsonObject, after: JsonObject) => zoneAccess.diff(before, declaredIn(before), after);

test("a change is none where the lists mean the same", () => {
  const other = {
    zone: "web",
    allowedIps: ["203.0.113.7/32", OFFICE],
    deniedIps: ["203.0.113.20 - 203.0.113.29"],
    allowedDomains: ["Example.ORG", "example.com"],
    deniedDomains: ["EXAMPLE.net"],
  };
  expect(diff(ALL, other)).toEqual({ changed: [], replaces: [], deleteBeforeReplace: false });
});

test("a change is open after an update whose outcome is not known, and only then", () => {
  const changed = (unsettled: string[]) => zoneAccess.diff({ ...ALL, unsettled }, declaredIn(ALL), ALL).changed;
  expect(changed([])).toEqual([]);
  expect(changed(["allowedDomains"])).toEqual(["unsettled"]);
});

test("a change of a list is made in place, of the zone by another resource", () => {
  expect(diff(ALL, { ...ALL, allowedIps: [HOME], deniedDomains: [] })).toEqual({
    changed: ["allowedIps", "deniedDomains"],
    replaces: [],
    deleteBeforeReplace: false,
  });
  expect(diff(ALL, { ...ALL, zone: "other" })).toMatchObject({ changed: ["zone"], replaces: ["zone"] });
  expect(diff(ALL, { ...ALL, zone: UNKNOWN, allowedIps: UNKNOWN })).toMatchObject({ replaces: ["zone"] });
  expect(diff(INPUTS, { ...INPUTS, deniedIps: [] })).toMatchObject({ changed: ["deniedIps"], replaces: [] });
});

test("updating sends the differences only, and what comes before what goes", async () => {
  const scene = await zones();
  const state = await created(scene, ALL);
  const inputs = { ...ALL, allowedIps: [HOME], allowedDomains: ["example.org", "example.edu"] };
  expect(await update(scene, state, ALL, inputs)).toEqual(inputs);
  expect(scene.web).toMatchObject({ ips: [HOME], domains: { whitelist: ["example.org", "example.edu"] } });
  expect(bodies(scene, "/zone/whitelist")).toEqual([
    ["POST", { zone: "web", ip: [HOME] }],
    ["DELETE", { zone: "web", ip: OFFICE }],
  ]);
  expect(bodies(scene, "/zone/domain_perm")).toEqual([
    ["POST", { zone: "web", type: "whitelist", domain: "example.edu" }],
    ["DELETE", { zone: "web", type: "whitelist", domain: "example.com" }],
  ]);
  expect(bodies(scene, "/zone/blacklist")).toEqual([]);
});

test("updating opens the zone, and closes it", async () => {
  const scene = await zones();
  const state = await created(scene);
  const open = { zone: "web", allowedIps: ["any"] };
  expect(await update(scene, state, INPUTS, open)).toEqual(open);
  expect(scene.web.ips).toEqual(["any"]);
  expect(await update(scene, open, open, INPUTS)).toEqual(INPUTS);
  expect(scene.web.ips).toEqual([OFFICE, HOME]);
});

test("updating takes back what was put on a list that is no longer declared, and nothing else", async () => {
  const scene = await zones();
  const state = await created(scene, ALL);
  scene.web.deniedIps.push("192.0.2.1");
  scene.web.domains.blacklist.push("example.edu");
  const inputs = { zone: "web", allowedIps: [OFFICE] };
  expect(await update(scene, state, ALL, inputs)).toEqual(inputs);
  expect(scene.web).toMatchObject({
    ips: [OFFICE],
    deniedIps: ["192.0.2.1"],
    domains: { whitelist: [], blacklist: ["example.edu"] },
  });
});

test("an update that breaks off remembers the entries of before and of now", async () => {
  const scene = await zones();
  const state = await created(scene);
  scene.remote.service.faults.add({ method: "DELETE", path: "/zone/whitelist", kind: "respond", status: 500 });
  const inputs = { zone: "web", allowedIps: ["192.0.2.1"] };
  const error = await failure(update(scene, state, INPUTS, inputs));
  expect(error).toMatchObject({ state: { zone: "web", allowedIps: [OFFICE, HOME, "192.0.2.1"] } });
  await zoneAccess.delete("web", (error as PartialFailure).state, scene.step());
  expect(scene.web.ips).toEqual(["any"]);
});

test("an update of a removal of domains that breaks off removes them again", async () => {
  const scene = await zones();
  const state = await created(scene, ALL);
  scene.remote.service.faults.add({ method: "DELETE", path: "/zone/domain_perm", kind: "reset" });
  const inputs = { ...ALL, allowedDomains: ["example.org"] };
  const error = await failure(update(scene, state, ALL, inputs));
  expect(error).toMatchObject({ state: { allowedDomains: ["example.com", "example.org"] } });
  expect(await update(scene, (error as PartialFailure).state, inputs, inputs)).toEqual(inputs);
  expect(scene.web.domains.whitelist).toEqual(["example.org"]);
});

test("an update that breaks off remembers the lists that it is through with as they are by then", async () => {
  const scene = await zones();
  const state = await created(scene, ALL);
  const { faults } = scene.remote.service;
  faults.add({ method: "DELETE", path: "/zone/domain_perm", kind: "respond", status: 403 });
  const inputs = { zone: "web", allowedIps: [HOME], allowedDomains: ["example.org"] };
  const error = (await failure(update(scene, state, ALL, inputs))) as PartialFailure;
  expect(error.state).toEqual({
    zone: "web",
    allowedIps: [HOME],
    allowedDomains: ["example.com", "example.org"],
    deniedDomains: ["example.net"],
  });
  expect(await update(scene, error.state, ALL, inputs)).toEqual(inputs);
  expect(scene.web).toMatchObject({
    ips: [HOME],
    deniedIps: [],
    domains: { whitelist: ["example.org"], blacklist: [] },
  });
});

describe("an update of one list, and of domains for another,", () => {
  const before = { zone: "web", allowedIps: [OFFICE], allowedDomains: ["example.com"] };
  const wanted = { zone: "web", allowedIps: [HOME], allowedDomains: ["example.com", "bad_domain"] };
  const former = { zone: "web", allowedIps: [OFFICE, HOME], allowedDomains: ["example.com"] };

  /** What is kept of an update whose request with the domains meets these faults, one try after another. */
  async function keptOf(scene: Stage, state: JsonObject, ...answers: Partial<Fault>[]): Promise<JsonObject> {
    for (const answer of answers) {
      scene.remote.service.faults.add({ method: "POST", path: "/zone/domain_perm", kind: "respond", ...answer });
    }
    const error = await failure(update(scene, state, before, wanted));
    expect(error).toBeInstanceOf(PartialFailure);
    return (error as PartialFailure).state;
  }

  test("keeps what was on the list of refused domains before", async () => {
    const scene = await zones();
    const state = await created(scene, before);
    expect(await keptOf(scene, state, { status: 400 })).toEqual(former);
  });

  test("keeps nothing of a list that was none before, where the domains are refused", async () => {
    const scene = await zones();
    const { allowedDomains, ...state } = await created(scene, before);
    const { allowedDomains: _, ...rest } = former;
    expect(await keptOf(scene, state, { status: 400 })).toEqual(rest);
  });

  test("leaves open what was open before, where the domains are refused", async () => {
    const scene = await zones();
    const state = { ...(await created(scene, before)), unsettled: ["allowedDomains"] };
    expect(await keptOf(scene, state, { status: 400 })).toEqual({ ...former, unsettled: ["allowedDomains"] });
  });

  test.each<[string, Partial<Fault>[]]>([
    ["500", [{ status: 500 }, { status: 500 }]],
    ["no answer", [{ kind: "reset" }, { kind: "reset" }]],
    ["no answer, and then a refusal", [{ kind: "reset-after" }, { status: 400 }]],
  ])("keeps both where it is not known what became of the domains (%s)", async (_, answers) => {
    const scene = await zones({ BRIGHTDATA_RETRIES: "1" });
    const state = await created(scene, before);
    const { allowedDomains } = wanted;
    const kept = { ...former, allowedDomains, unsettled: ["allowedDomains"] };
    expect(await keptOf(scene, state, ...answers)).toEqual(kept);
  });
});

test("updating keeps nothing of a list that refuses its first addresses", async () => {
  const scene = await zones();
  const before = { zone: "web", deniedIps: [OFFICE, HOME] };
  const state = await created(scene, before);
  scene.remote.service.faults.add({ method: "POST", path: "/zone/whitelist", kind: "respond", status: 400 });
  const error = await failure(
    update(scene, state, before, { zone: "web", deniedIps: [HOME, "192.0.2.1"], allowedIps: ["192.0.2.9"] }),
  );
  expect((error as PartialFailure).state).toEqual({ zone: "web", deniedIps: [OFFICE, HOME, "192.0.2.1"] });
});

test("what it has are the lists that it declares, each apart, and what stands there", () => {
  expect(zoneAccess.holdings(undefined, INPUTS).has).toEqual(["allowedIps of zone web"]);
  expect(zoneAccess.holdings(undefined, { ...INPUTS, zone: UNKNOWN }).has).toEqual([]);
  expect(zoneAccess.holdings("web", ALL).has).toEqual([
    "allowedIps of zone web",
    holding("web", "allowedIps", OFFICE),
    "deniedIps of zone web",
    holding("web", "deniedIps", "203.0.113.20-203.0.113.29"),
    "example.com in allowedDomains of zone web",
    "example.org in allowedDomains of zone web",
    "example.net in deniedDomains of zone web",
  ]);
  const { deniedIps, ...rest } = ALL;
  const others = new Set(["deniedIps of zone web", holding("web", "deniedIps", "203.0.113.20-203.0.113.29")]);
  expect(zoneAccess.without(ALL, new Set([...others, "allowedIps of zone other"]))).toEqual(rest);
  // What another has of a list is kept, and the rest of it is this one's to take away.
  expect(zoneAccess.without(ALL, new Set(["deniedIps of zone web"]))).toEqual(ALL);
});

test("what another resource of the program does not have of its list is taken off it, unless the zone would be open to all", async () => {
  const scene = await zones();
  const { web } = scene;
  const state = await created(scene);
  const me = { mark: "m.me" };
  scene.context.claims.made({ mark: "m.other" }, ["allowedIps of zone web", holding("web", "allowedIps", OFFICE)]);
  const say = vi.fn();
  const step = { ...scene.step(), me, say };
  await zoneAccess.delete("web", { ...state, allowedIps: [HOME] }, step);
  expect(web.ips).toEqual([OFFICE]);
  expect(say).not.toHaveBeenCalled();
  await zoneAccess.delete("web", { ...state, allowedIps: [OFFICE] }, step);
  expect(web.ips).toEqual([OFFICE]);
  expect(say.mock.calls).toEqual([
    [`${OFFICE} is kept among the allowed client addresses of zone "web": nothing else limits who may use it.`],
  ]);
});

test("what it has goes with its zone", () => {
  expect(zoneAccess.holdings("web", INPUTS).standsOn).toEqual(["zone web"]);
  expect(zoneAccess.holdings(undefined, INPUTS).standsOn).toEqual(["zone web"]);
});

test("what a resource has on lists that nobody can read are the entries that it has put there", () => {
  expect(zoneAccess.holdings("web", { allowedDomains: ["Example.com", UNKNOWN], deniedDomains: UNKNOWN }).has).toEqual([
    "example.com in allowedDomains of zone web",
  ]);
  const state = { zone: "web", allowedDomains: ["example.com", "example.org"] };
  expect(zoneAccess.without(state, new Set(["example.com in allowedDomains of zone web"]))).toEqual({
    zone: "web",
    allowedDomains: ["example.org"],
  });
});

test("the zones are listed that not everybody may use, and each is described by what declares it", async () => {
  const scene = await zones();
  scene.web.ips = [OFFICE];
  scene.other.deniedIps = ["192.0.2.1"];
  scene.account.addZone("open", { type: "static" });
  expect(await described(zoneAccess, scene.step())).toEqual({
    web: { zone: "web", allowedIps: [OFFICE] },
    other: { zone: "other", allowedIps: ["any"], deniedIps: ["192.0.2.1"] },
  });
});

test("reading changes nothing, and keeps the program's spelling", async () => {
  const scene = await zones();
  const state = await created(scene, ALL);
  scene.web.ips = ["203.0.113.7/32"];
  expect(await zoneAccess.read("web", ALL, scene.step(), state)).toEqual(state);
  expect(changes(scene)).toEqual([]);
});

test("reading finds entries that somebody has added or removed, on the declared lists", async () => {
  const scene = await zones();
  const inputs = { ...INPUTS, deniedIps: [] };
  const state = await created(scene, inputs);
  scene.web.ips.push("192.0.2.1");
  expect(await drift(zoneAccess, "web", state, inputs, scene.step())).toEqual(["allowedIps"]);
  scene.web.ips = [OFFICE];
  scene.web.deniedIps = ["192.0.2.1"];
  scene.context.account.forget();
  expect(await drift(zoneAccess, "web", state, inputs, scene.step())).toEqual(["allowedIps", "deniedIps"]);
  expect(await drift(zoneAccess, "web", state, INPUTS, scene.step())).toEqual(["allowedIps"]);
  expect(changes(scene)).toEqual([]);
  await update(scene, state, inputs, inputs);
  expect(scene.web).toMatchObject({ ips: [OFFICE, HOME], deniedIps: [] });
});

test("readings at one time ask for the lists of all zones once, and again for one that lacks something", async () => {
  const scene = await zones();
  scene.web.ips = [OFFICE, HOME];
  scene.other.ips = [OFFICE];
  const read = (zone: string, allowedIps: string[]) => {
    const inputs = { zone, allowedIps, deniedIps: [] };
    return zoneAccess.read(zone, inputs, scene.step(), inputs);
  };
  const asked = () =>
    scene.remote.service.requests
      .filter(({ path }) => /list$/.test(path))
      .map(({ path, query }) => `${path} ${query.zones}`);
  forgetRequests(scene);
  await Promise.all([read("web", [OFFICE, HOME]), read("other", [OFFICE])]);
  expect(asked()).toEqual(["/zone/whitelist *", "/zone/blacklist *"]);
  forgetRequests(scene);
  expect(await read("other", [OFFICE, HOME])).toMatchObject({ allowedIps: [OFFICE] });
  expect(asked()).toEqual(["/zone/whitelist other"]);
});

test("a reading after a change asks anew", async () => {
  const scene = await zones();
  const inputs = { zone: "web", allowedIps: [OFFICE, HOME], deniedIps: ["192.0.2.1"] };
  const read = (zone: string) => zoneAccess.read(zone, undefined, scene.step(), {});
  expect(await read("web")).toEqual({ zone: "web", allowedIps: ["any"] });
  const state = await created(scene, inputs);
  expect(await read("web")).toMatchObject(inputs);
  await update(scene, state, inputs, { ...inputs, allowedIps: [OFFICE], deniedIps: [] });
  expect(await read("web")).toEqual({ zone: "web", allowedIps: [OFFICE] });
});

test("a reading after a zone was deleted, and made anew, asks anew", async () => {
  const scene = await zones();
  const read = () => zoneAccess.read("web", undefined, scene.step(), {});
  scene.web.ips = [OFFICE];
  scene.web.deniedIps = ["192.0.2.1"];
  expect(await read()).toEqual({ zone: "web", allowedIps: [OFFICE], deniedIps: ["192.0.2.1"] });
  await zoneLifecycle.delete("web", { name: "web" }, scene.step());
  scene.account.addZone("web", { type: "static" });
  expect(await read()).toEqual({ zone: "web", allowedIps: ["any"] });
});

test("reading never looks at a list that is not declared, whatever an import file says besides", async () => {
  const scene = await zones();
  scene.web.ips = [OFFICE, HOME];
  scene.web.deniedIps = ["192.0.2.1"];
  expect(await zoneAccess.read("web", INPUTS, scene.step(), INPUTS)).toEqual(INPUTS);
  await update(scene, INPUTS, INPUTS, INPUTS);
  await zoneAccess.delete("web", INPUTS, scene.step());
  expect(scene.web.deniedIps).toEqual(["192.0.2.1"]);
});

test("a reading keeps what a failed update has put on a list that the recorded inputs do not declare, until it is taken off", async () => {
  const scene = await zones();
  const state = await created(scene);
  scene.web.deniedIps = ["192.0.2.1"];
  const read = (await zoneAccess.read("web", INPUTS, scene.step(), {
    ...state,
    deniedIps: ["192.0.2.1"],
  })) as JsonObject;
  expect(read).toEqual({ ...INPUTS, deniedIps: ["192.0.2.1"], unsettled: ["deniedIps"] });
  expect(await zoneAccess.read("web", INPUTS, scene.step(), read)).toEqual(read);
  expect(zoneAccess.diff(read, declaredIn(INPUTS), INPUTS).changed).toEqual(["unsettled"]);
  expect(await update(scene, read, INPUTS, INPUTS)).toEqual(INPUTS);
  expect(scene.web.deniedIps).toEqual([]);
});

test("reading does not take an answer without the zone for an empty list", async () => {
  const scene = await zones();
  const state = await created(scene, { ...INPUTS, deniedIps: ["192.0.2.1"] });
  const { faults } = scene.remote.service;
  const nothing = { kind: "respond", status: 200, body: "{}", times: Number.POSITIVE_INFINITY } as const;
  for (const path of ["/zone/whitelist", "/zone/blacklist", "/zone"]) faults.add({ method: "GET", path, ...nothing });
  expect(await failure(zoneAccess.delete("web", state, scene.step()))).toBeInstanceOf(ResponseFormatError);
  faults.clear();
  faults.add({ method: "GET", path: "/zone/whitelist", ...nothing, times: 1 });
  expect(await zoneAccess.read("web", INPUTS, scene.step(), INPUTS)).toEqual(INPUTS);
});

test("a reading by the zone's name alone tells the lists that can be read", async () => {
  const scene = await zones();
  await created(scene, ALL);
  const { allowedIps, deniedIps } = ALL;
  expect(await zoneAccess.read("web", undefined, scene.step(), {})).toEqual({ zone: "web", allowedIps, deniedIps });
});

test("reading finds it gone with the zone, and only then", async () => {
  const scene = await zones();
  await created(scene);
  const { faults } = scene.remote.service;
  faults.add({ path: "/zone/get_all_zones", kind: "respond", status: 403 });
  expect(await zoneAccess.read("web", INPUTS, scene.step(), INPUTS)).toEqual(INPUTS);
  scene.account.removeZone("web");
  scene.context.zones.forget();
  expect(await zoneAccess.read("web", INPUTS, scene.step(), INPUTS)).toBeUndefined();
});

test("deleting takes off the lists what is declared, and nothing else: with no address left, the zone is open", async () => {
  const scene = await zones();
  const state = await created(scene, ALL);
  scene.web.deniedIps.push("192.0.2.1");
  const say = vi.fn();
  await zoneAccess.delete("web", state, { ...scene.step(), say });
  expect(say.mock.calls).toEqual([
    [expect.stringMatching(/^Zone web has no allowed .* everybody who knows a password/)],
  ]);
  expect(scene.web).toMatchObject({
    ips: ["any"],
    deniedIps: ["192.0.2.1"],
    domains: { whitelist: [], blacklist: [] },
  });
  expect(scene.other.ips).toEqual(["any"]);
});

test("deleting says nothing of an open zone where addresses are left", async () => {
  const scene = await zones();
  const state = await created(scene);
  scene.web.ips.push("192.0.2.1");
  const say = vi.fn();
  await zoneAccess.delete("web", state, { ...scene.step(), say });
  expect(scene.web.ips).toEqual(["192.0.2.1"]);
  expect(say).not.toHaveBeenCalled();
});

test("deleting says nothing of an open zone where it was another list", async () => {
  const scene = await zones();
  const state = await created(scene, { zone: "web", deniedIps: ["192.0.2.1"] });
  const say = vi.fn();
  await zoneAccess.delete("web", state as never, { ...scene.step(), say });
  expect([scene.web.deniedIps, say.mock.calls]).toEqual([[], []]);
});

test("deleting leaves an open zone and foreign entries as they are", async () => {
  const scene = await zones();
  const state = await created(scene, { zone: "web", allowedIps: ["any"] });
  await zoneAccess.delete("web", state, scene.step());
  await created(scene);
  scene.web.ips = ["192.0.2.1"];
  await zoneAccess.delete("web", INPUTS, scene.step());
  expect(scene.web.ips).toEqual(["192.0.2.1"]);
  expect(new Set(changes(scene))).toEqual(new Set(["DELETE /zone/whitelist"]));
});

test.each([
  ["names another zone", '{"we":["203.0.113.7"]}'],
  ["is broken in the zone's name", '{"we\ufffd":["203.0.113.7"]}'],
])("an update does not take a list for the zone's where the answer %s", async (_, body) => {
  const scene = await zones();
  const denied = { zone: "web", deniedIps: [OFFICE] };
  const state = await created(scene, denied);
  scene.remote.service.faults.add({ method: "GET", path: "/zone/blacklist", kind: "respond", status: 200, body });
  const error = await failure(update(scene, state, denied, { zone: "web", deniedIps: [] }));
  expect(error.message).toContain("answered something that cannot be used");
  expect(scene.web.deniedIps).toEqual([OFFICE]);
});

test("deleting takes an address off also where a list lacks it", async () => {
  const scene = await zones();
  const state = await created(scene, { zone: "web", deniedIps: [OFFICE] });
  const empty = { status: 200, body: "{}" };
  scene.remote.service.faults.add({ method: "GET", path: "/zone/blacklist", kind: "respond", ...empty, times: 5 });
  await zoneAccess.delete("web", state, scene.step());
  expect(scene.web.deniedIps).toEqual([]);
});

test("a deletion with a zone that is gone already is done", async () => {
  const scene = await zones();
  const state = await created(scene, ALL);
  scene.account.removeZone("web");
  await zoneAccess.delete("web", state, scene.step());
  expect(scene.account.zone("other")).toBeDefined();
});

test("a deletion whose answer is lost is settled by reading", async () => {
  const scene = await zones();
  const inputs = { zone: "web", allowedIps: [OFFICE] };
  const state = await created(scene, inputs);
  scene.remote.service.faults.add({ method: "DELETE", path: "/zone/whitelist", kind: "reset-after" });
  await zoneAccess.delete("web", state, scene.step());
  expect(changes(scene)).toEqual(["DELETE /zone/whitelist"]);
});

test("a deletion that the service says it has done, and has not, does not count", async () => {
  const scene = await zones();
  const state = await created(scene);
  const { faults } = scene.remote.service;
  const times = Number.POSITIVE_INFINITY;
  faults.add({ method: "DELETE", path: "/zone/whitelist", kind: "respond", status: 200, body: "", times });
  const error = await outOfTime(scene, "GET /zone/whitelist", (step) => zoneAccess.delete("web", state, step));
  expect(error.message).toContain('waiting for entries to leave the allowed client addresses of zone "web"');
  const domains = await created(scene, { zone: "web", deniedDomains: ["example.net"] });
  faults.add({
    method: "DELETE",
    path: "/zone/domain_perm",
    kind: "respond",
    status: 200,
    body: JSON.stringify({ blacklist: "example.org Example.net" }),
  });
  expect((await failure(zoneAccess.delete("web", domains, scene.step()))).message).toContain(
    "still on it: example.net",
  );
});

test("a deletion that the service refuses fails", async () => {
  const scene = await zones();
  const state = await created(scene);
  scene.remote.service.faults.add({ method: "DELETE", kind: "respond", status: 500 });
  expect(await failure(zoneAccess.delete("web", state, scene.step()))).toBeInstanceOf(ServerError);
});

test("a deletion without a zone's name sends nothing that changes anything", async () => {
  const scene = await zones();
  await created(scene, ALL);
  for (const name of ["", " "]) await failure(zoneAccess.delete(name, { ...ALL, zone: name }, scene.step()));
  expect(changes(scene)).toEqual([]);
});
