import { describe, type TestContext, test } from "vitest";
import { TROUBLES } from "./faults";
import { KNOWN } from "./known";
import { titled } from "./sample";
import { isSampled } from "./sampled";
import { SAMPLES } from "./samples";
import { type Ending, mainOf, operationsOf, survives, targetsOf } from "./trouble";

declare module "vitest" {
  interface TaskMeta {
    ending?: Ending;
  }
}

// `npm run matrix` goes through all requests of all operations, one of several shares of the samples at a time.
const [share, shares] = (process.env.LAWS_MATRIX ?? "").split("/").map(Number);
const isMatrix = shares !== undefined;

const all = Object.entries(SAMPLES).flatMap(([kind, samples]) =>
  samples.map((sample) => ({ sample, title: titled(kind, sample) })),
);

for (const { sample, title } of all.filter((_, index) => !isMatrix || index % shares === share)) {
  describe(title, async () => {
    for (const operation of isMatrix ? operationsOf(sample) : operationsOf(sample).slice(0, 1)) {
      const seen = await targetsOf(sample, operation);
      const main = mainOf(seen);
      for (const target of isMatrix ? seen : seen.filter((each) => each === main)) {
        const request = `${operation.name} ${target.index + 1} ${target.method} ${target.path}`;
        for (const trouble of TROUBLES) {
          const excuse = sample.indistinct?.find(
            ({ request: which, faults }) => which.test(`${target.method} ${target.path}`) && faults.test(trouble.name),
          );
          const called = `${isMatrix ? request : operation.name} | ${trouble.name}`;
          if (!isSampled(`${title} | ${called}`)) continue;
          const survive = async ({ task }: TestContext) => {
            task.meta.ending = await survives(sample, operation, target, trouble);
          };
          if (excuse !== undefined) test.skip(`${called} (waived: ${excuse.reason})`);
          else if (KNOWN.has(`${title} | ${called}`)) test.fails(called, survive);
          else test(called, survive);
        }
      }
    }
  });
}
