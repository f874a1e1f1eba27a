import { BrightDataError, NotFoundError } from "../../base/errors";
import { bannableIp } from "../../declaration/formats";
import { sameJson } from "../../declaration/values";
import { action } from "../../lifecycle/action";
import { lossOf, mayBeGone, settleSignal } from "../../lifecycle/settle";
import { portInWords } from "../proxyPort/properties";
import { portIpUnban } from "./declaration";

/** How often bans are lifted that are still listed: a process of the manager may have told late that one has begun. */
const TRIES = 4;

export const portIpUnbanLifecycle = action(portIpUnban, {
  announce({ port, ip }) {
    const what = ip === undefined ? "all bans" : `the ban of ${typeof ip === "string" ? ip : "an IP"}`;
    return `the update will lift ${what} on ${portInWords(port)}.`;
  },

  async perform({ port, ip, domain }, step) {
    const { context, deadline } = step;
    const { bans } = context.manager;
    const there = await bans.list(port, deadline);
    const meant = there.filter((ban) => ip === undefined || (ban.ip === bannableIp(ip) && ban.domain === domain));
    const lift = () =>
      ip === undefined ? bans.removeAll(port, deadline) : bans.remove(port, { ip, domain }, deadline);
    for (let tries = 1; ; tries++) {
      const lost = await lossOf(lift(), step, mayBeGone).finally(() => context.bans(port).forget());
      const now = await bans.list(port, { signal: settleSignal() });
      if (!now.some((ban) => meant.some((lifted) => sameJson(lifted, ban)))) {
        return { id: String(port), outputs: { lifted: meant } };
      }
      const isAgain = lost === undefined || lost instanceof NotFoundError;
      if (!isAgain || tries === TRIES) {
        throw lost ?? new BrightDataError(`The Proxy Manager was to lift bans on port ${port}, and still lists them.`);
      }
    }
  },
});
