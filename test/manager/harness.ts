import { onTestFinished } from "vitest";
import { type LoggedRequest, type SimulatedManager, type SimulatorOptions, startSimulator } from "../../simulator";
import { VERSION } from "../../src/base/version";
import { ManagerClient, type ManagerClientSettings } from "../../src/manager/client";
import type { PortFields } from "../../src/manager/portFields";

export const NOW = new Date("2026-03-15T10:30:00.000Z");

export interface Manager {
  manager: SimulatedManager;
  account: Awaited<ReturnType<typeof startSimulator>>["account"];
  client: ManagerClient;
  /** What has reached the manager, oldest first. */
  requests: LoggedRequest[];
  /** Makes the manager give the next answer by the letter, whatever it is asked for. */
  answer(status: number, body: unknown): void;
  /** The whole of a request that was answered with 200, but for what is given. */
  request(given: Partial<LoggedRequest> & Pick<LoggedRequest, "method" | "path">): LoggedRequest;
  /** Creates ports, and forgets that it was asked to. */
  withPorts(...ports: PortFields[]): Promise<void>;
}

/** The manager on a free port, at a fixed time, with zones, and a client of it that tries everything once. */
export async function startManager(
  options: SimulatorOptions["manager"] = {},
  settings: Partial<ManagerClientSettings> = {},
): Promise<Manager> {
  const simulator = await startSimulator({ customer: "hl_test", seed: "seed", clock: () => NOW, manager: options });
  onTestFinished(() => simulator.close());
  const { manager, account } = simulator;
  const { requests } = manager.service;
  const client = new ManagerClient({
    proxyManagerUrl: manager.url,
    requestTimeout: 30,
    retries: 0,
    requestsPerMinute: 0,
    logLevel: "off",
    ...settings,
  });
  return {
    manager,
    account,
    client,
    requests,
    answer(status, body) {
      const plain = typeof body === "string";
      manager.service.faults.add({
        kind: "respond",
        status,
        headers: { "content-type": plain ? "text/html; charset=utf-8" : "application/json; charset=utf-8" },
        body: plain ? body : JSON.stringify(body),
      });
    },
    request: ({ headers, body = "", ...given }) => ({
      query: {},
      status: 200,
      ...given,
      headers: {
        accept: "application/json, text/plain;q=0.9, */*;q=0.5",
        connection: "keep-alive",
        host: new URL(manager.url).host,
        "user-agent": `pulumi-brightdata/${VERSION} (node ${process.versions.node})`,
        ...lengthOf(given.method, body),
        ...headers,
      },
      body,
    }),
    async withPorts(...ports) {
      for (const port of ports) await client.ports.create(port);
      requests.length = 0;
    },
  };
}

function lengthOf(method: string, body: unknown): Record<string, string> {
  if (body === "") return method === "GET" ? {} : { "content-length": "0" };
  return { "content-type": "application/json", "content-length": String(JSON.stringify(body).length) };
}

/** What a call rejects with, when that is an error of the given class. */
export async function failure<E extends Error>(
  call: Promise<unknown>,
  kind: abstract new (...rest: never[]) => E,
): Promise<E> {
  const error = await call.then(
    (value) => new TypeError(`Expected ${kind.name}, got ${JSON.stringify(value)}.`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof kind)) throw error;
  return error;
}
