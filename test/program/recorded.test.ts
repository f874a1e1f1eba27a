import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import type * as recorded from "../../src/program/recorded";
import { backend } from "../../src/run/backend";
import * as notebook from "../../src/run/notes";

let folder: string;
let isRecorded: typeof recorded.isRecorded;

beforeEach(async () => {
  const home = mkdtempSync(join(tmpdir(), "pulumi-home-"));
  folder = join(home, "brightdata", "notes");
  vi.stubEnv("PULUMI_HOME", home);
  vi.resetModules();
  ({ isRecorded } = await vi.importActual<typeof recorded>("../../src/program/recorded"));
  vi.useFakeTimers();
  return () => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  };
});

/** Notes of the resources of a kind at places, each told or not. */
function noted(notes: Record<string, "told" | "begun">): void {
  mkdirSync(folder, { recursive: true });
  for (const [key, state] of Object.entries(notes)) {
    const [place, mark] = [notebook.placeId("Zone", key), `m.${key}`];
    const began = new Date().toISOString();
    const note = {
      began,
      mark,
      place,
      purpose: { kind: "create" },
      facts: {},
      writer: {},
      service: "",
      backend: backend(),
    };
    const file = join(folder, `${place}~${mark}${state === "told" ? ".told" : ""}.json`);
    writeFileSync(file, JSON.stringify(note));
    // The clock of files is behind by some milliseconds.
    const soon = new Date(Date.now() + 1000);
    utimesSync(file, soon, soon);
  }
}

const left = (): string[] => readdirSync(folder).map((file) => file.replace(/^.*~m\.(\w+).*$/, "$1"));

test("what was told of a resource is forgotten once the engine has answered the program, all at once", async () => {
  noted({ web: "told", api: "told", www: "begun", shop: "told" });
  for (const place of ["web", "api", "www"]) isRecorded("Zone", place);
  isRecorded("ProxyPort", "shop");
  expect(left()).toHaveLength(4);
  await vi.advanceTimersByTimeAsync(50);
  expect(left().sort()).toEqual(["shop", "www"]);
});

test("what is answered later is forgotten later", async () => {
  noted({ web: "told", api: "told" });
  isRecorded("Zone", "web");
  await vi.advanceTimersByTimeAsync(50);
  expect(left()).toEqual(["api"]);
  isRecorded("Zone", "api");
  await vi.advanceTimersByTimeAsync(50);
  expect(left()).toEqual([]);
});

test("a program that ends first forgets it then, and waits for nothing", async () => {
  noted({ web: "told" });
  const before = process.listeners("exit");
  isRecorded("Zone", "web");
  const added = process.listeners("exit").filter((listener) => !before.includes(listener));
  expect(added).toHaveLength(1);
  (added[0] as (code: number) => void)(0);
  expect(left()).toEqual([]);
  expect(process.listeners("exit")).toEqual(before);
  expect(vi.getTimerCount()).toBe(0);
});

test("what an earlier run was told of is forgotten once a later one has taken it up, and was told so", async () => {
  noted({ web: "told", api: "told" });
  const earlier = new Date(Date.now() - 60_000);
  for (const file of readdirSync(folder)) utimesSync(join(folder, file), earlier, earlier);
  notebook.notes().tell("m.web");
  for (const place of ["web", "api"]) isRecorded("Zone", place);
  await vi.advanceTimersByTimeAsync(50);
  expect(left()).toEqual(["api"]);
});

test("where nothing is noted, nothing is done", async () => {
  isRecorded("Zone", "web");
  await vi.advanceTimersByTimeAsync(50);
  expect(existsSync(folder)).toBe(false);
});
