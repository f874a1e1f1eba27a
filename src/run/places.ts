import type { JsonObject } from "../base/json";
import { once } from "../base/once";
import type { Scope } from "../lifecycle/scope";
import type { Announcement } from "./announcements";
import type { Recorded } from "./recorded";

/** A resource of the state that stays, with the inputs with which it was compared. */
interface StayingResource {
  known: Recorded;
  inputs: JsonObject;
}

/** What is known of a place in the program, as far as the engine has told. */
interface Place {
  isDeclared?: true;
  /** What stands for it where the engine has not told of it, as in a process that only deletes. */
  urnPlace?: string;
  /** Where the resource of the state stood that is there by now, if the engine has told that. */
  former?: string;
  /** The inputs that there were before this run. */
  previous?: JsonObject;
  /** The inputs with which something is to be created there: what is replaced by its option is deleted before. */
  coming?: JsonObject;
  /** The resource of the state that stays there, by its comparison, or that is to be replaced there. */
  staying?: StayingResource | undefined;
  replaced?: Recorded;
  /** The resource that was deleted there in this run: what is created there takes its place, though the engine does not say so. */
  deleted?: Recorded;
}

/** What is to stand at a place. */
export type Untold = Pick<Announcement, "place" | "name" | "inputs" | "unknown" | "of">;

type Answer = Pick<Announcement, "isSkipped" | "isAlone">;

/** What another provider is to have, of a scope by its name. */
type Overheard = Untold & { of: string };

/**
 * Where the resources of one kind stand in the program, as far as the engine has told this process, or the program has announced.
 * No place is nowhere.
 */
export class Places {
  readonly #places = new Map<string, Place>();
  /** By mark, where resources of the state stand in the program by now. */
  readonly #byMark = new Map<string, string>();
  /** By the place that a resource had in the program, where it stands by now. */
  readonly #byFormer = new Map<string, string>();
  /** By what stands for a place where nobody tells it, the place that the program tells. */
  readonly #byUrnPlace = new Map<string, string>();
  /** By place, what the program has announced. */
  readonly #announced = new Map<string, Announcement>();
  /** By what stands for it in a stack of any name, a place that the program has announced. */
  readonly #bySpot = new Map<string, string>();
  readonly #overheard: Overheard[] = [];
  /** By place, how the engine has answered the registration. */
  readonly #answers = new Map<string, Answer>();
  readonly #isPlugin: boolean;

  /** @param isPlugin whether this is the plugin's process, and not the one for dynamic resources */
  constructor(isPlugin = false) {
    this.#isPlugin = isPlugin;
  }

  /** The program announces something there. */
  announce(announcement: Announcement): void {
    const { place, was, urnPlace, spots = {} } = announcement;
    this.#announced.set(place, announcement);
    for (const [spot, own] of Object.entries(spots)) this.#bySpot.set(spot, own);
    if (this.#isPlugin && urnPlace !== undefined) this.noteUrnPlace(place, urnPlace);
    if (was !== undefined) this.#announced.delete(was);
  }

  /** The program announces something there of a scope, with another provider. */
  overhear(of: string, untold: Untold): void {
    this.#overheard.push({ ...untold, of });
  }

  /** What the program has announced there, with whichever provider. */
  saidAt(place: string): Untold | undefined {
    return this.#announced.get(place) ?? this.#overheard.find((each) => each.place === place);
  }

  /** The program announces that the engine has answered the registration of what is there, or has not come to. */
  answer(place: string, answer: Answer = {}): void {
    this.#answers.set(place, answer);
  }

  isAnswered(place = ""): boolean {
    return this.#answers.has(place);
  }

  isSkipped(place: string): boolean {
    return this.#answers.get(place)?.isSkipped === true;
  }

  /** Whether the engine has told of something there, and has not made it in the end: as where a hook of the program fails. */
  get hasFailed(): boolean {
    return [...this.#answers.keys()].some((place) => this.isSkipped(place) && this.isDeclared(place));
  }

  /** Of what the engine has answered to the program, and not told to this process, whether it may be skipped for a failure. */
  get areSkipped(): boolean[] {
    const untold = [...this.#announced.values()].filter(
      ({ place }) => this.isAnswered(place) && !this.isDeclared(place),
    );
    // Of what is there, and has the other form or another provider, it tells another process.
    const own = untold.filter(({ isNative }) => (isNative === true) === this.#isPlugin);
    const areOthers = [...untold, ...this.#overheard].filter(({ place }) => this.isSkipped(place));
    const isForFailure = ({ place }: Untold) => this.isSkipped(place) && !this.#answers.get(place)?.isAlone;
    return [...own, ...areOthers].map(isForFailure);
  }

  /** The program declares a resource there: a refresh compares too, but updates nothing. */
  declare(place: string | undefined, former: string | undefined, previous: JsonObject | undefined): void {
    if (place !== undefined && former !== undefined) this.#byFormer.set(former, place);
    this.note(place, { isDeclared: true, ...(former !== undefined && { former }), ...(previous && { previous }) });
  }

  /**
   * A refresh comes before the program tells where its resources stand: what it has noted is of this place.
   *
   * @param urnPlace what stands for the place where nobody tells it: the place itself, if nobody does
   */
  noteUrnPlace(place: string, urnPlace: string): void {
    this.note(place, { ...this.at(urnPlace), urnPlace });
    if (place === urnPlace) return;
    this.#byUrnPlace.set(urnPlace, place);
    this.#places.delete(urnPlace);
  }

  /**
   * Where a state has a resource: its stack may have had another name since, with the same places. An alias may have moved it since
   * it was last updated, so that the program has another there.
   */
  here({ place, spot = "", urnPlace }: Recorded): string | undefined {
    const told = this.#bySpot.get(spot) ?? place;
    const there = this.#announced.get(told ?? "")?.urnPlace;
    return urnPlace === undefined || [undefined, urnPlace].includes(there) ? told : urnPlace;
  }

  /**
   * Whether what stood at a former place may stand there by now: of several that aliases name, the engine takes one, and none
   * where it has something made anew.
   */
  mayComeFrom(place: string, former: string): boolean {
    const { former: told = former, isDeclared, previous } = this.at(place);
    return told === former && !(isDeclared && previous === undefined);
  }

  isDeclared(place: string | undefined): boolean {
    return this.at(place).isDeclared === true;
  }

  /** Whether the program has a resource there, as far as it has said. */
  isToStandAt(place: string | undefined): boolean {
    return place !== undefined && (this.isDeclared(place) || this.#announced.has(place));
  }

  /**
   * Whether what a state has there is the engine's there, too, as far as it has said: a state tells where its resource stood when it
   * was last updated, and another may have that place by now.
   */
  isOf({ mark }: Recorded, place = ""): boolean {
    if (this.isDeclared(place)) return this.#byMark.get(mark) === place;
    return this.#announced.has(place) && !this.isSkipped(place);
  }

  /** Whether the program says that what stood there stands at another place by now. */
  isElsewhere(place: string): boolean {
    const all = [...this.#announced.values()];
    return all.some(({ former = [], place: own }) => former.includes(place) && this.mayComeFrom(own, place));
  }

  /** What stands for the places where what the program has there stood before, as far as it has said. */
  stoodAt(place: string | undefined): readonly string[] {
    const { former = [], urnPlaces = [] } = this.#announced.get(place ?? "") ?? {};
    return [...former, ...urnPlaces];
  }

  /**
   * What the program has announced of places of which the engine has not told yet.
   *
   * @param scope of what other providers are to have, this is meant, too
   * @param mayBe whether a scope of another name is meant as well
   */
  untold(scope?: Scope, mayBe: (of: string) => boolean = () => false): Untold[] {
    // Of another connection, the same names are other things.
    const isMeant = (of = "") => scope === undefined || of === "" || scope.names.has(of) || mayBe(of);
    const own = [...this.#announced.values()].filter(({ place, of }) => !this.isDeclared(place) && isMeant(of));
    const others = this.#overheard.filter(({ of }) => scope !== undefined && isMeant(of));
    return [...own, ...others].filter(({ place }) => scope?.claims.isTold(place) !== true);
  }

  /**
   * The name by which the program has a resource that stood at a place, or stands there in the other form, and of which the engine
   * has not told; `undefined` where there is none.
   *
   * @param isMeant whether inputs are its own: by those it is known that has come from an import file, without a place. What takes it
   *   over has it kept until then, and is none.
   * @param scope that of the resource: another process of the run may have been told
   */
  successor(place: string | undefined, isMeant: (inputs: JsonObject) => boolean, scope?: Scope): string | undefined {
    const isIts = ({ former = [], urnPlaces = [], inputs, isNative, place: own }: Announcement) => {
      const isInOtherForm = (isNative === true) !== this.#isPlugin;
      return place === undefined
        ? (isInOtherForm || former.length > 0) && inputs.adopt !== true && isMeant(inputs)
        : [...former, ...urnPlaces].includes(place) || (isInOtherForm && own === place);
    };
    const isTold = (own: string) => this.isDeclared(own) || this.isAnswered(own) || scope?.claims.isTold(own) === true;
    return [...this.#announced.values()].find((each) => !isTold(each.place) && isIts(each))?.name;
  }

  /** A resource of the state stands there by now. */
  see({ mark }: Recorded, place: string | undefined): void {
    if (place !== undefined) this.#byMark.set(mark, place);
  }

  of(known: Recorded): string | undefined {
    const place = this.here(known);
    const seen =
      this.#byMark.get(known.mark) ??
      (place === undefined ? undefined : (this.#byFormer.get(known.place ?? "") ?? place));
    return seen === undefined ? undefined : this.nowAt(seen);
  }

  /** A place as the program tells it, where that has said what stands for it. */
  nowAt(place: string): string {
    return this.#byUrnPlace.get(place) ?? place;
  }

  /** What the program has announced of a scope, and of which the engine has neither told nor answered. */
  awaited(scope: Scope | undefined): Untold[] {
    return this.untold(scope).filter(({ place }) => this.#announced.has(place) && !this.isAnswered(place));
  }

  /** Whether a resource of the state is to be replaced where it stands. */
  isReplaced(known: Recorded): boolean {
    return this.at(this.of(known)).replaced?.mark === known.mark;
  }

  /**
   * Something is to be created there.
   *
   * @returns what stays there by its comparison: the engine replaces it all the same
   */
  succeed(place: string | undefined, coming: JsonObject): StayingResource | undefined {
    const { staying } = this.at(place);
    this.note(place, { coming });
    if (staying !== undefined) this.note(place, { staying: undefined, replaced: staying.known });
    return staying;
  }

  at(place: string | undefined): Readonly<Place> {
    return (place === undefined ? undefined : this.#places.get(place)) ?? {};
  }

  note(place: string | undefined, known: Place): void {
    if (place !== undefined)
      Object.assign(
        once(this.#places, place, (): Place => ({})),
        known,
      );
  }
}
