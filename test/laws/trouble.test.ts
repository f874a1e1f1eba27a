import { describe, type TestContext, test } from "vitest";
import { TROUBLES, type Trouble } from "./faults";
import { KNOWN } from "./known";
import { type Sample, titled } from "./sample";
import { isSampled } from "./sampled";
import { SAMPLES } from "./samples";
import { type Ending, mainOf, type Operation, operationsOf, type SeenTarget, survives, targetsOf } from "./trouble";

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

const first = (sample: Sample): Operation[] => operationsOf(sample).slice(0, 1);

const isTried = ({ sample, title }: (typeof all)[number], index: number): boolean =>
  isMatrix
    ? index % shares === share
    : first(sample).some(({ name }) => TROUBLES.some((trouble) => isSampled(`${title} | ${name} | ${trouble.name}`)));

for (const { sample, title } of all.filter(isTried)) {
  describe(title, async () => {
    for (const operation of isMatrix ? operationsOf(sample) : first(sample)) {
      const seen = await targetsOf(sample, operation);
      const main = mainOf(seen);
      for (const target of isMatrix ? seen : seen.filter((each) => each === main)) {
        for (const trouble of TROUBLES) declare({ sample, title }, operation, target, trouble);
      }
    }
  });
}

function declare(
  { sample, title }: (typeof all)[number],
  operation: Operation,
  target: SeenTarget,
  trouble: Trouble,
): void {
  const request = `${target.method} ${target.path}`;
  const what = isMatrix ? `${operation.name} ${target.index + 1} ${request}` : operation.name;
  const called = `${what} | ${trouble.name}`;
  if (!isSampled(`${title} | ${called}`)) return;
  const survive = async ({ task }: TestContext) => {
    task.meta.ending = await survives(sample, operation, target, trouble);
  };
  const isMeant = (excuse: { request: RegExp; faults: RegExp }) =>
    excuse.request.test(request) && excuse.faults.test(trouble.name);
  const excuse = sample.indistinct?.find(isMeant);
  if (excuse !== undefined) test.skip(`${called} (waived: ${excuse.reason})`);
  else if (KNOWN.has(`${title} | ${called}`)) test.fails(called, survive);
  else test(called, survive);
}
