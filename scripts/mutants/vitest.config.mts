import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** Folders of tests, or how files of them begin. All need hours for the core: with some, the score is lower than it would be. */
const beside = process.env.MUTANTS_TESTS?.split(",") ?? ["run", "lifecycle", "dynamic", "kinds"];

/** What a mutant is to be noticed by: the tests that stand beside the core, and need nothing but Node. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, "../.."),
    include: beside.flatMap((name) => [`test/${name}/**/*.test.ts`, `test/${name}*.test.ts`]),
    setupFiles: "test/home.ts",
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
