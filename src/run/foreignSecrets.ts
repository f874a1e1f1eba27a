import { filterKeys } from "../base/json";
import { digestWith, isForeign, keyOf, ownKey } from "../base/ownKey";
import type { Announcement } from "./announcements";
import { keyFiles } from "./runFiles";

/** An announcement as this process may have it, and whether nothing of it is left out. */
interface Heard {
  announcement: Announcement;
  isWhole: boolean;
}

/**
 * What a program has announced of secrets by another key than this process has, as an inline one of the Automation API does whose
 * workspace has another home. What stands for a secret is unknown until this process has seen that.
 */
export class ForeignSecrets {
  /** What stands for secrets that this process has seen, by what stands for them elsewhere. */
  readonly #own = new Map<string, string>();
  readonly #seen = new Set<string>();
  readonly #keys = new Map<string, Buffer>();
  #partial: Announcement[] = [];

  /** @param file in which it was announced */
  heard(announcement: Announcement, file: string | undefined): Heard {
    const foreign = Object.values(announcement.inputs).filter(isForeign);
    for (const digest of foreign) this.#findKey(digest, file);
    const heard = this.#translated(announcement);
    if (!heard.isWhole) this.#partial.push(announcement);
    return heard;
  }

  /**
   * Notes that this process has seen a secret.
   *
   * @returns what was announced with it, as a whole
   */
  see(secret: string): Announcement[] {
    if (this.#seen.has(secret)) return [];
    this.#seen.add(secret);
    for (const key of this.#keys.values()) this.#note(key, secret);
    const all = this.#partial.map((announcement) => ({ announcement, heard: this.#translated(announcement) }));
    this.#partial = all.filter(({ heard }) => !heard.isWhole).map(({ announcement }) => announcement);
    return all.filter(({ heard }) => heard.isWhole).map(({ heard }) => heard.announcement);
  }

  #findKey(digest: string, file: string | undefined): void {
    const key = file === undefined ? undefined : keyOf(digest, keyFiles(file));
    if (key === undefined || this.#keys.has(key.toString("hex"))) return;
    this.#keys.set(key.toString("hex"), key);
    for (const secret of this.#seen) this.#note(key, secret);
  }

  #note(key: Buffer, secret: string): void {
    this.#own.set(digestWith(key, secret), digestWith(ownKey(), secret));
  }

  #translated(announcement: Announcement): Heard {
    const { inputs, unknown = [] } = announcement;
    const known = Object.entries(inputs).map(([name, value]) => {
      return [name, isForeign(value) ? this.#own.get(value) : value] as const;
    });
    const left = known.flatMap(([name, value]) => (value === undefined ? [name] : []));
    if (left.length === 0)
      return { announcement: { ...announcement, inputs: Object.fromEntries(known) }, isWhole: true };
    const others = filterKeys(Object.fromEntries(known), (name) => !left.includes(name));
    return { announcement: { ...announcement, inputs: others, unknown: [...unknown, ...left] }, isWhole: false };
  }
}
