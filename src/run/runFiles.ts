import {
  appendFileSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { succeeds } from "../base/cause";
import { ownFolder, quietly } from "../base/disk";
import { locationOf } from "../base/location";
import { KEY_FILE } from "../base/ownKey";
import { codeOf, intentsFolder } from "./intentFiles";
import { engineStarted, startOf } from "./writer";

/**
 * Files in which the processes of one run of the engine tell each other something, line by line. Nothing rests on them after the
 * run: they are not flushed, and go after a day.
 */

/** For how long a file is kept of which nothing was heard again. No run goes by it: each has a name of its own. */
const KEPT_MS = 86_400_000;

const ADDRESS = /127\.0\.0\.1:\d+$/;

/** The address of an engine in a text that has one, such as the target of a connection, or an argument of a process. */
export const addressIn = (text: string): string | undefined => ADDRESS.exec(text)?.[0];

/** Beside the CLI's own files. */
export const folder = (): string => ownFolder("runs");

const prefixOf = (address: string): string => `${locationOf(`http://${address}`)}~`;

/** The file of the program of a run. All its processes know the address of their engine, which another run may have had before. */
export const programFile = (address: string, run: string): string => join(folder(), `${prefixOf(address)}${run}`);

/**
 * A program's file as the processes of its run find it that nobody tells of it. An inline program of the Automation API may have
 * another folder: the workspace gives the CLI an environment, and so a home, of its own.
 *
 * @returns the file itself where nothing can lead to it
 */
export function foundByPeers(file: string): string {
  const link = join(folder(), basename(file));
  if (link === file) return file;
  quietly(() => {
    tidy();
    lead(file, link);
    lead(keyBeside(file), keyLink(link));
  });
  quietly(() => symlinkSync(intentsFolder(), intentsLink(file), "junction"));
  return existsSync(link) ? link : file;
}

function lead(file: string, link: string): void {
  // On Windows, only some users may make a link.
  if (!succeeds(() => symlinkSync(file, link))) linkSync(file, link);
}

/** What leads from a program's file to the key by which that has announced secrets, where another folder has it. */
const keyLink = (programs: string): string => join(dirname(programs), `key~${basename(programs)}`);

const keyBeside = (programs: string): string => join(dirname(dirname(programs)), KEY_FILE);

/** Where the key may be by which a program has announced secrets. */
export const keyFiles = (programs: string): string[] => [keyLink(programs), keyBeside(programs)];

/** What leads from a program's file to the intents of its run, where another folder has these. */
export const intentsLink = (programs: string): string => join(dirname(programs), `intents~${basename(programs)}`);

/** The file in which the processes of a run tell each other what is claimed. */
export const factsFile = (programs: string): string => join(dirname(programs), `facts~${basename(programs)}`);

/** The file in which the processes of a run take turns. */
export const turnsFile = (programs: string): string => join(dirname(programs), `turns~${basename(programs)}`);

/** What stands for a program's file where all updates on this machine take turns, with something of this name. */
export const machineFile = (name: string): string => join(folder(), `machine~${name}`);

/** The empty file that tells of another one that it is not whole, and why: a full disk has no room but for its name. */
export const unwrittenFile = (programs: string, code: string): string =>
  join(dirname(programs), `unwritten~${code}~${basename(programs)}`);

/** Why a file is not whole; `undefined` where it is. */
export function unwrittenCode(programs: string): string | undefined {
  const names = filesIn(dirname(programs)).map((file) => basename(file));
  const codes = names.flatMap((name) => /^unwritten~(\w+)~/.exec(name)?.[1] ?? []);
  return codes.find((code) => names.includes(basename(unwrittenFile(programs, code))));
}

/**
 * The file of the program that has run last at an engine's address, and not before that was started; `undefined` where none has.
 *
 * @param since tells when that was, as files are dated: where there is one to compare
 * @throws where nobody can tell
 */
export function latestProgramFile(address: string, since: () => number): string | undefined {
  const files = listed(folder()).filter((file) => basename(file).startsWith(prefixOf(address)));
  const dated = files.map((file) => [quietly(() => statSync(file).mtimeMs) ?? 0, file] as const);
  const own = dated.filter(([written]) => written > since());
  return own.sort(([one], [other]) => other - one)[0]?.[1];
}

/**
 * An empty file instead of that of a program: processes that the same engine has started name the same one, also where all begin at
 * once; those that its scripts have started find the first one's. On Windows, scripts start all, and nothing tells one engine at an
 * address from another. `undefined` where there never was any, as in a container whose home is read-only.
 *
 * @throws what the system says where it cannot be written, and others could before
 */
export function meetingFile(address: string): string | undefined {
  const { platform, ppid } = process;
  const file = programFile(address, platform === "win32" ? "engine" : `${ppid}-${startOf(ppid) ?? ""}`);
  try {
    tidy();
    appendFileSync(file, "", { mode: 0o600 });
    return file;
  } catch (error) {
    if (filesIn(folder()).length === 0) return undefined;
    throw error;
  }
}

/** When the engine was started, as files are dated; 0 where the system does not tell. It takes a file, and processes on some systems. */
export function engineStartedByFiles(): number {
  const started = engineStarted();
  return started === undefined ? 0 : started + aheadMs();
}

/** How far the clock that dates the files is ahead of this machine's: they may be another machine's. */
function aheadMs(): number {
  const probe = join(folder(), `clock~${process.pid}`);
  const dated = quietly(() => {
    writeFileSync(probe, "", { mode: 0o600 });
    return statSync(probe).mtimeMs;
  });
  quietly(() => rmSync(probe, { force: true }));
  return dated === undefined ? 0 : dated - Date.now();
}

const filesIn = (within: string): string[] => quietly(() => listed(within)) ?? [];

function listed(within: string): string[] {
  try {
    return readdirSync(within).map((name) => join(within, name));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** Makes the folder, and removes what is old in it. */
export function tidy(): void {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  for (const file of filesIn(folder())) {
    quietly(() => Date.now() - lstatSync(file).mtimeMs > KEPT_MS && rmSync(file, { force: true }));
  }
}

/** Reads the lines of a file that have been added since the last time. */
export class Tail {
  #read = 0;
  /** What the system has said, if the file could not be read the last time. */
  failure: string | undefined;

  constructor(readonly file: string) {}

  /** Objects in JSON, one a line; anything else is passed over. */
  unread(): unknown[] {
    const added = this.#added();
    const end = added.lastIndexOf("\n") + 1;
    if (end === 0) return [];
    this.#read += end;
    const lines = added.toString("utf8", 0, end - 1).split("\n");
    return lines.flatMap((line) => quietly(() => [JSON.parse(line) as unknown]) ?? []);
  }

  #added(): Buffer {
    try {
      this.failure = undefined;
      const { size } = statSync(this.file);
      // It was old, and went: another one has come.
      if (size < this.#read) this.#read = 0;
      return readFrom(this.file, this.#read, size);
    } catch (error) {
      this.failure = codeOf(error);
      return NOTHING;
    }
  }
}

const NOTHING = Buffer.alloc(0);

/** What a file of some size has from a byte on: as often as there are resources, over what all of them have told. */
function readFrom(file: string, from: number, size: number): Buffer {
  if (size === from) return NOTHING;
  const bytes = Buffer.alloc(size - from);
  const descriptor = openSync(file, "r");
  try {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from));
  } finally {
    closeSync(descriptor);
  }
}
