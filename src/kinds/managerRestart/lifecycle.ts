import { unless } from "../../base/cause";
import { BrightDataError, ConnectionError, ServerError } from "../../base/errors";
import { action } from "../../lifecycle/action";
import { EndedError } from "../../lifecycle/deadline";
import type { Step } from "../../lifecycle/lifecycle";
import { managerRestart } from "./declaration";

// Longer than any operation may take: its own deadline says when to give up, and which argument allows more.
const FOREVER_SECONDS = 2 * 86_400;

/** How long a manager may take that is starting: one that was upgraded as a daemon restarts by itself. */
const STARTING_SECONDS = 20;

export const managerRestartLifecycle = action(managerRestart, {
  announce: () =>
    "the update will restart the Proxy Manager: it is down for some seconds, connections through its ports are cut, and sessions and banned IPs are lost.",

  async perform(_inputs, step) {
    const { context, deadline, journal, say } = step;
    const { process, versions } = context.manager;
    if (journal?.unfinished !== undefined) {
      say?.("an update that was cut short may have restarted the Proxy Manager already: it is restarted once more.");
    }
    await journal?.begin({});
    const restart = () =>
      deadline.wait("waiting for the Proxy Manager to be back from its restart", (signal) =>
        process.restart({ signal, wait: FOREVER_SECONDS }),
      );
    try {
      await restart().catch(async (refusal: unknown) => {
        await untilStarted(refusal, step);
        await restart();
      });
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

/** @throws what a restart has failed with, unless nobody answered, or a proxy in between, and the manager does soon */
async function untilStarted(refusal: unknown, { context, deadline }: Step): Promise<void> {
  const isDown = unless(ConnectionError, ServerError);
  isDown(refusal);
  const answer = (part: typeof deadline) => () => context.manager.versions.running(part).catch(isDown);
  const poll = (part: typeof deadline) => part.poll("waiting for the Proxy Manager to start", answer(part));
  await deadline.within(STARTING_SECONDS, poll).catch(() => {
    throw refusal;
  });
}
