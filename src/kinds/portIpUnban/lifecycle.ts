import { BrightDataError, NotFoundError } from "../../base/errors";
import { bannableIp } from "../../declaration/formats";
import type { InputsOf } from "../../declaration/kind";
import { sameJson } from "../../declaration/values";
import { action } from "../../lifecycle/action";
import type { Run } from "../../lifecycle/lifecycle";
import { isUnsettled, settleSignal } from "../../lifecycle/settle";
import type { Ban } from "../../model/ban";
import { portIpUnban } from "./declaration";

type Inputs = InputsOf<typeof portIpUnban>;

export const portIpUnbanLifecycle = action(portIpUnban, {
  announce({ port, ip }) {
    const what = ip === undefined ? "all bans" : `the ban of ${typeof ip === "string" ? ip : "an IP"}`;
    return `the update will lift ${what} on ${typeof port === "number" ? `port ${port}` : "a port"}.`;
  },

  async perform(inputs, run) {
    const { port } = inputs;
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

async function lift(port: number, { ip, domain }: Inputs, run: Run): Promise<void> {
  const { bans } = run.context.manager;
  const options = { signal: run.deadline.signal };
  if (ip === undefined) await bans.removeAll(port, options);
  else await bans.remove(port, { ip, domain }, options);
}

const isMeant = (ban: Ban, { ip, domain }: Inputs): boolean =>
  ip === undefined || (ban.ip === bannableIp(ip) && ban.domain === domain);
