import { setImmediate } from "node:timers/promises";
import { vi } from "vitest";

/** A pause that takes no time; mocked in where a test would otherwise wait between two readings. */
export const pause = vi.fn(async (_ms: number, signal?: AbortSignal): Promise<void> => {
  signal?.throwIfAborted();
  await setImmediate();
  signal?.throwIfAborted();
});
