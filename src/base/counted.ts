/** A number with what it counts, which is in the plural unless it is one: `1 IP`, `2,000 ports`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
