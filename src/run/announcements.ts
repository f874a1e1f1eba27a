import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isObject, type JsonObject } from "../base/json";
import { locationOf } from "../base/location";

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
  /** The inputs that name what it takes over, as far as they are known. */
  inputs: JsonObject;
  /** Whether some of these inputs are not known yet: there is another announcement once they are. */
  isOpen?: true;
}

/** For how long a file is kept of a run of which nothing was heard again. No run goes by it: each has a name of its own. */
const KEPT_MS = 86_400_000;

const ADDRESS = /127\.0\.0\.1:\d+$/;

/** The address of an engine in a text that has one, such as the target of a connection, or an argument of a process. */
export const addressIn = (text: string): string | undefined => ADDRESS.exec(text)?.[0];

/** Beside the CLI's own files. */
const folder = (): string => join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "brightdata", "runs");

/** Both processes of a run know the address of their engine, which another run may have had before. */
const fileOf = (address: string, run: string): string => join(folder(), `${locationOf(`http://${address}`)}~${run}`);

/** Announces, in the program's process, to the provider's processes of the same run. */
export class Announcer {
  readonly #file: string;
  #unwritten: Announcement[] = [];
  readonly #homes = new Map<string, object>();
  readonly #ambiguous = new Set<string>();
  #isWritten = false;
  /** Whether nothing was announced. */
  isSilent = true;

  /** @param run a name of the run of the program that no other has */
  constructor(
    address: string,
    readonly run: string,
  ) {
    this.#file = fileOf(address, run);
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
      if (!this.#isWritten) begin();
      this.#isWritten = true;
      appendFileSync(this.#file, lines.join(""), { mode: 0o600 });
    });
  }
}

/** What has been announced in one run, as a provider's process hears of it. */
export class Announcements {
  readonly #address: string | undefined;
  #file: string | undefined;
  #size = 0;
  #read = 0;

  /** @param address that of the engine; `undefined` where it is not known */
  constructor(address: string | undefined) {
    this.#address = address;
  }

  /** Tells which run of a program it is: what an earlier one has announced to an engine at the same address is history. */
  belongTo(run: string): void {
    if (this.#address !== undefined) this.#file ??= fileOf(this.#address, run);
  }

  /** What has been announced since the last time. */
  unread(): Announcement[] {
    const file = this.#file;
    const size = file === undefined ? 0 : (quietly(() => statSync(file).size) ?? 0);
    if (file === undefined || size === this.#size) return [];
    const text = quietly(() => readFileSync(file, "utf8")) ?? "";
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    const lines = whole.slice(this.#read).split("\n");
    [this.#size, this.#read] = [size, whole.length];
    return lines.flatMap((line) => announcementIn(line) ?? []);
  }
}

function announcementIn(line: string): Announcement | undefined {
  const said = line === "" ? undefined : quietly(() => JSON.parse(line) as unknown);
  if (!isObject(said) || typeof said.kind !== "string" || typeof said.place !== "string") return undefined;
  return isObject(said.inputs) ? (said as unknown as Announcement) : undefined;
}

function begin(): void {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(folder())) {
    const file = join(folder(), entry);
    quietly(() => Date.now() - statSync(file).mtimeMs > KEPT_MS && rmSync(file, { force: true }));
  }
}

function quietly<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch {
    return undefined;
  }
}
