import { join } from "node:path";
import { run } from "../../scripts/process.mts";
import { environmentFor } from "../../scripts/pulumi.mts";
import type { Stack } from "../../scripts/stack.mts";
import type { SimulatorOptions } from "../../simulator";
import { cli, ROOT, type Scene, scene } from "./harness";

/** What tests that are about both are repeated for. */
export const FORMS = ["dynamic", "native"] as const;

/** A stack whose program is in the form of the plugin, which is registered with the CLI. */
export async function nativeScene(options: SimulatorOptions = {}): Promise<Scene> {
  const made = await scene(options);
  await putIn("native", made.stack);
  return made;
}

/** Has a stack's program declare in a form; `foreign` is that of programs in other languages. */
export async function putIn(form: (typeof FORMS)[number] | "foreign", stack: Stack): Promise<void> {
  if (form !== "dynamic") await registerPlugin(join(stack.folder, "home"));
  stack.setEnvironment({ FORM: form });
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
