import { subscribe } from "node:diagnostics_channel";

const CANCEL = "/pulumirpc.ResourceProvider/Cancel";

/** How long what is under way may still take when the engine is gone. */
const LAST_SECONDS = 2;

const controller = new AbortController();
const sessions = new WeakSet<object>();
let underWay = 0;
let isCut = false;

/** A connection of the engine's. */
interface Session {
  once(event: "close", listener: () => void): unknown;
}

// The engine asks its processes to cancel what they do, on the first Ctrl-C. The SDK's process for dynamic resources answers
// that and tells nobody; but Node.js tells of every request that reaches its HTTP/2 server.
subscribe("http2.server.stream.start", (message) => {
  const { headers, stream } = message as { headers?: Record<string, unknown>; stream?: { session?: Session } };
  if (headers?.[":path"] === CANCEL) {
    isCut ||= underWay > 0;
    controller.abort();
  }
  const session = stream?.session;
  if (session === undefined || sessions.has(session)) return;
  sessions.add(session);
  session.once("close", abandon);
});

/**
 * An engine that was killed does not end its processes: this one would live on, and finish a creation that the next update
 * begins as well. A connection that is closed while nothing is under way may only have been idle for long.
 */
function abandon(): void {
  if (underWay === 0) return;
  controller.abort();
  setTimeout(() => process.exit(1), LAST_SECONDS * 1000);
}

/** Runs an operation that the engine has asked for. */
export async function during<T>(operation: () => Promise<T>): Promise<T> {
  underWay++;
  try {
    return await operation();
  } finally {
    underWay--;
  }
}

/** Whether operations were under way when the engine asked to cancel: a second Ctrl-C ends it before it has recorded them. */
export const wasCut = (): boolean => isCut;

/** Aborted when the person who runs the update asks it to end, or when the engine is gone. */
export const cancelled: AbortSignal = controller.signal;
