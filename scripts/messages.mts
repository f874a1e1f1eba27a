// Writes the messages that the plugin and the engine exchange, from Pulumi's own descriptors: npm run messages
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  CodeGeneratorRequestSchema,
  CodeGeneratorResponseSchema,
  type DescriptorProto,
  type FileDescriptorProto,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { goBuild } from "./go.mts";
import { ROOT } from "./root.mts";

const TARGET = join(ROOT, "src/plugin/messages");

/** Those of protobuf itself come with the library. */
const OF_LIBRARY = "google/protobuf/";

/** What the plugin answers, and what it asks of the engine. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  ResourceProvider: [
    ...["Handshake", "GetSchema", "GetPluginInfo", "Attach", "CheckConfig", "DiffConfig", "Configure", "Cancel"],
    ...["Check", "Diff", "Create", "Read", "Update", "Delete", "Invoke"],
  ],
  Engine: ["Log"],
};

/** What is in no method, but in a refusal. */
const IN_REFUSALS = [".google.rpc.Status", ".pulumirpc.ErrorResourceInitFailed"];

/** Leaves of the descriptors what those methods need: half of the messages are of others. */
function prune(files: readonly FileDescriptorProto[]): FileDescriptorProto[] {
  const fieldsOf = new Map<string, DescriptorProto["field"]>();
  const note = (within: string, messages: readonly DescriptorProto[]): void => {
    for (const { name, field, nestedType } of messages) {
      fieldsOf.set(`${within}.${name}`, field);
      note(`${within}.${name}`, nestedType);
    }
  };
  const needed = new Set<string>();
  const need = (type: string): void => {
    if (type === "" || needed.has(type)) return;
    needed.add(type);
    for (const { typeName } of fieldsOf.get(type) ?? []) need(typeName);
  };
  const keep = (within: string, scope: Pick<DescriptorProto, "nestedType" | "enumType">): void => {
    const isNeeded = ({ name }: { name: string }) => needed.has(`${within}.${name}`);
    scope.nestedType = scope.nestedType.filter(isNeeded);
    scope.enumType = scope.enumType.filter(isNeeded);
    for (const message of scope.nestedType) keep(`${within}.${message.name}`, message);
  };
  for (const file of files) {
    note(`.${file.package}`, file.messageType);
    for (const service of file.service)
      service.method = service.method.filter(({ name }) => METHODS[service.name]?.includes(name));
  }
  const methods = files.flatMap(({ service }) => service.flatMap(({ method }) => method));
  for (const type of [...IN_REFUSALS, ...methods.flatMap((each) => [each.inputType, each.outputType])]) need(type);
  for (const file of files.filter(isPulumis)) {
    const scope = { nestedType: file.messageType, enumType: file.enumType };
    keep(`.${file.package}`, scope);
    Object.assign(file, { messageType: scope.nestedType, enumType: scope.enumType });
    file.service = file.service.filter(({ method }) => method.length > 0);
  }
  const kept = files.filter((file) => !isPulumis(file) || file.messageType.length > 0);
  for (const file of kept) file.dependency = file.dependency.filter((name) => kept.some((each) => each.name === name));
  return kept;
}

const isPulumis = ({ name }: FileDescriptorProto): boolean => !name.startsWith(OF_LIBRARY);

/** Code without the comments that say again what stands below them, and blank lines between fields: the descriptors have no others. */
const withoutRepetitions = (code: string): string =>
  code.replace(/^ *\/\*\*\n(?: +\*.*\n)+/gm, "").replace(/\n\n(?= )/g, "\n");

const scratch = mkdtempSync(join(tmpdir(), "messages-"));
try {
  const program = join(scratch, "messages");
  await goBuild(join(ROOT, "tools/messages"), ".", program);
  const files = prune(fromBinary(FileDescriptorSetSchema, execFileSync(program)).file);
  const request = create(CodeGeneratorRequestSchema, {
    fileToGenerate: files.filter(isPulumis).map(({ name }) => name),
    parameter: "target=ts,import_extension=none",
    protoFile: files,
  });
  const generator = join(ROOT, "node_modules/.bin/protoc-gen-es");
  const { stdout } = spawnSync(generator, { input: toBinary(CodeGeneratorRequestSchema, request), maxBuffer: 2 ** 24 });
  const { file: generated, error } = fromBinary(CodeGeneratorResponseSchema, stdout);
  if (error !== "") throw new Error(error);
  rmSync(TARGET, { recursive: true, force: true });
  for (const { name, content } of generated) {
    const path = join(TARGET, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, withoutRepetitions(content));
    console.log(`${relative(ROOT, path)} written`);
  }
} finally {
  rmSync(scratch, { recursive: true });
}
