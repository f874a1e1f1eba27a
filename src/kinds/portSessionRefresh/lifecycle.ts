import { z } from "zod";
import { action, triggersSchema } from "../../lifecycle/oldAction";
import { timeoutsSchema } from "../../lifecycle/oldCheck";
import { portSchema } from "../bannedIp/bannable";

/** Gives a port another session once. */
export const portSessionRefresh = action({
  timeouts: { create: 60, read: 60, update: 60, delete: 60 },
  checks: {
    schema: z.strictObject({ port: portSchema, triggers: triggersSchema, timeouts: timeoutsSchema }),
    properties: { "": ["port", "triggers", "timeouts"], timeouts: ["create", "read", "update", "delete"] },
  },

  announce: ({ port }) =>
    `the update will give ${typeof port === "number" ? `port ${port}` : "a port"} another session, and with it other IPs.`,

  async perform(inputs, run) {
    const port = inputs.port as number;
    const sessionId = await run.context.manager.sessions.refresh(port, { signal: run.deadline.signal });
    return { id: String(port), outputs: sessionId === undefined ? {} : { sessionId } };
  },
});
