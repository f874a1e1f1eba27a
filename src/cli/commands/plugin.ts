import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { ArgumentError } from "../../base/errors";
import { isObject } from "../../base/json";
import { VERSION } from "../../base/version";
import { type Command, isOn, Misuse } from "./command";
import { runPulumi } from "./engine";

const NAME = "brightdata";
const EXECUTABLE = `pulumi-resource-${NAME}`;

export const plugin: Command = {
  name: "plugin",
  usage: "install [--check]",
  says: "Registers the plugin with the Pulumi CLI, for programs that import pulumi-brightdata/native.",
  options: { check: { says: "say whether this version is registered, and change nothing" } },
  notes:
    "The CLI gets a copy of its own, of this version: it runs on the Node.js of the PATH, 22 or later. Exit status: 0 registered, 1 not registered or failed, 2 called wrongly.\n",

  async run(given) {
    const [action, ...more] = given.positionals;
    if (action !== "install" || more.length > 0) throw new Misuse("The command is `plugin install`.");
    if (isOn(given, "check")) return check();
    const folder = mkdtempSync(join(tmpdir(), "pulumi-brightdata-"));
    try {
      copyTo(folder);
      const args = ["plugin", "install", "resource", NAME, VERSION, "--file", folder, "--reinstall"];
      const { status, stderr } = await runPulumi(args);
      if (status !== 0) throw new ArgumentError(`The CLI has not taken the plugin:\n${stderr.trim()}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    process.stdout.write(`The plugin ${NAME} ${VERSION} is registered with the Pulumi CLI.\n`);
    return 0;
  },
};

function check(): number {
  const registered = join(
    process.env.PULUMI_HOME || join(homedir(), ".pulumi"),
    "plugins",
    `resource-${NAME}-v${VERSION}`,
  );
  const isThere = existsSync(join(registered, EXECUTABLE));
  const words = isThere ? `registered: ${registered}` : "not registered: run `npx pulumi-brightdata plugin install`";
  process.stdout.write(`The plugin ${NAME} ${VERSION} is ${words}.\n`);
  return isThere ? 0 : 1;
}

/** Of the package, what a plugin loads, and what that depends on: a folder that needs no other. */
function copyTo(folder: string): void {
  const root = join(__dirname, "../../..");
  const isLoaded = (path: string) => {
    const [first = ""] = relative(join(root, "dist"), path).split(sep);
    return !/\.d\.ts$/.test(path) && !["cli", "simulator", "templates.json"].includes(first);
  };
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true, filter: isLoaded });
  for (const file of ["package.json", "schema.json", "LICENSE"]) cpSync(join(root, file), join(folder, file));
  const { dependencies }: { dependencies: unknown } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const require = createRequire(join(root, "package.json"));
  for (const name of Object.keys(isObject(dependencies) ? dependencies : {})) {
    const from = homeOf(name, require.resolve(name));
    cpSync(from, join(folder, "node_modules", name), { recursive: true, dereference: true });
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, EXECUTABLE), `#!/bin/sh\nexec node "$(dirname "$0")/dist/plugin.js" "$@"\n`, {
    mode: 0o755,
  });
  writeFileSync(join(folder, `${EXECUTABLE}.cmd`), `@node "%~dp0dist\\plugin.js" %*\r\n`);
}

/** The folder of a package, from that of a file of it. */
function homeOf(name: string, file: string): string {
  const folder = dirname(file);
  const manifest = join(folder, "package.json");
  const isHome = existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name === name;
  return isHome || folder === dirname(folder) ? folder : homeOf(name, folder);
}
