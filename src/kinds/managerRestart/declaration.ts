import { kind, triggers } from "../../declaration/kind";
import { text } from "../../declaration/property";

export const managerRestart = kind("ManagerRestart", {
  says: "Restarts the local Proxy Manager and waits until it is back, which takes about seven seconds. Connections through its ports are cut; sessions and banned IPs are lost.",
  brief: "restarts the Proxy Manager and waits until it is back",
  service: "manager",
  isAction: true,
  id: { says: "Version that has run since the restart.", example: "1.570.247" },
  endpoints: ["POST /api/restart", "GET /api/version"],
  timeouts: { create: 120, read: 60, update: 60, delete: 60 },
  inputs: { triggers: triggers() },
  outputs: { version: text({ says: "The version that runs since the restart.", required: true }) },
  fails: "the manager does not come back in time",
  example: `new brightdata.ManagerRestart("restart", { triggers: [upgrade.version] });`,
});
