import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, vi } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { Deadline } from "../../src/lifecycle/deadline";
import type * as journals from "../../src/run/journal";
import type * as noteModule from "../../src/run/notes";

export const BACKEND = "https://api.example.com";
export const A = "m.aaaaaaaaaaaa";

export let home: string;
export let folder: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pulumi-home-"));
  folder = join(home, "brightdata", "notes");
  vi.stubEnv("PULUMI_HOME", home);
  vi.stubEnv("PULUMI_BACKEND_URL", BACKEND);
  return () => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    rmSync(home, { recursive: true, force: true });
  };
});

/** A process of its own: it remembers nothing that others were told. */
interface Process extends Pick<typeof noteModule, "recognize" | "acknowledge" | "placeId"> {
  open(operation?: journals.Operation, more?: Partial<journals.Subject>): journals.RunJournal;
}

export async function aProcess(): Promise<Process> {
  vi.resetModules();
  const { RunJournal } = await vi.importActual<typeof journals>("../../src/run/journal");
  const { recognize, acknowledge, placeId } = await vi.importActual<typeof noteModule>("../../src/run/notes");
  const open: Process["open"] = (operation = CREATE, more = {}) =>
    new RunJournal({ kind: "Zone", place: "place", operation, service: "here", ...more });
  return { open, recognize, acknowledge, placeId };
}

export const CREATE: journals.Operation = { kind: "create" };
export const replace = (of: string): journals.Operation => ({ kind: "replace", of });
export const change = (of: string): journals.Operation => ({ kind: "change", of });
export const remove = (of: string): journals.Operation => ({ kind: "delete", of });

export const notes = (): string[] => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []);

/** The one note there is. */
export function note(): string {
  expect(notes()).toHaveLength(1);
  return notes()[0] as string;
}

export const contentOf = (file: string): JsonObject => JSON.parse(readFileSync(file, "utf8")) as JsonObject;

export const time = (): Deadline => {
  const deadline = new Deadline(3600, "timeouts.test");
  onTestFinished(() => deadline.release());
  return deadline;
};

/** What a person should know of what nothing goes on with, where no resource has it. */
export const adviceOf = (journal: journals.RunJournal): string[] => journal.advice(() => false);

/** What a journal makes of the one note that there is. */
export const meaningOf = (journal: journals.RunJournal): string => {
  const [unfinished, advice] = [journal.unfinished, adviceOf(journal)];
  expect(unfinished === undefined || advice.length === 0).toBe(true);
  if (unfinished !== undefined) return unfinished.isElsewhere ? "unfinished elsewhere" : "unfinished";
  return advice.length > 0 ? "left" : "another's";
};

export const OPERATIONS = { create: CREATE, replace: replace(A), change: change(A), delete: remove(A) };
