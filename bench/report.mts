import { COLUMNS, SWITCHES } from "./columns.mts";
import { DOWNLOADERS, FORMS, MEGABYTES } from "./download.mts";
import { GOALS } from "./goals.mts";
import { type Machine, type Results, SERVICES } from "./results.mts";
import { STEPS } from "./steps.mts";
import { Summary } from "./summary.mts";

/** The results as Markdown, which is legible in a terminal as well. */
export function reportOf(results: readonly Results[]): string {
  return ["### Goals", goals(results.map(summaryOf)), ...results.flatMap(runOf)].join("\n\n");
}

const summaryOf = ({ measurements }: Results): Summary => new Summary(measurements);

/** The figures of one run: those of another are of another day, or of a machine that had more to do. */
function runOf(results: Results): string[] {
  const summary = summaryOf(results);
  return [
    machineLine(results.machine),
    ...SERVICES.flatMap((service) => {
      const columns = COLUMNS.filter(({ name }) => summary.sizes(`${service}:${name}`).length > 0);
      if (columns.length === 0) return [];
      const names = columns.map(({ name }) => name);
      return [
        `### ${service === "simulator" ? "On the simulator" : "On the vendor's Proxy Manager"}`,
        "Seconds:",
        stepsTable(summary, service, names, (column, size, step) => digits(summary.seconds(column, size, step))),
        "CPU seconds of the engine + the program + the provider:",
        stepsTable(summary, service, names, (column, size, step) => cpu(summary, column, size, step)),
        "HTTP requests:",
        stepsTable(summary, service, names, (column, size, step) =>
          whole(summary.figure("requests", column, size, step)),
        ),
        "Bytes of state for each port after `up`, the provider's peak memory in MiB, and the number of rounds:",
        sizesTable(summary, service, names),
      ];
    }),
    ...switches(summary),
    ...downloads(summary),
    ...imports(summary),
  ];
}

/** What users see of it: the seconds that a thousand ports take. */
export function overviewOf(results: readonly Results[]): string {
  const summary = new Summary(wholeRun(results).measurements);
  const shown = { ProxyPorts: "`ProxyPorts`", ProxyPort: "`ProxyPort`", native: "`ProxyPort`, native" };
  const rows = STEPS.map(({ name: step }) => [
    `\`${step}\``,
    ...Object.keys(shown).map((name) => digits(summary.seconds(`simulator:${name}`, 1000, step))),
  ]);
  return table(["1,000 ports, seconds", ...Object.values(shown)], rows);
}

/** The run that has measured the most. */
export const wholeRun = (results: readonly Results[]): Results =>
  results.reduce((most, each) => (each.measurements.length > most.measurements.length ? each : most));

function machineLine({ date, pulumi, node, cores, memoryBytes }: Machine): string {
  const memory = Math.round(memoryBytes / 2 ** 30);
  return `Measured on ${date} with Pulumi ${pulumi} and Node.js ${node}, on ${cores} cores and ${memory} GiB of memory.`;
}

/** What a goal compares is of one run. */
function goals(runs: readonly Summary[]): string {
  const rows = GOALS.map(({ title, most, unit, measured }) => {
    const value = runs.map(measured).find((each) => !Number.isNaN(each)) ?? Number.NaN;
    const shown = Number.isNaN(value)
      ? "not measured"
      : [unit ? whole(value) : value.toFixed(2), unit].join(" ").trim();
    const verdict = Number.isNaN(value) ? "" : value <= most ? "met" : "**not met**";
    return [title, `${whole(most)} ${unit}`.trim(), shown, verdict];
  });
  return table(["Goal", "At most", "Measured", ""], rows);
}

/** What a user can do, relative to the engine's floor at the same size. */
function switches(summary: Summary): string[] {
  const sizes = [...new Set(SWITCHES.flatMap(({ name }) => summary.sizes(name)))];
  return sizes.flatMap((size) => {
    const rows = [COLUMNS.filter(({ name }) => name === "engine"), SWITCHES]
      .flat()
      .map(({ name, title }) => [
        title,
        ...STEPS.map(({ name: step }) => digits(summary.seconds(name, size, step))),
        whole(summary.figure("stateBytes", name, size, "up") / size),
      ]);
    const head = ["", ...STEPS.map(({ name }) => name), "bytes of state each"];
    return [`### The engine's switches, with ${whole(size)} resources`, table(head, rows)];
  });
}

/** The package, beside undici that writes the same answer to a file. */
function downloads(summary: Summary): string[] {
  const names = Object.keys(DOWNLOADERS);
  if (!names.every((name) => summary.sizes(`download:${name}`).length > 0)) return [];
  const cell = (column: string, form: string): string =>
    [
      digits(summary.seconds(column, MEGABYTES, form)),
      digits(summary.figure("programSeconds", column, MEGABYTES, form)),
      whole(summary.figure("peakBytes", column, MEGABYTES, form) / 2 ** 20),
    ].join(", ");
  const rows = Object.keys(FORMS).map((form) => [form, ...names.map((name) => cell(`download:${name}`, form))]);
  return [
    "### Downloading a snapshot",
    `Seconds, CPU seconds, and peak memory in MiB for ${MEGABYTES} MB of NDJSON, and for the same records in other forms. ` +
      "`undici-sync` waits until the disk has the file, as the package does:",
    table(["", ...names], rows),
  ];
}

function imports(summary: Summary): string[] {
  const [sdk, ours] = ["import:@pulumi/pulumi", "import:pulumi-brightdata"].map(
    (column) => `${Math.round(summary.seconds(column, 1, "import") * 1000)} ms`,
  );
  if (summary.rounds("import:pulumi-brightdata", 1) === 0) return [];
  return ["### Importing the package", `Importing the package adds ${ours} to the ${sdk} of \`@pulumi/pulumi\`.`];
}

type Cell = (column: string, size: number, step: string) => string;

/** A row for each step at each size. Rows without a figure are left out. */
function stepsTable(summary: Summary, service: string, names: readonly string[], cell: Cell): string {
  const rows = sizesOf(summary, service, names).flatMap((size) =>
    STEPS.map(({ name: step }) => [
      `${whole(size)}: ${step}`,
      ...names.map((name) => cell(`${service}:${name}`, size, step)),
    ]),
  );
  return table(["Ports", ...names], rows);
}

function sizesTable(summary: Summary, service: string, names: readonly string[]): string {
  const rows = sizesOf(summary, service, names).map((size) => [
    whole(size),
    ...names.map((name) => {
      const column = `${service}:${name}`;
      const bytes = whole(summary.figure("stateBytes", column, size, "up") / size);
      const memory = whole(summary.most("peakBytes", column, size) / 2 ** 20);
      const rounds = summary.rounds(column, size);
      return rounds === 0 ? "" : [bytes, memory, `${rounds}×`].filter((part) => part).join(", ");
    }),
  ]);
  return table(["Ports", ...names], rows);
}

function sizesOf(summary: Summary, service: string, names: readonly string[]): number[] {
  const sizes = new Set(names.flatMap((name) => summary.sizes(`${service}:${name}`)));
  return [...sizes].toSorted((one, other) => one - other);
}

function cpu(summary: Summary, column: string, size: number, step: string): string {
  const figures = (["engineSeconds", "programSeconds", "providerSeconds"] as const).map((part) =>
    summary.figure(part, column, size, step),
  );
  return figures
    .map(digits)
    .filter((part) => part)
    .join(" + ");
}

/** Three digits that count, as far as there are so many. */
function digits(value: number): string {
  if (Number.isNaN(value)) return "";
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

const whole = (value: number): string =>
  Number.isNaN(value) ? "" : value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 2 : 0 });

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${head.map((_, index) => cells[index] ?? "").join(" | ")} |`;
  return [head, head.map(() => "---"), ...rows].map(line).join("\n");
}
