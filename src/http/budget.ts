import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ownFolder, quietly, replaceFile } from "../base/disk";
import { isObject } from "../base/json";
import { readJson } from "./json";
import { LONGEST_WAIT_SECONDS } from "./retry";

const WINDOW_MS = 5 * 60_000;
const LONGEST_PAUSE_SECONDS = 32;

// A `Retry-After` of years is a slip of the service, and outlasts it in the file.
const LONGEST_CLOSE_SECONDS = 3600;

// What other processes have met may be known this much later.
const STALE_MS = 1000;

/** The 429s of a service, as the file has them: moments in milliseconds since 1970. */
interface KnownRefusals {
  refusals: number[];
  heldUntil: number;
  closedUntil: number;
}

/**
 * What a service's 429s leave for further requests. Each holds the service back for the time that it asks for, or for 2, 4, 8,
 * 16 and 32 s where that is none, and afterwards one request goes at a time until one succeeds. A long `Retry-After`, or too many 429s within
 * five minutes, close the service: nothing is sent any more.
 *
 * The processes of one person share what they know through a file, which holds moments and nothing else. Where it cannot be
 * read or written, each process knows its own.
 */
export class RateBudget {
  readonly #most: number;
  readonly #file: string | undefined;
  #refusals: number[] = [];
  #heldUntil = 0;
  #closedUntil = 0;
  /** 429s since the last success; those of requests that were under way side by side count as one. */
  #round = 0;
  #refusedAt = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  /**
   * @param most the 429s within five minutes that close the service
   * @param file shared with other processes; none where each is on its own
   */
  constructor(most = Number.POSITIVE_INFINITY, file?: string) {
    this.#most = most;
    this.#file = file;
  }

  get heldSeconds(): number {
    return Math.max(0, this.#heldUntil - Date.now()) / 1000;
  }

  /** Why the service is closed, and until when, in milliseconds since 1970; `undefined` while it is open. */
  get closed(): { until: number; why: string } | undefined {
    const recent = this.#recent();
    const full = recent.length < this.#most ? 0 : (recent.at(-this.#most) ?? 0) + WINDOW_MS;
    const until = Math.max(full, this.#closedUntil);
    if (until <= Date.now()) return undefined;
    return {
      until,
      why:
        full < until
          ? "answered 429 (too many requests) and asked for a long pause"
          : `answered 429 (too many requests) ${recent.length} times within five minutes, and bars the address of whoever goes on`,
    };
  }

  /** How many requests may run at once, where `most` may at other times. What is under way never exceeds what is left. */
  atOnce(most: number): number {
    if (this.#round > 0) return 1;
    const recent = this.#recent().length;
    return recent === 0 ? most : Math.min(most, Math.max(1, Math.floor((this.#most - recent) / 2)));
  }

  /** A request that was sent at `sentAt` (by `performance.now()`) was answered, and not with 429. */
  passed(sentAt: number): void {
    if (sentAt > this.#refusedAt) this.#round = 0;
  }

  /**
   * A request was answered with 429.
   *
   * @param sentAt when it was sent, by `performance.now()`
   * @param retryAfter what the service asks for, in seconds
   */
  refused(sentAt: number, retryAfter: number | undefined): void {
    const now = Date.now();
    // Told apart where several come in the same millisecond.
    this.#refusals = [...this.#recent(), Math.max(now, (this.#refusals.at(-1) ?? 0) + 0.001)];
    if (this.#round === 0 || sentAt > this.#refusedAt) this.#round++;
    this.#refusedAt = performance.now();
    const seconds = retryAfter || Math.min(2 ** this.#round, LONGEST_PAUSE_SECONDS);
    if (seconds <= LONGEST_WAIT_SECONDS) this.#heldUntil = Math.max(this.#heldUntil, now + seconds * 1000);
    else this.#closedUntil = Math.max(this.#closedUntil, now + Math.min(seconds, LONGEST_CLOSE_SECONDS) * 1000);
  }

  /** Learns what other processes have met; reads the file once a second at most. */
  refresh(): Promise<void> {
    if (this.#file === undefined || performance.now() - this.#readAt < STALE_MS) return Promise.resolve();
    this.#reading ??= this.#read(this.#file).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** Tells other processes what this one has met. */
  async share(): Promise<void> {
    const file = this.#file;
    if (file === undefined) return;
    await this.#read(file);
    const known: KnownRefusals = {
      refusals: this.#recent(),
      heldUntil: this.#heldUntil,
      closedUntil: this.#closedUntil,
    };
    // Where it cannot be written, each process knows its own.
    quietly(() => {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      replaceFile(file, JSON.stringify(known), 0o600);
    });
  }

  #recent(): number[] {
    const now = Date.now();
    return this.#refusals.filter((moment) => moment > now - WINDOW_MS && moment <= now + STALE_MS);
  }

  async #read(file: string): Promise<void> {
    const text = await readFile(file, "utf8").catch(() => "");
    this.#readAt = performance.now();
    const { value } = readJson(text);
    if (!isObject(value)) return;
    const { refusals, heldUntil, closedUntil } = value;
    const theirs = Array.isArray(refusals) ? refusals.filter((moment) => typeof moment === "number") : [];
    this.#refusals = [...new Set([...this.#refusals, ...theirs])].sort((left, right) => left - right);
    this.#heldUntil = Math.max(this.#heldUntil, sane(heldUntil, LONGEST_WAIT_SECONDS));
    this.#closedUntil = Math.max(this.#closedUntil, sane(closedUntil, LONGEST_CLOSE_SECONDS));
  }
}

/** A moment that is no further away than this many seconds; otherwise a clock was wrong. */
const sane = (moment: unknown, seconds: number): number =>
  typeof moment === "number" && moment <= Date.now() + seconds * 1000 ? moment : 0;

/** Where the processes of one person keep what they know of a service: beside the Pulumi CLI's own files. */
export function budgetFile(origin: string): string {
  const name = createHash("sha256").update(origin).digest("hex").slice(0, 16);
  return ownFolder(`${name}.json`);
}
