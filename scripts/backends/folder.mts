import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { BackendServer } from "./server.mts";

/** The files of a folder, by their paths in it. */
export async function filesIn(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(await Promise.all(files.map(async (file) => [relative(folder, file), await readFile(file)] as const)));
}

export const scratch = (): Promise<string> => mkdtemp(join(tmpdir(), "pulumi-brightdata-backend-"));

export const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

/** A folder of this machine. */
export async function startFolder(): Promise<BackendServer> {
  const folder = await scratch();
  return {
    environment: { PULUMI_BACKEND_URL: `file://${folder}` },
    objects: () => filesIn(folder),
    close: () => remove(folder),
  };
}
