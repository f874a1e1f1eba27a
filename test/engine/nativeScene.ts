import { join } from "node:path";
import { run } from "../../scripts/process.mts";
import { environmentFor } from "../../scripts/pulumi.mts";
import type { SimulatorOptions } from "../../simulator";
import { cli, ROOT, type Scene, scene } from "./harness";

/** A stack whose program is in the form of the plugin, which is registered with the CLI. */
export async function nativeScene(options: SimulatorOptions = {}): Promise<Scene> {
  const made = await scene(options);
  await registerPlugin(join(made.stack.folder, "home"));
  made.stack.setEnvironment({ FORM: "native" });
  return made;
}

/** Registers the plugin as people do. */
export async function registerPlugin(home: string): Promise<void> {
  const { status, stderr } = await run(process.execPath, [join(ROOT, "dist/cli/index.js"), "plugin", "install"], {
    env: { ...environmentFor(cli, process.env), PULUMI_HOME: home },
    timeoutMs: 120_000,
  });
  if (status !== 0) throw new Error(stderr);
}

interface Requests {
  service: { requests: { method: string; path: string }[] };
}

/** The requests that change something. */
export const changesOf = ({ remote, manager }: { remote: Requests; manager: Requests }): string[] =>
  [remote, manager]
    .flatMap(({ service }) => service.requests)
    .filter(({ method, path }) => method !== "GET" && !path.includes("banlist"))
    .map(({ method, path }) => `${method} ${path}`);
