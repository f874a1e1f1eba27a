import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { digest } from "../../src/base/location";
import type { Service } from "../../src/declaration/connection";
import { Adapter } from "../../src/dynamic/adapter";
import { PartialFailure, UNKNOWN } from "../../src/lifecycle/lifecycle";
import { type Announcement, Announcer, newStandIn } from "../../src/run/announcements";
import { Session } from "../../src/run/session";
import { scopeName } from "../../src/settings/connections";
import { cancellation, failure, lifecycle, SENTINEL } from "../dynamic/adapterSetup";
import { around } from "./surroundings";

const ADDRESS = "127.0.0.1:45678";
const RUN = "a-run";
const STAND_IN = newStandIn();
/** Of the settings that nobody has given. */
const SCOPE = scopeName("http://127.0.0.1:22999");

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "announced-"));
  vi.stubEnv("PULUMI_HOME", home);
  return () => rmSync(home, { recursive: true });
});

/** A kind whose resources are called by the input `name`, in a process of its own for each provider. */
function providerOf(provider?: string, service: Service = "manager", token?: string) {
  const holdings = vi.fn((id: string | undefined, { name }: JsonObject) => {
    const called = id ?? name;
    return { has: typeof called === "string" ? [`thing ${called}`] : [] };
  });
  const create = vi.fn(async (inputs: JsonObject) => ({ id: String(inputs.name), state: inputs }));
  const life = lifecycle({ service, inputs: ["name"], holdings, create });
  const session = new Session(
    around({ lifecycleOf: (kind) => (kind === "Elsewhere" ? undefined : life), engine: ADDRESS }),
  );
  const it = new Adapter("Test", life, session, cancellation);
  const config: Record<string, string | undefined> = { "brightdata:provider": provider, "brightdata:apiToken": token };
  void it.configure({ config: { get: (key) => config[key] } });
  return { it, life, holdings };
}

const announced = (place: string, name: string, more: Partial<Announcement> = {}): Announcement => ({
  kind: "Test",
  place,
  name: place,
  inputs: { name },
  ...more,
});

const of = (place: string, name: string, run: unknown = RUN): JsonObject => ({
  ...{ __key: place, name },
  __program: { name: place, run },
});

test("what stands in a component is declared once, though its place is told later", async () => {
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced(STAND_IN, "web"));
  announcer.add(announced("place", "web", { was: STAND_IN }));
  announcer.write();
  const { failures } = await providerOf().it.check({}, of("place", "web"));
  expect(failures).toEqual([]);
});

test("what another provider of the run has taken over is kept by the one that it has left", async () => {
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced("new", "web", { home: "b", inputs: { name: "web", adopt: true } }));
  announcer.write();
  const [a, b] = [providerOf("a"), providerOf("b")];
  await a.it.delete("unrelated", { ...of("unrelated", "unrelated"), __declared: "name", __with: "a" });
  await b.it.check({}, { ...of("new", "web"), adopt: true });
  await b.it.create({ ...of("new", "web"), adopt: true });
  await a.it.delete("web", { ...of("old", "web"), __declared: "name", __with: "a" });
  expect(vi.mocked(a.life.delete).mock.calls.map(([id]) => id)).toEqual(["unrelated"]);
});

test("a process that only deletes keeps what the program takes over with another provider", async () => {
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced("new", "web", { home: "b", inputs: { name: "web", adopt: true } }));
  announcer.write();
  const [a, b] = [providerOf(), providerOf("b")];
  await b.it.check({}, { ...of("new", "web"), adopt: true });
  await b.it.create({ ...of("new", "web"), adopt: true });
  await a.it.delete("web", { ...of("old", "web"), __declared: "name" });
  expect(a.life.delete).not.toHaveBeenCalled();
});

test("a process that only deletes keeps what a program with a folder elsewhere takes over, once another is told of that", async () => {
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced("new", "web", { home: "b", inputs: { name: "web", adopt: true } }));
  announcer.write();
  vi.stubEnv("PULUMI_HOME", join(home, "of-the-engine"));
  const [a, b] = [providerOf(), providerOf("b")];
  await a.it.read("unrelated", { ...of("unrelated", "unrelated"), __declared: "name" });
  await b.it.check({}, { ...of("new", "web", announcer.file), adopt: true });
  await b.it.create({ ...of("new", "web", announcer.file), adopt: true });
  await a.it.delete("web", { ...of("old", "web"), __declared: "name" });
  expect(a.life.delete).not.toHaveBeenCalled();
});

describe("what several resources of a program may have", () => {
  const shared = () => {
    const { it, life } = providerOf();
    return { it, life: Object.assign(life, { isShared: true }) };
  };
  const WEB = { ...of("old", "web"), __declared: "name" };

  test.each<[string, Partial<Announcement>, boolean | "alone", number]>([
    ["the engine has answered and not told of, as it is no target", {}, false, 0],
    ["the engine has come to, with another provider", { home: "b", of: SCOPE }, false, 0],
    ["is not made, as it is no target", {}, "alone", 1],
    ["is with another service", { inputs: { name: "web", manager: "other" } }, false, 1],
  ])("is kept by what is dropped for another that %s, or not", async (_, more, skipped, deletions) => {
    const announcer = new Announcer(ADDRESS, RUN);
    announcer.add(announced("new", "web", more));
    announcer.addAnswered("Test", "new", skipped);
    announcer.write();
    const { it, life } = shared();
    await it.delete("web", WEB);
    expect(life.delete).toHaveBeenCalledTimes(deletions);
  });

  test("is deleted with the last of them where all are, with the program", async () => {
    const announcer = new Announcer(ADDRESS, RUN);
    for (const place of ["new", "old"]) {
      announcer.add(announced(place, "web", { inputs: { name: "web", adopt: true } }));
      announcer.addAnswered("Test", place);
    }
    announcer.write();
    const { it, life } = shared();
    await it.delete("web", { ...WEB, __mark: "m.one" });
    expect(life.delete).not.toHaveBeenCalled();
    await it.delete("web", { ...of("new", "web"), __declared: "name", __mark: "m.two" });
    expect(life.delete).toHaveBeenCalledOnce();
  });

  test("is deleted with the program that has it under another name since its state was written, and with the last of them", async () => {
    const announcer = new Announcer(ADDRESS, RUN);
    for (const place of ["a", "b"]) {
      announcer.add(announced(place, "web", { inputs: { name: "web", adopt: true } }));
      announcer.addAnswered("Test", place, false, { mark: `m.${place}.change` });
    }
    announcer.write();
    const { it, life } = shared();
    await it.delete("web", { ...of("old", "web"), __declared: "name", __mark: "m.a.change" });
    expect(life.delete).not.toHaveBeenCalled();
    await it.delete("web", { ...of("older", "web"), __declared: "name", __mark: "m.b" });
    expect(life.delete).toHaveBeenCalledOnce();
  });
});

test.each([
  ["with the same service, is kept", SCOPE, 0],
  ["with another service, is deleted", scopeName("http://192.0.2.1:22999"), 1],
  ["with a service that is not known, is deleted", undefined, 1],
])("what another provider is about to take over %s before the engine has told of it", async (_, scope, deletions) => {
  const announcer = new Announcer(ADDRESS, RUN);
  const inputs = { name: "web", adopt: true };
  announcer.add(announced("new", "web", { home: "b", ...(scope !== undefined && { of: scope }), inputs }));
  announcer.write();
  const { it, life } = providerOf();
  await it.check({}, of("unrelated", "unrelated"));
  await it.delete("web", { ...of("old", "web"), __declared: "name" });
  expect(life.delete).toHaveBeenCalledTimes(deletions);
});

test("what the program declares with two providers of one service fails both checks, and of two services none", async () => {
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced("one", "web", { of: SCOPE }));
  announcer.add(announced("two", "web", { home: "b", of: SCOPE }));
  announcer.add(announced("three", "api", { of: SCOPE }));
  announcer.add(announced("four", "api", { home: "b", of: scopeName("http://192.0.2.1:22999") }));
  announcer.write();
  const [a, b] = [providerOf().it, providerOf("b").it];
  const failed = async (it: Adapter, place: string, name: string) => (await it.check({}, of(place, name))).failures;
  const twice = (by: string) => [
    expect.objectContaining({ reason: expect.stringContaining(`declared twice, by ${by}`) }),
  ];
  expect(await failed(a, "one", "web")).toEqual(twice('"two" and by "one"'));
  expect(await failed(b, "two", "web")).toEqual(twice('"one" and by "two"'));
  expect(await failed(a, "three", "api")).toEqual([]);
});

test("what is announced with a number is not given to a resource without one, though the engine has not told of it", async () => {
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced("first", "24500"));
  announcer.add(announced("later", "24501"));
  announcer.write();
  const { it, life } = providerOf();
  await it.check({}, of("plain", "plain"));
  await it.create(of("plain", "plain"));
  const { claims } = vi.mocked(life.create).mock.calls[0]?.[1].context ?? {};
  expect(claims?.highest("thing", "expected")).toBe(24_501);
});

test("a process that only deletes keeps what the program takes over with the same provider", async () => {
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced("new", "web", { inputs: { name: "web", adopt: true } }));
  announcer.write();
  const { it, life } = providerOf();
  await it.delete("web", { ...of("old", "web"), __declared: "name" });
  expect(life.delete).not.toHaveBeenCalled();
});

test("what is announced counts, though an earlier run had the engine's address and a reading came first", async () => {
  const earlier = new Announcer(ADDRESS, "earlier");
  earlier.add(announced("former", "former", { home: "a" }));
  earlier.write();
  const { it, life } = providerOf("a");
  await it.read("web", { ...of("old", "web"), __declared: "name", __with: "a" });
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced("new", "web", { home: "a", inputs: { name: "web", adopt: true } }));
  announcer.write();
  await it.check({}, of("unrelated", "unrelated"));
  await it.delete("web", { ...of("old", "web"), __declared: "name", __with: "a" });
  expect(life.delete).not.toHaveBeenCalled();
});

/** Where another system does not tell when an engine was started, what it has is kept. */
test.runIf(process.platform === "linux").each([
  ["by now", 0, 0],
  ["to an engine that had the address before", 86_400, 1],
])("what is announced %s is kept by a process that only deletes, or not", async (_, secondsAgo, deletions) => {
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced("new", "web", { inputs: { name: "web", adopt: true } }));
  announcer.write();
  const seconds = Date.now() / 1000 - process.uptime() - secondsAgo;
  if (secondsAgo > 0) utimesSync(announcer.file, seconds, seconds);
  const { it, life } = providerOf();
  await it.delete("web", { ...of("old", "web"), __declared: "name" });
  expect(life.delete).toHaveBeenCalledTimes(deletions);
});

test("what has been claimed before another process of the run was heard of is told to it", async () => {
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced("new", "web"));
  announcer.write();
  const a = providerOf();
  await a.it.check({}, { ...of("new", "web") });
  await a.it.create(of("new", "web"));
  // The program makes another provider only now.
  announcer.add(announced("other", "other", { home: "b" }));
  announcer.write();
  await a.it.check({}, of("further", "further"));
  const b = providerOf("b");
  await b.it.delete("web", { ...of("old", "web"), __declared: "name", __with: "b" });
  expect(b.life.delete).not.toHaveBeenCalled();
});

test.each([
  ["an inline program of the Automation API, which has no folder of the engine's", (folder: string) => folder],
  ["a program with a relative PULUMI_HOME", (folder: string) => relative(process.cwd(), folder)],
])("what is announced by %s is found", async (_, ofProgram) => {
  vi.stubEnv("PULUMI_HOME", ofProgram(home));
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced("new", "web", { inputs: { name: "web", adopt: true } }));
  announcer.write();
  vi.stubEnv("PULUMI_HOME", ofProgram(join(home, "of-the-engine")));
  const { it, life } = providerOf();
  await it.check({}, of("unrelated", "unrelated", announcer.file));
  await it.delete("web", { ...of("old", "web"), __declared: "name" });
  expect(life.delete).not.toHaveBeenCalled();
});

test.each(["name", "manager"])(
  "what is not known yet of a resource (%s) is declared by nobody so far",
  async (unknown) => {
    const announcer = new Announcer(ADDRESS, RUN);
    announcer.add(announced("other", "web", { inputs: unknown === "name" ? {} : { name: "web" }, unknown: [unknown] }));
    announcer.write();
    const { it, holdings } = providerOf();
    const { failures } = await it.check({}, of("place", "web"));
    expect(failures).toEqual([]);
    const seen = holdings.mock.calls.map(([, inputs]) => inputs.name);
    expect(seen).toEqual(unknown === "name" ? [UNKNOWN, "web", "web"] : ["web", "web"]);
  },
);

test.each([
  { what: "that stood elsewhere", former: ["old"], state: { ...of("old", "web"), __declared: "name" } },
  { what: "that came from an import file", former: ["imported"], state: { name: "web" } },
])(
  "what the program has under another name by now, $what, is not deleted before the engine has told of that",
  async ({ former, state }) => {
    const announcer = new Announcer(ADDRESS, RUN);
    announcer.add(announced("new", "web", { former }));
    announcer.add(announced("another", "another", { former: ["other"] }));
    announcer.write();
    const { it, life } = providerOf();
    await it.check({}, of("unrelated", "unrelated"));
    expect((await failure(it.delete("web", state))).message).toBe(
      'Nothing was done to Test web: the program has it as "new" by now, and this update has not come to that. See to what has failed before it, and run again.',
    );
    expect(life.delete).not.toHaveBeenCalled();
    await it.check(of("old", "web"), of("new", "web"));
    await it.delete("web", state);
    expect(life.delete).toHaveBeenCalledTimes(1);
  },
);

test("what came from an import file and is replaced where it stands is deleted, though another is to have its name", async () => {
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced("new", "web", { former: ["alias"] }));
  announcer.write();
  const { it, life } = providerOf();
  const imported = { name: "web" };
  vi.mocked(life.diff).mockReturnValue({ changed: ["name"], replaces: ["name"], deleteBeforeReplace: true });
  await it.check(imported, of("place", "api"));
  expect((await it.diff("web", imported, of("place", "api"))).replaces).toEqual(["name"]);
  await it.delete("web", imported);
  expect(life.delete).toHaveBeenCalledTimes(1);
});

test("what the engine has told the program of under another name is deleted, though no process was told of it", async () => {
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced("new", "web", { former: ["old"] }));
  announcer.add(announced("other", "api", { former: ["before"] }));
  announcer.addAnswered("Test", "new");
  announcer.write();
  const { it, life } = providerOf();
  await it.delete("web", { ...of("old", "web"), __declared: "name" });
  expect(life.delete).toHaveBeenCalledTimes(1);
  const other = it.delete("api", { ...of("before", "api"), __declared: "name" });
  expect((await failure(other)).message).toContain('the program has it as "other" by now');
});

test("what has left its place for another, and is replaced there, is no more refused for who is to come to the place of its state", async () => {
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced("here", "new", { isNative: true }));
  announcer.add(announced("before", "web", { isNative: true, inputs: { name: "web", adopt: true } }));
  announcer.write();
  const [a, b] = [providerOf(), providerOf()];
  const [state, inputs] = [{ ...of("before", "web"), __declared: "name" }, of("here", "new")];
  expect((await failure(a.it.delete("web", state))).message).toContain('the program has it as "before" by now');
  vi.mocked(b.life.diff).mockReturnValue({ changed: ["name"], replaces: ["name"], deleteBeforeReplace: true });
  await b.it.check(state, inputs);
  expect((await b.it.diff("web", state, inputs)).replaces).toEqual(["name"]);
  await b.it.check({}, inputs);
  await a.it.delete("web", state);
  // It is kept for who takes it over.
  expect(a.life.delete).not.toHaveBeenCalled();
});

test("what is to be made anew with what it stands on is deleted before the engine has told by which name", async () => {
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced("new", "web", { former: ["old"] }));
  announcer.write();
  const { it, life } = providerOf();
  vi.mocked(life.diff).mockReturnValue({ changed: ["name"], replaces: ["name"], deleteBeforeReplace: false });
  const state = { ...of("old", "web"), __declared: "name" };
  await it.check({}, of("unrelated", "unrelated"));
  await it.diff("web", state, { ...of("old", "web"), name: SENTINEL });
  await it.delete("web", state);
  expect(life.delete).toHaveBeenCalledTimes(1);
});

describe("what the program has dropped, and declares by another name", () => {
  /** Where nobody has told that something has failed. */
  const doubtful = (refusal: string) =>
    `${refusal.replace("See to what has failed", "If something has failed, see to that")} With \`pulumi destroy\`, leave out \`--run-program\`.`;
  const refusalOf = (title: string, things: string, declares = "declares", names = ' ("new")') =>
    `Nothing was done to Test ${title}: this program ${declares} ${things} by another name${names}, and has not got that yet. See to what has failed, or give what was renamed its former name in \`aliases\`, and run again. To have it deleted first, take the new resource out of the program, run, and put it back.`;
  const REFUSAL = refusalOf("web", "thing web");
  // What has failed has said so.
  const NAMELESS = refusalOf("web", "thing web", "declares", "");

  function renaming() {
    const announcer = new Announcer(ADDRESS, RUN);
    announcer.add(announced("new", "web"));
    announcer.add(announced("unrelated", "unrelated"));
    announcer.write();
    return { announcer, ...providerOf() };
  }

  test("is not deleted where that could not be made", async () => {
    const { it, life } = renaming();
    await it.check({}, of("new", "web"));
    vi.mocked(life.create).mockRejectedValueOnce(new Error("exists already"));
    await failure(it.create(of("new", "web")));
    expect((await failure(it.delete("web", WEB))).message).toBe(NAMELESS);
    expect(life.delete).not.toHaveBeenCalled();
  });

  test.each(["created", "updated"] as const)(
    "is not deleted where the update has not come to that, because what it depends on could not be %s",
    async (how) => {
      const { it, life, announcer } = renaming();
      // The engine answers what it skips.
      announcer.addAnswered("Test", "new");
      announcer.write();
      const before = { ...of("unrelated", "unrelated"), __declared: "name" };
      await it.check(how === "created" ? {} : of("unrelated", "unrelated"), of("unrelated", "unrelated"));
      vi.mocked(how === "created" ? life.create : life.update).mockRejectedValueOnce(new Error("not now"));
      const attempt = how === "created" ? it.create(before) : it.update("unrelated", before, before);
      await failure(attempt);
      expect((await failure(it.delete("web", WEB))).message).toBe(REFUSAL);
      expect(life.delete).not.toHaveBeenCalled();
    },
  );

  test.each([
    ["is not deleted where a part of that is not known, because it comes from what has failed", { name: "web" }, 0],
    ["is deleted where nothing of that is known", {}, 1],
    ["is deleted where a part of that is not known, and the rest is something else", { name: "api" }, 1],
  ])("%s", async (_, inputs, deletions) => {
    const announcer = new Announcer(ADDRESS, RUN);
    announcer.add(announced("new", "", { inputs, unknown: ["zone", ...("name" in inputs ? [] : ["name"])] }));
    announcer.write();
    const { it, life, holdings } = providerOf();
    holdings.mockImplementation((_id, { name, zone }) => ({
      has: typeof name === "string" && typeof zone === "string" ? [`${name} of ${zone}`] : [],
    }));
    await it.check({}, of("unrelated", "unrelated"));
    vi.mocked(life.create).mockRejectedValueOnce(new Error("not now"));
    await failure(it.create(of("unrelated", "unrelated")));
    const deletion = it.delete("web", { ...WEB, zone: "shop" });
    if (deletions === 0) expect((await failure(deletion)).message).toBe(refusalOf("web", "web of shop", "may declare"));
    else await deletion;
    expect(life.delete).toHaveBeenCalledTimes(deletions);
  });

  test("is not deleted where another process of the run could not make that", async () => {
    const announcer = new Announcer(ADDRESS, RUN);
    announcer.add(announced("new", "web", { home: "b", of: SCOPE }));
    announcer.write();
    const [a, b] = [providerOf(), providerOf("b")];
    await a.it.check({}, of("unrelated", "unrelated"));
    await b.it.check({}, of("new", "web"));
    vi.mocked(b.life.create).mockRejectedValueOnce(new Error("exists already"));
    await failure(b.it.create(of("new", "web")));
    expect((await failure(a.it.delete("web", WEB))).message).toBe(NAMELESS);
  });

  test.each(["another process", "another account of its own"] as const)(
    "is not deleted where the token of %s is refused that was to have it",
    async (whose) => {
      vi.stubEnv("BRIGHTDATA_API_TOKEN", "own");
      vi.stubEnv("BRIGHTDATA_ACCOUNTS", '{ "second": { "apiToken": "refused" } }');
      // Nobody answers there.
      vi.stubEnv("BRIGHTDATA_BASE_URL", "http://127.0.0.1:9");
      vi.stubEnv("BRIGHTDATA_RETRIES", "0");
      const announcer = new Announcer(ADDRESS, RUN);
      const named = { inputs: { name: "web", account: "second" } };
      const elsewhere = { home: "b", of: scopeName("http://127.0.0.1:9", digest("refused")) };
      announcer.add(announced("new", "web", whose === "another process" ? elsewhere : named));
      announcer.write();
      const own = providerOf(undefined, "remote");
      const it = whose === "another process" ? providerOf("b", "remote", "refused") : own;
      await own.it.check({}, of("unrelated", "unrelated"));
      const inputs = { ...of("new", "web"), ...(it === own && { account: "second" }) };
      await it.it.check({}, inputs);
      vi.mocked(it.life.create).mockRejectedValueOnce(new Error("refused"));
      await failure(it.it.create(inputs));
      const names = it === own ? "" : undefined;
      const words = refusalOf("web", "thing web", "may declare", names);
      expect((await failure(own.it.delete("web", WEB))).message).toBe(words);
    },
  );

  test.each(["looked up", "deleted to be replaced"] as const)(
    "is not deleted where something could not be %s",
    async (how) => {
      const { it, life } = renaming();
      const [held, inputs] = [{ ...of("unrelated", "unrelated"), __declared: "name" }, of("unrelated", "unrelated")];
      vi.mocked(how === "looked up" ? (life.read as never) : life.delete).mockRejectedValueOnce(new Error("not now"));
      if (how !== "looked up") await it.check(inputs, inputs);
      await failure(how === "looked up" ? it.read("unrelated", {}) : it.delete("unrelated", held));
      expect((await failure(it.delete("web", WEB))).message).toBe(REFUSAL);
    },
  );

  test("is deleted where what was dropped besides could not be", async () => {
    const { it, life } = renaming();
    vi.mocked(life.delete).mockRejectedValueOnce(new Error("not now"));
    await failure(it.delete("gone", { ...of("gone", "gone"), __declared: "name" }));
    await it.delete("web", WEB);
    expect(life.delete).toHaveBeenCalledTimes(2);
  });

  test.each([
    ["kind", { kind: "Other" }, 0],
    ["connection", { inputs: { name: "web", manager: "second" } }, 1],
    ["connection to a program with another environment", { of: "elsewhere" }, 0],
  ])("is deleted or not where that is of another %s", async (_, more, deletions) => {
    vi.stubEnv("BRIGHTDATA_MANAGERS", '{ "second": { "url": "http://192.0.2.1:22999" } }');
    const announcer = new Announcer(ADDRESS, RUN);
    announcer.add(announced("new", "web", more));
    announcer.write();
    const { it, life } = providerOf();
    await it.check({}, of("unrelated", "unrelated"));
    vi.mocked(life.create).mockRejectedValueOnce(new Error("not now"));
    await failure(it.create(of("unrelated", "unrelated")));
    const deletion = it.delete("web", WEB);
    await (deletions === 0 ? failure(deletion) : deletion);
    expect(life.delete).toHaveBeenCalledTimes(deletions);
  });

  test.each([
    ["is not deleted where that is skipped, as something of another package has failed", { new: true }, [], 0],
    ["is not deleted where all is skipped that is not told", { new: true, unrelated: false }, ["unrelated"], 0],
    ["is deleted where something is there that is not told, as with `destroy`", { new: true, unrelated: false }, [], 1],
    ["is deleted where nothing is skipped, though it is not told, as for targets", { unrelated: false }, [], 1],
    ["is deleted where that is not answered", {}, ["unrelated"], 1],
    ["is deleted where that depends on nothing that may have failed, as for targets", { new: "alone" }, [], 1],
    [
      "is deleted where something skipped depends on nothing that may have failed",
      { new: true, unrelated: "alone" },
      [],
      1,
    ],
  ] as const)("%s", async (_, answers, told, deletions) => {
    const { it, life, announcer } = renaming();
    for (const place of told) await it.check(of(place, place), of(place, place));
    for (const [place, skipped] of Object.entries(answers)) announcer.addAnswered("Test", place, skipped);
    announcer.write();
    const deletion = it.delete("web", WEB);
    if (deletions === 0) expect((await failure(deletion)).message).toBe(doubtful(REFUSAL));
    else await deletion;
    expect(life.delete).toHaveBeenCalledTimes(deletions);
  });

  test.each([
    ["stays in the state where who is to take it over is skipped, as with `destroy`", "alone", true],
    ["stays in the state where who is to take it over is skipped with what it depends on", true, true],
    ["is let go of where who is to take it over is there already, and no target", false, false],
    ["is let go of where the engine has not come to who takes it over", undefined, false],
  ] as const)("%s", async (_, skipped, isRefused) => {
    const announcer = new Announcer(ADDRESS, RUN);
    announcer.add(announced("new", "web", { inputs: { name: "web", adopt: true } }));
    announcer.add(announced("unrelated", "unrelated"));
    if (skipped !== undefined) announcer.addAnswered("Test", "new", skipped);
    announcer.addAnswered("Test", "unrelated");
    announcer.write();
    const { it, life } = providerOf();
    const deletion = it.delete("web", WEB);
    if (isRefused) expect((await failure(deletion)).message).toBe(doubtful(REFUSAL));
    else await deletion;
    expect(life.delete).not.toHaveBeenCalled();
  });

  test("is not deleted where that was told, and not made, as a hook of the program has failed before", async () => {
    const { it, life, announcer } = renaming();
    await it.check({}, of("new", "web"));
    announcer.addAnswered("Test", "new", "alone");
    announcer.addAnswered("Test", "unrelated");
    announcer.write();
    expect((await failure(it.delete("web", WEB))).message).toBe(NAMELESS);
    expect(life.delete).not.toHaveBeenCalled();
  });

  test.each<[string, Partial<Announcement>]>([
    ["the other form", { isNative: true }],
    ["another provider", { home: "b", of: SCOPE }],
  ])("is not deleted where that has %s, and is skipped", async (_, more) => {
    const announcer = new Announcer(ADDRESS, RUN);
    for (const place of ["new", "other"]) announcer.add(announced(place, place === "new" ? "web" : place, more));
    announcer.addAnswered("Test", "new", true);
    // Of what is there, the engine tells another process.
    announcer.addAnswered("Test", "other");
    announcer.write();
    const { it, life } = providerOf();
    await it.check({}, of("unrelated", "unrelated"));
    expect((await failure(it.delete("web", WEB))).message).toBe(doubtful(REFUSAL));
    expect(life.delete).not.toHaveBeenCalled();
  });

  test("is deleted where nothing has failed, as with `destroy` and for targets", async () => {
    const { it, life } = renaming();
    await it.delete("web", WEB);
    expect(life.delete).toHaveBeenCalledTimes(1);
  });

  test("is not deleted where that was made in part, and has not got it", async () => {
    const { it, life, holdings } = renaming();
    holdings.mockImplementation((id, { name }) => ({ has: id === "half" ? [] : [`thing ${name}`] }));
    await it.check({}, of("new", "web"));
    vi.mocked(life.create).mockRejectedValueOnce(new PartialFailure("half", {}, new Error("not all")));
    await failure(it.create(of("new", "web")));
    expect((await failure(it.delete("web", WEB))).message).toBe(NAMELESS);
    expect(life.delete).not.toHaveBeenCalled();
  });

  test("stays as it is with what stands on it", async () => {
    const { it, life, holdings } = renaming();
    await it.check({}, of("new", "web"));
    vi.mocked(life.create).mockRejectedValueOnce(new Error("exists already"));
    await failure(it.create(of("new", "web")));
    holdings.mockImplementation((id) => ({ has: id === "part" ? ["part of web"] : [], standsOn: ["thing web"] }));
    const part = { ...of("part", "part"), __declared: "name" };
    expect((await failure(it.delete("part", part))).message).toBe(refusalOf("part", "thing web", "declares", ""));
    expect(life.delete).not.toHaveBeenCalled();
  });

  test("is deleted where it stands on what could not be deleted to be replaced, and so has stayed", async () => {
    const { it, life, holdings } = renaming();
    holdings.mockImplementation((id, { name }) =>
      id === "part" ? { has: ["part of web"], standsOn: ["thing web"] } : { has: [`thing ${name}`] },
    );
    await it.check({}, of("new", "web"));
    vi.mocked(life.delete).mockRejectedValueOnce(new Error("not now"));
    await failure(it.delete("web", { ...of("new", "web"), __declared: "name" }));
    await it.delete("part", { ...of("part", "part"), __declared: "name" });
    expect(vi.mocked(life.delete).mock.calls.map(([id]) => id)).toEqual(["web", "part"]);
  });

  const REPLACED = { changed: ["name"], replaces: ["name"], deleteBeforeReplace: true };

  /** As the state has what was renamed with `aliases`, and not updated since: it has the name again that it had at first. */
  const RENAMED = { ...of("new", "web"), __declared: "name" };

  test("is not deleted where that has the name which it had at first, and could not be made", async () => {
    const { it, life } = renaming();
    await it.check({}, of("new", "web"));
    vi.mocked(life.create).mockRejectedValueOnce(new Error("exists already"));
    await failure(it.create(of("new", "web")));
    expect((await failure(it.delete("web", RENAMED))).message).toBe(NAMELESS);
    expect(life.delete).not.toHaveBeenCalled();
  });

  test("is not deleted where that has the name which it had at first, and is skipped", async () => {
    const { it, life, announcer } = renaming();
    announcer.addAnswered("Test", "new", true);
    announcer.write();
    expect((await failure(it.delete("web", RENAMED))).message).toBe(doubtful(REFUSAL));
    expect(life.delete).not.toHaveBeenCalled();
  });

  test.each([
    ["the engine has come to it", { __key: "new", name: "web" }, true],
    ["it is replaced by force", {}, true],
    ["the engine has not come to it", {}, false],
  ])("is deleted where it stands, and %s", async (_, olds, isTold) => {
    const { it, life } = renaming();
    await it.check({}, of("unrelated", "unrelated"));
    vi.mocked(life.create).mockRejectedValueOnce(new Error("not now"));
    await failure(it.create(of("unrelated", "unrelated")));
    if (isTold) await it.check(olds, of("new", "web"));
    vi.mocked(life.diff).mockReturnValueOnce(REPLACED);
    if ("name" in olds) await it.diff("web", RENAMED, of("new", "web"));
    await it.delete("web", RENAMED);
    expect(life.delete).toHaveBeenCalledTimes(1);
  });

  test("is deleted to be replaced where it stands", async () => {
    const { it, life } = renaming();
    await it.check({}, of("new", "web"));
    vi.mocked(life.create).mockRejectedValueOnce(new Error("exists already"));
    await failure(it.create(of("new", "web")));
    await it.check(of("old", "web"), of("old", "api"));
    vi.mocked(life.diff).mockReturnValueOnce(REPLACED);
    await it.diff("web", WEB, of("old", "api"));
    await it.delete("web", WEB);
    expect(life.delete).toHaveBeenCalledTimes(1);
  });
});

/** A program that takes over `web` with a resource that it registers last. */
function takingOver(): Announcer {
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced("new", "web", { inputs: { name: "web", adopt: true } }));
  announcer.countTakeOver();
  return announcer;
}

const WEB = { ...of("old", "web"), __declared: "name" };

const TWO_WAYS =
  "to the user who runs the update, and run again; or take `adopt: true` from the resources that the state has already.";

describe.each([
  {
    what: "written",
    break: () => writeFileSync(join(home, "brightdata"), "in the way"),
    reason: (file: string) =>
      `could not be written to ${file} (ENOTDIR). Make room there, or make it writable ${TWO_WAYS}`,
  },
  {
    what: "read",
    break: (announcer: Announcer) => {
      rmSync(announcer.file);
      mkdirSync(announcer.file);
    },
    reason: (file: string) => `could not be read from ${file} (EISDIR). Make it readable ${TWO_WAYS}`,
  },
])("where what a program announces cannot be $what", ({ what, break: breakIt, reason }) => {
  function begin(): Announcer {
    const announcer = takingOver();
    if (what === "written") breakIt(announcer);
    announcer.write();
    if (what === "read") breakIt(announcer);
    return announcer;
  }

  const refusalOf = ({ file }: Announcer) =>
    `Nothing was done to Test web: another resource of this program may be about to take over thing web. What the program takes over (\`adopt: true\`) ${reason(file)}`;

  test("what another resource may take over is not deleted", async () => {
    const announcer = begin();
    const { it, life } = providerOf();
    await it.check({}, of("unrelated", "unrelated", announcer.notice));
    expect((await failure(it.delete("web", WEB))).message).toBe(refusalOf(announcer));
    expect(life.delete).not.toHaveBeenCalled();
  });

  test("what another resource may take over is not given up by an update", async () => {
    const announcer = begin();
    const { it, life, holdings } = providerOf();
    holdings.mockImplementation((id, { name }) => ({
      has: id === undefined ? [`thing ${name}`] : ["thing web"],
      keeps: [],
    }));
    await it.check({}, of("unrelated", "unrelated", announcer.notice));
    const update = it.update("web", WEB, of("old", "other"));
    expect((await failure(update)).message).toBe(refusalOf(announcer));
    expect(life.update).not.toHaveBeenCalled();
  });

  test("what a resource that is there already takes over is kept from when the engine has told of that", async () => {
    const announcer = begin();
    const { it, life } = providerOf();
    const news = { ...of("new", "web", { ...announcer.notice, isTakeOver: true }), adopt: true };
    await it.check(of("new", "other"), news);
    await it.delete("web", WEB);
    expect(life.delete).not.toHaveBeenCalled();
  });

  test("what nobody takes over is deleted once the engine has told of all that take something over", async () => {
    const announcer = begin();
    const { it, life } = providerOf();
    await it.check({}, { ...of("new", "other", { ...announcer.notice, isTakeOver: true }), adopt: true });
    await it.delete("web", WEB);
    expect(life.delete).toHaveBeenCalledTimes(1);
  });
});

test("where nothing can be announced, and nothing is taken over, everything is done as usual", async () => {
  writeFileSync(join(home, "brightdata"), "in the way");
  const announcer = new Announcer(ADDRESS, RUN);
  announcer.add(announced("new", "new"));
  announcer.write();
  expect(announcer.notice).toEqual({ file: announcer.file, takeOvers: 0, failure: "ENOTDIR" });
  const { it, life } = providerOf();
  await it.check({}, of("new", "new", announcer.notice));
  await it.delete("web", WEB);
  expect(life.delete).toHaveBeenCalledTimes(1);
});

test("what is announced after something could not be written is heard", async () => {
  writeFileSync(join(home, "brightdata"), "in the way");
  const announcer = takingOver();
  announcer.write();
  rmSync(join(home, "brightdata"));
  mkdirSync(join(home, "brightdata", "runs"), { recursive: true });
  writeFileSync(announcer.file, '{"kind":"Te');
  announcer.add(announced("other", "other", { inputs: { name: "other", adopt: true } }));
  announcer.countTakeOver();
  announcer.write();
  const { it, life } = providerOf();
  await it.check({}, of("unrelated", "unrelated", announcer.notice));
  await it.delete("other", { ...of("old", "other"), __declared: "name" });
  expect(life.delete).not.toHaveBeenCalled();
  expect((await failure(it.delete("web", WEB))).message).toContain("(ENOTDIR)");
});
