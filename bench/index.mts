// Measures what many ports cost, in Pulumi and without it: npm run bench -- [options]
//   --columns ProxyPort,engine   only these, in all of --sizes 10,100,1000, in --rounds 3, on --service simulator or manager
//   --others                     only what has nothing to do with the number of ports: downloads, and what importing costs
//   --out FILE                   where the results go, after each measurement; a chart goes beside it
//   --continue                   measures what that file lacks
//   --report                     measures nothing and prints what bench/results holds; with --write, into the documents
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../scripts/root.mts";
import { chartOf } from "./chart.mts";
import { COLUMNS, columnNamed } from "./columns.mts";
import { type Comparison, tasksOf, WHOLE_PLAN } from "./plan.mts";
import { committedResults, writeDocuments } from "./published.mts";
import { reportOf } from "./report.mts";
import { SERVICES } from "./results.mts";
import { run } from "./run.mts";
import { Summary } from "./summary.mts";

const { values: options } = parseArgs({
  options: {
    columns: { type: "string" },
    sizes: { type: "string" },
    rounds: { type: "string" },
    service: { type: "string" },
    out: { type: "string", default: join(ROOT, "build/bench.json") },
    continue: { type: "boolean", default: false },
    others: { type: "boolean", default: false },
    report: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});

if (options.report) {
  const results = await committedResults();
  console.log(reportOf(results));
  if (options.write) await writeDocuments(results);
} else {
  const { columns, sizes, rounds, service, out: file, continue: goOn } = options;
  const others = options.others || [columns, sizes, rounds, service].every((option) => option === undefined);
  const results = await run({ tasks: tasksOf(planned()), others, file, goOn });
  const chart = file.replace(/(\.json)?$/, ".svg");
  await writeFile(chart, chartOf(new Summary(results.measurements)));
  console.log(`\n${reportOf([results])}\n\n${file}\n${chart}`);
}

/** The whole plan, or what the options ask for. */
function planned(): readonly Comparison[] {
  if (options.others) return [];
  const { columns, sizes, rounds, service } = options;
  const name = SERVICES.find((each) => each === (service ?? "simulator"));
  if (name === undefined) throw new Error(`--service must be one of ${SERVICES.join(", ")}.`);
  if (columns === undefined && sizes === undefined && rounds === undefined) {
    return WHOLE_PLAN.filter((comparison) => service === undefined || comparison.service === name);
  }
  return (sizes ?? "10,100,1000").split(",").map((size) => ({
    service: name,
    columns: columns?.split(",").map(columnNamed) ?? COLUMNS,
    size: Number(size),
    rounds: Number(rounds ?? 3),
  }));
}
