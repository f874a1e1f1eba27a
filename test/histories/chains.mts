import type { Entry } from "./engine.mts";

/** What is deleted together, one after the other: what others depend on goes after them. */
export function chainsOf(entries: readonly Entry[]): Entry[][] {
  const left = new Set(entries);
  const chains: Entry[][] = [];
  while (left.size > 0) {
    const isFree = ({ dependencies = [], deletedWith }: Entry) =>
      ![...left].some(({ urn }) => dependencies.includes(urn) || deletedWith === urn);
    const free = [...left].filter(isFree);
    // Names that were swapped may go round in a circle.
    const chain = free.length === 0 ? [...left] : free;
    for (const entry of chain) left.delete(entry);
    chains.push(chain);
  }
  return chains.reverse();
}
