const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** A number that stands for a text. `tools/engine-box/chance.go` has the same. */
export function drawnFrom(text: string): number {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, FNV_PRIME) >>> 0;
  // Texts that end alike are to be far apart.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0;
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Things in the order that a seed decides for each by its name, whatever the others are. */
export const ordered = <T,>(items: readonly T[], seed: number, nameOf: (item: T) => string): T[] =>
  items
    .map((item) => ({ item, place: drawnFrom(`${seed} ${nameOf(item)}`), name: nameOf(item) }))
    .sort((one, other) => one.place - other.place || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
    .map(({ item }) => item);
