// What the engine's calls cost that a preview consists of, in the provider alone: npm run bench:calls -- [options]
//   --number 5000   so many resources, each checked and compared once
//   --beside DIR    another checkout that is built: both take turns, and the ratio is printed
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../scripts/root.mts";
import { median } from "./summary.mts";

const ROUNDS = 5;

const { values } = parseArgs({
  options: { number: { type: "string", default: "5000" }, beside: { type: "string" } },
});

/** Runs in a process of its own: checks resources as they stand in a state, then compares them, and prints CPU milliseconds. */
const program = `
  const { resource } = require(process.argv[1]);
  const size = Number(process.argv[2]);
  const provider = resource("ProxyPort");
  const place = (index) => "key" + index;
  const inputsOf = (index) => ({ __key: place(index), zone: "web", port: 24000 + index, country: "us", throttle: 5 });
  const declared = "country,port,throttle,zone";
  const cpu = () => process.cpuUsage().user / 1000;
  (async () => {
    await provider.configure({ config: { get: () => undefined } });
    const checked = [];
    const start = cpu();
    for (let index = 0; index < size; index++) {
      const { inputs, failures } = await provider.check(inputsOf(index), inputsOf(index));
      if (failures.length > 0) throw new Error(failures[0].reason);
      checked.push(inputs);
    }
    const between = cpu();
    for (let index = 0; index < size; index++) {
      const id = String(24000 + index);
      const { changes } = await provider.diff(id, { ...checked[index], __declared: declared }, checked[index]);
      if (changes) throw new Error("A port that has not changed has changes.");
    }
    console.log(JSON.stringify({ check: between - start, diff: cpu() - between }));
  })();
`;

type Calls = Record<"check" | "diff", number>;

function measure(checkout: string): Calls {
  const provider = join(checkout, "dist/provider.js");
  const printed = execFileSync(process.execPath, ["-e", program, provider, values.number], { encoding: "utf8" });
  return JSON.parse(printed) as Calls;
}

const checkouts = [ROOT, ...(values.beside === undefined ? [] : [values.beside])];
const rounds = Array.from({ length: ROUNDS }, () => checkouts.map(measure));
for (const call of ["check", "diff"] as const) {
  const [own = 0, other] = checkouts.map((_, index) => median(rounds.map((round) => (round[index] as Calls)[call])));
  const ratio = other === undefined ? "" : `, ${(own / other).toFixed(2)} times ${other.toFixed(0)} ms`;
  console.log(`${call} of ${values.number}: ${own.toFixed(0)} ms of CPU time${ratio}`);
}
