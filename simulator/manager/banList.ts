/** An IP that a port does not use: for one domain or for all of them (`""` or `null`), for ever or until a moment. */
export interface Ban {
  ip: string;
  domain: unknown;
  /** In milliseconds since 1970. */
  to?: number;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The banned IPs of one port, oldest first. They live in memory: a restart forgets them. The ports of a record that was made anew
 * have one list, and each goes by what it was told itself, until it is told the whole list.
 */
export class BanList {
  #listed = new Map<string, Ban>();
  readonly #told = new Map<string, Ban>();
  readonly #now: () => number;

  constructor(now: () => number, bans: readonly Ban[] = []) {
    this.#now = now;
    for (const ban of bans) this.#listed.set(keyOf(ban.ip, ban.domain), ban);
    this.tell();
  }

  /** For another port, which has the same list. */
  shared(): BanList {
    const other = new BanList(this.#now);
    other.#listed = this.#listed;
    other.tell();
    return other;
  }

  /** A ban that is already there stays as it is, its end included. For what no timer can wait there is no ban. */
  add(ip: string, domain: unknown = "", milliseconds = 0): void {
    const forEver = !milliseconds;
    const isPossible = forEver || (milliseconds >= 1 && milliseconds <= LONGEST_TIMER_MS);
    if (!isPossible || isIn(this.#lasting(this.#listed), ip, domain)) return;
    const ban = { ip, domain, ...(forEver ? {} : { to: this.#now() + milliseconds }) };
    for (const bans of [this.#listed, this.#told]) bans.set(keyOf(ip, domain), ban);
  }

  /** Lifts the ban for that domain only. */
  remove(ip: string, domain?: unknown): void {
    if (this.#listed.delete(keyOf(ip, domain))) this.#told.delete(keyOf(ip, domain));
  }

  clear(): void {
    if (this.#listed.size > 0) this.#told.clear();
    this.#listed.clear();
  }

  list(): Ban[] {
    return [...this.#lasting(this.#listed).values()];
  }

  keys(): string[] {
    return this.list().map((ban) => keyOf(ban.ip, ban.domain));
  }

  /** Whether the port does not use the IP. */
  has(ip: string, domain: unknown): boolean {
    return isIn(this.#lasting(this.#told), ip, domain);
  }

  /** The port goes by the whole list from now on. */
  tell(): void {
    this.#told.clear();
    for (const [key, ban] of this.#listed) this.#told.set(key, ban);
  }

  #lasting(bans: Map<string, Ban>): ReadonlyMap<string, Ban> {
    for (const [key, ban] of bans) if (ban.to !== undefined && ban.to <= this.#now()) bans.delete(key);
    return bans;
  }
}

const isIn = (bans: ReadonlyMap<string, Ban>, ip: string, domain: unknown): boolean =>
  bans.has(ip) || bans.has(keyOf(ip, domain));

const keyOf = (ip: string, domain: unknown): string => (domain ? `${ip}|${domain}` : ip);
