// Preloaded into the manager's main process: writes down the requests that its API receives, one line each.
import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";

const log = process.env.REAL_MANAGER_REQUESTS;
if (log && process.argv[1]?.endsWith("lum_node.js")) {
  subscribe("http.server.request.start", (message) => {
    const { method, url } = (message as { request: IncomingMessage }).request;
    // Its ports are servers as well.
    if (url?.startsWith("/api/")) appendFileSync(log, `${method} ${url}\n`);
  });
}
