const OLDEST = 22;

const needs = (program: string): string => `${program} needs Node.js ${OLDEST} or later;`;

export const withoutNode = (program: string): string => `${needs(program)} there is no node on the PATH.`;

/** What is wrong with a Node.js that is too old: programs run on whichever is first on the PATH. */
export const nodeProblem = (program: string, version: string): string | undefined =>
  Number.parseInt(version, 10) >= OLDEST ? undefined : `${needs(program)} the node on the PATH is ${version}.`;
