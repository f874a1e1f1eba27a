import { BrightDataError, RequestError } from "../../base/errors";
import { action } from "../../lifecycle/action";
import { EndedError } from "../../lifecycle/deadline";
import { managerUpgrade } from "./declaration";

export const managerUpgradeLifecycle = action(managerUpgrade, {
  announce: () =>
    "the update will install the newest version of the Proxy Manager, if that is newer than the one it has; it runs from the manager's next start on.",

  async perform(_inputs, { context, deadline, journal, say }) {
    if (journal?.unfinished !== undefined) {
      say?.("an update that was cut short may have installed a version of the Proxy Manager already.");
    }
    await journal?.begin({});
    try {
      const doing = "waiting for the Proxy Manager to install its newest version";
      const { upgraded, version } = await deadline.wait(doing, (signal) => context.manager.process.upgrade({ signal }));
      return { id: version, outputs: { upgraded, version } };
    } catch (error) {
      const isLost = error instanceof RequestError && error.method === "POST" && !error.settled;
      if (!isLost && !(error instanceof EndedError)) {
        journal?.forget();
        throw error;
      }
      throw new BrightDataError(
        `${error.message} Whether a version was installed is not known. The next \`pulumi up\` asks for the newest one again, and installs it if it is newer than the one that runs.`,
        { cause: error },
      );
    }
  },
});
