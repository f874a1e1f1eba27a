import { kind, triggers } from "../../declaration/kind";
import { text } from "../../declaration/property";
import { portNumber } from "../proxyPort/properties";

export const portSessionRefresh = kind("PortSessionRefresh", {
  says: "Gives a port of the local Proxy Manager another session, and with it other IPs. A port that has a `session` of its own keeps that.",
  brief: "starts a new session on a port",
  service: "manager",
  isAction: true,
  id: { says: "Number of the port.", example: "24000" },
  endpoints: ["POST /api/refresh_sessions/{PORT}"],
  timeouts: 60,
  inputs: { port: portNumber({ says: "Number of the port.", required: true, example: 24_000 }), triggers: triggers() },
  outputs: {
    sessionId: text({
      says: "Id of the new session, such as `24000_3`. Absent for a port with `rotateSession`, which takes a new session each time.",
    }),
  },
  fails: "there is no such port",
  example: `new brightdata.PortSessionRefresh("monthly", { port: port.port, triggers: ["2026-05"] });`,
});
