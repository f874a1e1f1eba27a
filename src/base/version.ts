import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "./root";

const manifest: { version: string } = createRequire(__filename)(join(ROOT, "package.json"));

export const VERSION = manifest.version;
