import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { isRpcSecret, unwrapRpcSecret } from "@pulumi/pulumi/runtime/rpc";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { afterAll, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/base/json";

const ROOT = join(__dirname, "../..");
const PROGRAM = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
const LOADED_LATER = join(__dirname, "../engine/loadedLater.cjs");

/** Where these processes remember what they have begun. */
export const HOME = mkdtempSync(join(tmpdir(), "pulumi-home-"));
afterAll(() => rmSync(HOME, { recursive: true, force: true }));

/** What the engine sends for a value that is not known before the update has run. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export const providerText = (kind: string): string =>
  `this.handler=()=>require('pulumi-brightdata/provider').resource('${kind}')`;

/** Properties as they come from the provider, their secrets unsealed as the engine does before it sends them back. */
export interface Properties {
  properties: JsonObject;
  /** The names of those that were sealed. */
  secrets: string[];
}

/** What a failed call says, and what it says of a thing that exists all the same. */
export interface Failure {
  message: string;
  /** Absent unless the thing was made. */
  made?: Properties & { id: string; reasons: string[] };
}

let engines = 0;

/** An address where nobody listens, nor is given one by the system. */
const newEngine = (): string => `127.0.0.1:${61_000 + ++engines}`;

/** The engine's process for dynamic providers, driven as the engine drives it. */
export class ProviderProcess {
  readonly child: ChildProcess;
  #printed = "";
  readonly #closed: Promise<unknown>;
  #client: ResourceProviderClient | undefined;
  #port = "";

  /**
   * @param folder the program's, below the repository: where the process finds this package
   * @param engine the address of the engine: each update has one of its own
   */
  constructor(folder = "examples/quickstart", environment: Record<string, string> = {}, engine = newEngine()) {
    // Nothing that the machine is set to has a say.
    const given = Object.entries(process.env).filter(
      ([name]) => !/^(BRIGHTDATA|PULUMI|NODE_OPTIONS|VITEST)/.test(name),
    );
    this.child = spawn(process.execPath, ["--require", LOADED_LATER, PROGRAM, engine], {
      cwd: join(ROOT, folder),
      env: { ...Object.fromEntries(given), PULUMI_NODEJS_PROJECT: "test", PULUMI_HOME: HOME, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stderr?.on("data", (chunk) => {
      this.#printed += String(chunk);
    });
    this.#closed = new Promise((resolve) => this.child.once("close", resolve));
    onTestFinished(async () => {
      this.disconnect();
      if (this.child.exitCode === null && this.child.signalCode === null) {
        this.child.kill("SIGKILL");
        await once(this.child, "exit");
      }
    });
  }

  /** Waits for the port, connects, and hands the stack's configuration over. */
  async start(config: Record<string, string>): Promise<this> {
    const lines = createInterface({ input: this.child.stdout as NodeJS.ReadableStream });
    [this.#port] = (await once(lines, "line")) as [string];
    lines.on("line", (line) => {
      this.#printed += `${line}\n`;
    });
    this.connect();
    const request = new messages.ConfigureRequest();
    request.setArgs(struct(config));
    await this.#call<messages.ConfigureResponse>((client, done) => client.configure(request, done));
    return this;
  }

  connect(): void {
    this.#client = new ResourceProviderClient(`127.0.0.1:${this.#port}`, credentials.createInsecure());
  }

  /** Ends the process as the engine does. All that it has printed, which the engine shows to people, has arrived only then. */
  async printed(): Promise<string> {
    this.child.kill("SIGINT");
    await this.#closed;
    return this.#printed;
  }

  /** Closes the connection, as the system does for an engine that was killed. */
  disconnect(): void {
    this.#client?.close();
  }

  async check(
    olds: JsonObject,
    news: JsonObject,
  ): Promise<{ inputs: JsonObject; secrets: string[]; failures: messages.CheckFailure.AsObject[] }> {
    const request = new messages.CheckRequest();
    request.setOlds(struct(olds));
    request.setNews(struct(news));
    const answer = await this.#call<messages.CheckResponse>((client, done) => client.check(request, done));
    const { properties: inputs, secrets } = unsealed(answer.getInputs());
    return {
      inputs,
      secrets,
      failures: answer.getFailuresList().map((failure) => failure.toObject()),
    };
  }

  async diff(
    id: string,
    olds: JsonObject,
    news: JsonObject,
  ): Promise<{ changes: boolean | undefined; replaces: string[]; deleteBeforeReplace: boolean }> {
    const request = new messages.DiffRequest();
    request.setId(id);
    request.setOlds(struct(olds));
    request.setNews(struct(news));
    const answer = await this.#call<messages.DiffResponse>((client, done) => client.diff(request, done));
    const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
    const changes = answer.getChanges();
    return {
      changes: changes === DIFF_SOME ? true : changes === DIFF_NONE ? false : undefined,
      replaces: answer.getReplacesList(),
      deleteBeforeReplace: answer.getDeletebeforereplace(),
    };
  }

  async create(inputs: JsonObject): Promise<Properties & { id: string }> {
    const request = new messages.CreateRequest();
    request.setProperties(struct(inputs));
    const answer = await this.#call<messages.CreateResponse>((client, done) => client.create(request, done));
    return { id: answer.getId(), ...unsealed(answer.getProperties()) };
  }

  async read(id: string, properties: JsonObject): Promise<Properties & { id: string; inputs: JsonObject | undefined }> {
    const request = new messages.ReadRequest();
    request.setId(id);
    request.setProperties(struct(properties));
    const answer = await this.#call<messages.ReadResponse>((client, done) => client.read(request, done));
    const inputs = answer.getInputs();
    return {
      id: answer.getId(),
      ...unsealed(answer.getProperties()),
      inputs: inputs === undefined ? undefined : unsealed(inputs).properties,
    };
  }

  async update(id: string, olds: JsonObject, news: JsonObject): Promise<JsonObject> {
    const request = new messages.UpdateRequest();
    request.setId(id);
    request.setOlds(struct(olds));
    request.setNews(struct(news));
    const answer = await this.#call<messages.UpdateResponse>((client, done) => client.update(request, done));
    return unsealed(answer.getProperties()).properties;
  }

  async delete(id: string, properties: JsonObject): Promise<void> {
    const request = new messages.DeleteRequest();
    request.setId(id);
    request.setProperties(struct(properties));
    await this.#call<unknown>((client, done) => client.delete(request, done));
  }

  /** What a person's first Ctrl-C comes to. */
  async cancel(): Promise<void> {
    await this.#call<Empty>((client, done) => client.cancel(new Empty(), done));
  }

  #call<Answer>(
    send: (client: ResourceProviderClient, done: (error: ServiceError | null, answer?: Answer) => void) => unknown,
  ): Promise<Answer> {
    const client = this.#client;
    if (client === undefined) throw new Error("The process has not been started.");
    return new Promise((resolve, reject) => {
      send(client, (error, answer) => (error === null ? resolve(answer as Answer) : reject(error)));
    });
  }
}

/** What a call failed with. */
export async function failed(call: Promise<unknown>): Promise<Failure> {
  const error = await call.then(
    (answer) => Promise.reject(new Error(`It succeeded: ${JSON.stringify(answer)}`)),
    (reason: ServiceError) => reason,
  );
  const [encoded] = error.metadata.get("grpc-status-details-bin");
  if (encoded === undefined) return { message: error.details };
  const [detail] = Status.deserializeBinary(encoded as Buffer).getDetailsList();
  const made = detail?.unpack(messages.ErrorResourceInitFailed.deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
  if (made === null || made === undefined) throw new Error("The detail of the failure is none.");
  return {
    message: error.details,
    made: { id: made.getId(), ...unsealed(made.getProperties()), reasons: made.getReasonsList() },
  };
}

const struct = (value: JsonObject): Struct => Struct.fromJavaScript(value as Record<string, JavaScriptValue>);
const plain = (value: Struct | undefined): JsonObject => (value?.toJavaScript() ?? {}) as JsonObject;

function unsealed(sent: Struct | undefined): Properties {
  const properties = plain(sent);
  const secrets = Object.keys(properties).filter((name) => isRpcSecret(properties[name]));
  for (const name of secrets) properties[name] = unwrapRpcSecret(properties[name]);
  return { properties, secrets };
}
