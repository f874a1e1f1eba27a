import { z } from "zod";
import { action, triggersSchema } from "./action";
import { timeoutsSchema } from "./check";

/** Installs the newest version of the manager once, where there is one. */
export const managerUpgrade = action({
  timeouts: { create: 900, read: 60, update: 60, delete: 60 },
  checks: {
    schema: z.strictObject({ triggers: triggersSchema, timeouts: timeoutsSchema }),
    properties: { "": ["triggers", "timeouts"], timeouts: ["create", "read", "update", "delete"] },
  },

  announce: () =>
    "the update will install the newest version of the Proxy Manager, if that is newer than the one it has; it runs from the manager's next start on.",

  async perform(_inputs, run) {
    const { upgraded, version } = await run.context.manager.process.upgrade({ signal: run.deadline.signal });
    return { id: version, outputs: { upgraded, version } };
  },
});
