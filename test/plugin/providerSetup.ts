import type { JsonObject } from "@bufbuild/protobuf";
import { onTestFinished, vi } from "vitest";
import { type SimulatorOptions, startSimulator } from "../../simulator";
import { LIFECYCLES } from "../../src/generated/lifecycles";
import type { Lifecycle } from "../../src/lifecycle/lifecycle";
import type { Lookup } from "../../src/lookups/lookup";
import { methodsOf } from "../../src/plugin/methods";
import { PluginProvider, type Speech } from "../../src/plugin/provider";
import type { Spelling } from "../../src/plugin/spelling";
import { SECRET_MARK } from "../../src/pulumi/values";
import { SETTINGS } from "../../src/settings/definitions";
import { type Ask as Asking, asking } from "./asking";

export const secret = (value: unknown) => ({ ...SECRET_MARK, value });

export const urnOf = (kind: string, name = "web"): string => `urn:pulumi:dev::shop::brightdata:index:${kind}::${name}`;

/** Asks a method as the engine does: all goes through the messages. */
export type Ask = (name: Parameters<Asking>[0], request: object) => Promise<JsonObject>;

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
  const asked = asking(methods);
  const ask: Ask = async (method, request) => {
    const { $typeName: _, ...answer } = await asked(method, request);
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
