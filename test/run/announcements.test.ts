import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import {
  type Announcement,
  Announcements,
  Announcer,
  isStandIn,
  newStandIn,
  noticeIn,
} from "../../src/run/announcements";
import { unwrittenFile } from "../../src/run/runFiles";
import { engineStarted } from "../../src/run/writer";

vi.mock("../../src/run/writer", async (original) => ({ ...(await original<object>()), engineStarted: vi.fn() }));

const ADDRESS = "127.0.0.1:45678";

const announced = (place: string, home?: string): Announcement => ({
  ...{ kind: "Zone", place, name: place, inputs: { name: place } },
  ...(home === undefined ? {} : { home }),
});

/** What a process of the provider reads of a run, as places. */
const heard = (announcements: Announcements) => announcements.unread().map(({ place }) => place);

/** Those of a process that knows the run. */
function of(file: string): Announcements {
  const announcements = new Announcements(ADDRESS);
  announcements.belongTo({ file });
  return announcements;
}

test.each([
  ["a-run", { file: "a-run" }],
  [
    { file: "a-run", takeOvers: 2, isTakeOver: true, failure: "ENOSPC", hasPeers: true },
    { file: "a-run", takeOvers: 2, isTakeOver: true, failure: "ENOSPC", hasPeers: true },
  ],
  [{ file: "a-run", takeOvers: "2", isTakeOver: 1, failure: false, hasPeers: "yes", more: 1 }, { file: "a-run" }],
  [
    { file: "a-run", takeOvers: 0, isTakeOver: false },
    { file: "a-run", takeOvers: 0 },
  ],
  [{ file: 1 }, undefined],
  [{}, undefined],
  [undefined, undefined],
])("of what a registration says of its run, %j, %j is taken", (said, notice) => {
  expect(noticeIn(said)).toEqual(notice);
});

test("a place that is not known yet has a stand-in that no other has", () => {
  const standIns = Array.from({ length: 100 }, newStandIn);
  expect(new Set(standIns).size).toBe(100);
  expect(standIns.every(isStandIn)).toBe(true);
  expect(isStandIn("place")).toBe(false);
});

test("a program that announces nothing tells which run it is all the same, and any other how much it takes over", () => {
  const announcer = new Announcer(ADDRESS, "a-run");
  announcer.write();
  expect(announcer.notice).toEqual({ file: announcer.file, takeOvers: 0 });
  expect(readFileSync(announcer.file, "utf8")).toBe("");
  announcer.add(announced("web"));
  announcer.countTakeOver();
  announcer.countTakeOver();
  expect(announcer.notice).toEqual({ file: announcer.file, takeOvers: 2 });
});

test("a program with explicit providers tells that there are several processes, and what could not be written", () => {
  const announcer = new Announcer(ADDRESS, "a-run");
  announcer.add(announced("web", "own"), {});
  expect(announcer.notice).toEqual({ file: announcer.file, takeOvers: 0, hasPeers: true });
  mkdirSync(announcer.file, { recursive: true });
  announcer.write();
  expect(announcer.notice).toMatchObject({ failure: "EISDIR", hasPeers: true });
});

test("what the engine has answered is heard as such", () => {
  const announcer = new Announcer(ADDRESS, "a-run");
  announcer.addAnswered("Zone", "a");
  announcer.write();
  expect(of("a-run").unread()).toEqual([{ kind: "Zone", place: "a", name: "", inputs: {}, isAnswered: true }]);
});

test("what is announced is heard once, in its order, and by nobody else on the machine", () => {
  const announcer = new Announcer(ADDRESS, "a-run");
  announcer.write();
  announcer.add(announced("a"));
  announcer.add(announced("b", "provider"), {});
  announcer.write();
  const announcements = of("a-run");
  expect(announcements.file).toBe(announcer.file);
  expect(heard(announcements)).toEqual(["a", "b"]);
  announcer.write();
  expect(heard(announcements)).toEqual([]);
  announcer.add(announced("c"));
  announcer.write();
  expect(heard(announcements)).toEqual(["c"]);
  if (process.platform !== "win32") expect(statSync(announcer.file).mode & 0o777).toBe(0o600);
});

test("a process that nobody tells of the run learns by a name alone that not all could be written", () => {
  const announcer = new Announcer(ADDRESS, "a-run");
  announcer.add(announced("a"));
  announcer.write();
  const [guessed, told] = [new Announcements(ADDRESS), of("a-run")];
  guessed.guess();
  expect(guessed.unheard(0)).toBeUndefined();
  rmSync(announcer.file);
  mkdirSync(announcer.file);
  announcer.add(announced("b"));
  announcer.write();
  expect(guessed.unheard(1)).toEqual({ file: announcer.file, code: "EISDIR", is: "unwritten" });
  expect(told.unheard(0)).toBeUndefined();
});

test("a process that nobody tells of the run does not know what is taken over while it cannot read the run's file, or find it", () => {
  const announcer = new Announcer(ADDRESS, "a-run");
  announcer.add(announced("a"));
  announcer.write();
  const guessed = new Announcements(ADDRESS);
  guessed.guess();
  rmSync(announcer.file);
  heard(guessed);
  expect(guessed.unheard(0)).toEqual({ file: announcer.file, code: "ENOENT", is: "unread" });
  const runs = dirname(announcer.file);
  rmSync(runs, { recursive: true });
  const first = new Announcements(ADDRESS);
  first.guess();
  expect(first.unheard(0)).toBeUndefined();
  rmSync(runs, { recursive: true });
  writeFileSync(runs, "");
  const lost = new Announcements(ADDRESS);
  lost.guess();
  expect(lost.unheard(0)).toEqual({ file: runs, code: "ENOTDIR", is: "unread" });
  rmSync(runs);
});

test("of two providers of one name is announced where it leads, and nothing where that is not known", () => {
  const announcer = new Announcer(ADDRESS, "a-run");
  const [one, other] = [{}, {}];
  announcer.add(announced("a", "clear"), one);
  announcer.add(announced("b", "clear"), one);
  announcer.add(announced("c", "unclear"), one);
  announcer.add(announced("d", "unclear"), other);
  announcer.add(announced("e"));
  announcer.add(announced("f", "default"));
  announcer.write();
  announcer.add(announced("g", "unclear"), one);
  announcer.add({ ...announced("h", "unclear"), of: "there" }, other);
  announcer.write();
  const unread = of("a-run").unread();
  expect(unread.map(({ place, isAmbiguous }) => [place, isAmbiguous])).toEqual([
    ...["a", "b", "e", "f"].map((place) => [place, undefined]),
    ["h", true],
  ]);
});

test("what is no announcement is passed over", () => {
  const announcer = new Announcer(ADDRESS, "a-run");
  announcer.add(announced("a"));
  announcer.write();
  const line = JSON.stringify(announced("b"));
  const wrong = ["null", "[]", '"b"', "{", line.replace('"Zone"', "1"), line.replace('"place":"b"', '"place":1')];
  appendFileSync(
    announcer.file,
    [...wrong, line.replace('{"name":"b"}', '"b"'), line].map((each) => `${each}\n`).join(""),
  );
  expect(heard(of("a-run"))).toEqual(["a", "b"]);
});

test("a process goes with the run that it is told first, by whatever name", () => {
  const [earlier, later] = [new Announcer(ADDRESS, "earlier"), new Announcer(ADDRESS, "later")];
  for (const [announcer, place] of [
    [earlier, "a"],
    [later, "b"],
  ] as const) {
    announcer.add(announced(place));
    announcer.write();
  }
  const announcements = of(later.file);
  announcements.belongTo({ file: "earlier" });
  announcements.guess();
  expect(heard(announcements)).toEqual(["b"]);
});

test("a process that has to guess takes the latest run, until it is told which it is", () => {
  const announcements = new Announcements(ADDRESS);
  announcements.guess();
  expect(heard(announcements)).toEqual([]);
  const announcer = new Announcer(ADDRESS, "latest");
  announcer.add(announced("a"));
  announcer.write();
  announcements.guess();
  expect(heard(announcements)).toEqual(["a"]);
  // What has been heard of it is not heard again.
  announcements.belongTo({ file: "latest" });
  expect(heard(announcements)).toEqual([]);
  const other = new Announcements(ADDRESS);
  other.guess();
  other.belongTo({ file: "own" });
  expect(other.file).not.toBe(announcer.file);
  other.belongTo({ file: "latest" });
  expect(other.file).not.toBe(announcer.file);
});

test("a process that has been told its run finds no other one any more, also where it had met others without a program", () => {
  const announcements = new Announcements(ADDRESS);
  announcements.guess();
  const elsewhere = join(tmpdir(), "another-home", "a-run");
  announcements.belongTo({ file: elsewhere });
  announcements.guess();
  expect(announcements.file).toBe(elsewhere);
});

test("processes of a run whose program announces nothing find each other, by an empty file", () => {
  const [one, other, ofAnother] = [ADDRESS, ADDRESS, "127.0.0.1:45679"].map((address) => new Announcements(address));
  for (const each of [one, other, ofAnother]) each?.guess();
  expect(readFileSync(String(one?.file), "utf8")).toBe("");
  expect(other?.file).toBe(one?.file);
  expect(ofAnother?.file).not.toBe(one?.file);
  expect([one?.unheard(0), heard(one as Announcements)]).toEqual([undefined, []]);
});

test("a process that finds its run by itself finds out once when its engine was started, however often it looks", () => {
  vi.mocked(engineStarted)
    .mockClear()
    .mockReturnValue(Date.now() - 1000);
  const announcements = new Announcements(ADDRESS);
  for (let look = 0; look < 5; look++) announcements.guess();
  expect(engineStarted).toHaveBeenCalledOnce();
  vi.mocked(engineStarted).mockReset();
});

test("a process without an engine hears nothing", () => {
  const announcer = new Announcer(ADDRESS, "a-run");
  announcer.add(announced("a"));
  announcer.write();
  const announcements = new Announcements(undefined);
  announcements.belongTo({ file: announcer.file });
  announcements.guess();
  expect([announcements.file, heard(announcements)]).toEqual([undefined, []]);
});

test("with explicit providers, what others have is unknown once something of the run could not be written", () => {
  const announcer = new Announcer(ADDRESS, "a-run");
  announcer.add(announced("a"));
  announcer.write();
  expect(announcer.notice.hasPeers).toBeUndefined();
  announcer.add(announced("b", "provider"), {});
  announcer.write();
  const { file, notice } = announcer;
  expect(notice).toEqual({ file, takeOvers: 0, hasPeers: true });
  const [alone, peer, failed] = [of("a-run"), new Announcements(ADDRESS), new Announcements(ADDRESS)];
  peer.belongTo(notice);
  failed.belongTo({ ...notice, failure: "EROFS" });
  expect([alone, peer].map((each) => each.unheard(0))).toEqual([undefined, undefined]);
  expect(failed.unheard(0)).toEqual({ file, code: "EROFS", is: "unwritten" });
  appendFileSync(unwrittenFile(file, "ENOSPC"), "");
  expect(peer.unheard(0)).toEqual({ file, code: "ENOSPC", is: "unwritten" });
  expect(alone.unheard(0)).toBeUndefined();
});

test("with resources of both forms, what those of the other have is unknown, too, and with one form nobody else has any", () => {
  const announcer = new Announcer(ADDRESS, "a-run");
  announcer.add({ ...announced("a"), isNative: true });
  announcer.add({ ...announced("b"), isNative: true });
  announcer.addAnswered("Zone", "a");
  expect(announcer.notice.hasPeers).toBeUndefined();
  announcer.add(announced("c"));
  announcer.write();
  const process = new Announcements(ADDRESS);
  process.belongTo(announcer.notice);
  expect(process.unheard(0)).toBeUndefined();
  writeFileSync(unwrittenFile(announcer.file, "ENOSPC"), "");
  expect(process.unheard(0)).toEqual({ file: announcer.file, code: "ENOSPC", is: "unwritten" });
});

test("what a program takes over is unknown while its file cannot be read, or written, and the engine has not told of all", () => {
  const announcements = of("a-run");
  const { file } = announcements;
  expect(announcements.unheard(0)).toBeUndefined();
  heard(announcements);
  expect(announcements.unheard(0)).toBeUndefined();
  announcements.belongTo({ file: "a-run", takeOvers: 2 });
  announcements.belongTo({ file: "a-run", takeOvers: 1 });
  expect(announcements.unheard(1)).toEqual({ file, code: "ENOENT", is: "unread" });
  expect(announcements.unheard(2)).toBeUndefined();
  announcements.belongTo({ file: "a-run", failure: "ENOSPC" });
  announcements.belongTo({ file: "a-run", failure: "EACCES" });
  expect(announcements.unheard(1)).toEqual({ file, code: "ENOSPC", is: "unwritten" });
  expect(new Announcements(undefined).unheard(0)).toBeUndefined();
});
