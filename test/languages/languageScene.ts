import { join, resolve } from "node:path";
import { inject } from "vitest";
import type { SimulatorOptions } from "../../simulator";
import { ROOT, type Scene, scene } from "../engine/harness";
import { registerPlugin } from "../engine/nativeScene";

/** A stack of a program in another language, with the plugin registered. */
export async function languageScene(
  language: "python" | "yaml" | "go" | "java",
  program: string,
  options: SimulatorOptions = {},
): Promise<Scene> {
  const here = await scene(options, resolve(ROOT, program));
  await registerPlugin(join(here.stack.folder, "home"));
  here.stack.setEnvironment({ PATH: inject("languagePaths")[language], PYTHONDONTWRITEBYTECODE: "1" });
  return here;
}
