import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../json";
import { isObject } from "../json";
import type { Journal, Noted } from "../lifecycle/lifecycle";
import { wasCut } from "./cancellation";

/** How long a creation is remembered of which nothing was heard again. */
const KEPT_MS = 7 * 86_400_000;

/** The files of those creations whose outcome this process has told the engine. */
const told = new Set<string>();

/** What a file holds. */
interface Note extends Noted {
  /** What was replaced or changed. */
  over?: string;
}

let isTidy = false;

/** Small files beside the CLI's own: one for each creation that no state tells of yet. */
const folder = (): string => join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "brightdata", "creations");

/**
 * The journal of one resource's creation. A file that cannot be read or written is no reason to fail: without it, what a killed
 * process has made is refused as something foreign, and not taken up.
 *
 * @param key stands for the resource's place in its program
 * @param service what it is made with: the same program may run against another
 * @param over what the engine's state has at that place and is replaced or changed; a note begun over something else is of an
 *   older day
 */
export class CreationJournal implements Journal {
  readonly mark: string;
  readonly #file: string;
  readonly #over: string | undefined;
  #found: { note: Noted | undefined } | undefined;

  constructor(kind: string, key: string, service: string, over: string | undefined) {
    const name = createHash("sha256")
      .update(JSON.stringify([kind, key, service]))
      .digest("hex")
      .slice(0, 32);
    this.#file = join(folder(), `${name}.json`);
    this.mark = `${key}-${randomBytes(4).toString("hex")}`;
    this.#over = over;
  }

  /** Read when it is asked for, which most changes and deletions do not. */
  get unfinished(): Noted | undefined {
    this.#found ??= this.#find();
    return this.#found.note;
  }

  begin(facts: JsonObject): void {
    // What is noted from here on is this creation's.
    this.#found ??= this.#find();
    const note: Note = {
      began: new Date().toISOString(),
      mark: this.mark,
      facts,
      ...(this.#over === undefined ? {} : { over: this.#over }),
    };
    // What the engine was told of the resource before, such as its deletion in a replacement, says nothing of this creation.
    told.delete(this.#file);
    quietly(() => {
      mkdirSync(folder(), { recursive: true, mode: 0o700 });
      const draft = `${this.#file}.${process.pid}`;
      writeFileSync(draft, JSON.stringify(note), { mode: 0o600 });
      renameSync(draft, this.#file);
      tidy();
    });
  }

  #find(): { note: Noted | undefined } {
    const note = told.has(this.#file) ? undefined : read(this.#file);
    return { note: note?.over === this.#over ? note : undefined };
  }

  /** Notes that the engine was told what was made. It has recorded that when it ends this process in good order. */
  tell(): void {
    told.add(this.#file);
    forgetAtTheEnd();
  }

  forget(): void {
    told.delete(this.#file);
    quietly(() => rmSync(this.#file, { force: true }));
  }
}

function read(file: string): Note | undefined {
  return quietly(() => {
    const noted: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isObject(noted) || typeof noted.began !== "string" || typeof noted.mark !== "string") return undefined;
    const isFresh = Date.now() - Date.parse(noted.began) <= KEPT_MS;
    return isFresh && isObject(noted.facts) ? (noted as unknown as Note) : undefined;
  });
}

/** Takes away, once a process, what is too old to be of use. */
function tidy(): void {
  if (isTidy) return;
  isTidy = true;
  for (const name of readdirSync(folder())) {
    const file = join(folder(), name);
    quietly(() => {
      if (Date.now() - statSync(file).mtimeMs > KEPT_MS) rmSync(file, { force: true });
    });
  }
}

let isForgetting = false;

/** The engine interrupts its processes when all is recorded; one that is killed, or cut, leaves its notes to the next. */
function forgetAtTheEnd(): void {
  if (isForgetting) return;
  isForgetting = true;
  process.once("SIGINT", () => {
    if (!wasCut()) for (const file of told) quietly(() => rmSync(file, { force: true }));
    process.kill(process.pid, "SIGINT");
  });
}

function quietly<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch {
    return undefined;
  }
}
