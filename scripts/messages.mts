// Writes the messages that the plugin and the engine exchange, from Pulumi's own descriptors: npm run messages
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  CodeGeneratorRequestSchema,
  CodeGeneratorResponseSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { goBuild } from "./go.mts";
import { ROOT } from "./root.mts";

const TARGET = join(ROOT, "src/plugin/messages");

/** Those of protobuf itself come with the library. */
const OF_LIBRARY = "google/protobuf/";

const scratch = mkdtempSync(join(tmpdir(), "messages-"));
try {
  const program = join(scratch, "messages");
  await goBuild(join(ROOT, "tools/messages"), ".", program);
  const { file: files } = fromBinary(FileDescriptorSetSchema, execFileSync(program));
  const request = create(CodeGeneratorRequestSchema, {
    fileToGenerate: files.map(({ name }) => name).filter((name) => !name.startsWith(OF_LIBRARY)),
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
    writeFileSync(path, content);
    console.log(`${relative(ROOT, path)} written`);
  }
} finally {
  rmSync(scratch, { recursive: true });
}
