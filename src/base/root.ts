import { join } from "node:path";

/** The package's folder: the same from `dist` and from `src`. */
export const ROOT = join(__dirname, "../..");
