import { z } from "zod";
import { action, triggersSchema } from "./action";
import { timeoutsSchema } from "./check";

const SECONDS = 120;
// Longer than any operation may take: its own deadline says when to give up, and which argument allows more.
const FOREVER_SECONDS = 2 * 86_400;

/** Restarts the manager once. */
export const managerRestart = action({
  timeouts: { create: SECONDS, read: 60, update: 60, delete: 60 },
  checks: {
    schema: z.strictObject({ triggers: triggersSchema, timeouts: timeoutsSchema }),
    properties: { "": ["triggers", "timeouts"], timeouts: ["create", "read", "update", "delete"] },
  },

  announce: () =>
    "the update will restart the Proxy Manager: it is down for some seconds, connections through its ports are cut, and sessions and banned IPs are lost.",

  async perform(_inputs, run) {
    const { context, deadline } = run;
    const { manager } = context;
    try {
      await deadline.poll("waiting for the Proxy Manager to be back from its restart", async () => {
        await manager.process.restart({ signal: deadline.signal, wait: FOREVER_SECONDS });
        return true;
      });
    } finally {
      context.forgetManager();
    }
    const { version } = await manager.versions.running({ signal: deadline.signal });
    return { id: version, outputs: { version } };
  },
});
