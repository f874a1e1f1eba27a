import { subscribe } from "node:diagnostics_channel";

const CANCEL = "/pulumirpc.ResourceProvider/Cancel";

const controller = new AbortController();

// The engine asks its processes to cancel what they do, on the first Ctrl-C. The SDK's process for dynamic resources answers
// that and tells nobody; but Node.js tells of every request that reaches its HTTP/2 server.
subscribe("http2.server.stream.start", (message) => {
  const { headers } = message as { headers?: Record<string, unknown> };
  if (headers?.[":path"] === CANCEL) controller.abort();
});

/** Aborted when the person who runs the update asks it to end. */
export const cancelled: AbortSignal = controller.signal;
