import { accessSync, constants, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { succeeds } from "../base/cause";
import { cliHome, quietly } from "../base/disk";
import { ConfigurationError } from "../base/errors";
import { projectFile, projectText, providersIn } from "../base/projectFile";
import { VERSION } from "../base/version";
import { toldToProvider } from "../dynamic/hidden";
import { typeOf } from "../dynamic/type";
import { PROGRAM_KEY } from "../pulumi/keys";
import { NATIVE_PACKAGE, nativeTypeOf } from "../pulumi/types";
import { type Form, withAliases } from "./form";
import { ofRun } from "./ofRun";
import { OF_NATIVE } from "./provider";

/** Of what the program registers, and of the functions: the plugin of the same version is asked. */
export const ofThisVersion = (): { version: string } => ({ version: VERSION });

export const NATIVE: Form = {
  ...OF_NATIVE,
  typeOf: nativeTypeOf,
  inputs(_kind, { name: _, ...besides }) {
    const told = toldToProvider(besides);
    return told === undefined ? {} : { [PROGRAM_KEY]: told };
  },
  isNative: true,
  options(kind, name, options) {
    requirePlugin();
    return { ...ofThisVersion(), ...withAliases(typeOf(kind), name, options) };
  },
};

/**
 * Says that the plugin is missing before anything is registered: the engine would look for it on the network. The CLI names its engine
 * to the programs that it starts. The workspace of an inline program of the Automation API may have another home, which has the plugin.
 *
 * @throws {ConfigurationError}
 */
export function requirePlugin(): void {
  if (process.env.PULUMI_NODEJS_ENGINE === undefined || ofRun(isThere)) return;
  throw new ConfigurationError(
    `Pulumi does not have the plugin of pulumi-brightdata ${VERSION}, which resources of "pulumi-brightdata/native" need. Run \`npx pulumi-brightdata plugin install\`.`,
  );
}

function isThere(): boolean {
  const { PULUMI_DEBUG_PROVIDERS = "", PATH = "" } = process.env;
  const registered = join(cliHome(), "plugins", `resource-${NATIVE_PACKAGE}-v${VERSION}`);
  if ((quietly(() => readdirSync(registered)) ?? []).some((name) => name.startsWith(EXECUTABLE))) return true;
  if (PULUMI_DEBUG_PROVIDERS.includes(`${NATIVE_PACKAGE}:`)) return true;
  const executables = process.platform === "win32" ? [`${EXECUTABLE}.exe`, `${EXECUTABLE}.cmd`] : [EXECUTABLE];
  const isOnPath = PATH.split(delimiter).some((folder) => executables.some((name) => isExecutable(join(folder, name))));
  const project = projectFile(process.cwd());
  return isOnPath || (project !== undefined && providersIn(projectText(project)).includes(NATIVE_PACKAGE));
}

const EXECUTABLE = `pulumi-resource-${NATIVE_PACKAGE}`;

const isExecutable = (file: string): boolean => succeeds(() => accessSync(file, constants.X_OK));
