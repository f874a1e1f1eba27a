const OLDEST = 22;

/** Ends the process where Node.js is too old: a registered plugin runs on whichever is first on the PATH. */
export function requireNode(version: string): void {
  if (Number.parseInt(version, 10) >= OLDEST) return;
  process.stderr.write(`The plugin brightdata needs Node.js ${OLDEST} or later; the node on the PATH is ${version}.\n`);
  process.exit(1);
}
