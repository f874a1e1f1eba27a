import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ConfigurationError } from "../../src/base/errors";
import type { JsonObject } from "../../src/base/json";
import { accountOf, locationOf } from "../../src/base/location";
import { Claims } from "../../src/lifecycle/claims";
import { Deadline } from "../../src/lifecycle/deadline";
import { type Lifecycle, UNKNOWN } from "../../src/lifecycle/lifecycle";
import { Scope } from "../../src/lifecycle/scope";
import { type Intent, placeId } from "../../src/run/intents";
import { MoveError } from "../../src/run/move";
import type { Recorded } from "../../src/run/recorded";
import { Resources } from "../../src/run/resources";
import { Session } from "../../src/run/session";
import { scopeName } from "../../src/settings/connections";
import { readSettings } from "../../src/settings/settings";
import { type Answers, lifecycle } from "../dynamic/adapterSetup";
import { around } from "./surroundings";

const MANAGER = "http://127.0.0.1:22999";
const OTHER = "http://127.0.0.1:23000";
const API = "http://127.0.0.1:8000";
const [HERE, THERE] = [locationOf(MANAGER), locationOf(OTHER)];

const settings = readSettings(() => undefined, {
  BRIGHTDATA_PROXY_MANAGER_URL: MANAGER,
  BRIGHTDATA_BASE_URL: API,
  BRIGHTDATA_MANAGERS: JSON.stringify({ other: { url: OTHER } }),
});

/** The resources of a kind in a process of their own, with an explicit provider of the name `home` or with the default one. */
function resources(answers: Answers = {}, home?: string): Resources {
  const configured = { settings, home, prices: {} };
  return new Resources("Test", lifecycle(answers), new Session(around()), () => configured);
}

const known = (more: Partial<Recorded> = {}): Recorded => ({
  id: "web",
  state: {},
  home: undefined,
  location: HERE,
  place: "place",
  mark: "m.web",
  isUnmarked: false,
  declared: new Set(["name"]),
  inputs: {},
  isImport: false,
  ...more,
});

const holdings = () => ({ has: ["thing web", "thing api"] });
const without = (state: JsonObject) => state;

describe("what another resource has taken over, or deleted, in this run", () => {
  const claims = new Claims();
  claims.made({ mark: "m.other" }, ["thing web"]);

  test.each<[string, Partial<Lifecycle>, string[]]>([
    ["lost to one that can do without", { without }, ["thing web"]],
    ["not lost to one that cannot", {}, []],
    ["not lost to one that shares it", { without, isShared: true }, []],
  ])("is %s", (_, more, lost) => {
    expect(resources({ ...more, holdings } as Answers).lost(known(), claims)).toEqual(lost);
  });

  test("is not lost to itself", () => {
    expect(resources({ without, holdings }).lost(known({ mark: "m.other" }), claims)).toEqual([]);
  });
});

test("what was begun where a resource stood before is its own, unless something else is to stand there by now", () => {
  const session = new Session(around());
  const places = session.places("Test");
  places.announce({ kind: "Test", place: "new", name: "new", former: ["old", "taken"], inputs: {} });
  places.declare("taken", undefined, undefined);
  const those = vi.spyOn(session.intents, "those");
  const configured = { settings, home: undefined, prices: {} };
  new Resources("Test", lifecycle({}), session, () => configured).journal({ kind: "create" }, "new", {}, undefined);
  const [isMeant] = those.mock.lastCall ?? [];
  const begunAt = (place: string) =>
    isMeant?.({ purpose: { kind: "create" }, place: placeId("Test", place) } as Intent);
  expect(["new", "old", "taken", "another"].map(begunAt)).toEqual([true, true, false, false]);
});

const isMarked = async () => true;

test.each<[string, string | undefined, Answers, string?]>([
  ["the account, of what is in one", "the account", { service: "remote" }],
  ["the manager", HERE, {}],
  ["the manager, where a port was taken over and bears no mark", HERE, { isMarked, holdings: adopted }],
  ["nothing where a mark tells the same", undefined, { isMarked }],
  ["the manager also beside a mark, with an explicit provider", HERE, { isMarked }, "b"],
])("what stands in the state for where a service is: %s", (_, location, answers, home) => {
  expect(resources(answers, home).location({ adopt: true }, "the account")).toBe(location);
});

function adopted() {
  return { has: ["thing web"], takesOver: ["thing web"] };
}

test("what stands in the state for a manager with a name is that one", () => {
  expect(resources().location({ manager: "other" }, undefined)).toBe(THERE);
});

test("the URL of a service is that of the connection which inputs name, and is known once its name is", () => {
  const [manager, remote] = [resources(), resources({ service: "remote" })];
  expect([manager.url({}), manager.url({ manager: "other" }), remote.url({})]).toEqual([MANAGER, OTHER, API]);
  expect(manager.scope({ manager: UNKNOWN })).toBeUndefined();
  expect(manager.claims({ manager: UNKNOWN })).toBeUndefined();
  expect(manager.claims({})).toBe(manager.scope({})?.claims);
  expect(manager.claims({})).not.toBe(manager.claims({ manager: "other" }));
});

test.each<[string, boolean, Partial<Recorded>, string?, Answers?]>([
  ["no, with the same one", false, {}],
  ["yes, by its name", true, { home: "b" }],
  ["yes, from the default one", true, {}, "b"],
  ["yes, where one of the same name led elsewhere", true, { home: "b", location: THERE }, "b"],
  ["no, where one of the same name led to the same", false, { home: "b" }, "b"],
  ["no, where the default one led elsewhere: its manager has moved", false, { location: THERE }],
  ["no, where nobody knows where it led", false, { home: "b", location: undefined }, "b"],
  ["no, where it is of an account", false, { home: "b", location: THERE }, "b", { service: "remote" }],
  ["no, where its connection is not configured", false, { home: "b", location: THERE, state: { manager: "x" } }, "b"],
  ["no, where it came from an import file", false, { home: "b", location: THERE, isImport: true }, "b"],
  ["no, where it is only looked up", false, { home: "b", location: THERE, declared: undefined }, "b"],
  [
    "no, by the name of its connection's manager",
    false,
    { home: "b", location: THERE, state: { manager: "other" } },
    "b",
  ],
])("whether a resource has come from another provider: %s", (_, isAway, more, home, answers) => {
  expect(resources(answers, home).isAway(known(more))).toBe(isAway);
});

describe("a connection that the state has and that is not configured any more", () => {
  const refusal = (more: Partial<Recorded>, operation: "read" | "update" | "delete", answers: Answers = {}) => {
    try {
      resources(answers).requireConnection(known(more), operation);
    } catch (error) {
      return error;
    }
  };
  const state = { manager: "gone" };

  test("is told of before anything is done", () => {
    const error = refusal({ state }, "delete") as Error;
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toMatch(
      /^Test web is recorded with the Proxy Manager "gone", which is not configured .*Nothing was done\./,
    );
    expect(refusal({ state, home: "b" }, "delete")).toBeInstanceOf(MoveError);
    expect(refusal({ state: { manager: "other" } }, "delete")).toBeUndefined();
  });

  test("a connection that has no name is missed by an update alone, where there is no token", () => {
    const remote: Answers = { service: "remote" };
    expect(refusal({}, "update", remote)).toBeInstanceOf(ConfigurationError);
    expect(refusal({}, "read", remote)).toBeUndefined();
    expect(refusal({}, "delete", remote)).toBeUndefined();
    expect(refusal({}, "update")).toBeUndefined();
  });
});

test("nothing is noted of a creation without a place, and of a change without one all the same", () => {
  const it = resources();
  expect(it.journal({ kind: "create" }, undefined, {}, undefined)).toBeUndefined();
  expect(it.journal({ kind: "create" }, "place", {}, undefined)?.unfinished).toBeUndefined();
  expect(it.journal({ kind: "change", of: "m.web" }, undefined, {}, undefined, known())).toBeDefined();
});

test("what was begun is gone on with, or told of where no resource has it", async () => {
  const [earlier, next] = [resources({ resumes: true }), resources({ resumes: true })];
  const change = { kind: "change", of: "m.web" } as const;
  await earlier.journal(change, "place", {}, undefined, known())?.begin({}, "It was made.", "thing web");
  const journal = next.journal(change, "place", {}, undefined, known());
  expect(next.mayHaveMore(journal)).toBe(true);
  expect(resources().mayHaveMore(journal)).toBe(false);
  expect(next.mayHaveMore(undefined)).toBe(false);
  const scope = new Scope();
  const other = next.journal({ kind: "create" }, "place", {}, undefined, known());
  expect(next.adviceOf(undefined, scope)).toEqual([]);
  expect(next.adviceOf(other, scope, {}, ["thing web"])).toEqual([]);
});

test("a resource of the state is seen where it stands by now", () => {
  const it = resources();
  it.see(known(), "new");
  expect(it.places.of(known())).toBe("new");
  it.see(known({ mark: "m.api" }));
  expect(it.places.of(known({ mark: "m.api" }))).toBe("place");
});

describe("tokens of one account", () => {
  const configured = {
    ...{ home: undefined, prices: {} },
    settings: readSettings(() => undefined, {
      BRIGHTDATA_API_TOKEN: "one",
      BRIGHTDATA_BASE_URL: API,
      BRIGHTDATA_ACCOUNTS: JSON.stringify({ shop: { apiToken: "two" }, far: { apiToken: "three", baseUrl: OTHER } }),
    }),
  };
  const areOne = (all: Resources) => all.claims({}) === all.claims({ account: "shop" });

  test.each<[string, boolean, Partial<Recorded>]>([
    ["share what their resources share, as the state says", true, {}],
    ["are two accounts'", false, { location: "theirs" }],
    ["are not known where the state does not say", false, { location: undefined }],
    ["are not known by what comes from another provider", false, { home: "b" }],
    ["are not known by a connection that is not configured", false, { state: { account: "gone" } }],
  ])("%s", (_, is, more) => {
    const all = new Resources("Test", lifecycle({ service: "remote" }), new Session(around()), () => configured);
    all.see(known({ location: "ours" }));
    all.see(known({ mark: "m.shop", location: "ours", state: { account: "shop" }, ...more }));
    expect(areOne(all)).toBe(is);
  });

  test("are known, when something is created, by the URL of its own connection", async () => {
    const all = new Resources("Test", lifecycle({ service: "remote" }), new Session(around()), () => configured);
    const deadline = new Deadline(60, "timeouts.test");
    onTestFinished(() => deadline.release());
    const namesOf = async (account?: string) => {
      const props = account === undefined ? {} : { account };
      const { accounts, scope } = all.context(props);
      vi.spyOn(accounts[0], "customer").mockResolvedValue("hl_1");
      await all.account(props, "create", undefined, deadline);
      return [...scope.names];
    };
    expect(await namesOf()).toContain(scopeName(API, accountOf("hl_1")));
    expect(await namesOf("far")).toContain(scopeName(OTHER, accountOf("hl_1")));
  });
});
