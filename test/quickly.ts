/** What lets processes start quickly, for those that are given an environment of their own. */
export const QUICKLY: Readonly<Record<string, string>> = Object.fromEntries(
  ["NODE_COMPILE_CACHE", "NODE_OPTIONS", "GOGC"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

/**
 * For programs whose types `npm run typecheck` or a test of the documents checks: the SDK would check them, too, whenever it meets a
 * program for the first time on a machine, for 5 s of CPU time.
 */
export const UNCHECKED: Readonly<Record<string, string>> = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
