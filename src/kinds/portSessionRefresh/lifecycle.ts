import { action } from "../../lifecycle/action";
import { portSessionRefresh } from "./declaration";

export const portSessionRefreshLifecycle = action(portSessionRefresh, {
  announce: ({ port }) =>
    `the update will give ${typeof port === "number" ? `port ${port}` : "a port"} another session, and with it other IPs.`,

  async perform({ port }, run) {
    const sessionId = await run.context.manager.sessions.refresh(port, { signal: run.deadline.signal });
    return { id: String(port), outputs: sessionId === undefined ? {} : { sessionId } };
  },
});
