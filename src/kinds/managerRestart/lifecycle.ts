import { BrightDataError } from "../../base/errors";
import { action } from "../../lifecycle/action";
import { EndedError } from "../../lifecycle/deadline";
import { managerRestart } from "./declaration";

// Longer than any operation may take: its own deadline says when to give up, and which argument allows more.
const FOREVER_SECONDS = 2 * 86_400;

export const managerRestartLifecycle = action(managerRestart, {
  announce: () =>
    "the update will restart the Proxy Manager: it is down for some seconds, connections through its ports are cut, and sessions and banned IPs are lost.",

  async perform(_inputs, { context, deadline, journal, say }) {
    const { process, versions } = context.manager;
    if (journal?.unfinished !== undefined) {
      say?.("an update that was cut short may have restarted the Proxy Manager already: it is restarted once more.");
    }
    await journal?.begin({});
    try {
      await deadline.wait("waiting for the Proxy Manager to be back from its restart", (signal) =>
        process.restart({ signal, wait: FOREVER_SECONDS }),
      );
    } catch (error) {
      if (!(error instanceof EndedError)) {
        journal?.forget();
        throw error;
      }
      throw new BrightDataError(
        `${error.message} It may have restarted, or not come back: the next \`pulumi up\` restarts it once more.`,
        { cause: error },
      );
    } finally {
      context.forgetManager();
    }
    const { version } = await versions.running(deadline);
    return { id: version, outputs: { version } };
  },
});
