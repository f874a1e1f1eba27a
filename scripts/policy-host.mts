// Stands in for `pulumi-language-nodejs` where that is too old to run policy packs and plugins: it starts the old one, passes every
// call on, and runs these itself, as newer ones do. Called with the old one's path, then with its arguments.
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  Client,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type StatusObject,
  type sendUnaryData,
} from "@grpc/grpc-js";
import language from "@pulumi/pulumi/proto/language_grpc_pb.js";
import messages, { type RunPluginRequest } from "@pulumi/pulumi/proto/language_pb.js";

const MAX_BYTES = 400 * 1024 * 1024;

const [oldHost = "", ...args] = process.argv.slice(2);
const old = spawn(oldHost, args, { stdio: ["ignore", "pipe", "inherit"] });
old.on("exit", (code) => process.exit(code ?? 1));
process.on("exit", () => old.kill());
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

const bytes = (value: Buffer): Buffer => value;
const limits = { "grpc.max_receive_message_length": MAX_BYTES, "grpc.max_send_message_length": MAX_BYTES };

/** The process of a pack or a plugin, whose streams and exit code go to the engine. It ends with the call. */
function runPlugin(call: ServerWritableStream<RunPluginRequest, unknown>): void {
  const folder = call.request.getInfo()?.getProgramDirectory() ?? "";
  const isPack = call.request.getKind() === "analyzer";
  const command = isPack ? "run-policy-pack" : "run-plugin";
  const program = createRequire(join(folder, "package.json")).resolve(`@pulumi/pulumi/cmd/${command}`);
  const variables = call.request.getEnvList().map((entry) => {
    const [name = "", ...value] = entry.split("=");
    return [name, value.join("=")];
  });
  const own = call.request.getArgsList();
  const args = isPack ? [...own, folder] : [folder, ...own];
  const started = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    // As packs are here, compiled: the newer host would load ts-node for those that are not.
    env: { ...Object.fromEntries(variables), PULUMI_NODEJS_TYPESCRIPT: "false" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  passOn(started, call);
}

function passOn(pack: ChildProcess, call: ServerWritableStream<RunPluginRequest, unknown>): void {
  const answer = (fill: (message: InstanceType<typeof messages.RunPluginResponse>) => void) => {
    const message = new messages.RunPluginResponse();
    fill(message);
    call.write(message);
  };
  pack.stdout?.on("data", (chunk: Buffer) => answer((message) => message.setStdout(chunk)));
  pack.stderr?.on("data", (chunk: Buffer) => answer((message) => message.setStderr(chunk)));
  pack.on("error", ({ message }) => answer((response) => response.setStderr(Buffer.from(message))));
  pack.on("close", (code) => {
    answer((message) => message.setExitcode(code ?? 1));
    call.end();
  });
  call.on("cancelled", () => pack.kill());
  process.on("exit", () => pack.kill());
}

createInterface({ input: old.stdout }).once("line", (port) => {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), limits);
  const server = new Server(limits);
  const { runPlugin: method, ...others } = language.LanguageRuntimeService;
  const raw = Object.entries(others).map(([name, method]) => [
    name,
    {
      ...method,
      requestSerialize: bytes,
      requestDeserialize: bytes,
      responseSerialize: bytes,
      responseDeserialize: bytes,
    },
  ]);
  const unary = (path: string) => (call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) => {
    client.makeUnaryRequest(path, bytes, bytes, call.request, new Metadata(), (error, value) => done(error, value));
  };
  const streaming = (path: string) => (call: ServerWritableStream<Buffer, Buffer>) => {
    const stream = client.makeServerStreamRequest(path, bytes, bytes, call.request, new Metadata());
    stream.on("data", (chunk: Buffer) => call.write(chunk));
    stream.on("error", (error: StatusObject & Error) => call.emit("error", error));
    stream.on("end", () => call.end());
    call.on("cancelled", () => stream.cancel());
  };
  const handlers = Object.entries(others).map(([name, { path, responseStream }]) => [
    name,
    responseStream ? streaming(path) : unary(path),
  ]);
  server.addService({ ...Object.fromEntries(raw), runPlugin: method }, { ...Object.fromEntries(handlers), runPlugin });
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, own) => {
    if (error) throw error;
    console.log(own);
  });
});
