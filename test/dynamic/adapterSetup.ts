import { afterEach, beforeEach, expect, vi } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { locationOf } from "../../src/base/location";
import { kind } from "../../src/declaration/kind";
import { Adapter } from "../../src/dynamic/adapter";
import { Cancellation } from "../../src/dynamic/cancellation";
import { holdingsOf, type Own } from "../../src/lifecycle/holdings";
import type { Lifecycle } from "../../src/lifecycle/lifecycle";
import { Session } from "../../src/run/session";
import { around } from "../run/surroundings";

export const SENTINEL = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const TEXT = "exports.handler=()=>0";
/** Where the Proxy Manager is by default. */
export const HERE = locationOf("http://127.0.0.1:22999");
/** Of a resource whose state has none: derived from its place and its id. */
export const OLD_MARK = expect.stringMatching(/^d\.[\w-]{12}$/);

/** What a lifecycle answers, where that is not as by default. */
export type Answers = Partial<Omit<Lifecycle, "holdings">> & { holdings?: Own };

const TEST = kind("Test", {
  says: "",
  brief: "",
  service: "manager",
  id: { says: "", example: "" },
  endpoints: [],
  timeouts: 10,
  inputs: {},
  example: "",
});

/** A lifecycle that remembers what it was called with and answers what it is told. */
export function lifecycle({ holdings, ...answers }: Answers = {}): Lifecycle {
  return {
    declaration: TEST,
    service: "manager",
    localId: /^[^/]*$/,
    timeouts: { create: 11, read: 12, update: 13, delete: 14 },
    inputs: [],
    check: vi.fn((inputs) => ({ inputs, failures: [] })),
    diff: vi.fn(() => ({ changed: [], replaces: [], deleteBeforeReplace: false })),
    create: vi.fn(async (inputs) => ({ id: "the-id", state: { ...inputs, made: true } })),
    read: vi.fn(async (_id, inputs) => ({ ...inputs, seen: true })),
    update: vi.fn(async (_id, _state, _declared, inputs) => ({ ...inputs, updated: true })),
    delete: vi.fn(async () => undefined),
    holdings: holdingsOf("Test", holdings),
    ...answers,
  };
}

export const readings = ({ read }: Lifecycle): unknown[][] => (read === undefined ? [] : vi.mocked(read).mock.calls);

export const cancellation = new Cancellation();

/** What the test's run is in. */
export const inTest = around({ cancelled: cancellation.signal });

/** That of the test's run: a process may have several adapters. */
export let session = new Session(inTest);

/** Begins another run of the engine: nothing is remembered. */
export function beginRun(): void {
  session = new Session(inTest);
}

/** An adapter of the test's run that is configured with these keys of the stack's configuration. */
export function adapter(
  answers: Answers = {},
  config: Record<string, string> = {},
): { adapter: Adapter; life: Lifecycle } {
  const life = lifecycle(answers);
  const made = new Adapter("Test", life, session, cancellation);
  const own: Record<string, string> = life.service === "manager" ? { "brightdata:apiToken": "the-token" } : {};
  const all: Record<string, string> = { ...own, ...config };
  void made.configure({ config: { get: (key) => all[key] } });
  return { adapter: made, life };
}

export async function failure(
  promise: Promise<unknown>,
): Promise<Error & { id?: string; properties?: JsonObject; reasons?: string[] }> {
  return promise.then(
    (value) => Promise.reject(new Error(`It succeeded: ${JSON.stringify(value)}`)),
    (error: Error) => error,
  );
}

beforeEach(() => {
  beginRun();
  // What the machine that runs the tests is set to has no say.
  for (const name of ["BRIGHTDATA_API_TOKEN", "BRIGHTDATA_MANAGER_API_KEY", "BRIGHTDATA_LOG"]) vi.stubEnv(name, "");
});

afterEach(() => {
  vi.unstubAllEnvs();
});
