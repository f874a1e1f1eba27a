/** The values of a flag, in every spelling that either side uses. */
export const FLAG_VALUES: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  ["true", true],
  [1, true],
  ["1", true],
  [false, false],
  ["false", false],
  [0, false],
  ["0", false],
]);
