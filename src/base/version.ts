import { createRequire } from "node:module";

const manifest = createRequire(__filename)("../../package.json") as { version: string };

/** This package's version. */
export const VERSION = manifest.version;
