import { onTestFinished, vi } from "vitest";
import { type Handler, json, SimulatedService } from "../../simulator/service";
import type { Call } from "../../src/http/call";
import { Log } from "../../src/http/log";
import { Transport, type TransportOptions } from "../../src/http/transport";

/** A loopback service that answers every request in the same way, and is closed after the test. */
export async function serve(handler: Handler = () => json({ ok: true })): Promise<SimulatedService> {
  const service = new SimulatedService(handler);
  await service.listen();
  onTestFinished(() => service.close());
  return service;
}

/** A transport that logs nothing, to a loopback address. */
export const transportTo = (baseUrl: string, options: Partial<TransportOptions> = {}): Transport =>
  new Transport({
    service: "remote",
    baseUrl,
    requestTimeout: 30,
    retries: 3,
    requestsPerMinute: 0,
    log: new Log("off"),
    ...options,
  });

export const GET: Call = { operation: "read the thing", request: "GET /thing" };
export const POST: Call = { operation: "make the thing", request: "POST /thing", body: { name: "web" } };

/** What a call rejects with. */
export async function failure(call: Promise<unknown>): Promise<Error> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new TypeError(`Expected an error, got ${String(error)}.`);
  return error;
}

/** Puts the time limit of requests into the test's hands: `expire` ends all that are under way. */
export function timeLimit(): { seconds: number; expire(): void; pending(): number } {
  // A number that nothing else in the process waits for.
  const seconds = 1234.567;
  const expiries = new Map<unknown, () => void>();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const setSpy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms?: number) => {
    const timer = set(run, ms);
    if (ms === seconds * 1000) expiries.set(timer, run);
    return timer;
  }) as typeof setTimeout);
  const clearSpy = vi.spyOn(globalThis, "clearTimeout").mockImplementation((timer) => {
    expiries.delete(timer);
    clear(timer);
  });
  onTestFinished(() => {
    setSpy.mockRestore();
    clearSpy.mockRestore();
  });
  return {
    seconds,
    expire: () => {
      for (const run of [...expiries.values()]) run();
    },
    pending: () => expiries.size,
  };
}
