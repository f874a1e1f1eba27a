import { action } from "../../lifecycle/action";
import { portInWords } from "../proxyPort/properties";
import { portSessionRefresh } from "./declaration";

export const portSessionRefreshLifecycle = action(portSessionRefresh, {
  announce: ({ port }) => `the update will give ${portInWords(port)} another session, and with it other IPs.`,

  async perform({ port }, step) {
    const sessionId = await step.context.manager.sessions.refresh(port, step.deadline);
    return { id: String(port), outputs: sessionId === undefined ? {} : { sessionId } };
  },
});
