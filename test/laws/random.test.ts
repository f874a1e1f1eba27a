import fc from "fast-check";
import { describe, test } from "vitest";
import { KNOWN } from "./known";
import { outlives, sequences } from "./random";
import { titled } from "./sample";
import { SAMPLES } from "./samples";

// The seed of a run that failed is printed; LAWS_SEED=<seed> makes it again.
const seed = Number(process.env.LAWS_SEED ?? 7);
const numRuns = Number(process.env.LAWS_RUNS ?? 6);

for (const [kind, samples] of Object.entries(SAMPLES)) {
  for (const sample of samples) {
    const title = titled(kind, sample);
    describe(title, () => {
      const waiver = sample.waived?.random;
      if (waiver !== undefined) {
        test.skip(`random (waived: ${waiver})`);
        return;
      }
      const check = KNOWN.has(`${title} | random`) ? test.fails : test;
      check("random", () =>
        fc.assert(
          fc.asyncProperty(sequences(sample), (acts) => outlives(sample, acts)),
          { seed, numRuns, endOnFailure: true, includeErrorInReport: true },
        ),
      );
    });
  }
}
