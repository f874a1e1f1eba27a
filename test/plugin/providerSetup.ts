import { create, type DescMethod, fromBinary, type JsonObject, toBinary } from "@bufbuild/protobuf";
import { onTestFinished, vi } from "vitest";
import { type SimulatorOptions, startSimulator } from "../../simulator";
import { LIFECYCLES } from "../../src/generated/lifecycles";
import type { Lifecycle } from "../../src/lifecycle/lifecycle";
import type { Lookup } from "../../src/lookups/lookup";
import { ResourceProvider } from "../../src/plugin/messages/pulumi/provider_pb";
import { methodsOf } from "../../src/plugin/methods";
import { PluginProvider, type Speech } from "../../src/plugin/provider";
import type { Spelling } from "../../src/plugin/spelling";
import { SECRET_MARK } from "../../src/pulumi/values";
import { SETTINGS } from "../../src/settings/definitions";

export const secret = (value: unknown) => ({ ...SECRET_MARK, value });

export const urnOf = (kind: string, name = "web"): string => `urn:pulumi:dev::shop::brightdata:index:${kind}::${name}`;

type Service = typeof ResourceProvider;
type Name = keyof Service["method"] & keyof ReturnType<typeof methodsOf>;

/** Asks a method as the engine does: all goes through the messages. */
export type Ask = (name: Name, request: object) => Promise<JsonObject>;

export interface Plugin {
  ask: Ask;
  /** What the engine was told. */
  said: Speech[];
}

interface Options {
  lifecycles?: Readonly<Record<string, Lifecycle>>;
  lookups?: Readonly<Record<string, Lookup>>;
  args?: Record<string, unknown>;
  name?: string;
  spelled?: Spelling;
  /** What runs the program. */
  runtime?: string;
}

/** A plugin that is configured. */
export async function plugin({
  lifecycles = LIFECYCLES,
  lookups = {},
  args = {},
  name = "default",
  spelled = (words) => words,
  runtime,
}: Options = {}) {
  for (const { environment } of Object.values(SETTINGS)) vi.stubEnv(environment, "");
  onTestFinished(() => void vi.unstubAllEnvs());
  const said: Speech[] = [];
  const served = { lifecycleOf: (kind: string) => lifecycles[kind], lookupOf: async (each: string) => lookups[each] };
  const provider = new PluginProvider(served, undefined, process.cwd(), (speech) => void said.push(speech));
  const methods = methodsOf(provider, { version: "1.2.3", schema: () => "{}", spelled, runtime }, async () => {});
  const ask: Ask = async (method, request) => {
    const { input, output }: DescMethod = ResourceProvider.method[method];
    const sent = fromBinary(input, toBinary(input, create(input, request as never)));
    const handler = methods[method] as unknown as (request: unknown) => Promise<object>;
    const { $typeName: _, ...answer } = fromBinary(
      output,
      toBinary(output, create(output, (await handler(sent)) as never)),
    );
    return answer as JsonObject;
  };
  await ask("configure", { args, name });
  return { ask, said };
}

/** One with a simulator, which the provider's inputs lead to; `next` starts that of the engine's next run. */
export async function pluginWithService(options: SimulatorOptions = {}, more: Options = {}) {
  const simulator = await startSimulator({ customer: "hl_test", token: "the-token", seed: "seed", ...options });
  onTestFinished(() => simulator.close());
  const args = {
    apiToken: secret(simulator.token),
    baseUrl: simulator.remote.url,
    retries: 0,
    logLevel: "off",
    ...(options.manager && { proxyManagerUrl: simulator.manager.url }),
    ...more.args,
  };
  const started = () => plugin({ ...more, args });
  return { simulator, ...(await started()), next: started };
}

export async function refusalOf(promise: Promise<unknown>): Promise<Error & { code?: number; details?: unknown[] }> {
  return promise.then(
    (value) => Promise.reject(new Error(`It succeeded: ${JSON.stringify(value)}`)),
    (error: Error) => error,
  );
}
