/** One way to have ports, or a part of it. */
export interface Column {
  name: string;
  /** What it is, for a reader of the results. */
  title: string;
  /** The Pulumi program below `programs`; without one, a loop sends the bare requests. */
  program?: string;
  /** How many managers share the ports. Default 1. */
  managers?: number;
  /** Whether its resources are those of the package's plugin. */
  plugin?: true;
  /** What its provider, which talks to no service and does nothing, is written in. */
  idle?: "Go" | "Node.js";
  /** Variables that Pulumi gets in addition. */
  environment?: Readonly<Record<string, string>>;
  /** Where the stack's files are; by default in the system's temporary folder. */
  folder?: string;
  /** Seconds that all steps take on the machine of the committed results: at once, each port, each pair of ports. */
  cost: readonly [fixed: number, linear: number, quadratic: number];
}

export const COLUMNS: readonly Column[] = [
  { name: "ProxyPorts", title: "one ProxyPorts", program: "proxy-ports", cost: [12, 0.01, 0] },
  { name: "ProxyPort", title: "a ProxyPort each", program: "proxy-port", cost: [12, 0.05, 2.5e-4] },
  { name: "usual", title: "a dynamic provider, written as usual", program: "usual", cost: [12, 0.1, 7e-4] },
  { name: "engine", title: "the engine's floor", program: "native", idle: "Go", cost: [9, 0.03, 1.3e-4] },
  { name: "service", title: "the service's floor", cost: [1, 0.004, 0] },
  { name: "fleet", title: "ProxyPorts on 20 managers", program: "proxy-ports", managers: 20, cost: [13, 0.01, 0] },
  {
    name: "native",
    title: "a ProxyPort each, by the plugin",
    program: "plugin-port",
    plugin: true,
    cost: [10, 0.05, 2e-4],
  },
  {
    name: "small-heap",
    title: "ProxyPorts on 20 managers, in a small heap",
    program: "proxy-ports",
    managers: 20,
    environment: { NODE_OPTIONS: "--max-semi-space-size=4 --max-old-space-size=128" },
    cost: [13, 0.01, 0],
  },
  {
    name: "native-set",
    title: "one ProxyPorts, by the plugin",
    program: "plugin-ports",
    plugin: true,
    cost: [10, 0.01, 0],
  },
  {
    name: "native-fleet",
    title: "ProxyPorts on 20 managers, by the plugin",
    program: "plugin-ports",
    plugin: true,
    managers: 20,
    cost: [11, 0.01, 0],
  },
  {
    name: "native-providers",
    title: "ProxyPort on 20 explicit providers, by the plugin",
    program: "plugin-providers",
    plugin: true,
    cost: [40, 0.05, 2e-4],
  },
  {
    name: "engine-set",
    title: "the engine's floor of one set",
    program: "native-set",
    idle: "Go",
    cost: [9, 0.005, 0],
  },
  { name: "node", title: "a plugin's floor", program: "native", idle: "Node.js", cost: [10, 0.03, 1.3e-4] },
];

const ENGINE = { program: "native", idle: "Go", cost: [9, 0.03, 1.3e-4] } as const;

/** What a user can do about the engine's own cost, each to be compared with the column `engine`. */
export const SWITCHES: readonly Column[] = [
  {
    ...ENGINE,
    name: "skip-checkpoints",
    title: "`PULUMI_SKIP_CHECKPOINTS=true`",
    environment: { PULUMI_SKIP_CHECKPOINTS: "true" },
    cost: [9, 0.02, 0],
  },
  {
    ...ENGINE,
    name: "gzip",
    title: "`PULUMI_DIY_BACKEND_GZIP=true`",
    environment: { PULUMI_DIY_BACKEND_GZIP: "true" },
  },
  {
    ...ENGINE,
    name: "parallel-1",
    title: "`--parallel 1`",
    environment: { PULUMI_PARALLEL: "1" },
  },
  {
    ...ENGINE,
    name: "parallel-64",
    title: "`--parallel 64`",
    environment: { PULUMI_PARALLEL: "64" },
  },
  { ...ENGINE, name: "ram", title: "backend on a RAM disk", folder: "/dev/shm" },
  { ...ENGINE, name: "async", title: "resources declared after an `await`", program: "native-async" },
  {
    ...ENGINE,
    name: "transpile-only",
    title: "`PULUMI_NODEJS_TRANSPILE_ONLY=true`",
    environment: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
  },
];

export const columnNamed = (name: string): Column => {
  const column = [...COLUMNS, ...SWITCHES].find((each) => each.name === name);
  if (column === undefined) throw new Error(`There is no column named ${name}.`);
  return column;
};

export const secondsOf = ({ cost: [fixed, linear, quadratic] }: Column, size: number): number =>
  fixed + linear * size + quadratic * size ** 2;
