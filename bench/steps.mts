/** What a benchmark does with a stack, in this order. */
export interface Step {
  name: string;
  command: "up" | "preview" | "refresh" | "destroy";
  /** The country of the first port from now on, and that of the others. */
  countries: readonly [first: string, others: string];
}

export const STEPS: readonly Step[] = [
  { name: "up", command: "up", countries: ["us", "us"] },
  { name: "preview", command: "preview", countries: ["us", "us"] },
  { name: "refresh", command: "refresh", countries: ["us", "us"] },
  { name: "change one", command: "up", countries: ["de", "us"] },
  { name: "change all", command: "up", countries: ["gb", "gb"] },
  { name: "destroy", command: "destroy", countries: ["gb", "gb"] },
];

/** The countries of the ports that there are after a step. */
export const countriesAfter = ({ command, countries: [first, others] }: Step, size: number): string[] =>
  command === "destroy" ? [] : Array.from({ length: size }, (_, index) => (index === 0 ? first : others));
