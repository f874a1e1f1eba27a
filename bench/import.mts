// What importing this package adds to importing @pulumi/pulumi, in milliseconds: npm run bench:import -- [rounds]
import { execFileSync } from "node:child_process";
import { ROOT } from "../scripts/pulumi-home.mts";

const [rounds = 15] = process.argv.slice(2).map(Number);

const program = `
  const start = performance.now();
  require("@pulumi/pulumi");
  const sdk = performance.now();
  require("pulumi-brightdata");
  console.log(JSON.stringify([sdk - start, performance.now() - sdk]));
`;

const figures = Array.from({ length: rounds }, () => {
  const printed = execFileSync(process.execPath, ["-e", program], { cwd: ROOT, encoding: "utf8" });
  return JSON.parse(printed) as [number, number];
});

for (const [index, name] of ["@pulumi/pulumi", "pulumi-brightdata on top of it"].entries()) {
  const sorted = figures.map((pair) => pair[index] as number).toSorted((a, b) => a - b);
  const [least, median, most] = [0, Math.floor(rounds / 2), rounds - 1].map((at) => sorted[at]?.toFixed(1));
  console.log(`${name}: median ${median} ms, least ${least} ms, most ${most} ms, ${rounds} rounds`);
}
