import { randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import { quietly } from "../base/disk";
import { isObject, type JsonObject } from "../base/json";
import { codeOf } from "./intentFiles";
import { placeIn, spotIn } from "./placeText";
import {
  engineStartedByFiles,
  folder,
  foundByPeers,
  latestProgramFile,
  meetingFile,
  programFile,
  Tail,
  tidy,
  unwrittenCode,
  unwrittenFile,
} from "./runFiles";

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
  /**
   * What stands for places of it where no program tells them, as the plugin's process knows what it is to delete: for those before,
   * and for its own if the resource is dynamic by now.
   */
  urnPlaces?: readonly string[];
  /** What stands there for the place itself, if it is the plugin's. */
  urnPlace?: string;
  /** Whether it is the plugin's: at the same place, the engine's state may have it as a dynamic one yet. */
  isNative?: true;
  /** By what stands for them in a stack of any name, its places. */
  spots?: Readonly<Record<string, string>>;
  /** What stood for the place as long as that was not known. */
  was?: string;
  /** Name of the explicit provider; absent for the default one. */
  home?: string;
  /** Whether several explicit providers have that name: only where they lead tells which it is. */
  isAmbiguous?: true;
  /** Name of the scope that it is of, where that is known: to other providers, too, it may be theirs. */
  of?: string | undefined;
  /** The inputs that name what it makes or takes over, as far as they are known. */
  inputs: JsonObject;
  /** The names of inputs that are given, and not known yet, or secret. */
  unknown?: readonly string[];
  /** Whether it tells only that the engine has answered the registration: by then, the engine knows what it was called before. */
  isAnswered?: true;
  /** The mark of the state with which it was answered. */
  mark?: string | undefined;
  /** Whether it was answered without an id: the engine has not come to it. */
  isSkipped?: true;
  /** Whether it depends on nothing besides: that something has failed is not why. */
  isAlone?: true;
  /** Which of the provider's processes announces it, where no program does. */
  by?: string;
}

/** What each registration of a program tells of its announcements. */
export interface RunNotice {
  /** The file that they are in, or the run's name. */
  file: string;
  /** How many resources of the program take over what there is. */
  takeOvers?: number;
  /** Whether the one that is registered does. */
  isTakeOver?: true;
  /** What the system says, where some could not be written: nobody can read what they are. */
  failure?: string;
  /** Whether there are explicit providers, or resources of both forms, whose processes tell each other what they have. */
  hasPeers?: true;
}

/** @param said an object, or the file alone */
export function noticeIn(said: unknown): RunNotice | undefined {
  if (typeof said === "string") return { file: said };
  if (!isObject(said) || typeof said.file !== "string") return undefined;
  const { file, takeOvers, isTakeOver, failure, hasPeers } = said;
  return {
    file,
    ...(typeof takeOvers === "number" ? { takeOvers } : {}),
    ...(isTakeOver === true ? { isTakeOver } : {}),
    ...(typeof failure === "string" ? { failure } : {}),
    ...(hasPeers === true ? { hasPeers } : {}),
  };
}

/** Take-overs that a program has announced and that cannot all be known. */
export interface Unheard {
  file: string;
  /** What the system says. */
  code: string;
  /** What could not be done with the file. */
  is: "unwritten" | "unread";
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
  /** Whether what it announces is the plugin's: each form has a process of its own. */
  readonly #forms = new Set<boolean>();
  #isWritten = false;
  #takeOvers = 0;
  #hasPeers = false;
  #failure: string | undefined;

  /** @param run a name of the run of the program that no other has */
  constructor(address: string, run: string) {
    this.file = programFile(address, run);
  }

  /** @param provider the explicit provider of that name, if it is one's */
  add(announcement: Announcement, provider?: object): void {
    const { home, isNative = false, isAnswered } = announcement;
    if (isAnswered !== true) this.#forms.add(isNative);
    if (home !== undefined || this.#forms.size > 1) this.#hasPeers = true;
    if (home !== undefined && provider !== undefined) {
      if ((this.#homes.get(home) ?? provider) !== provider) this.#ambiguous.add(home);
      this.#homes.set(home, provider);
    }
    this.#unwritten.push(announcement);
  }

  /**
   * Tells that the engine has answered a registration: when it destroys, no process hears of that one.
   *
   * @param has the mark of the state, where there is one, and what that has of what was announced
   */
  addAnswered(
    kind: string,
    place: string,
    skipped: boolean | "alone" = false,
    { mark, inputs = {}, unknown = [] }: Partial<Pick<Announcement, "mark" | "inputs" | "unknown">> = {},
  ): void {
    const isSkipped = skipped !== false && { isSkipped: true as const };
    const isAlone = skipped === "alone" && { isAlone: true as const };
    const has = { ...(unknown.length > 0 && { unknown }), ...(mark !== undefined && { mark }) };
    this.add({ kind, place, name: "", inputs, isAnswered: true, ...isSkipped, ...isAlone, ...has });
  }

  /** Counts a resource that takes over what there is, or may. */
  countTakeOver(): void {
    this.#takeOvers++;
  }

  /** What the provider is told. */
  get notice(): RunNotice {
    const failure = this.#failure === undefined ? {} : { failure: this.#failure };
    const peers = this.#hasPeers ? { hasPeers: true as const } : {};
    return { file: this.file, takeOvers: this.#takeOvers, ...failure, ...peers };
  }

  /** Of two providers of one name, nobody could tell which is meant if nothing said where it leads. */
  #clear(announcement: Announcement): Announcement[] {
    const { home, of } = announcement;
    if (home === undefined || !this.#ambiguous.has(home)) return [announcement];
    return of === undefined ? [] : [{ ...announcement, isAmbiguous: true }];
  }

  /**
   * Writes what has been added since. What cannot be written is lost, and its notice says so from then on. There is a file where
   * nothing is announced, too: by it, the processes of the run find each other.
   */
  write(): void {
    if (this.#isWritten && this.#unwritten.length === 0) return;
    const lines = this.#unwritten
      .flatMap((each) => this.#clear(each))
      .map((announcement) => `${JSON.stringify(announcement)}\n`);
    this.#unwritten = [];
    // Behind a line that was cut off, the next one could not be read.
    if (this.#failure !== undefined) lines.unshift("\n");
    try {
      if (!this.#isWritten) tidy();
      this.#isWritten = true;
      appendFileSync(this.file, lines.join(""), { mode: 0o600 });
    } catch (error) {
      this.#failure ??= codeOf(error);
      // For processes that nothing is registered with.
      quietly(() => appendFileSync(unwrittenFile(this.file, codeOf(error)), ""));
    }
  }
}

/** What has been announced in one run, as a provider's process hears of it. */
export class Announcements {
  readonly #address: string | undefined;
  /** Whether no program had announced when it was guessed: one may since. */
  isMet = false;
  #tail: Tail | undefined;
  #isGuessed = false;
  #started: number | undefined;
  #hasPeers = false;
  #takeOvers = 0;
  #unwritten: string | undefined;
  /** What keeps it from finding out which run it is. */
  #unlisted: Unheard | undefined;

  /** @param address that of the engine; `undefined` where it is not known */
  constructor(address: string | undefined) {
    this.#address = address;
  }

  /**
   * Tells which run of a program it is: what an earlier one has announced to an engine at the same address is history.
   *
   * @param notice names the file, since a program of the Automation API may have another folder
   */
  belongTo({ file: run, takeOvers = 0, failure, hasPeers }: RunNotice): void {
    this.#hasPeers ||= hasPeers === true;
    this.#takeOvers = Math.max(this.#takeOvers, takeOvers);
    this.#unwritten ??= failure;
    if (this.#address === undefined || (this.#tail !== undefined && !this.#isGuessed)) return;
    const file = isAbsolute(run) ? foundByPeers(run) : programFile(this.#address, run);
    if (this.#tail?.file !== file) this.#tail = new Tail(file);
    this.#isGuessed = false;
    this.isMet = false;
  }

  /**
   * Where nobody has told which run it is, as in a process that only deletes: takes the latest one since the engine was started.
   * Should it be an earlier one's, as where the system does not tell when that was, more is kept than has to be. Where there is
   * none, as without a program, or with one in another language, the processes of the run find each other by one of their own.
   */
  guess(): void {
    if (this.#address === undefined || (this.#tail !== undefined && !this.isMet)) return;
    this.#unlisted = undefined;
    let file = this.#found("unread", (address) => latestProgramFile(address, this.#since), this.#address);
    if (file === undefined && this.#unlisted === undefined) {
      file = this.#found("unwritten", meetingFile, this.#address);
      this.isMet = true;
    }
    if (file === undefined || file === this.#tail?.file) return;
    this.#tail = new Tail(file);
    this.#isGuessed = true;
  }

  /** Found out once: where no program announces, it is asked for with every resource. */
  readonly #since = (): number => {
    this.#started ??= engineStartedByFiles();
    return this.#started;
  };

  #found(is: Unheard["is"], find: (address: string) => string | undefined, address: string): string | undefined {
    try {
      return find(address);
    } catch (error) {
      this.#unlisted = { file: folder(), code: codeOf(error), is };
      return undefined;
    }
  }

  /** The file in which the program has announced; `undefined` where it is not known. */
  get file(): string | undefined {
    return this.#tail?.file;
  }

  /**
   * Why nobody can tell what the program takes over; `undefined` where that is known.
   *
   * @param told of how many resources that take something over the engine has told by now
   */
  unheard(told: number): Unheard | undefined {
    const [file, unread] = [this.#tail?.file, this.#tail?.failure];
    if (file === undefined) return this.#unlisted;
    const isMissing = this.#isGuessed || told < this.#takeOvers;
    const unwritten = this.#unwritten ?? (this.#isGuessed || this.#hasPeers ? unwrittenCode(file) : undefined);
    // What another process has by now may not be written either.
    if (unwritten !== undefined && (isMissing || this.#hasPeers)) return { file, code: unwritten, is: "unwritten" };
    return isMissing && unread !== undefined ? { file, code: unread, is: "unread" } : undefined;
  }

  /** Announces to the other processes of the run what no program has. */
  tell(announcement: Announcement): void {
    const { file } = this;
    if (file !== undefined) quietly(() => appendFileSync(file, `${JSON.stringify(announcement)}\n`, { mode: 0o600 }));
  }

  /** What has been announced since the last time. */
  unread(): Announcement[] {
    return (this.#tail?.unread() ?? []).flatMap((said) => announcementIn(said) ?? []);
  }
}

function announcementIn(said: unknown): Announcement | undefined {
  if (!isObject(said) || typeof said.kind !== "string" || typeof said.place !== "string") return undefined;
  return isObject(said.inputs) ? placed(said as unknown as Announcement) : undefined;
}

/** An announcement as the provider's process has it: with places, and what stands for them, apart. */
function placed({ place, former, ...said }: Announcement): Announcement {
  const told = [place, ...(former ?? [])].filter((text) => spotIn(text) !== undefined);
  return {
    ...said,
    place: placeIn(place),
    ...(former && { former: former.map(placeIn) }),
    ...(told.length > 0 && { spots: Object.fromEntries(told.map((text) => [spotIn(text), placeIn(text)])) }),
  };
}
