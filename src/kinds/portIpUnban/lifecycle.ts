import { z } from "zod";
import { sameJson } from "../../declaration/values";
import { BrightDataError, NotFoundError } from "../../errors";
import type { JsonObject } from "../../json";
import type { Run } from "../../lifecycle/lifecycle";
import { action, triggersSchema } from "../../lifecycle/oldAction";
import { timeoutsSchema } from "../../lifecycle/oldCheck";
import { isUnsettled, settleSignal } from "../../lifecycle/settle";
import type { Ban } from "../../manager/bans";
import { bannableIp, bannableSchema, domainSchema, portSchema } from "../bannedIp/bannable";

/** Lifts bans on a port once. */
export const portIpUnban = action({
  timeouts: { create: 60, read: 60, update: 60, delete: 60 },
  checks: {
    schema: z.strictObject({
      port: portSchema,
      ip: bannableSchema.optional(),
      domain: domainSchema.optional(),
      triggers: triggersSchema,
      timeouts: timeoutsSchema,
    }),
    properties: {
      "": ["port", "ip", "domain", "triggers", "timeouts"],
      timeouts: ["create", "read", "update", "delete"],
    },
    rules: [
      {
        reads: ["ip", "domain"],
        failure: ({ ip, domain }) =>
          domain !== undefined && ip === undefined
            ? "`domain` is given without `ip`: the manager lifts the bans of a port all together, or one by one."
            : undefined,
      },
    ],
  },

  announce({ port, ip }) {
    const what = ip === undefined ? "all bans" : `the ban of ${typeof ip === "string" ? ip : "an IP"}`;
    return `the update will lift ${what} on ${typeof port === "number" ? `port ${port}` : "a port"}.`;
  },

  async perform(inputs, run) {
    const port = inputs.port as number;
    const { bans } = run.context.manager;
    const meant = (await bans.list(port, { signal: run.deadline.signal })).filter((ban) => isMeant(ban, inputs));
    let failed: unknown;
    try {
      await lift(port, inputs, run);
    } catch (error) {
      if (!(error instanceof NotFoundError) && !isUnsettled(error, run)) throw error;
      failed = error;
    } finally {
      run.context.bans(port).forget();
    }
    const now = await bans.list(port, { signal: settleSignal() });
    if (now.some((ban) => meant.some((lifted) => sameJson(lifted, ban)))) {
      throw failed ?? new BrightDataError(`The Proxy Manager was to lift bans on port ${port}, and still lists them.`);
    }
    return { id: String(port), outputs: { lifted: meant } };
  },
});

async function lift(port: number, { ip, domain }: JsonObject, run: Run): Promise<void> {
  const { bans } = run.context.manager;
  const options = { signal: run.deadline.signal };
  if (ip === undefined) await bans.removeAll(port, options);
  else
    await bans.remove(port, { ip: bannableIp(ip as string) as string, domain: domain as string | undefined }, options);
}

const isMeant = (ban: Ban, { ip, domain }: JsonObject): boolean =>
  ip === undefined || (ban.ip === bannableIp(ip as string) && sameJson(ban.domain, domain));
