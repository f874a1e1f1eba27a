// What importing this package adds to importing @pulumi/pulumi, in milliseconds: npm run bench:import
import { execFileSync } from "node:child_process";
import { ROOT } from "../scripts/root.mts";
import type { Measurement } from "./results.mts";
import { median } from "./summary.mts";

const ROUNDS = 15;

const program = `
  const start = performance.now();
  require("@pulumi/pulumi");
  const sdk = performance.now();
  require("pulumi-brightdata");
  console.log(JSON.stringify([sdk - start, performance.now() - sdk]));
`;

/** Imports both in a new process each round. */
export function* measureImport(): Generator<Measurement> {
  for (let round = 1; round <= ROUNDS; round++) {
    const printed = execFileSync(process.execPath, ["-e", program], { cwd: ROOT, encoding: "utf8" });
    const [sdk, ours] = JSON.parse(printed) as [number, number];
    const identity = { service: "import", size: 1, round, step: "import" } as const;
    yield { ...identity, column: "@pulumi/pulumi", seconds: sdk / 1000 };
    yield { ...identity, column: "pulumi-brightdata", seconds: ours / 1000 };
  }
}

if (import.meta.main) {
  const measurements = [...measureImport()];
  for (const column of ["@pulumi/pulumi", "pulumi-brightdata"]) {
    const own = measurements.filter((each) => each.column === column).map(({ seconds }) => seconds * 1000);
    console.log(
      `${column}: median ${median(own).toFixed(1)} ms, least ${Math.min(...own).toFixed(1)} ms, ${ROUNDS} rounds`,
    );
  }
}
