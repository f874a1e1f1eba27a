import { onTestFinished } from "vitest";
import { type LoggedRequest, type Simulator, type SimulatorOptions, startSimulator } from "../../simulator";
import { VERSION } from "../../src/base/version";
import type { RemoteClientSettings } from "../../src/remote/client";
import { RemoteClient } from "../../src/remote/client";
import { SETTINGS } from "../../src/settings/definitions";

export const NOW = new Date("2026-03-15T10:30:00.000Z");
export const TOKEN = "the-token";

export interface Remote {
  simulator: Simulator;
  account: Simulator["account"];
  client: RemoteClient;
  /** What has reached the service, oldest first. */
  requests: LoggedRequest[];
  /** A client with other settings. */
  clientWith(settings: Partial<RemoteClientSettings>): RemoteClient;
  /** Makes the service give the next answers by the letter, whatever it is asked for. */
  answer(status: number, body: unknown, headers?: Record<string, string>): void;
  /** The whole of a request without a body that was answered with 200, but for what is given. */
  request(given: Partial<LoggedRequest> & Pick<LoggedRequest, "method" | "path">): LoggedRequest;
}

/** The remote service on a free port, at a fixed time, and a client of it that tries everything once. */
export async function startRemote(options: SimulatorOptions = {}): Promise<Remote> {
  const simulator = await startSimulator({
    customer: "hl_test",
    token: TOKEN,
    seed: "seed",
    clock: () => NOW,
    ...options,
  });
  onTestFinished(() => simulator.close());
  const { service } = simulator.remote;
  const clientWith = (settings: Partial<RemoteClientSettings>): RemoteClient =>
    new RemoteClient({
      apiToken: { value: TOKEN, source: "the environment (BRIGHTDATA_API_TOKEN)", setting: SETTINGS.apiToken },
      baseUrl: simulator.remote.url,
      requestTimeout: 30,
      retries: 0,
      requestsPerMinute: 0,
      logLevel: "off",
      ...settings,
    });
  return {
    simulator,
    account: simulator.account,
    client: clientWith({}),
    requests: service.requests,
    clientWith,
    answer(status, body, headers = {}) {
      const plain = typeof body === "string";
      service.faults.add({
        kind: "respond",
        status,
        headers: { "content-type": plain ? "text/html; charset=utf-8" : "application/json; charset=utf-8", ...headers },
        body: plain ? body : JSON.stringify(body),
      });
    },
    request: ({ headers, body = "", ...given }) => ({
      query: {},
      status: 200,
      ...given,
      headers: {
        accept: "application/json, text/plain;q=0.9, */*;q=0.5",
        authorization: `Bearer ${TOKEN}`,
        connection: "keep-alive",
        host: new URL(simulator.remote.url).host,
        "user-agent": `pulumi-brightdata/${VERSION} (node ${process.versions.node})`,
        ...(body === ""
          ? {}
          : { "content-type": "application/json", "content-length": String(JSON.stringify(body).length) }),
        ...headers,
      },
      body,
    }),
  };
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
