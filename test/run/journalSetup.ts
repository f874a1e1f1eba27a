import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, vi } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { Deadline } from "../../src/lifecycle/deadline";
import type * as acknowledging from "../../src/run/acknowledge";
import { type Line, lineOf } from "../../src/run/intentFiles";
import type * as intentModule from "../../src/run/intents";
import type * as journals from "../../src/run/journal";
import type { Subject, Undertaking } from "../../src/run/meaning";
import type * as writers from "../../src/run/writer";

export const BACKEND = "https://api.example.com";
export const A = "m.aaaaaaaaaaaa";

export let home: string;
export let folder: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pulumi-home-"));
  folder = join(home, "brightdata", "intents");
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
interface Process extends Pick<typeof intentModule, "placeId"> {
  acknowledge(marks: ReadonlySet<string>, run?: acknowledging.Answering): void;
  recognize(mark: string, things?: readonly string[]): void;
  open(operation?: Undertaking, more?: Partial<Subject>): journals.RunJournal;
}

/** @param engine the address of its engine */
export async function aProcess(engine?: string): Promise<Process> {
  vi.resetModules();
  const { RunJournal } = await vi.importActual<typeof journals>("../../src/run/journal");
  const { Intents, placeId } = await vi.importActual<typeof intentModule>("../../src/run/intents");
  const { acknowledge: acknowledgeIn } = await vi.importActual<typeof acknowledging>("../../src/run/acknowledge");
  const { thisProcess } = await vi.importActual<typeof writers>("../../src/run/writer");
  let found: intentModule.Intents | undefined;
  const intents = () => {
    found ??= new Intents(thisProcess(engine), process.cwd(), (words) => console.log(`brightdata: ${words}`));
    return found;
  };
  const open: Process["open"] = (operation = CREATE, more = {}) =>
    new RunJournal({ kind: "Zone", place: "place", operation, service: "here", ...more }, intents());
  return {
    open,
    recognize: (mark, things = []) => intents().recognize(mark, () => things),
    acknowledge: (marks, run = {}) => acknowledgeIn(new Map([...marks].map((mark) => [mark, run])), process.cwd()),
    placeId,
  };
}

export const CREATE: Undertaking = { kind: "create" };
export const replace = (of: string): Undertaking => ({ kind: "replace", of });
export const change = (of: string): Undertaking => ({ kind: "change", of });
export const remove = (of: string): Undertaking => ({ kind: "delete", of });

/** The files of the intents that there are. */
export const files = (): string[] => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []);

/** The one that there is. */
export function onlyFile(): string {
  expect(files()).toHaveLength(1);
  return files()[0] as string;
}

/** The lines of a file, without their sums. */
export const linesOf = (file: string): JsonObject[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line.slice(line.indexOf(" "))) as JsonObject);

/** What a file says was begun. */
export const contentOf = (file: string): JsonObject => linesOf(file)[0]?.begun as JsonObject;

export const isTold = (file: string): boolean => linesOf(file).some((line) => "told" in line);

/** Writes a file anew, with its sums. */
export const rewrite = (file: string, more: JsonObject): void =>
  writeFileSync(file, lineOf({ begun: { ...contentOf(file), ...more } } satisfies Line));

export const time = (): Deadline => {
  const deadline = new Deadline(3600, "timeouts.test");
  onTestFinished(() => deadline.release());
  return deadline;
};

/** What a person should know of what nothing goes on with, where no resource has it. */
export const adviceOf = (journal: journals.RunJournal): string[] => journal.advice(() => false);

/** What a journal makes of the one intent that there is. */
export const meaningOf = (journal: journals.RunJournal): string => {
  const [unfinished, advice] = [journal.unfinished, adviceOf(journal)];
  expect(unfinished === undefined || advice.length === 0).toBe(true);
  if (unfinished !== undefined) return unfinished.isElsewhere ? "unfinished elsewhere" : "unfinished";
  return advice.length > 0 ? "left" : "another's";
};

export const OPERATIONS = { create: CREATE, replace: replace(A), change: change(A), delete: remove(A) };
