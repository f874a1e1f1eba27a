import { describe, expect, test, vi } from "vitest";
import {
  ArgumentError,
  ConnectionError,
  InvalidRequestError,
  ResponseFormatError,
  ServerError,
} from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { zoneAccessLifecycle as zoneAccess } from "../../../src/kinds/zoneAccess/lifecycle";
import { DeadlineError } from "../../../src/lifecycle/deadline";
import { PartialFailure, type Run, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import type { Fault } from "../../../src/simulator";
import {
  changes,
  controlledDeadline,
  count,
  declaredIn,
  drift,
  failure,
  forgetRequests,
  notebook,
  outOfTime,
  type Stage,
  stage,
} from "../../lifecycle/harness";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

const OFFICE = "203.0.113.7";
const HOME = "198.51.100.0/24";
const INPUTS: JsonObject = { zone: "web", allowedIps: [OFFICE, HOME] };
const ALL: JsonObject = {
  zone: "web",
  allowedIps: [OFFICE],
  deniedIps: ["203.0.113.20-203.0.113.29"],
  allowedDomains: ["example.com", "example.org"],
  deniedDomains: ["example.net"],
};

/** A stage with the zones `web` and `other`. */
async function zones(settings: Record<string, string> = {}): Promise<Stage & { web: WebZone; other: WebZone }> {
  const scene = await stage({}, settings);
  const [web, other] = ["web", "other"].map((name) => scene.account.addZone(name, { type: "static" }));
  return Object.assign(scene, { web: web as WebZone, other: other as WebZone });
}
type WebZone = ReturnType<Stage["account"]["addZone"]>;

const failures = (inputs: JsonObject): string[] => zoneAccess.check(inputs, undefined).failures;

/** What was sent to a path, method and body each. */
const bodies = ({ remote }: Stage, path: string): unknown[] =>
  remote.service.requests
    .filter((request) => request.path === path && request.method !== "GET")
    .map(({ method, body }) => [method, body]);

async function created(scene: Stage, inputs: JsonObject = INPUTS): Promise<JsonObject> {
  const { state } = await zoneAccess.create(inputs, scene.run());
  forgetRequests(scene);
  return state;
}

const update = (scene: Stage, state: JsonObject, before: JsonObject, inputs: JsonObject, more: Partial<Run> = {}) =>
  zoneAccess.update("web", state, declaredIn(before), inputs, { ...scene.run(), ...more });

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
    [{ zone: "web", allowedIps: ["office"] }, /^`allowedIps\[0\]` is "office": expected an address.*, or "any"\.$/],
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

describe("a change", () => {
  const diff = (before: JsonObject, after: JsonObject) => zoneAccess.diff(before, declaredIn(before), after);

  test("is none where the lists mean the same", () => {
    const other = {
      zone: "web",
      allowedIps: ["203.0.113.7/32", OFFICE],
      deniedIps: ["203.0.113.20 - 203.0.113.29"],
      allowedDomains: ["Example.ORG", "example.com"],
      deniedDomains: ["EXAMPLE.net"],
    };
    expect(diff(ALL, other)).toEqual({ changed: [], replaces: [], deleteBeforeReplace: false });
  });

  test("of a list is made in place, of the zone by another resource", () => {
    expect(diff(ALL, { ...ALL, allowedIps: [HOME], deniedDomains: [] })).toEqual({
      changed: ["allowedIps", "deniedDomains"],
      replaces: [],
      deleteBeforeReplace: false,
    });
    expect(diff(ALL, { ...ALL, zone: "other" })).toMatchObject({ changed: ["zone"], replaces: ["zone"] });
    expect(diff(ALL, { ...ALL, zone: UNKNOWN, allowedIps: UNKNOWN })).toMatchObject({ replaces: ["zone"] });
    expect(diff(INPUTS, { ...INPUTS, deniedIps: [] })).toMatchObject({ changed: ["deniedIps"], replaces: [] });
  });
});

describe("creating", () => {
  test("puts on the lists what is declared, for that zone only", async () => {
    const scene = await zones();
    const { id, state } = await zoneAccess.create(ALL, scene.run());
    expect({ id, state }).toEqual({ id: "web", state: ALL });
    expect(scene.web).toMatchObject({
      ips: [OFFICE],
      deniedIps: ALL.deniedIps,
      domains: { whitelist: ["example.com", "example.org"], blacklist: ["example.net"] },
    });
    expect(scene.other).toMatchObject({ ips: ["any"], deniedIps: [], domains: { whitelist: [], blacklist: [] } });
    expect(changes(scene)).toEqual([
      "POST /zone/whitelist",
      "POST /zone/blacklist",
      "POST /zone/domain_perm",
      "POST /zone/domain_perm",
    ]);
    expect(await drift(zoneAccess, id, state, ALL, scene.run())).toEqual([]);
  });

  test("leaves lists alone that are not declared", async () => {
    const scene = await zones();
    scene.web.deniedIps = ["192.0.2.1"];
    const state = await created(scene);
    expect(scene.web.deniedIps).toEqual(["192.0.2.1"]);
    expect(state).toEqual(INPUTS);
  });

  test("sends nothing where all is as declared", async () => {
    const scene = await zones();
    await created(scene, { zone: "web", allowedIps: ["any"], deniedIps: [], allowedDomains: [] });
    scene.web.ips = ["203.0.113.7/32", "198.51.100.0/255.255.255.0"];
    await created(scene);
    expect(changes(scene)).toEqual([]);
  });

  test("does not take lists over that have other entries, unless that is said", async () => {
    const scene = await zones();
    scene.web.ips = [OFFICE, "192.0.2.1"];
    const error = await failure(zoneAccess.create(INPUTS, scene.run()));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error.message).toMatch(
      /^Zone "web" has allowed client addresses that `allowedIps` does not declare: 192\.0\.2\.1\. .*`aliases`.*`adopt: true`/,
    );
    expect(changes(scene)).toEqual([]);
    await zoneAccess.create({ ...INPUTS, adopt: true }, scene.run());
    expect(scene.web.ips).toEqual([OFFICE, HOME]);
    expect(bodies(scene, "/zone/whitelist")).toEqual([
      ["POST", { zone: "web", ip: [HOME] }],
      ["DELETE", { zone: "web", ip: "192.0.2.1" }],
    ]);
  });

  test("for a zone that does not exist fails, and is not kept", async () => {
    const scene = await zones();
    const error = await failure(zoneAccess.create({ ...ALL, zone: "none" }, scene.run()));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).not.toBeInstanceOf(PartialFailure);
  });

  test.each(["reset-after", "truncate"] as const)("whose answer is lost (%s) finds it on the list", async (kind) => {
    const scene = await zones();
    scene.remote.service.faults.add({ method: "POST", path: "/zone/whitelist", kind });
    await zoneAccess.create(INPUTS, scene.run());
    expect(count(scene, "POST /zone/whitelist")).toBe(1);
  });

  test("whose request is lost is kept, and finished by the next update", async () => {
    const scene = await zones();
    scene.remote.service.faults.add({ method: "POST", path: "/zone/whitelist", kind: "reset" });
    const error = await failure(zoneAccess.create(INPUTS, scene.run()));
    expect(error).toMatchObject({ id: "web", state: INPUTS });
    expect(error.cause).toBeInstanceOf(ConnectionError);
    expect(await update(scene, (error as PartialFailure).state, INPUTS, INPUTS)).toEqual(INPUTS);
    expect(scene.web.ips).toEqual([OFFICE, HOME]);
  });

  test("that breaks off in the middle keeps what is known of each list", async () => {
    const scene = await zones();
    scene.remote.service.faults.add({ method: "POST", path: "/zone/domain_perm", kind: "respond", status: 500 });
    const error = await failure(zoneAccess.create(ALL, scene.run()));
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.cause).toBeInstanceOf(ServerError);
    expect(scene.web.ips).toEqual([OFFICE]);
    const { state } = error as PartialFailure;
    expect(await update(scene, state, ALL, ALL)).toEqual(ALL);
    expect(scene.web.domains).toEqual({ whitelist: ["example.com", "example.org"], blacklist: ["example.net"] });
  });

  test("that breaks off when it has taken some entries off is kept", async () => {
    const scene = await zones();
    scene.web.deniedIps = ["192.0.2.1", "192.0.2.2"];
    const { faults } = scene.remote.service;
    faults.add({ method: "DELETE", path: "/zone/blacklist", kind: "respond", status: 403, after: 1 });
    const inputs = { zone: "web", deniedIps: [], adopt: true };
    const error = await failure(zoneAccess.create(inputs, scene.run()));
    expect(error).toBeInstanceOf(PartialFailure);
    expect(scene.web.deniedIps).toEqual(["192.0.2.2"]);
    await update(scene, (error as PartialFailure).state, inputs, inputs);
    expect(scene.web.deniedIps).toEqual([]);
  });

  test("waits until the list reads as declared, and sends each entry once", async () => {
    const scene = await zones();
    const stale = JSON.stringify({ web: ["any"] });
    const { faults } = scene.remote.service;
    faults.add({ method: "GET", path: "/zone/whitelist", kind: "respond", status: 200, body: stale, times: 4 });
    await zoneAccess.create(INPUTS, scene.run());
    expect(changes(scene)).toEqual(["POST /zone/whitelist"]);
    expect(count(scene, "GET /zone/whitelist")).toBe(6);
  });

  test("adds to every list before it removes from any", async () => {
    const scene = await zones();
    const inputs = { zone: "web", allowedIps: [OFFICE] };
    const state = await created(scene, inputs);
    const moved = { zone: "web", deniedIps: [HOME], adopt: true };
    await update(scene, state, inputs, moved);
    expect(changes(scene)).toEqual(["POST /zone/blacklist", "DELETE /zone/whitelist"]);
  });

  test("that cannot read a list back keeps what may stand on it", async () => {
    const scene = await zones();
    scene.remote.service.faults.add({
      method: "GET",
      path: "/zone/whitelist",
      kind: "respond",
      status: 500,
      after: 2,
    });
    const error = await failure(zoneAccess.create(INPUTS, scene.run()));
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error).toMatchObject({ id: "web", state: INPUTS });
    expect(scene.web.ips).toEqual([OFFICE, HOME]);
  });

  test("of domains whose answer is lost is open until they have been sent again", async () => {
    for (const kind of ["reset", "reset-after"] as const) {
      const scene = await zones();
      scene.remote.service.faults.add({ method: "POST", path: "/zone/domain_perm", kind });
      const inputs = { zone: "web", allowedDomains: ["example.com"] };
      const error = await failure(zoneAccess.create(inputs, scene.run()));
      expect(error).toMatchObject({ state: { ...inputs, unsettled: ["allowedDomains"] } });
      const { state } = error as PartialFailure;
      expect(await drift(zoneAccess, "web", state, inputs, scene.run())).toEqual(["unsettled"]);
      const read = (await zoneAccess.read("web", inputs, scene.run(), state)) as JsonObject;
      expect(await update(scene, read, inputs, inputs)).toEqual(inputs);
      expect(scene.web.domains.whitelist).toEqual(["example.com"]);
    }
  });

  test("gives up when the list never does", async () => {
    const scene = await zones();
    const stale = JSON.stringify({ web: ["any"] });
    const times = Number.POSITIVE_INFINITY;
    const { faults } = scene.remote.service;
    faults.add({ method: "GET", path: "/zone/whitelist", kind: "respond", status: 200, body: stale, times });
    const { deadline, expire } = controlledDeadline();
    const creation = failure(zoneAccess.create(INPUTS, scene.run(deadline)));
    await vi.waitFor(() => expect(count(scene, "GET /zone/whitelist")).toBeGreaterThan(3));
    expire();
    const error = await creation;
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.cause).toBeInstanceOf(DeadlineError);
    expect(error.message).toContain('waiting for the allowed client addresses of zone "web" to be as declared');
    expect(changes(scene)).toEqual(["POST /zone/whitelist"]);
  });
});

describe("updating", () => {
  test("sends the differences only, and what comes before what goes", async () => {
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

  test("opens the zone, and closes it", async () => {
    const scene = await zones();
    const state = await created(scene);
    const open = { zone: "web", allowedIps: ["any"] };
    expect(await update(scene, state, INPUTS, open)).toEqual(open);
    expect(scene.web.ips).toEqual(["any"]);
    expect(await update(scene, open, open, INPUTS)).toEqual(INPUTS);
    expect(scene.web.ips).toEqual([OFFICE, HOME]);
  });

  test("takes back what was put on a list that is no longer declared, and nothing else", async () => {
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

  test("that breaks off remembers the entries of before and of now", async () => {
    const scene = await zones();
    const state = await created(scene);
    scene.remote.service.faults.add({ method: "DELETE", path: "/zone/whitelist", kind: "respond", status: 500 });
    const inputs = { zone: "web", allowedIps: ["192.0.2.1"] };
    const error = await failure(update(scene, state, INPUTS, inputs));
    expect(error).toMatchObject({ state: { zone: "web", allowedIps: [OFFICE, HOME, "192.0.2.1"] } });
    await zoneAccess.delete("web", (error as PartialFailure).state, scene.run());
    expect(scene.web.ips).toEqual(["any"]);
  });

  test("of a removal of domains that breaks off removes them again", async () => {
    const scene = await zones();
    const state = await created(scene, ALL);
    scene.remote.service.faults.add({ method: "DELETE", path: "/zone/domain_perm", kind: "reset" });
    const inputs = { ...ALL, allowedDomains: ["example.org"] };
    const error = await failure(update(scene, state, ALL, inputs));
    expect(error).toMatchObject({ state: { allowedDomains: ["example.com", "example.org"] } });
    expect(await update(scene, (error as PartialFailure).state, inputs, inputs)).toEqual(inputs);
    expect(scene.web.domains.whitelist).toEqual(["example.org"]);
  });

  describe("where one list is changed, and domains for another", () => {
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

    test("are refused, it keeps what was on their list before", async () => {
      const scene = await zones();
      const state = await created(scene, before);
      expect(await keptOf(scene, state, { status: 400 })).toEqual(former);
    });

    test("are refused, it keeps nothing of a list that was none before", async () => {
      const scene = await zones();
      const { allowedDomains, ...state } = await created(scene, before);
      const { allowedDomains: _, ...rest } = former;
      expect(await keptOf(scene, state, { status: 400 })).toEqual(rest);
    });

    test("are refused, what was open before stays so", async () => {
      const scene = await zones();
      const state = { ...(await created(scene, before)), unsettled: ["allowedDomains"] };
      expect(await keptOf(scene, state, { status: 400 })).toEqual({ ...former, unsettled: ["allowedDomains"] });
    });

    test.each<[string, Partial<Fault>[]]>([
      ["500", [{ status: 500 }, { status: 500 }]],
      ["no answer", [{ kind: "reset" }, { kind: "reset" }]],
      ["no answer, and then a refusal", [{ kind: "reset-after" }, { status: 400 }]],
    ])("have an outcome that is not known (%s), it keeps both", async (_, answers) => {
      const scene = await zones({ BRIGHTDATA_RETRIES: "1" });
      const state = await created(scene, before);
      const { allowedDomains } = wanted;
      const kept = { ...former, allowedDomains, unsettled: ["allowedDomains"] };
      expect(await keptOf(scene, state, ...answers)).toEqual(kept);
    });
  });

  test("keeps nothing of a list that refuses its first addresses", async () => {
    const scene = await zones();
    const state = await created(scene);
    scene.remote.service.faults.add({ method: "POST", path: "/zone/blacklist", kind: "respond", status: 400 });
    const error = await failure(
      update(scene, state, INPUTS, { zone: "web", allowedIps: [HOME, "192.0.2.1"], deniedIps: ["192.0.2.9"] }),
    );
    expect((error as PartialFailure).state).toEqual({ zone: "web", allowedIps: [OFFICE, HOME, "192.0.2.1"] });
  });
});

describe("a list that is declared for the first time", () => {
  const wanted = { ...INPUTS, deniedIps: ["192.0.2.9"] };

  test("is not taken over where it has other entries, unless that is said", async () => {
    const scene = await zones();
    const state = await created(scene);
    scene.web.deniedIps = ["192.0.2.1"];
    const error = await failure(update(scene, state, INPUTS, wanted));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error.message).toMatch(
      /^Zone "web" has denied client addresses that `deniedIps` does not declare: 192\.0\.2\.1\. /,
    );
    expect(changes(scene)).toEqual([]);
    const adopting = { ...wanted, adopt: true };
    expect(await update(scene, state, INPUTS, adopting)).toEqual(adopting);
    expect(scene.web.deniedIps).toEqual(["192.0.2.9"]);
  });

  test("is not when an update has failed that declared it already", async () => {
    const scene = await zones();
    const state = await created(scene);
    const { faults } = scene.remote.service;
    faults.add({ method: "POST", path: "/zone/whitelist", kind: "respond", status: 500, times: 9 });
    const error = await failure(update(scene, state, INPUTS, { ...wanted, allowedIps: ["192.0.2.7"] }));
    faults.clear();
    scene.web.deniedIps = ["192.0.2.1"];
    expect((await failure(update(scene, (error as PartialFailure).state, wanted, wanted))).message).toMatch(
      /`adopt: true`/,
    );
  });

  test("is its own where an update that was killed has put there what is declared", async () => {
    const scene = await zones();
    const state = await created(scene);
    await update(scene, state, INPUTS, wanted);
    forgetRequests(scene);
    expect(await update(scene, state, INPUTS, wanted)).toEqual(wanted);
    expect(changes(scene)).toEqual([]);
  });

  test("is its own where an update has failed in the middle of it", async () => {
    const scene = await zones();
    const state = await created(scene);
    const { faults } = scene.remote.service;
    faults.add({ method: "GET", path: "/zone/blacklist", kind: "respond", status: 500, after: 2, times: 9 });
    const error = await failure(update(scene, state, INPUTS, wanted));
    faults.clear();
    expect(scene.web.deniedIps).toEqual(["192.0.2.9"]);
    const other = { ...wanted, deniedIps: ["192.0.2.8"] };
    expect(await update(scene, (error as PartialFailure).state, wanted, other)).toEqual(other);
    expect(scene.web.deniedIps).toEqual(["192.0.2.8"]);
  });

  test("opens the zone without asking where nothing stands on it", async () => {
    const scene = await zones();
    const before = { zone: "web", deniedIps: [] };
    const state = await created(scene, before);
    const inputs = { ...before, allowedIps: [OFFICE] };
    expect(await update(scene, state, before, inputs)).toEqual(inputs);
    expect(scene.web.ips).toEqual([OFFICE]);
  });
});

describe("a domain that may never have come on its list", () => {
  const before = { zone: "web", allowedDomains: ["example.com"] };

  /** The service refuses to take the domain off the list. */
  async function refusing(): Promise<{ scene: Stage & { web: WebZone }; said: string[]; run: Run }> {
    const scene = await zones();
    await created(scene, before);
    const answer = { kind: "respond", status: 400, times: Number.POSITIVE_INFINITY } as const;
    scene.remote.service.faults.add({
      method: "DELETE",
      path: "/zone/domain_perm",
      containing: "bad_domain",
      ...answer,
    });
    const said: string[] = [];
    return { scene, said, run: { ...scene.run(), say: (words) => said.push(words) } };
  }

  const noted = () =>
    notebook({ zone: "web", entries: { allowedDomains: ["example.com", "old.example", "bad_domain"] } });
  const unsettled = {
    ...before,
    allowedDomains: ["example.com", "old.example", "bad_domain"],
    unsettled: ["allowedDomains"],
  };

  test.each([
    ["a killed update", before, noted],
    ["a failed update", unsettled, () => notebook()],
  ] as const)("after %s is given up with a word, and the others go", async (_, state, journal) => {
    const { scene, said, run } = await refusing();
    scene.web.domains.whitelist.push("old.example");
    const noting = { ...run, journal: journal() };
    expect(await zoneAccess.update("web", state as never, declaredIn(before), before, noting)).toEqual(before);
    expect(scene.web.domains.whitelist).toEqual(["example.com"]);
    expect(said).toEqual([
      expect.stringMatching(/refuses to remove bad_domain from the allowed domains of zone "web"/),
    ]);
  });

  test("is not in the way of the deletion", async () => {
    const { scene, said, run } = await refusing();
    await zoneAccess.delete("web", before as never, { ...run, journal: noted() });
    expect(scene.web.domains.whitelist).toEqual([]);
    expect(said).toHaveLength(1);
  });

  test("is told from one that is certain to be there", async () => {
    const { run } = await refusing();
    const state = { ...before, allowedDomains: ["example.com", "bad_domain"] };
    expect(await failure(zoneAccess.delete("web", state as never, run))).toBeInstanceOf(InvalidRequestError);
  });
});

describe("a list of an import file", () => {
  const imported = { isImported: true };

  test("is taken over with what the file says of it", async () => {
    const scene = await zones();
    scene.web.ips = [OFFICE, HOME, "192.0.2.1"];
    const file = { zone: "web", allowedIps: [OFFICE, HOME, "192.0.2.1"] };
    expect(await update(scene, file, file, INPUTS, imported)).toEqual(INPUTS);
    expect(scene.web.ips).toEqual([OFFICE, HOME]);
  });

  test("is not taken over with what neither the file nor the program says of it", async () => {
    const scene = await zones();
    scene.web.ips = [OFFICE, HOME, "192.0.2.1"];
    const file = { zone: "web", allowedIps: [OFFICE] };
    const error = await failure(update(scene, file, file, INPUTS, imported));
    expect(error.message).toMatch(/has allowed client addresses that `allowedIps` does not declare: 192\.0\.2\.1\. /);
    expect(changes(scene)).toEqual([]);
    const adopting = { ...INPUTS, adopt: true };
    expect(await update(scene, file, file, adopting, imported)).toEqual(adopting);
    expect(scene.web.ips).toEqual([OFFICE, HOME]);
  });

  test("is completed where the service has less of it", async () => {
    const scene = await zones();
    expect(await update(scene, INPUTS, INPUTS, INPUTS, imported)).toEqual(INPUTS);
    expect(scene.web.ips).toEqual([OFFICE, HOME]);
  });
});

describe("what it has", () => {
  test("are the lists that it declares, each apart", () => {
    expect(zoneAccess.holds(undefined, INPUTS)).toEqual(["allowedIps of zone web"]);
    expect(zoneAccess.holds(undefined, { ...INPUTS, zone: UNKNOWN })).toEqual([]);
    expect(zoneAccess.holds("web", ALL)).toEqual([
      "allowedIps of zone web",
      "deniedIps of zone web",
      "example.com in allowedDomains of zone web",
      "example.org in allowedDomains of zone web",
      "example.net in deniedDomains of zone web",
    ]);
    const { deniedIps, ...rest } = ALL;
    expect(zoneAccess.without(ALL, new Set(["deniedIps of zone web", "allowedIps of zone other"]))).toEqual(rest);
  });

  test("on lists that nobody can read are the entries that it has put there", () => {
    expect(zoneAccess.holds("web", { allowedDomains: ["Example.com", UNKNOWN], deniedDomains: UNKNOWN })).toEqual([
      "example.com in allowedDomains of zone web",
    ]);
    const state = { zone: "web", allowedDomains: ["example.com", "example.org"] };
    expect(zoneAccess.without(state, new Set(["example.com in allowedDomains of zone web"]))).toEqual({
      zone: "web",
      allowedDomains: ["example.org"],
    });
  });
});

describe("reading", () => {
  test("changes nothing, and keeps the program's spelling", async () => {
    const scene = await zones();
    const state = await created(scene, ALL);
    scene.web.ips = ["203.0.113.7/32"];
    expect(await zoneAccess.read("web", ALL, scene.run(), state)).toEqual(state);
    expect(changes(scene)).toEqual([]);
  });

  test("finds entries that somebody has added or removed, on the declared lists", async () => {
    const scene = await zones();
    const inputs = { ...INPUTS, deniedIps: [] };
    const state = await created(scene, inputs);
    scene.web.ips.push("192.0.2.1");
    expect(await drift(zoneAccess, "web", state, inputs, scene.run())).toEqual(["allowedIps"]);
    scene.web.ips = [OFFICE];
    scene.web.deniedIps = ["192.0.2.1"];
    expect(await drift(zoneAccess, "web", state, inputs, scene.run())).toEqual(["allowedIps", "deniedIps"]);
    expect(await drift(zoneAccess, "web", state, INPUTS, scene.run())).toEqual(["allowedIps"]);
    expect(changes(scene)).toEqual([]);
    await update(scene, state, inputs, inputs);
    expect(scene.web).toMatchObject({ ips: [OFFICE, HOME], deniedIps: [] });
  });

  test("never looks at a list that is not declared, whatever an import file says besides", async () => {
    const scene = await zones();
    scene.web.ips = [OFFICE, HOME];
    scene.web.deniedIps = ["192.0.2.1"];
    expect(await zoneAccess.read("web", INPUTS, scene.run(), INPUTS)).toEqual(INPUTS);
    await update(scene, INPUTS, INPUTS, INPUTS);
    await zoneAccess.delete("web", INPUTS, scene.run());
    expect(scene.web.deniedIps).toEqual(["192.0.2.1"]);
  });

  test("does not take an answer without the zone for an empty list", async () => {
    const scene = await zones();
    const state = await created(scene, { ...INPUTS, deniedIps: ["192.0.2.1"] });
    const { faults } = scene.remote.service;
    const nothing = { kind: "respond", status: 200, body: "{}", times: Number.POSITIVE_INFINITY } as const;
    for (const path of ["/zone/whitelist", "/zone/blacklist", "/zone"]) faults.add({ method: "GET", path, ...nothing });
    expect(await failure(zoneAccess.delete("web", state, scene.run()))).toBeInstanceOf(ResponseFormatError);
    faults.clear();
    faults.add({ method: "GET", path: "/zone/whitelist", ...nothing, times: 1 });
    expect(await zoneAccess.read("web", INPUTS, scene.run(), state)).toEqual(INPUTS);
  });

  test("by the zone's name alone tells the lists that can be read", async () => {
    const scene = await zones();
    await created(scene, ALL);
    const { allowedIps, deniedIps } = ALL;
    expect(await zoneAccess.read("web", undefined, scene.run(), {})).toEqual({ zone: "web", allowedIps, deniedIps });
  });

  test("finds it gone with the zone, and only then", async () => {
    const scene = await zones();
    await created(scene);
    const { faults } = scene.remote.service;
    faults.add({ path: "/zone/get_all_zones", kind: "respond", status: 403 });
    expect(await zoneAccess.read("web", INPUTS, scene.run(), INPUTS)).toEqual(INPUTS);
    scene.account.removeZone("web");
    scene.context.zones.forget();
    expect(await zoneAccess.read("web", INPUTS, scene.run(), INPUTS)).toBeUndefined();
  });
});

describe("deleting", () => {
  test("takes off the lists what is declared, and nothing else: with no address left, the zone is open", async () => {
    const scene = await zones();
    const state = await created(scene, ALL);
    scene.web.deniedIps.push("192.0.2.1");
    const say = vi.fn();
    await zoneAccess.delete("web", state, { ...scene.run(), say });
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

  test("says nothing of an open zone where addresses are left", async () => {
    const scene = await zones();
    const state = await created(scene);
    scene.web.ips.push("192.0.2.1");
    const say = vi.fn();
    await zoneAccess.delete("web", state, { ...scene.run(), say });
    expect(scene.web.ips).toEqual(["192.0.2.1"]);
    expect(say).not.toHaveBeenCalled();
  });

  test("leaves an open zone and foreign entries as they are", async () => {
    const scene = await zones();
    const state = await created(scene, { zone: "web", allowedIps: ["any"] });
    await zoneAccess.delete("web", state, scene.run());
    await created(scene);
    scene.web.ips = ["192.0.2.1"];
    await zoneAccess.delete("web", INPUTS, scene.run());
    expect(scene.web.ips).toEqual(["192.0.2.1"]);
    expect(changes(scene)).toEqual([]);
  });

  test("with a zone that is gone already is done", async () => {
    const scene = await zones();
    const state = await created(scene, ALL);
    scene.account.removeZone("web");
    await zoneAccess.delete("web", state, scene.run());
    expect(scene.account.zone("other")).toBeDefined();
  });

  test("whose answer is lost is settled by reading", async () => {
    const scene = await zones();
    const inputs = { zone: "web", allowedIps: [OFFICE] };
    const state = await created(scene, inputs);
    scene.remote.service.faults.add({ method: "DELETE", path: "/zone/whitelist", kind: "reset-after" });
    await zoneAccess.delete("web", state, scene.run());
    expect(changes(scene)).toEqual(["DELETE /zone/whitelist"]);
  });

  test("that the service says it has done, and has not, does not count", async () => {
    const scene = await zones();
    const state = await created(scene);
    const { faults } = scene.remote.service;
    const times = Number.POSITIVE_INFINITY;
    faults.add({ method: "DELETE", path: "/zone/whitelist", kind: "respond", status: 200, body: "", times });
    const error = await outOfTime(scene, "GET /zone/whitelist", (run) => zoneAccess.delete("web", state, run));
    expect(error.message).toContain('waiting for entries to leave the allowed client addresses of zone "web"');
    const domains = await created(scene, { zone: "web", deniedDomains: ["example.net"] });
    faults.add({
      method: "DELETE",
      path: "/zone/domain_perm",
      kind: "respond",
      status: 200,
      body: JSON.stringify({ blacklist: "example.org Example.net" }),
    });
    expect((await failure(zoneAccess.delete("web", domains, scene.run()))).message).toContain(
      "still on it: example.net",
    );
  });

  test("that the service refuses fails", async () => {
    const scene = await zones();
    const state = await created(scene);
    scene.remote.service.faults.add({ method: "DELETE", kind: "respond", status: 500 });
    expect(await failure(zoneAccess.delete("web", state, scene.run()))).toBeInstanceOf(ServerError);
  });

  test("without a zone's name sends nothing that changes anything", async () => {
    const scene = await zones();
    await created(scene, ALL);
    for (const name of ["", " "]) await failure(zoneAccess.delete(name, { ...ALL, zone: name }, scene.run()));
    expect(changes(scene)).toEqual([]);
  });
});
