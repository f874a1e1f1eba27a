import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { cliHome } from "../../base/disk";
import { ArgumentError } from "../../base/errors";
import { isObject } from "../../base/json";
import { VERSION } from "../../base/version";
import { type Command, isOn, Misuse } from "./command";
import { runPulumi } from "./engine";

const NAME = "brightdata";
const ROOT = join(__dirname, "../../..");
const FOLDER = `resource-${NAME}-v`;
const OF_VERSION = new RegExp(`^${FOLDER}(\\d+\\.\\d+\\.\\d+(?:-[\\w.]+)?)$`);
const TO_DO = "run `npx pulumi-brightdata plugin install`";
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
  const plugins = join(cliHome(), "plugins");
  const registered = join(plugins, `${FOLDER}${VERSION}`);
  const problem = !existsSync(join(registered, EXECUTABLE))
    ? `not registered${others(plugins)}`
    : isCopy(registered)
      ? undefined
      : "registered, but it is not the one of this package";
  const words = problem === undefined ? `registered: ${registered}` : `${problem}: ${TO_DO}`;
  process.stdout.write(`The plugin ${NAME} ${VERSION} is ${words}.\n`);
  return problem === undefined ? 0 : 1;
}

/** The other versions that the CLI has. */
function others(plugins: string): string {
  const versions = existsSync(plugins) ? readdirSync(plugins).flatMap((name) => OF_VERSION.exec(name)?.[1] ?? []) : [];
  return versions.length === 0 ? "" : `, only ${versions.join(", ")}`;
}

/** Whether what is registered runs what this package would. */
function isCopy(registered: string): boolean {
  const files = LOADED.map((name) => join(ROOT, "dist", name)).flatMap((path) =>
    statSync(path).isDirectory() ? filesIn(path) : path,
  );
  return [...files, join(ROOT, "package.json"), join(ROOT, "schema.json")].every((file) => {
    const copy = join(registered, relative(ROOT, file));
    return existsSync(copy) && readFileSync(copy).equals(readFileSync(file));
  });
}

/** What stands in `dist` and the plugin, a kind or a function leads to. */
const LOADED: readonly string[] = [
  ...["base", "declaration", "download", "functions", "generated", "http", "kinds", "lifecycle"],
  ...["lookups", "manager", "model", "plugin.js", "pulumi", "remote", "run", "settings"],
];

/** The files in a folder of `dist` that a plugin may load. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(isCode);
}

function isCode(path: string): boolean {
  return !path.endsWith(".d.ts");
}

/** Of the package, what a plugin loads, and what that depends on: a folder that needs no other. */
function copyTo(folder: string): void {
  for (const name of LOADED)
    cpSync(join(ROOT, "dist", name), join(folder, "dist", name), { recursive: true, filter: isCode });
  for (const file of ["package.json", "schema.json", "LICENSE"]) cpSync(join(ROOT, file), join(folder, file));
  const { dependencies }: { dependencies: unknown } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const require = createRequire(join(ROOT, "package.json"));
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
