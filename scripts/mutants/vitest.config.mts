import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** All of them need hours for the core: with some, the score is lower than it would be. */
const folders = process.env.MUTANTS_TESTS?.split(",") ?? ["run", "lifecycle", "dynamic", "kinds"];

/** What a mutant is to be noticed by: the tests that stand beside the core, and need nothing but Node. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, "../.."),
    include: folders.map((folder) => `test/${folder}/**/*.test.ts`),
    setupFiles: "test/home.ts",
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
