import { randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import { quietly } from "../base/disk";
import { isObject, type JsonObject } from "../base/json";
import { latestProgramFile, programFile, Tail, tidy } from "./runFiles";

/**
 * What the program says of a resource before the engine tells the provider of it: by then, something may have been deleted that
 * the resource is to take over.
 */
export interface Announcement {
  kind: string;
  place: string;
  /** Its logical name. */
  name: string;
  /** Where it stood before, as its aliases say. */
  former?: readonly string[];
  /** What stood for the place as long as that was not known. */
  was?: string;
  /** Name of the explicit provider; absent for the default one. */
  home?: string;
  /** The inputs that name what it makes or takes over, as far as they are known. */
  inputs: JsonObject;
  /** The names of inputs that are given, and not known yet, or secret. */
  unknown?: readonly string[];
  /** Whether some of these inputs are not known yet: there is another announcement once they are. */
  isOpen?: true;
}

const STAND_IN = "?";

/** Stands for a place that is not known yet: another announcement tells it. */
export const newStandIn = (): string => `${STAND_IN}${randomBytes(UNIQUE_BYTES).toString("base64url")}`;

const UNIQUE_BYTES = 6;

export const isStandIn = (place: string): boolean => place.startsWith(STAND_IN);

/** Announces, in the program's process, to the provider's processes of the same run. */
export class Announcer {
  /** Where it is announced. */
  readonly file: string;
  #unwritten: Announcement[] = [];
  readonly #homes = new Map<string, object>();
  readonly #ambiguous = new Set<string>();
  #isWritten = false;
  /** Whether nothing was announced. */
  isSilent = true;

  /** @param run a name of the run of the program that no other has */
  constructor(address: string, run: string) {
    this.file = programFile(address, run);
  }

  /** @param provider the explicit provider of that name, if it is one's: of two of one name nobody can tell which it is */
  add(announcement: Announcement, provider?: object): void {
    const { home } = announcement;
    if (home !== undefined && provider !== undefined) {
      if ((this.#homes.get(home) ?? provider) !== provider) this.#ambiguous.add(home);
      this.#homes.set(home, provider);
    }
    this.isSilent = false;
    this.#unwritten.push(announcement);
  }

  /** Writes what has been added since. Where nothing can be written, nothing is announced: an update works all the same. */
  write(): void {
    const clear = this.#unwritten.filter(({ home }) => home === undefined || !this.#ambiguous.has(home));
    const lines = clear.map((announcement) => `${JSON.stringify(announcement)}\n`);
    this.#unwritten = [];
    if (lines.length === 0) return;
    quietly(() => {
      if (!this.#isWritten) tidy();
      this.#isWritten = true;
      appendFileSync(this.file, lines.join(""), { mode: 0o600 });
    });
  }
}

/** What has been announced in one run, as a provider's process hears of it. */
export class Announcements {
  readonly #address: string | undefined;
  #tail: Tail | undefined;
  #isGuessed = false;

  /** @param address that of the engine; `undefined` where it is not known */
  constructor(address: string | undefined) {
    this.#address = address;
  }

  /**
   * Tells which run of a program it is: what an earlier one has announced to an engine at the same address is history.
   *
   * @param run the file in which it announces, or the run's name: a program of the Automation API may have another folder
   */
  belongTo(run: string): void {
    if (this.#address === undefined || (this.#tail !== undefined && !this.#isGuessed)) return;
    const file = isAbsolute(run) ? run : programFile(this.#address, run);
    if (this.#tail?.file !== file) this.#tail = new Tail(file);
    this.#isGuessed = false;
  }

  /**
   * Where nobody has told which run it is, as in a process that only deletes: takes the latest one since the engine was started.
   * Should it be an earlier one's, as where the system does not tell when that was, more is kept than has to be.
   */
  guess(): void {
    if (this.#address === undefined || this.#tail !== undefined) return;
    const file = latestProgramFile(this.#address);
    if (file === undefined) return;
    this.#tail = new Tail(file);
    this.#isGuessed = true;
  }

  /** The file in which the program has announced; `undefined` where it is not known. */
  get file(): string | undefined {
    return this.#tail?.file;
  }

  /** What has been announced since the last time. */
  unread(): Announcement[] {
    return (this.#tail?.unread() ?? []).flatMap((said) => announcementIn(said) ?? []);
  }
}

function announcementIn(said: unknown): Announcement | undefined {
  if (!isObject(said) || typeof said.kind !== "string" || typeof said.place !== "string") return undefined;
  return isObject(said.inputs) ? (said as unknown as Announcement) : undefined;
}
