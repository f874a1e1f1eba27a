import { flag, list, object, text } from "../../declaration/property";
import { lookup } from "../../program/lookup";
import { portNumber } from "../../program/portNumber";
import { NO_PORT_NUMBER, NOT_LISTENING, port } from "../properties";

export const getPortStatus = lookup("getPortStatus", {
  says: "Checks whether requests pass through a port of the Proxy Manager. The first time after the port was created or changed, and each time with `force`, the manager sends a small request through it, which is billed like any other. It may take 20 s.",
  brief: "whether a port passes a test request",
  service: "manager",
  endpoints: ["GET /api/proxy_status/{PORT}"],
  arguments: {
    port: port(),
    force: flag({
      says: "Whether to send a request through the port now, instead of returning the result of the last one. It is traffic like any other, and is billed as such.",
      default: false,
    }),
  },
  gives: "Whether requests pass through a port.",
  result: {
    port: port(),
    ok: flag({ says: "Whether requests pass through.", required: true }),
    status: text({ says: "`ok`, `Disabled zone`, or what was wrong in the manager's words.", required: true }),
    details: list(
      object(
        {
          message: text({ says: "The manager's words.", required: true }),
          field: text({ says: "Name of the field that it is about." }),
        },
        { named: "PortProblem", says: "Something that the manager finds wrong with the settings of a port." },
      ),
      { says: "What the manager finds wrong with the settings of the port.", required: true },
    ),
  },
  fails: [NOT_LISTENING, NO_PORT_NUMBER],
  example: "const { ok, status } = await brightdata.getPortStatus({ port: 24000 });",
  outputExample: `const { ok, status } = brightdata.getPortStatusOutput({ port: 24000 });
export const works = ok;
export const words = status;`,
  async ask({ sessions }, { port, force = false }, options) {
    return { port, ...(await sessions.status(portNumber(port), { force, ...options })) };
  },
});
