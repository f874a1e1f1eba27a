import { randomBytes } from "node:crypto";
import type { PortRecord } from "./portRecord";

/** The session of a port: the part of a user name by which the vendor keeps to one exit IP. */
export class PortSession {
  /** The number of the next one. */
  next = 0;
  #name: string | undefined;
  /** With `sticky_ip`, each address has its own. */
  readonly #byAddress = new Map<string, string>();

  name(config: PortRecord, address: string): string {
    if (config.sticky_ip) {
      const name = this.#byAddress.get(address) ?? this.#made(config, `${config.port}_${address.replaceAll(".", "_")}`);
      this.#byAddress.set(address, name);
      return name;
    }
    const name = this.#name ?? this.#made(config, String(config.port));
    this.#name = config.rotate_session ? undefined : name;
    return name;
  }

  /** The next request has another session, of that number if one is given. */
  renew(number = this.next): void {
    this.next = number;
    this.#name = undefined;
    this.#byAddress.clear();
  }

  /** A request with a session of its own ends that of the port. */
  leave(): void {
    this.#name = undefined;
  }

  #made({ session, rotate_session }: PortRecord, prefix: string): string {
    const name = `${prefix}_${this.next++}`;
    if (session && session !== true) return String(session);
    return rotate_session ? `${name}_${randomBytes(8).toString("hex")}` : name;
  }
}
