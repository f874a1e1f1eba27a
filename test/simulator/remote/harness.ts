import { onTestFinished } from "vitest";
import { Account } from "../../../simulator/account/account";
import { SimulatedRemote } from "../../../simulator/remote";
import type { RemoteBehaviour } from "../../../simulator/remote/behaviour";

export const NOW = new Date("2026-03-15T10:30:00.000Z");

export interface Answer {
  status: number;
  type: string | null;
  error: string | null;
  body: unknown;
}

export interface Harness {
  account: Account;
  remote: SimulatedRemote;
  /** Sends a request with the account's token; an object is sent as JSON, a string as it is. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** A remote service on a free port, at a fixed time, that ends with the test. */
export async function startRemote(behaviour: Partial<RemoteBehaviour> = {}, clock = () => NOW): Promise<Harness> {
  const account = new Account({ customer: "hl_test", token: "the-token", seed: "seed", clock });
  const remote = new SimulatedRemote(account, behaviour);
  await remote.listen();
  onTestFinished(() => remote.close());
  return {
    account,
    remote,
    call: async (method, path, body, headers = {}) => {
      const response = await fetch(remote.url + path, {
        method,
        headers: {
          authorization: `Bearer ${account.token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const type = response.headers.get("content-type");
      const text = await response.text();
      return {
        status: response.status,
        type,
        error: response.headers.get("x-brd-error"),
        body: type?.startsWith("application/json;") ? JSON.parse(text) : text,
      };
    },
  };
}

/** What a refusal in text looks like. */
export const refusal = (status: number, message: string): Answer => ({
  status,
  type: "text/html; charset=utf-8",
  error: message,
  body: message,
});

export const ok = (body: unknown, status = 200) => ({ status, body, error: null });
