import { AsyncLocalStorage } from "node:async_hooks";
import { ConfigurationError } from "../base/errors";
import { filterKeys, type JsonObject } from "../base/json";
import { once } from "../base/once";
import { CONNECTION } from "../declaration/connection";
import { redact } from "../http/redact";
import type { Claims, Stage } from "../lifecycle/claims";
import { type Lifecycle, UNKNOWN } from "../lifecycle/lifecycle";
import { originOf } from "../lifecycle/mark";
import type { Scope } from "../lifecycle/scope";
import { scopeNamed } from "../settings/connections";
import type { Settings } from "../settings/settings";
import { type Announcement, Announcements, isStandIn, type RunNotice, type Unheard } from "./announcements";
import { Contexts } from "./contexts";
import { ForeignSecrets } from "./foreignSecrets";
import { Foresight } from "./foresight";
import { Intents } from "./intents";
import { Outages } from "./outages";
import { Halves } from "./outcome";
import { Peers } from "./peers";
import { Places } from "./places";
import { MachineTurns, Turns } from "./turns";
import { secretNaming, type UntoldOfKind } from "./wanted";
import { thisProcess, type Writer } from "./writer";

/** What a run of the engine is in. */
export interface Surroundings {
  lifecycleOf(kind: string): Lifecycle | undefined;
  /** The address of the engine; `undefined` where it is not known. */
  engine?: string | undefined;
  /** Whether this is the plugin's process, and not the one for dynamic resources. */
  isPlugin?: true;
  /** Aborted when the run is. */
  cancelled: AbortSignal;
  /** One of the project's, by which the backend of its state is known. */
  folder: string;
  /** @param isProgress whether it tells how far something has come: the next words of that kind replace it */
  say(words: string, isProgress?: boolean): void;
}

/** As whom a process hears what is announced. */
interface Hearing {
  settings: Settings;
  /** Name of the explicit provider that it is; what others are to have is theirs to hear. */
  home: string | undefined;
}

/** All that one run of the engine remembers in a process. The protocol makes it, and hands it to all that it calls. */
export class Session {
  readonly contexts: Contexts;
  readonly foresight: Foresight;
  readonly outages = new Outages();
  readonly halves = new Halves();
  readonly #announcements: Announcements;
  readonly #places = new Map<string, Places>();
  readonly #foreignSecrets = new ForeignSecrets();
  /** By kind, the names of the inputs that name something, and are secret. */
  readonly #secrets = new Map<Lifecycle, string[]>();
  readonly #said = new Set<string>();
  readonly #hidden = new AsyncLocalStorage<() => readonly string[]>();
  /** The file by which other processes of the run are found. */
  #met: string | undefined;
  #intents: Intents | undefined;
  /** This process, as it tells others of itself. */
  readonly #own: Writer;
  /** Kinds and places of resources that take something over, of which the engine has told. */
  readonly #takers = new Set<string>();

  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
    this.foresight = new Foresight(around.cancelled);
    this.#announcements = new Announcements(around.engine);
    this.#own = thisProcess(around.engine);
    this.contexts = new Contexts(new MachineTurns(this.#own, (words) => this.say(words, true)).alone);
  }

  /** Aborted when the run is. */
  get cancelled(): AbortSignal {
    return this.#around.cancelled;
  }

  /** Says something to the person who runs the update. */
  say(words: string, isProgress = false): void {
    this.#around.say(this.hidden(words), isProgress);
  }

  /** Words without the texts that the person sees none of. */
  hidden(words: string): string {
    return redact(words, this.#hidden.getStore()?.() ?? []);
  }

  /** Runs a task of whose words the person sees none of these texts. */
  hiding<T>(texts: () => readonly string[], task: () => T): T {
    return this.#hidden.run(texts, task);
  }

  /** Read when they are first asked for: many previews never do. */
  get intents(): Intents {
    this.#intents ??= new Intents(this.#own, this.#around.folder, (words) => this.say(words));
    return this.#intents;
  }

  places(kind: string): Places {
    return once(this.#places, kind, () => new Places(this.#around.isPlugin));
  }

  /**
   * Whether something has failed: in any process of the run, or with another package, where all is skipped of which the engine has
   * not told. For targets, and by destroy, it does not tell of what is there either, if anything is.
   */
  get failure(): "certain" | "likely" | undefined {
    const all = [...this.#places.values()];
    if (this.contexts.ofRun.hasFailure || all.some(({ hasFailed }) => hasFailed)) return "certain";
    const areSkipped = all.flatMap((places) => places.areSkipped);
    return areSkipped.length > 0 && !areSkipped.includes(false) ? "likely" : undefined;
  }

  /**
   * What the program has announced of a scope, or may have, of any kind, and the engine has not told of yet; of each, whether it has
   * answered without coming to that.
   */
  untold(scope: Scope): (UntoldOfKind & { isSkipped: boolean })[] {
    const mayBe = (of: string) => this.contexts.mayBe(scope, of);
    return [...this.#places].flatMap(([kind, places]) => {
      const lifecycle = this.#around.lifecycleOf(kind);
      if (lifecycle === undefined) return [];
      const about = (place: string) => ({ lifecycle, isSkipped: places.isSkipped(place) });
      return places.untold(scope, mayBe).map((untold) => ({ ...untold, ...about(untold.place) }));
    });
  }

  /** Says something once, whoever has to say it; what is said of a place, once of each. */
  sayOnce(words: string, of = ""): void {
    this.sayUnless(words, of);
    this.#said.add(`${of} ${words}`);
  }

  /** Says something that may have been said so before. */
  sayUnless(words: string, of: string): void {
    if (!this.#said.has(`${of} ${words}`)) this.say(words);
  }

  /**
   * Tells which run of the program it is.
   *
   * @param run what the program says of its announcements
   * @param resource kind and place of the resource with which it says so
   */
  belongTo(run: RunNotice | undefined, resource: string): void {
    if (run === undefined) return;
    this.#announcements.belongTo(run);
    if (run.isTakeOver === true) this.#takers.add(resource);
  }

  /** Notes, with these claims and of the run, that something of a kind is about to be created at a place, or is, or could not be. */
  creation(claims: Claims | undefined, kind: string, place: string | undefined, stage: Stage): void {
    claims?.creation(place, stage);
    this.contexts.ofRun.creation(place && `${kind} ${place}`, stage);
  }

  /**
   * Whether a program that announces nothing is under way, as something of it is about to be created: what the engine deletes by then
   * goes with what is replaced. What the program has dropped, it deletes later, unless that goes with it, too.
   */
  get isReplacing(): boolean {
    const { file, isMet } = this.#announcements;
    return (file === undefined || isMet) && this.contexts.ofRun.areComing;
  }

  /** Why nobody can tell what the program is going to take over; `undefined` where that is known. */
  get unheard(): Unheard | undefined {
    return this.#announcements.unheard(this.#takers.size);
  }

  /** Finds out which run of the program it is where nobody has told that, before something is changed that the run may take over. */
  findRun(): void {
    this.#announcements.guess();
  }

  /** Announces to the other processes of the run, which may have other providers, what no program has: without secrets. */
  announce(announcement: Announcement, home: string | undefined, secret: readonly string[]): void {
    this.findRun();
    const { inputs, unknown = [] } = announcement;
    const hidden = Object.keys(inputs).filter((name) => secret.includes(name));
    this.#announcements.tell({
      ...announcement,
      ...(home !== undefined && { home }),
      by: this.#own.run,
      inputs: filterKeys(inputs, (name) => !hidden.includes(name)),
      unknown: [...unknown, ...hidden],
    });
  }

  /** Hears what the program has announced since the last time. */
  hear(hearing: Hearing): void {
    const unread = this.#announcements.unread();
    this.#meet();
    for (const each of unread) {
      if (each.by === this.#own.run) continue;
      const { announcement, isWhole } = this.#foreignSecrets.heard(each, this.#announcements.file);
      this.#heard(announcement, hearing, isWhole);
    }
    this.contexts.hear();
  }

  /** Notes which secrets a resource has: by another key, the program may have announced who is to have them. */
  seeSecrets(lifecycle: Lifecycle, state: JsonObject, hearing: Hearing): void {
    for (const name of once(this.#secrets, lifecycle, () => secretNaming(lifecycle, []))) {
      const { [name]: secret } = state;
      const whole = typeof secret === "string" ? this.#foreignSecrets.see(secret) : [];
      for (const announcement of whole) this.#heard(announcement, hearing, true);
    }
  }

  #heard(announcement: Announcement, { settings, home }: Hearing, isWhole: boolean): void {
    const { kind, place } = announcement;
    const lifecycle = this.#around.lifecycleOf(kind);
    if (announcement.isAnswered) {
      this.places(kind).answer(place, announcement);
      if (isWhole) this.#answer(lifecycle, announcement);
    } else if (!this.#isOwn(announcement, home, settings)) this.#overhear(lifecycle, announcement);
    else {
      // The workspace of an inline program of the Automation API has an environment of its own, of which the program knows nothing.
      const of = lifecycle && scopeOf(lifecycle, announcement, settings);
      this.places(kind).announce({ ...announcement, of });
      if (lifecycle !== undefined) this.#claim(lifecycle, announcement, settings);
    }
  }

  /** What the engine has answered, and did not come to tell of, as it is no target, has what several may have: by its state. */
  #answer(lifecycle: Lifecycle | undefined, { kind, place, mark, isSkipped, ...answer }: Announcement): void {
    const said = this.places(kind).saidAt(place);
    if (isSkipped || said?.of === undefined || lifecycle?.isShared !== true) return;
    const { has } = lifecycle.holdings(undefined, { ...inputsOf(said), ...inputsOf(answer) });
    this.contexts.whenNamed(said.of, ({ claims }) => {
      // Its state may say that it stands where it stood before.
      if (!claims.isTold(place)) claims.answered({ mark: mark && originOf(mark), place }, has);
    });
  }

  /** Other processes have a part in the run: what is claimed is told to them from now on, and what they claim is heard. */
  #meet(): void {
    const { file } = this.#announcements;
    if (file === undefined || this.#met === file) return;
    this.#met = file;
    const turns = new Turns(file, this.#own, this.#around.cancelled);
    this.contexts.meet({ peers: new Peers(file, this.#own.run), turns });
  }

  /** Whether something is announced to this process: of several providers of its name, to the one that leads there. */
  #isOwn(announcement: Announcement, home: string | undefined, settings: Settings): boolean {
    const { kind, of, ...said } = announcement;
    if (said.home !== home || said.isAmbiguous !== true) return said.home === home;
    const lifecycle = this.#around.lifecycleOf(kind);
    return lifecycle !== undefined && scopeOf(lifecycle, announcement, settings) === of;
  }

  /** What the program is going to have with another provider may be a thing of the same service. */
  #overhear(lifecycle: Lifecycle | undefined, announcement: Announcement): void {
    const { kind, of } = announcement;
    if (of === undefined || lifecycle === undefined) return;
    this.places(kind).overhear(of, announcement);
    this.contexts.whenNamed(of, (scope) => claim(scope, lifecycle, announcement));
  }

  #claim(lifecycle: Lifecycle, announcement: Announcement, settings: Settings): void {
    const argument = CONNECTION[lifecycle.service];
    const { [argument]: connected } = inputsOf(announcement);
    // Of another connection, the same names are other things.
    if (connected === UNKNOWN) return;
    try {
      const connection = { [argument]: typeof connected === "string" ? connected : undefined };
      claim(this.contexts.of(settings, connection, lifecycle.service).scope, lifecycle, announcement);
    } catch (error) {
      // Its check says that there is no such connection.
      if (!(error instanceof ConfigurationError)) throw error;
    }
  }
}

/** Name of the scope that an announcement is of by this process's settings; `undefined` where that is not known. */
const scopeOf = ({ service }: Lifecycle, announcement: Announcement, settings: Settings): string | undefined =>
  scopeNamed(service, inputsOf(announcement)[CONNECTION[service]], settings);

/** Notes in a scope what is announced of it. */
function claim({ claims, declarations }: Scope, lifecycle: Lifecycle, announcement: Announcement): void {
  const { kind, place, name, was } = announcement;
  const { has, takesOver = [] } = lifecycle.holdings(undefined, inputsOf(announcement));
  if (was !== undefined) claims.comes(was, {});
  claims.announced(place, takesOver);
  claims.foresee(has);
  // It is declared at its own place, and at no other besides.
  if (lifecycle.isShared !== true && !isStandIn(place)) declarations.declareOnce(kind, has, { place, name });
}

/** With what is given and not known yet as the engine has it. */
const inputsOf = ({ inputs, unknown = [] }: Pick<Announcement, "inputs" | "unknown">): JsonObject => ({
  ...inputs,
  ...Object.fromEntries(unknown.map((each) => [each, UNKNOWN])),
});
