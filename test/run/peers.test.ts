import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { zoneLifecycle } from "../../src/kinds/zone/lifecycle";
import { Announcer } from "../../src/run/announcements";
import { Session } from "../../src/run/session";
import { scopeNamed } from "../../src/settings/connections";
import { readSettings, type Settings } from "../../src/settings/settings";
import { around } from "./surroundings";

const ENGINE = "127.0.0.1:4711";

const settingsWith = (token: string): Settings =>
  readSettings(() => undefined, { BRIGHTDATA_API_TOKEN: token, BRIGHTDATA_BASE_URL: "http://127.0.0.1:8000" });

beforeEach(() => {
  const home = mkdtempSync(join(tmpdir(), "pulumi-home-"));
  vi.stubEnv("PULUMI_HOME", home);
  return () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  };
});

/** A process of the provider: the one of an explicit provider of that name, if it has one. */
class Process {
  static #count = 0;
  readonly #pid = 100_000 + Process.#count++;
  readonly #session = new Session(around({ engine: ENGINE, lifecycleOf: () => zoneLifecycle }));
  readonly #settings: Settings;

  constructor(
    readonly home: string | undefined,
    token = "token",
  ) {
    this.#settings = settingsWith(token);
  }

  do<T>(task: (session: Session) => T, run?: string): T {
    vi.spyOn(process, "pid", "get").mockReturnValue(this.#pid);
    this.#session.belongTo(run === undefined ? undefined : { file: run }, "");
    this.#session.findRun();
    this.#session.hear({ settings: this.#settings, home: this.home });
    return task(this.#session);
  }

  claims(session: Session) {
    return session.contexts.of(this.#settings, {}, "remote").claims;
  }

  unite(customer: string): void {
    this.do((session) => {
      const [account] = session.contexts.of(this.#settings, {}, "remote").accounts;
      session.contexts.unite(account, this.#settings.baseUrl, customer);
    });
  }
}

/** A run whose program has resources with explicit providers. */
function begun(run = "run"): void {
  const announcer = new Announcer(ENGINE, run);
  for (const home of ["a", "b"]) announcer.add({ kind: "Zone", place: `place ${home}`, name: home, home, inputs: {} });
  announcer.write();
}

test("what one process of a run makes another one that only deletes knows to be somebody's", async () => {
  begun();
  const [a, b] = [new Process("a"), new Process("b")];
  b.do((session) => b.claims(session).made({ mark: "m.b" }, ["zone web"]), "run");
  await undefined;
  expect(a.do((session) => a.claims(session).isAnothers("zone web", { mark: "m.a" }))).toBe(true);
  expect(a.do((session) => a.claims(session).isAnothers("zone api", { mark: "m.a" }))).toBe(false);
});

test("what a process with another token of the account makes is known once both know whose their tokens are", async () => {
  begun();
  const [a, b, other] = [new Process("a", "one"), new Process("b", "two"), new Process("b", "three")];
  b.do((session) => b.claims(session).made({ mark: "m.b" }, ["zone web"]), "run");
  await undefined;
  other.do((session) => other.claims(session).made({ mark: "m.c" }, ["zone api"]), "run");
  await undefined;
  a.unite("hl_1");
  b.unite("hl_1");
  other.unite("hl_2");
  b.do((session) => b.claims(session).made({ mark: "m.d" }, ["zone www"]), "run");
  await undefined;
  const known = ["zone www", "zone api"].map((thing) =>
    a.do((session) => a.claims(session).isAnothers(thing, { mark: "m.a" })),
  );
  expect(known).toEqual([true, false]);
});

test("what a process claims before it knows whose its token is, others hear as soon as it does, and what is announced for it", async () => {
  const announcer = new Announcer(ENGINE, "run");
  const of = (token: string) => scopeNamed("remote", undefined, settingsWith(token)) as string;
  const inputs = { name: "www", adopt: true };
  announcer.add({ kind: "Zone", place: "b", name: "b", home: "b", of: of("two"), inputs });
  announcer.write();
  const [a, b] = [new Process("a", "one"), new Process("b", "two")];
  const known = () =>
    a.do((session) => ["zone web", "zone www"].map((thing) => a.claims(session).whoHas(thing, { mark: "m.a" })), "run");
  a.unite("account");
  b.do((session) => b.claims(session).stays("m.b", { has: ["zone web"] }), "run");
  await undefined;
  expect(known()).toEqual([undefined, undefined]);
  b.unite("account");
  await undefined;
  expect(known()).toEqual(["has", "adopts"]);
  b.do((session) => b.claims(session).comes("b", {}));
  await undefined;
  expect(known()).toEqual(["has", undefined]);
});

test("what an earlier run at the same address of an engine has told is nothing to a later one", async () => {
  begun("earlier");
  const earlier = new Process("b");
  earlier.do((session) => earlier.claims(session).made({ mark: "m.b" }, ["zone web"]), "earlier");
  await undefined;
  begun("later");
  const later = new Process("a");
  expect(later.do((session) => later.claims(session).isAnothers("zone web", { mark: "m.a" }), "later")).toBe(false);
});

test("what a process has claimed before its run has a program is heard by those that know that from the start", async () => {
  const [early, late] = [new Process("a"), new Process("b")];
  early.do((session) => early.claims(session).made({ mark: "m.a" }, ["zone web"]));
  await undefined;
  begun();
  early.do(() => undefined);
  await undefined;
  expect(late.do((session) => late.claims(session).isAnothers("zone web", { mark: "m.b" }), "run")).toBe(true);
});
