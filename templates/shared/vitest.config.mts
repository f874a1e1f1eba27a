import { defineConfig } from "vitest/config";

// What this shell, or a job, is set to may be a real account.
for (const name of Object.keys(process.env)) if (name.startsWith("BRIGHTDATA_")) delete process.env[name];

export default defineConfig({
  // The simulator's test runs the Pulumi CLI.
  test: { include: ["test/**/*.test.ts"], testTimeout: 180_000 },
});
