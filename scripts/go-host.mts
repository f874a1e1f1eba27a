// Stands in for `pulumi-language-go`, which is in no module: it runs what the project's option `binary` names. Called with the
// engine's address at the end.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";
import language from "@pulumi/pulumi/proto/language_grpc_pb.js";
import messages, { type RunRequest, type RunResponse } from "@pulumi/pulumi/proto/language_pb.js";
import plugin from "@pulumi/pulumi/proto/plugin_pb.js";

const MAX_BYTES = 400 * 1024 * 1024;

const engine = process.argv.at(-1) ?? "";

/** What a program of Pulumi's SDK for Go reads. */
const environmentOf = (request: RunRequest): NodeJS.ProcessEnv => ({
  ...process.env,
  PULUMI_ORGANIZATION: request.getOrganization(),
  PULUMI_PROJECT: request.getProject(),
  PULUMI_STACK: request.getStack(),
  PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().getEntryList())),
  PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
  PULUMI_DRY_RUN: String(request.getDryrun()),
  PULUMI_PARALLEL: String(request.getParallel()),
  PULUMI_MONITOR: request.getMonitorAddress(),
  PULUMI_ENGINE: engine,
});

function run({ request }: ServerUnaryCall<RunRequest, RunResponse>, done: sendUnaryData<RunResponse>): void {
  const info = request.getInfo();
  const folder = info?.getProgramDirectory() ?? "";
  const { binary } = (info?.getOptions()?.toJavaScript() ?? {}) as { binary?: string };
  const program = spawn(resolve(folder, binary ?? ""), { cwd: folder, env: environmentOf(request), stdio: "inherit" });
  const answer = new messages.RunResponse();
  program.on("error", ({ message }) => answer.setError(message));
  program.on("close", (code) => {
    if (code !== 0 && answer.getError() === "") answer.setError(`the program ended with ${code}`);
    done(null, answer);
  });
  process.on("exit", () => program.kill());
}

const server = new Server({ "grpc.max_receive_message_length": MAX_BYTES, "grpc.max_send_message_length": MAX_BYTES });
server.addService(language.LanguageRuntimeService as never, {
  run,
  getRequiredPackages: (_call: unknown, done: sendUnaryData<unknown>) =>
    done(null, new messages.GetRequiredPackagesResponse()),
  getPluginInfo: (_call: unknown, done: sendUnaryData<unknown>) => done(null, new plugin.PluginInfo()),
});
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port);
});
