import { describe, expect, test } from "vitest";
import { KINDS } from "../../src/provider";
import { KNOWN } from "./known";
import { LAWS, type Law } from "./laws";
import { nativeProvider } from "./nativeServed";
import { type Sample, titled } from "./sample";
import { isDrawn, isSampled } from "./sampled";
import { SAMPLES } from "./samples";
import { onScene } from "./scene";

/**
 * Of so many cases, one is asked of the plugin, too: `LAWS_PROTOCOL=native` asks all of it alone. It shares no factor with the share
 * that is tried: otherwise some would be asked on no day.
 */
const ONE_BY_PLUGIN = 5;

test("every kind has a sample", () => {
  expect(Object.keys(SAMPLES).sort()).toEqual([...KINDS].sort());
});

for (const [kind, samples] of Object.entries(SAMPLES)) {
  for (const sample of samples) {
    const title = titled(kind, sample);
    const laws = LAWS.filter(({ concerns }) => concerns?.(sample) !== false);
    const cases = laws
      .flatMap((law) => (law.cases?.(sample) ?? [""]).map((name) => ({ law, name, called: calledOf(law, name) })))
      .filter(({ called }) => isSampled(`${title} | ${called}`));
    if (cases.length === 0) continue;
    describe(title, () => {
      for (const { law, name, called } of cases) declare(law, name, called, sample, title);
    });
  }
}

function calledOf(law: Law, name: string): string {
  return name === "" ? law.name : `${law.name}: ${name}`;
}

function declare(law: Law, name: string, called: string, sample: Sample, title: string): void {
  const waiver = sample.waived?.[law.name] ?? sample.waived?.[called];
  if (waiver !== undefined) {
    test.skip(`${called} (waived: ${waiver})`);
    return;
  }
  const check = KNOWN.has(`${title} | ${called}`) ? test.fails : test;
  check(called, () => onScene(sample, (scene) => law.hold(scene, name)));
  if (isDrawn(`plugin ${title} ${called}`, ONE_BY_PLUGIN))
    check(`${called}, by the plugin`, () => onScene(sample, (scene) => law.hold(scene, name), nativeProvider));
}
