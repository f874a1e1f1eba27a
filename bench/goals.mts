import { FORMS, MEGABYTES } from "./download.mts";
import type { Summary } from "./summary.mts";

/** What a figure should not exceed. */
export interface Goal {
  title: string;
  most: number;
  unit: "" | "MiB" | "requests";
  /** NaN when something that it needs was not measured. */
  measured(summary: Summary): number;
}

const ratio = (title: string, most: number, measured: Goal["measured"]): Goal => ({ title, most, unit: "", measured });

const native = (which: string, most: number, bytes: Goal["measured"]): Goal => ({
  title: `Native: memory of the plugin's process ${which}`,
  most,
  unit: "MiB",
  measured: (of) => bytes(of) / 2 ** 20,
});

export const GOALS: readonly Goal[] = [
  ratio(
    "ProxyPorts: `up` of 1,000, to the engine's floor",
    0.2,
    (of) => of.seconds("ProxyPorts", 1000, "up") / of.seconds("engine", 1000, "up"),
  ),
  ...["simulator", "manager"].map((service) =>
    ratio(
      `ProxyPorts: \`up\` of 1,000, to 1.5 times the service's floor and 2 s (${service})`,
      1,
      (of) =>
        of.seconds(`${service}:ProxyPorts`, 1000, "up") / (1.5 * of.seconds(`${service}:service`, 1000, "up") + 2),
    ),
  ),
  ratio(
    "ProxyPorts: unchanged `preview` of 1,000, to that of one ProxyPort",
    1.3,
    (of) => of.seconds("ProxyPorts", 1000, "preview") / of.seconds("ProxyPort", 1, "preview"),
  ),
  {
    title: "ProxyPorts: `refresh` of 1,000",
    most: 3,
    unit: "requests",
    measured: (of) => of.figure("requests", "ProxyPorts", 1000, "refresh"),
  },
  ...Object.entries({ fleet: "", "small-heap": ", in a small heap" }).map(
    ([column, how]): Goal => ({
      title: `ProxyPorts: memory of the provider's process with 5,000 ports, on 20 managers${how}`,
      most: 200,
      unit: "MiB",
      measured: (of) => of.most("peakBytes", column, 5000) / 2 ** 20,
    }),
  ),
  ratio(
    "ProxyPorts: the provider's CPU time for `up` of 5,000 on 20 managers, to 5 times that of 1,000",
    1,
    (of) => of.figure("providerSeconds", "fleet", 5000, "up") / (5 * of.figure("providerSeconds", "fleet", 1000, "up")),
  ),
  ratio(
    "ProxyPort × 1,000: size of the state, to that of the native provider",
    1.25,
    (of) => of.figure("stateBytes", "ProxyPort", 1000, "up") / of.figure("stateBytes", "engine", 1000, "up"),
  ),
  ...["up", "change all", "destroy"].map((step) =>
    ratio(
      `ProxyPort × 1,000: \`${step}\`, to the engine's floor and the service's floor together`,
      1.2,
      (of) =>
        of.seconds("ProxyPort", 1000, step) / (of.seconds("engine", 1000, step) + of.seconds("service", 1000, step)),
    ),
  ),
  ...["preview", "refresh"].map((step) =>
    ratio(
      `ProxyPort × 1,000: \`${step}\`, to the engine's floor`,
      1.5,
      (of) => of.seconds("ProxyPort", 1000, step) / of.seconds("engine", 1000, step),
    ),
  ),
  {
    title: "ProxyPort × 1,000: `change all`",
    most: 1050,
    unit: "requests",
    measured: (of) => of.figure("requests", "ProxyPort", 1000, "change all"),
  },
  ...["up", "preview", "refresh", "destroy"].map((step) =>
    ratio(
      `20 managers with 50 ports each: \`${step}\`, to one with 1,000`,
      1.2,
      (of) => of.seconds("fleet", 1000, step) / of.seconds("ProxyPorts", 1000, step),
    ),
  ),
  ...Object.entries({ up: 1.15, preview: 1.15, refresh: 1.3, destroy: 1.3 }).map(([step, most]) =>
    ratio(
      `Native, one ProxyPort: \`${step}\`, to the engine's floor`,
      most,
      (of) => of.seconds("native", 1, step) / of.seconds("engine", 1, step),
    ),
  ),
  // What a goal above does not take into account: whatever is written in Node.js has to start it.
  ...Object.entries({ up: 1.15, preview: 1.15, refresh: 1.3, destroy: 1.3 }).map(([step, most]) =>
    ratio(
      `Native, one ProxyPort: \`${step}\`, to a plugin's floor`,
      most,
      (of) => of.seconds("native", 1, step) / of.seconds("node", 1, step),
    ),
  ),
  ...Object.entries({ engine: "the engine's floor", node: "a plugin's floor" }).flatMap(([floor, name]) => [
    ...["up", "change all", "destroy"].map((step) =>
      ratio(
        `Native, ProxyPort × 1,000: \`${step}\`, to ${name} and the service's floor together`,
        1.1,
        (of) => of.seconds("native", 1000, step) / (of.seconds(floor, 1000, step) + of.seconds("service", 1000, step)),
      ),
    ),
    ...Object.entries({ preview: 1.15, refresh: 1.3 }).map(([step, most]) =>
      ratio(
        `Native, ProxyPort × 1,000: \`${step}\`, to ${name}`,
        most,
        (of) => of.seconds("native", 1000, step) / of.seconds(floor, 1000, step),
      ),
    ),
  ]),
  ratio(
    "Native, ProxyPort × 1,000: size of the state, to that of the provider that does nothing",
    1.1,
    (of) => of.figure("stateBytes", "native", 1000, "up") / of.figure("stateBytes", "engine", 1000, "up"),
  ),
  ratio(
    "Native, ProxyPorts: unchanged `preview` of 1,000, to that of one port",
    1.15,
    (of) => of.seconds("native-set", 1000, "preview") / of.seconds("native-set", 1, "preview"),
  ),
  ratio(
    "The same, of the provider that does nothing",
    1.15,
    (of) => of.seconds("engine-set", 1000, "preview") / of.seconds("engine-set", 1, "preview"),
  ),
  native("that has sent nothing", 90, (of) => of.figure("peakBytes", "native", 1, "preview")),
  native("with 5,000 ports, on 20 managers", 200, (of) => of.most("peakBytes", "native-fleet", 5000)),
  native("of each of 20 explicit providers", 75, (of) => of.most("peakBytes", "native-providers", 20)),
  // What the machine needs for them: half of each is the executable of Node.js, which all share.
  native("of each of 20 explicit providers, shared pages counted once", 75, (of) => {
    return of.most("togetherBytes", "native-providers", 20) / 20;
  }),
  ...Object.keys(FORMS).flatMap((form): Goal[] => [
    ...Object.entries({ undici: "undici", "undici-sync": "undici that waits for the disk, too" }).map(
      ([column, name]) =>
        ratio(
          `Download of ${form}: seconds, to those of ${name}`,
          1 / 0.9,
          (of) =>
            of.seconds("download:pulumi-brightdata", MEGABYTES, form) /
            of.seconds(`download:${column}`, MEGABYTES, form),
        ),
    ),
    {
      title: `Download of ${form}: more memory than undici`,
      most: 64,
      unit: "MiB",
      measured: (of) =>
        (of.figure("peakBytes", "download:pulumi-brightdata", MEGABYTES, form) -
          of.figure("peakBytes", "download:undici", MEGABYTES, form)) /
        2 ** 20,
    },
  ]),
];
