import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { cliHome } from "../../base/disk";
import { ArgumentError } from "../../base/errors";
import { withoutNode } from "../../base/nodeVersion";
import { ROOT } from "../../base/root";
import { VERSION } from "../../base/version";
import { bundlesOf } from "./bundle";
import { type Command, Misuse, type Options } from "./command";
import { runPulumi } from "./engine";

const NAME = "brightdata";
const FOLDER = `resource-${NAME}-v`;
const OF_VERSION = new RegExp(`^${FOLDER}(\\d+\\.\\d+\\.\\d+(?:-[\\w.]+)?)$`);
const TO_DO = "run `npx pulumi-brightdata plugin install`";
/** What zod's messages are in sixty languages, but for English, which it asks for by itself: two fifths of its text. */
const OTHER_LANGUAGES = "node_modules/zod/v4/locales/index.cjs";
/** To create 5,000 ports, Node.js would take a third more memory. */
export const SMALL_HEAP = "--max-semi-space-size=4";
const EXECUTABLE = `pulumi-resource-${NAME}`;

const SCRIPT = `#!/bin/sh
command -v node >/dev/null || { echo "${withoutNode(`The plugin ${NAME}`)}" >&2; exit 1; }
exec node ${SMALL_HEAP} "$(dirname "$0")/dist/plugin.js" "$@"
`;

const OPTIONS = {
  check: { says: "say whether this version is registered, and change nothing" },
} as const satisfies Options;

export const plugin: Command<typeof OPTIONS> = {
  name: "plugin",
  usage: "install [--check]",
  says: "Registers the plugin with the Pulumi CLI, for programs that import pulumi-brightdata/native.",
  options: OPTIONS,
  notes:
    "The CLI gets a copy of its own, of this version: it runs on the Node.js of the PATH, 22 or later. Exit status: 0 registered, 1 not registered or failed, 2 called wrongly.\n",

  async run({ options, positionals }) {
    const [action, ...more] = positionals;
    if (action !== "install" || more.length > 0) throw new Misuse("The command is `plugin install`.");
    if (options.check) return check();
    const folder = mkdtempSync(join(tmpdir(), "pulumi-brightdata-"));
    try {
      writeTo(folder);
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

/** Whether what is registered is what this package would register. */
function isCopy(registered: string): boolean {
  return [...filesOfPlugin()].every(([path, content]) => {
    const copy = join(registered, path);
    return existsSync(copy) && readFileSync(copy, "utf8") === content;
  });
}

/** A folder that needs no other: what it has, by paths. */
function filesOfPlugin(): ReadonlyMap<string, string> {
  const manifest: { dependencies: object } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const dependencies = Object.keys(manifest.dependencies);
  const named = ["package.json", "schema.json", "LICENSE"].map((name) => [name, join(ROOT, name)] as const);
  const licences = dependencies.map((name) => [`bundles/${name}.LICENSE`, licenceOf(name)] as const);
  return new Map([
    ...bundlesOf(
      ROOT,
      ["dist/plugin.js", ...modulesIn("dist/kinds", /\/lifecycle\.js$/), ...modulesIn("dist/functions", /\.js$/)],
      dependencies,
      [OTHER_LANGUAGES],
    ),
    ...[...named, ...licences].map(([path, file]): [string, string] => [path, readFileSync(file, "utf8")]),
    [EXECUTABLE, SCRIPT],
    [`${EXECUTABLE}.cmd`, `@node ${SMALL_HEAP} "%~dp0dist\\plugin.js" %*\r\n`],
  ]);
}

/** What the plugin loads by its name. */
const modulesIn = (folder: string, isWanted: RegExp): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .map((path) => `${folder}/${String(path).replaceAll(sep, "/")}`)
    .filter((path) => isWanted.test(path))
    .toSorted();

/** The file with the licence of a package. */
function licenceOf(name: string, folder = dirname(createRequire(join(ROOT, "package.json")).resolve(name))): string {
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  return file === undefined ? licenceOf(name, dirname(folder)) : join(folder, file);
}

function writeTo(folder: string): void {
  for (const [path, content] of filesOfPlugin()) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode: path === EXECUTABLE ? 0o755 : 0o644 });
  }
}
