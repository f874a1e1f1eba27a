import { createHash } from "node:crypto";

/** The names of this machine that lead to the same service. Another address of it may be another service's. */
const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

const LENGTH = 8;

/** Stands for where a service is, however its URL is written: short, since it is in the state of every resource. */
export function locationOf(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url);
  const host = LOOPBACK.has(hostname) ? "loopback" : hostname;
  return shortly([protocol, host, port, pathname]);
}

/** Stands for an account. */
export const accountOf = (customer: string): string => shortly(["account", customer]);

/** Stands for a secret in what only the processes of one run read. */
export const digest = (secret: string): string => shortly(["secret", secret]);

const shortly = (parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, LENGTH);
