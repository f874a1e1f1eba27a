import { kind, triggers } from "../../declaration/kind";
import { flag, text } from "../../declaration/property";

export const managerUpgrade = kind("ManagerUpgrade", {
  says: "Installs the newest version of the local Proxy Manager, if it is newer than the one that runs. The new version runs from the manager's next start on: see `ManagerRestart`. There is no way back to the version before.",
  brief: "installs the latest Proxy Manager",
  service: "manager",
  isAction: true,
  id: { says: "Version that was installed.", example: "1.570.247" },
  endpoints: ["GET /api/last_version", "POST /api/upgrade"],
  timeouts: { create: 900, read: 60, update: 60, delete: 60 },
  inputs: { triggers: triggers() },
  outputs: {
    upgraded: flag({ says: "Whether a newer version was installed.", required: true }),
    version: text({ says: "The newest version.", example: "1.570.247", required: true }),
  },
  fails: "the manager cannot reach its vendor, or cannot install the version",
  example: `const upgrade = new brightdata.ManagerUpgrade("upgrade", { triggers: ["2026-05"] });
new brightdata.ManagerRestart("restart", { triggers: [upgrade.version] });`,
});
