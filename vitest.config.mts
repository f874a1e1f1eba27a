import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Small files that take long. Where Vitest knows no durations, it begins with the largest, and one core would end with these alone. */
const LONG = new RegExp(
  `/test/(?:${[
    "engine-histories/equal",
    "engine/(?:bench|connections|deletedWith|examples|import|killed|nativeDocs|nativeMigration|outlived|samples|split)",
    "engine/(?:takeOver|together|unsaved)",
    "histories/(?:fresh|histories)",
    "laws/(?:laws|random|trouble)",
    "provider-process/providerProcess",
    "scripts/api",
  ].join("|")})\\.test\\.ts$`,
);

class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** The hundreds of processes that tests start load the SDK in half of the time. */
const children = { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compile") };

/** The tiers that run the CLI: it is there, collects little garbage, and its programs load no more of the SDK than they use. */
const pulumi = {
  globalSetup: "test/engine/setup.mts",
  env: {
    ...children,
    GOGC: "400",
    NODE_OPTIONS: `--require ${join(import.meta.dirname, "test/engine/loadedLater.cjs")}`,
  },
};

// The slower tiers have a folder each; everything else under test/ mirrors src/ and simulator/, and needs nothing but Node.
const tiers = {
  laws: { folder: "laws", timeout: 60_000 },
  // What a developer runs: one in sixteen of the laws, chosen by the seed, and fewer random runs of each. In CI, a tier has more.
  ...(process.env.CI === undefined && {
    sample: {
      folder: "laws",
      timeout: 60_000,
      env: { LAWS_SHARE: "16", LAWS_RUNS: "3", LAWS_SEED: process.env.LAWS_SEED ?? "7" },
    },
  }),
  histories: { folder: "histories", timeout: 300_000 },
  "engine-histories": {
    folder: "engine-histories",
    timeout: 600_000,
    maxWorkers: 2,
    globalSetup: "test/engine-histories/setup.mts",
  },
  provider: { folder: "provider-process", timeout: 60_000, setupFiles: "test/home.ts" },
  // The engine's commands wait for each other's processes most of the time.
  engine: { ...pulumi, folder: "engine", timeout: 300_000, maxWorkers: 3 },
  // Every manager wants the same ports.
  manager: {
    ...pulumi,
    folder: "real-manager",
    timeout: 300_000,
    maxWorkers: 1,
    globalSetup: [pulumi.globalSetup, "test/real-manager/setup.mts"],
  },
  pipelines: { ...pulumi, folder: "pipelines", timeout: 300_000, maxWorkers: 2 },
  backends: { ...pulumi, folder: "backends", timeout: 600_000, maxWorkers: 2 },
  policies: {
    ...pulumi,
    folder: "policy-pack",
    timeout: 300_000,
    globalSetup: [pulumi.globalSetup, "test/policy-pack/setup.mts"],
  },
  languages: {
    ...pulumi,
    folder: "languages",
    timeout: 300_000,
    maxWorkers: 2,
    globalSetup: [pulumi.globalSetup, "test/languages/setup.mts"],
  },
  growth: { folder: "growth", timeout: 300_000 },
  package: { folder: "package", timeout: 600_000, maxWorkers: 1 },
  templates: { ...pulumi, folder: "templates", timeout: 300_000, maxWorkers: 1 },
  soak: { folder: "soak", timeout: 60_000 },
  browser: { folder: "browser", timeout: 120_000, globalSetup: "test/browser/setup.mts" },
};

/** Tests of the tier unit that replace no module: their files share processes, and load the package once. */
const shared = [
  ...["base", "bench", "cli/account", "cli/import", "cli/outputs", "cli/pipeline", "cli/report", "declaration", "docs"],
  ...["manager", "model", "policies", "pulumi", "scripts", "settings", "simulator", "states"],
].map((folder) => `test/${folder}/**/*.test.ts`);
shared.push("test/functions/!(getCollectorResult).test.ts", "test/lifecycle/!(settle).test.ts");

const unit = { testTimeout: 60_000, hookTimeout: 120_000, setupFiles: "test/home.ts", env: children };

export default defineConfig({
  test: {
    // One core less is the default: half of two.
    maxWorkers: "100%",
    expect: { poll: { timeout: 15_000 } },
    sequence: { sequencer: LongOnesFirst },
    coverage: { include: ["src/**", "simulator/**"], reporter: ["text", "text-summary"] },
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [...shared, ...Object.values(tiers).map((tier) => `test/${tier.folder}/**`)],
          ...unit,
        },
      },
      { test: { name: "unit-shared", include: shared, isolate: false, ...unit } },
      ...Object.entries(tiers).map(([name, { folder, timeout, ...rest }]) => ({
        test: {
          env: children,
          name,
          include: [`test/${folder}/**/*.test.ts`],
          testTimeout: timeout,
          hookTimeout: timeout,
          ...rest,
        },
      })),
    ],
  },
});
