import { defineConfig } from "vitest/config";

export default defineConfig({
  // The simulator's test runs the Pulumi CLI.
  test: { include: ["test/**/*.test.ts"], testTimeout: 180_000 },
});
