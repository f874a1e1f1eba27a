const OLDEST = 22;

/** What is wrong with a Node.js that is too old: programs run on whichever is first on the PATH. */
export const nodeProblem = (program: string, version: string): string | undefined =>
  Number.parseInt(version, 10) >= OLDEST
    ? undefined
    : `${program} needs Node.js ${OLDEST} or later; the node on the PATH is ${version}.`;
