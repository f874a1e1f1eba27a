import { join, relative, resolve } from "node:path";
import { counted } from "../../base/counted";
import { isObject, type JsonObject } from "../../base/json";
import { printable } from "../../base/printable";
import { otherRuntimeOf, projectFile } from "../../base/projectFile";
import type { LeftOut } from "../account/inventory";
import { titleOf } from "../account/source";
import { IMPORT_FILE, isSecretsFile } from "../import/files";
import type { Resource } from "../import/program";
import type { Target } from "../import/target";
import { inShell } from "../report/inShell";

export interface Written {
  resources: readonly Resource[];
  files: readonly string[];
  /** The file of the program that imports them. */
  importedBy?: Target["importedBy"];
}

type ImportResult = Written & { leftOut: readonly LeftOut[] };

interface ImportRequest {
  folder: string;
  /** What is imported is for the first one; without any, for the one that is selected. */
  stacks: readonly string[];
  protect: boolean;
  isDryRun: boolean;
  isJson: boolean;
  isNative: boolean;
}

export function reportOf(result: ImportResult, asked: ImportRequest): string {
  if (asked.isJson) return `${JSON.stringify(jsonOf(result), undefined, 2)}\n`;
  const { resources, leftOut } = result;
  const omitted = leftOut.map((each) => `  ${omission(each)}\n`);
  return [
    resources.length === 0 ? "There is nothing to import.\n" : tableOf(resources),
    ...(omitted.length === 0 ? [] : [`\nLeft out:\n${omitted.join("")}`]),
    ...(resources.length === 0 ? [] : [nextSteps(result, asked)]),
  ].join("");
}

function jsonOf({ resources, files, importedBy, leftOut }: ImportResult): JsonObject {
  return {
    resources: resources.map(({ found, name }) => {
      return { kind: found.kind, name, id: found.id, source: titleOf(found.source) };
    }),
    leftOut: leftOut.map(({ source, kind, id, why }) => ({ kind, id, source: titleOf(source), why })),
    files,
    ...(importedBy && { importedBy: { file: relative(".", importedBy.file), line: importedBy.line } }),
  };
}

function tableOf(resources: readonly Resource[]): string {
  const groups = Map.groupBy(resources, ({ found: { source, kind } }) => `${titleOf(source).padEnd(24)}${kind}`);
  const rows = [...groups].map(([row, own]) => {
    const ports = own.flatMap(({ found: { inputs } }) => (isObject(inputs.ports) ? Object.keys(inputs.ports) : []));
    return `${row.padEnd(44)}${own.length}${ports.length === 0 ? "" : ` with ${counted(ports.length, "port")}`}\n`;
  });
  return `${"Read from".padEnd(24)}${"Kind".padEnd(20)}Resources\n${rows.join("")}`;
}

function nextSteps({ files, importedBy }: Written, asked: ImportRequest): string {
  const { folder, stacks, protect, isDryRun, isNative } = asked;
  const path = relative(".", folder);
  const [stack] = stacks;
  const to = stack === undefined ? "" : ` --stack ${inShell(stack)}`;
  const isForHere = isNative && isForProjectHere(folder);
  const named = (file: string) => inShell(isForHere ? join(path, file) : file);
  // In another language, the CLI writes what the program lacks.
  const written = isForHere ? "" : " --generate-code=false";
  const commands = [
    ...(path === "" || isForHere ? [] : [`cd ${inShell(path)}\n`]),
    ...(isNative ? ["npx pulumi-brightdata plugin install\n"] : []),
    ...files.filter(isSecretsFile).map((file) => `pulumi config set-all${to} --json "$(cat ${named(file)})"\n`),
    `pulumi import${to} --file ${named(IMPORT_FILE)}${written}${protect ? "" : " --protect=false"}\n`,
    ...(isForHere ? [] : [`pulumi preview${to}\n`]),
  ];
  const line = importedBy === undefined ? [] : [`\`${importedBy.line}\` in ${relative(".", importedBy.file)}`];
  const names = [...files.map((file) => join(path, file)), ...line].join(", ");
  const secret = files.some(isSecretsFile)
    ? "The .json files have passwords: delete them"
    : `${IMPORT_FILE} has passwords: delete it`;
  const isHomeless = !isForHere && projectFile(resolve(folder)) === undefined;
  const first = isHomeless ? " What follows needs a Pulumi project there, with a stack." : "";
  return `\n${isDryRun ? "Would write" : "Wrote"} ${names}. ${secret} afterwards.${first} Next:\n\n${commands.join("")}`;
}

/** Whether a folder is in no project, and the project here is in another language, so that the folder is for this one. */
const isForProjectHere = (folder: string): boolean =>
  projectFile(resolve(folder)) === undefined && otherRuntimeOf(".") !== undefined;

export const omission = ({ source, kind, id, why }: LeftOut): string => {
  const where = titleOf(source);
  return printable(
    `${kind === "" ? where : `${[kind, ...(id === undefined ? [] : [id])].join(" ")} (${where})`}: ${why}`,
  );
};
