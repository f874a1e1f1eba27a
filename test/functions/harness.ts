import * as pulumi from "@pulumi/pulumi";
import { expect, onTestFinished, vi } from "vitest";
import { type LoggedRequest, type RequestLog, type SimulatorOptions, startSimulator } from "../../simulator";

/** A simulator that the environment names, as it would name the service for a program. */
export async function startService(options: SimulatorOptions = {}) {
  const simulator = await startSimulator({ customer: "hl_test", token: "the-token", seed: "seed", ...options });
  onTestFinished(() => simulator.close());
  useEnvironment({ ...simulator.environment(), BRIGHTDATA_LOG: "off", BRIGHTDATA_RETRIES: "0" });
  const { service } = simulator.remote;
  return {
    simulator,
    account: simulator.account,
    faults: service.faults,
    /** Method and path of what has reached the service, with the query string. */
    asked: () => service.requests.map(lineOf),
  };
}

/** A port with everything in it that is secret, and things that are not. */
export const PORT = {
  port: 24000,
  zone: "static",
  password: "p-1",
  user: "ann",
  user_password: "p-2",
  ext_proxies: ["bob:p-3@203.0.113.7"],
  ext_proxy_password: "p-4",
  headers: [{ name: "authorization", value: "p-5" }],
  whitelist_ips: ["198.51.100.7"],
};

/** A Proxy Manager that the environment names, with the ports that are to be declared in it. */
export async function startManager(ports: readonly object[] = [], options: SimulatorOptions = {}) {
  const { simulator, account } = await startService({ ...options, manager: { dropin: false, ...options.manager } });
  const { manager } = simulator;
  for (const proxy of ports) {
    const body = JSON.stringify({ proxy });
    const headers = { "content-type": "application/json" };
    const { status } = await fetch(`${manager.url}/api/proxies`, { method: "POST", headers, body });
    expect(status).toBe(200);
  }
  manager.service.requests.length = 0;
  return {
    manager,
    account,
    faults: manager.service.faults,
    /** Method and path of what has reached the manager, with the query string. */
    asked: () => manager.service.requests.map(lineOf),
    /** The same of both services. */
    allAsked: () => [...manager.service.requests, ...simulator.remote.service.requests].map(lineOf),
  };
}

/** A request that the manager remembers. */
export const requestLog = (given: Partial<RequestLog>): RequestLog => ({
  uuid: "1",
  port: 24000,
  url: "https://example.com/",
  method: "GET",
  hostname: "example.com",
  protocol: "https",
  status_code: 200,
  content_type: "html",
  timestamp: Date.parse("2026-03-15T10:30:00.000Z"),
  in_bw: 100,
  out_bw: 10,
  success: 1,
  ...given,
});

function lineOf({ method, path, query }: LoggedRequest): string {
  const search = new URLSearchParams(query).toString();
  return `${method} ${path}${search === "" ? "" : `?${search}`}`;
}

/** Sets environment variables for one test; `undefined` takes one away. */
export function useEnvironment(variables: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

/** Runs the rest of the test as a program in an update, or in the preview of one: what is to be created has no id there. */
export async function program(preview: boolean): Promise<void> {
  await pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }) => ({ id: preview ? undefined : `${name}-id`, state: inputs }),
      call: () => ({}),
    },
    "project",
    "stack",
    preview,
  );
}

/** What has become of an output. */
export interface Settled<T> {
  value: T | "unknown";
  secret: boolean;
}

export async function settled<T>(output: pulumi.Output<T>): Promise<Settled<pulumi.Unwrap<T>>> {
  const sent = await pulumi.runtime.serializeProperty("an output", output);
  const secret = await pulumi.isSecret(output);
  const value = pulumi.runtime.isRpcSecret(sent) ? pulumi.runtime.unwrapRpcSecret(sent) : sent;
  return { value: value === pulumi.runtime.unknownValue ? "unknown" : value, secret };
}

/** Why an output has failed. That nobody handles such a failure is on purpose: it makes the CLI end with it. */
export async function failureOf(output: () => pulumi.Output<unknown>): Promise<unknown> {
  const listeners = process.listeners("unhandledRejection");
  const unhandled = new Set<unknown>();
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", (reason) => unhandled.add(reason));
  try {
    const reason = await settled(output()).then(
      () => new Error("The output has not failed."),
      (error: unknown) => error,
    );
    await new Promise(setImmediate);
    for (const other of unhandled) if (other !== reason) throw other;
    return reason;
  } finally {
    process.removeAllListeners("unhandledRejection");
    for (const listener of listeners) process.on("unhandledRejection", listener);
  }
}
