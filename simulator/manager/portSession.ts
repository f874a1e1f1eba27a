import { randomBytes } from "node:crypto";
import type { BanList } from "./banList";
import type { PortRecord } from "./portRecord";
import type { Wishes } from "./username";

/** The session of a port: the part of a user name by which the vendor keeps to one exit IP. */
export class PortSession {
  /** The number of the next one. */
  next = 0;
  /** The number of the one that was begun last. */
  #ordinal = 0;
  #name: unknown;
  /** Whether the next one is begun already, before anybody asks for it. */
  #isBegun = false;
  /** Through proxies of other vendors, a port goes without a session of its own, which it does not find again after them. */
  #isLost = false;
  /** With `sticky_ip`, each address has its own. */
  readonly #byAddress = new Map<string, unknown>();
  /** By which exit IP a session has last left. */
  readonly #exits = new Map<unknown, string>();

  /** Takes over changed fields. */
  follow(changed: object, { ext_proxies }: PortRecord): void {
    if ("session" in changed) this.#isLost = false;
    this.#isLost ||= Boolean(ext_proxies);
  }

  /** A session that left by an IP which is banned by now is over. */
  name({ config, bans }: { config: PortRecord; bans: BanList }, address: string): unknown {
    const kept = config.sticky_ip ? this.#byAddress.get(address) : this.#name;
    const exit = this.#exits.get(kept);
    if (kept !== undefined && (exit === undefined || !bans.has(exit, ""))) return kept;
    const isSticky = Boolean(config.sticky_ip);
    const name = this.#made(config, isSticky ? `${config.port}_${address.replaceAll(".", "_")}` : String(config.port));
    if (isSticky) this.#byAddress.set(address, name);
    else this.#name = config.rotate_session ? undefined : name;
    return name;
  }

  leftBy(name: unknown, exit: string | undefined): void {
    if (exit !== undefined) this.#exits.set(name, exit);
  }

  /** What it uses of the port's lists: of IPs and gIPs where these fill the pool. */
  ofPool(config: PortRecord, given: unknown): Wishes {
    const { ips, vips, asn } = config;
    const size = this.#isFixed(config) ? 1 : config.pool_size;
    if (given) return {};
    const nth = (list: unknown): unknown => (isList(list) ? list[this.#ordinal % list.length] : undefined);
    const list = ips || vips || [];
    const isFull = isList(list) && list.length === Number(size);
    const used = { ...(isFull && { ip: nth(ips), vip: nth(vips) }), ...(Array.isArray(asn) && { asn: nth(asn) }) };
    return Object.fromEntries(Object.entries(used).filter(([, value]) => value));
  }

  /** The next request has another session, of that number. */
  renew(number: number): void {
    this.next = number;
    this.#isBegun = true;
    this.#end();
  }

  /** The same so often, by its own count. */
  advance(times: number): void {
    this.renew(this.next + times - (this.#isBegun ? 0 : 1));
  }

  /** The next request has another session, which is begun then. */
  replace(): void {
    this.#end();
  }

  #end(): void {
    this.#name = undefined;
    this.#byAddress.clear();
    this.#exits.clear();
  }

  /** A request with a session of its own ends that of the port. */
  leave(): void {
    this.#name = undefined;
  }

  #made(config: PortRecord, prefix: string): unknown {
    this.#ordinal = this.next++;
    this.#isBegun = false;
    const name = `${prefix}_${this.#ordinal}`;
    if (this.#isFixed(config)) return config.session;
    return config.rotate_session ? `${name}_${randomBytes(8).toString("hex")}` : name;
  }

  #isFixed({ session }: PortRecord): boolean {
    return Boolean(session) && session !== true && !this.#isLost;
  }
}

/** A text is a list of its letters, too. */
const isList = (value: unknown): value is unknown[] | string => Array.isArray(value) || typeof value === "string";
