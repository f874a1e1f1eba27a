import { setImmediate } from "node:timers/promises";

/** A pause that takes no time; mocked in where a test would otherwise wait between two readings. */
export async function pause(_ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await setImmediate();
  signal?.throwIfAborted();
}
