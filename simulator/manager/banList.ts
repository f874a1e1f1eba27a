/** An IP that a port does not use: for one domain or for all of them (`""` or `null`), for ever or until a moment. */
export interface Ban {
  ip: string;
  domain: unknown;
  /** In milliseconds since 1970. */
  to?: number;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The banned IPs of one port, oldest first. They live in memory: a restart forgets them. */
export class BanList {
  readonly #bans = new Map<string, Ban>();
  readonly #now: () => number;

  constructor(now: () => number, bans: readonly Ban[] = []) {
    this.#now = now;
    for (const ban of bans) this.#bans.set(keyOf(ban.ip, ban.domain), ban);
  }

  /** A ban that is already there stays as it is, its end included. For what no timer can wait there is no ban. */
  add(ip: string, domain: unknown = "", milliseconds = 0): void {
    const forEver = !milliseconds;
    if (this.has(ip, domain) || !(forEver || (milliseconds >= 1 && milliseconds <= LONGEST_TIMER_MS))) return;
    this.#bans.set(keyOf(ip, domain), { ip, domain, ...(forEver ? {} : { to: this.#now() + milliseconds }) });
  }

  /** Lifts the ban for that domain only. */
  remove(ip: string, domain?: unknown): void {
    this.#bans.delete(keyOf(ip, domain));
  }

  clear(): void {
    this.#bans.clear();
  }

  list(): Ban[] {
    for (const [key, ban] of this.#bans) if (ban.to !== undefined && ban.to <= this.#now()) this.#bans.delete(key);
    return [...this.#bans.values()];
  }

  keys(): string[] {
    return this.list().map((ban) => keyOf(ban.ip, ban.domain));
  }

  has(ip: string, domain: unknown): boolean {
    const keys = this.keys();
    return keys.includes(ip) || keys.includes(keyOf(ip, domain));
  }
}

const keyOf = (ip: string, domain: unknown): string => (domain ? `${ip}|${domain}` : ip);
