import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { digestWith, ownKey } from "../../src/base/ownKey";
import { zonePasswordLifecycle } from "../../src/kinds/zonePassword/lifecycle";
import type { Announcement } from "../../src/run/announcements";
import { ForeignSecrets } from "../../src/run/foreignSecrets";
import { foundByPeers } from "../../src/run/runFiles";
import { Session } from "../../src/run/session";
import { readSettings } from "../../src/settings/settings";
import { around } from "./surroundings";

const KEY = randomBytes(32);
const [SECRET, OTHER] = ["given-by-hand", "another-one"];

let [home, elsewhere] = ["", ""];

beforeEach(() => {
  [home, elsewhere] = [mkdtempSync(join(tmpdir(), "home-")), mkdtempSync(join(tmpdir(), "elsewhere-"))];
  vi.stubEnv("PULUMI_HOME", home);
  return () => {
    vi.unstubAllEnvs();
    for (const folder of [home, elsewhere]) rmSync(folder, { recursive: true });
  };
});

/** The file of a program whose folder is elsewhere, and has a key. */
function programElsewhere(key = KEY): string {
  mkdirSync(join(elsewhere, "brightdata/runs"), { recursive: true });
  writeFileSync(join(elsewhere, "brightdata/key"), key.toString("base64url"));
  const file = join(elsewhere, "brightdata/runs/a~run");
  writeFileSync(file, "");
  return file;
}

const announced = (password: string, place = "place"): Announcement => ({
  ...{ kind: "ZonePassword", place, name: place },
  inputs: { zone: "web", password },
});

test("what was announced by the key that this process has is known at once", () => {
  const own = announced(digestWith(ownKey(), SECRET));
  expect(new ForeignSecrets().heard(own, undefined)).toEqual({ announcement: own, isWhole: true });
});

test.each([
  ["once its secret was seen", [OTHER, SECRET]],
  ["as its secret was seen before", [SECRET]],
])("what was announced by the key of another home is known %s, and unknown before", (_, seen) => {
  const secrets = new ForeignSecrets();
  const [file, foreign] = [foundByPeers(programElsewhere()), announced(digestWith(KEY, SECRET))];
  const whole = announced(digestWith(ownKey(), SECRET));
  if (seen.length === 1) {
    expect(secrets.see(SECRET)).toEqual([]);
    expect(secrets.heard(foreign, file)).toEqual({ announcement: whole, isWhole: true });
    return;
  }
  const unknown = { ...foreign, inputs: { zone: "web" }, unknown: ["password"] };
  expect(secrets.heard(foreign, file)).toEqual({ announcement: unknown, isWhole: false });
  expect(seen.map((secret) => secrets.see(secret))).toEqual([[], [whole]]);
  expect(secrets.see(SECRET)).toEqual([]);
});

test.each<[string, () => string | undefined]>([
  ["no file is known", () => undefined],
  ["the key is another one by now", () => programElsewhere(randomBytes(32))],
  ["there is no key", () => join(elsewhere, "brightdata/runs/a~run")],
])("what was announced by a key that nobody finds stays unknown: %s", (_, file) => {
  const secrets = new ForeignSecrets();
  const { isWhole } = secrets.heard(announced(digestWith(KEY, SECRET)), file());
  expect([isWhole, secrets.see(SECRET)]).toEqual([false, []]);
});

test("a password that the engine has answered to a program with another home is had by that, once it was seen", () => {
  const session = new Session(around({ engine: "127.0.0.1:45678", lifecycleOf: () => zonePasswordLifecycle }));
  onTestFinished(() => void vi.restoreAllMocks());
  const hearing = { settings: readSettings(() => undefined, {}), home: undefined };
  const file = programElsewhere();
  const said = announced(digestWith(KEY, SECRET));
  writeFileSync(
    file,
    [said, { ...said, isAnswered: true, mark: "m.it" }].map((each) => `${JSON.stringify(each)}\n`).join(""),
  );
  session.belongTo({ file }, "");
  session.hear(hearing);
  const { claims } = session.contexts.of(hearing.settings, {}, "remote");
  const state = { zone: "web", password: SECRET };
  const [thing = ""] = zonePasswordLifecycle.holdings("web/1", state).has;
  expect(claims.whoHas(thing)).toBeUndefined();
  session.seeSecrets(zonePasswordLifecycle, state, hearing);
  expect(claims.whoHas(thing)).toBe("has");
});
