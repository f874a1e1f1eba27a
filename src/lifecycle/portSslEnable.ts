import { z } from "zod";
import { action, triggersSchema } from "./action";
import { timeoutsSchema } from "./check";
import { portSchema } from "./managerFields";

/** Turns SSL analysing on, once, on a port or on all that there are. The manager has no setting that does it for later ones. */
export const portSslEnable = action({
  timeouts: { create: 150, read: 60, update: 60, delete: 60 },
  checks: {
    schema: z.strictObject({ port: portSchema.optional(), triggers: triggersSchema, timeouts: timeoutsSchema }),
    properties: { "": ["port", "triggers", "timeouts"], timeouts: ["create", "read", "update", "delete"] },
  },

  announce({ port }) {
    const where =
      port === undefined ? "all ports that there are then" : typeof port === "number" ? `port ${port}` : "a port";
    return `the update will turn on SSL analysing on ${where}.`;
  },

  async perform(inputs, run) {
    const port = (inputs.port as number | undefined) ?? "all";
    await run.context.manager.ssl.enable(port, { signal: run.deadline.signal });
    run.context.ports.forget();
    return { id: String(port), outputs: {} };
  },
});
