import { flag } from "../declaration/property";
import { managerLookup } from "../lookups/lookup";
import { port, portStatus } from "../model/port";
import { NO_PORT_NUMBER, NOT_LISTENING } from "./failures";

export const getPortStatus = managerLookup("getPortStatus", {
  says: "Checks whether requests pass through a port of the Proxy Manager. Until a result is known, and each time with `force`, the manager sends a small request through it, which is billed like any other; a change of the port keeps the result. It may take 20 s.",
  brief: "whether a port passes a test request",
  endpoints: ["GET /api/proxy_status/{PORT}"],
  arguments: {
    port: port(),
    force: flag({
      says: "Whether to send a request through the port now, which is billed, instead of returning the result of the last one.",
      default: false,
    }),
  },
  gives: "Whether requests pass through a port.",
  result: { port: port(), ...portStatus },
  fails: [NOT_LISTENING, NO_PORT_NUMBER],
  example: "const { ok, status } = await brightdata.getPortStatus({ port: 24000 });",
  outputExample: `const { ok, status } = brightdata.getPortStatusOutput({ port: 24000 });
export const works = ok;
export const words = status;`,
  async ask({ sessions }, { port, force = false }, options) {
    return { port, ...(await sessions.status(port, { force, ...options })) };
  },
});
