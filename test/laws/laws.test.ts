import { describe, expect, test } from "vitest";
import { KINDS } from "../../src/provider";
import { KNOWN } from "./known";
import { LAWS } from "./laws";
import { titled } from "./sample";
import { isSampled } from "./sampled";
import { SAMPLES } from "./samples";
import { onScene } from "./scene";

test("every kind has a sample", () => {
  expect(Object.keys(SAMPLES).sort()).toEqual([...KINDS].sort());
});

for (const [kind, samples] of Object.entries(SAMPLES)) {
  for (const sample of samples) {
    const title = titled(kind, sample);
    describe(title, () => {
      for (const law of LAWS) {
        if (law.concerns?.(sample) === false) continue;
        for (const name of law.cases?.(sample) ?? [""]) {
          const called = name === "" ? law.name : `${law.name}: ${name}`;
          if (!isSampled(`${title} | ${called}`)) continue;
          const waiver = sample.waived?.[law.name] ?? sample.waived?.[called];
          if (waiver !== undefined) {
            test.skip(`${called} (waived: ${waiver})`);
            continue;
          }
          const check = KNOWN.has(`${title} | ${called}`) ? test.fails : test;
          check(called, () => onScene(sample, (scene) => law.hold(scene, name)));
        }
      }
    });
  }
}
