import { unlessAborted } from "../base/unlessAborted";
import { unsentEnd } from "../http/end";

/** How long a value is good: from one who asks to the next, and in all. */
type Lifetime = Readonly<Record<"pauseMs" | "mostMs", number>>;

const BRIEF: Lifetime = { pauseMs: 1000, mostMs: 1000 };

/**
 * For what an update changes seldom and asks for with each of its resources. The engine may take a second for one of thousands;
 * who asks later than this belongs to another step of the run.
 */
export const WHILE_ASKED_FOR: Lifetime = { pauseMs: 10_000, mostMs: 60_000 };

export const FOR_GOOD: Lifetime = { pauseMs: Number.POSITIVE_INFINITY, mostMs: Number.POSITIVE_INFINITY };

/** @param signal ends no request that is being sent */
type LoadValue<T> = (signal: AbortSignal) => Promise<T>;

/** A value that many ask for at the same time, and is fetched once: for a second, if nothing else is said. */
export class Shared<T> {
  readonly #load: LoadValue<T>;
  readonly #lifetime: Lifetime;
  #value: Promise<T> | undefined;
  #fetchedAt = 0;
  #goodUntil = 0;

  constructor(load: LoadValue<T>, lifetime = BRIEF) {
    this.#load = load;
    this.#lifetime = lifetime;
  }

  /** @param signal ends the waiting of the one who asks; others may go on */
  get(signal: AbortSignal): Promise<T> {
    const known = Date.now() > this.#goodUntil ? undefined : this.#value;
    if (known !== undefined && this.#fetchedAt > 0) this.#extend();
    return unlessAborted(known ?? this.#fetch(signal), signal);
  }

  /** Makes the next one who asks fetch it anew. */
  forget(): void {
    this.#value = undefined;
  }

  #fetch(signal: AbortSignal): Promise<T> {
    const value = this.#load(unsentEnd(signal));
    this.#value = value;
    this.#fetchedAt = 0;
    this.#goodUntil = Number.POSITIVE_INFINITY;
    // Unless it has been forgotten meanwhile, and another is there in its place.
    const ifCurrent = (settle: () => void) => () => {
      if (this.#value === value) settle();
    };
    value.then(
      ifCurrent(() => {
        this.#fetchedAt = Date.now();
        this.#extend();
      }),
      ifCurrent(() => this.forget()),
    );
    return value;
  }

  #extend(): void {
    const { pauseMs, mostMs } = this.#lifetime;
    this.#goodUntil = Math.min(Date.now() + pauseMs, this.#fetchedAt + mostMs);
  }
}

/** A list that is shared while it is asked for, of which each thing is good until it is changed here. */
export class SharedList<Key, Thing> {
  readonly #listing: Shared<{ things: ReadonlyMap<Key, Thing>; changed: ReadonlySet<Key> }>;
  /** What was changed since the latest list was asked for: it may have either. */
  #changed = new Set<Key>();

  constructor(list: LoadValue<readonly Thing[]>, keyOf: (thing: Thing) => Key) {
    this.#listing = new Shared(async (signal) => {
      const changed = new Set<Key>();
      this.#changed = changed;
      const things = await list(signal);
      return { things: new Map(things.map((thing) => [keyOf(thing), thing])), changed };
    }, WHILE_ASKED_FOR);
  }

  /** A thing as it is listed; `undefined` where the list does not tell: then it has to be asked for by itself. */
  async find(key: Key, signal: AbortSignal): Promise<Thing | undefined> {
    const { things, changed } = await this.#listing.get(signal);
    return changed.has(key) ? undefined : things.get(key);
  }

  /** Makes what is listed of a thing that has been changed be of no use any more. */
  drop(key: Key): void {
    this.#changed.add(key);
  }

  /** Makes the next one who asks fetch the list anew. */
  forget(): void {
    this.#listing.forget();
  }
}
