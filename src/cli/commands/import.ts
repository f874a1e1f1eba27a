import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ArgumentError } from "../../base/errors";
import { printable } from "../../base/printable";
import { otherRuntimeOf } from "../../base/projectFile";
import { CONNECTION } from "../../declaration/connection";
import { readSettings, type Settings } from "../../settings/settings";
import { Held } from "../account/held";
import { EVERYTHING, type LeftOut, lifecycleOf, listed, mayBeOf, type Thing } from "../account/inventory";
import { importedKind, LISTED_KINDS, MANAGED_KINDS } from "../account/kinds";
import { NO_TOKEN, sources, titleOf } from "../account/source";
import { type Described, described } from "../import/described";
import { suffixIn } from "../import/entry";
import { filesOf, IMPORT_FILE } from "../import/files";
import { keepFromGit } from "../import/gitignore";
import type { Style } from "../import/program";
import { type Target, targetIn } from "../import/target";
import { type Command, FAILED, type Given, Misuse, type Options, oneOf, patternOf, refusePositionals } from "./command";
import { omission, reportOf, type Written } from "./importReport";
import { requireFolder } from "./place";
import { type Progress, progressMode, withProgress } from "./progress";
import { ambientConfiguration, configured, exported, readState, stacks, stateOf } from "./stack";

const UNMANAGED = 1;

/** They say what is written, where to and how. */
const OF_WRITING = ["output", "name-prefix", "ports", "native", "protect", "force"] as const;

const OTHERS =
  "What other stacks have is left out. To take it all the same, write the stack's state to a file with `pulumi stack export --file`, and give that as --state instead of --stack.\n";

const OPTIONS = {
  output: { value: "folder", says: "where to write to; default: here" },
  account: { value: "name", isList: true, says: "only these accounts; `default` has no name" },
  manager: { value: "name", isList: true, says: "only these managers; `default` has no name" },
  kind: { value: "kind", isList: true, says: `only these kinds: ${LISTED_KINDS.join(", ")}` },
  zone: { value: "pattern", isList: true, says: "only these zones and what is theirs; * is any text" },
  name: { value: "pattern", isList: true, says: "only what has such a name or id" },
  ignore: { value: "pattern", isList: true, says: "leave out what has such an id; * is any text" },
  "name-prefix": { value: "text", says: "begin all names of resources with it" },
  ports: { value: "style", says: "`sets` (default) or `one-by-one`" },
  native: { says: "native resources (default if the stack has no others); or --no-native" },
  protect: { says: "protect all resources (default); or --no-protect" },
  stack: { value: "name", isList: true, says: "only what no stack holds; with its configuration" },
  state: { value: "file", isList: true, says: "the same for what `pulumi stack export` wrote" },
  check: { says: "only list what no --stack or --state holds" },
  "dry-run": { says: "write nothing" },
  force: { says: "write over files" },
  json: { says: "print the result as JSON" },
  quiet: { says: "show no progress" },
} as const satisfies Options;

export const importAccount: Command<typeof OPTIONS> = {
  name: "import",
  usage: "[options]",
  says: "Writes what accounts and Proxy Managers have as a program, with a file for `pulumi import`. Only reads.",
  options: OPTIONS,
  notes: `Settings come from the environment and from the configuration of the first --stack,
which the printed commands are for, too; without one, of the selected stack.

Exit status: 0 done, 1 failed or found by --check, 2 called wrongly, 130 interrupted.
`,

  async run({ options, positionals }) {
    refusePositionals(positionals);
    const wanted = wantedBy(options);
    const [stack] = wanted.stacks;
    return withProgress(progressMode(wanted.isQuiet || wanted.isJson), async (progress) => {
      const { read, keys } = stack === undefined ? ambientConfiguration() : configured(stack);
      const settings = readSettings(read);
      const held = new Held([...wanted.stacks.map(exported), ...wanted.states.map(readState)], settings);
      if (wanted.isCheck) return check(wanted, held, settings, progress);
      // Without stacks, there is no program yet that reads them.
      const configuredKeys = new Set(wanted.hasStacks ? keys.map((key) => key.replace(/^.*:/, "")) : []);
      return importAll({ ...wanted, configuredKeys }, held, settings, progress);
    });
  },
};

async function look(wanted: WantedImport, held: Held, settings: Settings, progress: Progress) {
  const all = sources(settings, wanted);
  const isBlind = wanted.needsAccount && all.every(({ service }) => service !== "remote");
  if (isBlind) process.stderr.write(`${NO_TOKEN}\n`);
  const { found, leftOut } = await listed(all, wanted, (done) => progress.show("Listing", done, all.length));
  const isWhole = !isBlind && leftOut.every(({ kind }) => kind !== EVERYTHING);
  return { leftOut, open: await held.lacking(found), isWhole };
}

/** Leaves out what other stacks of the backend have: in two, it would be deleted with either. */
async function withoutOthers(things: Thing[], { stacks: own }: WantedImport, settings: Settings) {
  let left = things;
  const leftOut: LeftOut[] = [];
  for (const { name } of left.length === 0 ? [] : stacks("all")) {
    if (own.includes(name)) continue;
    const state = stateOf(name, (why) => {
      process.stderr.write(`${printable(`What stack ${name} has is not known and may be imported: ${why}`)}\n`);
    });
    if (state === undefined) continue;
    const free = new Set(await new Held([state], settings).lacking(left));
    const held = left.filter((thing) => !free.has(thing));
    leftOut.push(...held.map((thing) => ({ ...thing, why: `stack ${name} has it` })));
    left = [...free];
  }
  if (leftOut.length > 0) process.stderr.write(OTHERS);
  return { left, leftOut };
}

async function read(things: readonly Thing[], wanted: WantedImport, progress: Progress) {
  const { found, leftOut } = await described(things, (done) => progress.show("Reading", done, things.length));
  progress.clear();
  return { leftOut, found: found.filter(wanted.isMeantFound) };
}

type ConfiguredImport = WantedImport & Pick<Style, "configuredKeys">;

async function importAll(
  wanted: ConfiguredImport,
  held: Held,
  settings: Settings,
  progress: Progress,
): Promise<number> {
  const target = targetOf(wanted, held);
  if (!wanted.isDryRun) {
    requireFolder(wanted.folder);
    refuseOtherLanguage(wanted.folder);
    refuseExisting(wanted, [target.mainFile, IMPORT_FILE]);
  }
  const { leftOut, open, isWhole } = await look(wanted, held, settings, progress);
  const others = wanted.stacks.length === 0 ? { left: open, leftOut: [] } : await withoutOthers(open, wanted, settings);
  const all = await read(others.left, wanted, progress);
  const isNative = wanted.isNative ?? held.isNative;
  const suffix = suffixIn(resolve(wanted.folder, target.mainFile));
  const done = await written(all.found, { ...wanted, ...target, suffix, isNative, taken: held.names });
  const left = [...leftOut, ...others.leftOut, ...all.leftOut, ...all.found.flatMap(unreadIn)];
  process.stdout.write(reportOf({ ...done, leftOut: left }, { ...wanted, isNative }));
  return isWhole ? 0 : FAILED;
}

async function check(wanted: WantedImport, held: Held, settings: Settings, progress: Progress): Promise<number> {
  const { leftOut: unlisted, open: all, isWhole: isListed } = await look(wanted, held, settings, progress);
  // A list says neither of which zone a port is, nor what it is called.
  const narrowed = wanted.isNarrow ? await read(all, wanted, progress) : { found: all, leftOut: [] };
  progress.clear();
  const open = narrowed.found;
  const leftOut = [...unlisted, ...narrowed.leftOut];
  for (const each of leftOut) process.stderr.write(`Not checked: ${omission(each)}\n`);
  const rows = open.map(({ source, kind, id }) => ({ kind, id, [CONNECTION[source.service]]: source.name }));
  const lines = open.map(({ source, kind, id }) => `${printable(`${kind} ${id} (${titleOf(source)})`)}\n`);
  const none = leftOut.length === 0 && isListed ? "Everything is held by a stack.\n" : "";
  process.stdout.write(
    wanted.isJson ? `${JSON.stringify({ unmanaged: rows }, undefined, 2)}\n` : lines.join("") || none,
  );
  const isWhole = isListed && leftOut.every(({ kind }) => kind === "");
  return open.length === 0 && isWhole ? 0 : UNMANAGED;
}

type WantedImport = ReturnType<typeof wantedBy>;

function wantedBy(options: Given<typeof OPTIONS>["options"]) {
  const { kind: kinds, account: accounts, manager: managers, stack: stacks = [], state: states = [] } = options;
  const { check: isCheck = false, force: isForced = false, json: isJson = false, quiet: isQuiet = false } = options;
  const { "dry-run": isDryRun = false, protect = true, output: folder = ".", "name-prefix": prefix = "" } = options;
  for (const kind of kinds ?? []) oneOf(LISTED_KINDS, "kind", kind);
  const ports = oneOf(["sets", "one-by-one"], "ports", options.ports ?? "sets");
  const isNew = stacks.length + states.length === 0;
  if (isCheck && isNew) throw new Misuse("--check compares with stacks: --stack or --state is missing.");
  if (isCheck) refuseOfWriting(options);
  const [zones, names, ignored] = [options.zone, options.name, options.ignore].map(patternOf);
  return {
    kinds: kinds ?? (isCheck ? MANAGED_KINDS : undefined),
    isNarrow: zones !== undefined || names !== undefined,
    needsAccount: managers === undefined && (kinds ?? LISTED_KINDS).some(isRemote),
    accounts,
    managers,
    stacks,
    states,
    hasStacks: !isNew,
    isCheck,
    isDryRun,
    isForced,
    isJson,
    isQuiet,
    areSets: ports === "sets",
    folder,
    prefix,
    protect,
    isNative: options.native,
    isMeant: (thing: Thing) => ignored?.test(thing.id) !== true && mayBeOf(thing, zones),
    isMeantFound: ({ kind, id, inputs }: Described) =>
      (kind !== "ProxyPort" || zones?.test(String(inputs.zone ?? "")) !== false) &&
      (names === undefined || names.test(id) || names.test(importedKind(kind).name(inputs, id))),
  };
}

/** @throws {Misuse} for what a check would not heed */
function refuseOfWriting(options: Given<typeof OPTIONS>["options"]): void {
  const vain = OF_WRITING.filter((name) => options[name] !== undefined).map((name) =>
    options[name] === false ? `--no-${name}` : `--${name}`,
  );
  if (vain.length > 0) throw new Misuse(`--check writes nothing: leave out ${vain.join(", ")}.`);
}

const isRemote = (kind: string): boolean => lifecycleOf(kind).service === "remote";

/** What a zone has beyond what its resource says. */
function unreadIn({ source, kind, id, state }: Described): LeftOut[] {
  const { passwords } = state;
  if (kind !== "Zone" || !Array.isArray(passwords) || passwords.length < 2) return [];
  const why = `it has ${passwords.length - 1} further passwords, which stay: to manage one, declare a ZonePassword with \`password\` and \`adopt\``;
  return [{ source, kind: "ZonePassword", id, why }];
}

/** A dry run writes nothing, so that it says what an import is refused for, and goes on. */
function targetOf(wanted: WantedImport, held: Held): Target {
  try {
    return targetIn(wanted.folder, { ...wanted, isEmpty: held.names.size === 0 });
  } catch (error) {
    if (!(wanted.isDryRun && error instanceof ArgumentError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return { mainFile: "index.ts" };
  }
}

/** @throws {ArgumentError} where the program of the folder's project is in another language */
function refuseOtherLanguage(folder: string): void {
  const runtime = otherRuntimeOf(folder);
  if (runtime === undefined) return;
  throw new ArgumentError(
    `The project in ${folder} runs ${runtime}, and the program would be in TypeScript. Nothing was written. Write it into a folder that is in no project, with --native and --output: \`pulumi import --file\` takes its ${IMPORT_FILE} into this project, too.`,
  );
}

/** @throws {ArgumentError} when one of the files is there */
function refuseExisting({ folder, isForced }: WantedImport, files: readonly string[]): void {
  const there = files.filter((file) => !isForced && existsSync(join(folder, file)));
  if (there.length === 0) return;
  throw new ArgumentError(
    `${there.map((file) => join(folder, file)).join(" and ")} ${there.length === 1 ? "is" : "are"} there already. Nothing was written. ${there.some((file) => file.endsWith(".json")) ? "The .json files have passwords: delete them once that import is done, or choose" : "Choose"} another folder with --output.`,
  );
}

async function written(
  found: readonly Described[],
  wanted: ConfiguredImport & Target & Pick<Style, "suffix" | "isNative" | "taken">,
): Promise<Written> {
  const made = await filesOf(found, wanted);
  const { importedBy } = wanted;
  const files = found.length === 0 ? [] : [...made.files.keys()];
  const done = { ...made, files, ...(importedBy && { importedBy }) };
  if (wanted.isDryRun || found.length === 0) return done;
  refuseExisting(wanted, files);
  mkdirSync(wanted.folder, { recursive: true });
  keepFromGit(wanted.folder);
  for (const [file, text] of made.files) {
    const path = join(wanted.folder, file);
    // A file that is there would keep its mode.
    rmSync(path, { force: true });
    writeFileSync(path, text, file.endsWith(".json") ? { mode: 0o600 } : {});
  }
  if (importedBy !== undefined) writeFileSync(importedBy.file, importedBy.text);
  return done;
}
