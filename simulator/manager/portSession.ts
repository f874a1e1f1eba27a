import { randomBytes } from "node:crypto";
import type { BanList } from "./banList";
import type { PortRecord } from "./portRecord";

/** The session of a port: the part of a user name by which the vendor keeps to one exit IP. */
export class PortSession {
  /** The number of the next one. */
  next = 0;
  /** The number of the one that was begun last. */
  #ordinal = 0;
  #name: string | undefined;
  /** With `sticky_ip`, each address has its own. */
  readonly #byAddress = new Map<string, string>();
  /** By which exit IP a session has last left. */
  readonly #exits = new Map<string, string>();

  /** A session that left by an IP which is banned by now is over. */
  name({ config, bans }: { config: PortRecord; bans: BanList }, address: string): string {
    const kept = config.sticky_ip ? this.#byAddress.get(address) : this.#name;
    const exit = this.#exits.get(kept ?? "");
    if (kept !== undefined && (exit === undefined || !bans.has(exit, ""))) return kept;
    const isSticky = Boolean(config.sticky_ip);
    const name = this.#made(config, isSticky ? `${config.port}_${address.replaceAll(".", "_")}` : String(config.port));
    if (isSticky) this.#byAddress.set(address, name);
    else this.#name = config.rotate_session ? undefined : name;
    return name;
  }

  leftBy(name: string, exit: string | undefined): void {
    if (exit !== undefined) this.#exits.set(name, exit);
  }

  /** What it uses of the port's lists, where these fill the pool. */
  ofPool({ ips, vips, pool_size, session }: PortRecord, given: unknown): { ip?: unknown; vip?: unknown } {
    const size = session && session !== true ? 1 : pool_size;
    const [first, second] = [ips, vips].map((list) => (Array.isArray(list) ? list : undefined));
    if (given !== undefined || (first ?? second)?.length !== Number(size)) return {};
    const nth = (list: unknown[] = []): unknown => list[this.#ordinal % list.length];
    const [ip, vip] = [nth(first), nth(second)];
    return { ...(ip !== undefined && { ip }), ...(vip !== undefined && { vip }) };
  }

  /** The next request has another session, of that number if one is given. */
  renew(number = this.next): void {
    this.next = number;
    this.#name = undefined;
    this.#byAddress.clear();
    this.#exits.clear();
  }

  /** A request with a session of its own ends that of the port. */
  leave(): void {
    this.#name = undefined;
  }

  #made({ session, rotate_session }: PortRecord, prefix: string): string {
    this.#ordinal = this.next++;
    const name = `${prefix}_${this.#ordinal}`;
    if (session && session !== true) return String(session);
    return rotate_session ? `${name}_${randomBytes(8).toString("hex")}` : name;
  }
}
