import { createRequire } from "node:module";

const manifest: { version: string } = createRequire(__filename)("../../package.json");

export const VERSION = manifest.version;
