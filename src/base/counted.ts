/** A number in a sentence: `2,000`. */
export const grouped = (count: number): string => count.toLocaleString("en");

/** A number with what it counts, which is in the plural unless it is one: `1 IP`, `2,000 ports`. */
export const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
