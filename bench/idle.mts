import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { SMALL_HEAP } from "../scripts/executables/index.mts";
import { goBuild } from "../scripts/go.mts";
import { ROOT } from "../scripts/root.mts";
import type { Column } from "./columns.mts";

const NAME = "pulumi-resource-noop";

/** Builds the provider that does nothing, and returns its folder. */
export const IDLE_PROVIDERS: Readonly<Record<NonNullable<Column["idle"]>, () => Promise<string>>> = {
  async Go() {
    const folder = join(ROOT, "build/native");
    await goBuild(join(ROOT, "bench/native"), ".", join(folder, NAME));
    return folder;
  },
  async "Node.js"() {
    const folder = join(ROOT, "build/node");
    await mkdir(folder, { recursive: true });
    await build({
      entryPoints: [join(ROOT, "bench/node/main.ts")],
      outfile: join(folder, `${NAME}.js`),
      bundle: true,
      platform: "node",
      format: "cjs",
      target: "node22",
    });
    // As the plugin is started.
    const script = `#!/bin/sh\nexec node ${SMALL_HEAP} "${folder}/${NAME}.js" "$@"\n`;
    await writeFile(join(folder, NAME), script, { mode: 0o755 });
    return folder;
  },
};
