/** One way to have ports, or a part of it. */
export interface Column {
  name: string;
  /** What it is, for a reader of the results. */
  title: string;
  /** The Pulumi program below `programs`; without one, a loop sends the bare requests. */
  program?: string;
  /** How many managers share the ports. Default 1. */
  managers?: number;
  /** Whether it talks to no service at all. */
  offline?: true;
  /** Seconds that all steps take on the machine of the committed results: at once, each port, each pair of ports. */
  cost: readonly [fixed: number, linear: number, quadratic: number];
}

export const COLUMNS: readonly Column[] = [
  { name: "ProxyPort", title: "a ProxyPort each", program: "proxy-port", cost: [12, 0.05, 2.5e-4] },
  { name: "usual", title: "a dynamic provider, written as usual", program: "usual", cost: [12, 0.1, 7e-4] },
  { name: "engine", title: "the engine's floor", program: "native", offline: true, cost: [9, 0.03, 1.3e-4] },
  { name: "service", title: "the service's floor", cost: [1, 0.004, 0] },
];

export const columnNamed = (name: string): Column => {
  const column = COLUMNS.find((each) => each.name === name);
  if (column === undefined) throw new Error(`There is no column named ${name}.`);
  return column;
};

export const secondsOf = ({ cost: [fixed, linear, quadratic] }: Column, size: number): number =>
  fixed + linear * size + quadratic * size ** 2;
