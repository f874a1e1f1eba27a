/** What lets processes start quickly, for those that are given an environment of their own. */
export const QUICKLY: Readonly<Record<string, string>> = Object.fromEntries(
  ["NODE_COMPILE_CACHE", "NODE_OPTIONS", "GOGC"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
