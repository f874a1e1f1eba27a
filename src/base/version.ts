import { createRequire } from "node:module";

const manifest: { version: string } = createRequire(__filename)("../../package.json");

/** This package's version. */
export const VERSION = manifest.version;
