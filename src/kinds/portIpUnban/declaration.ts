import { kind, triggers } from "../../declaration/kind";
import { list, object, text } from "../../declaration/property";
import { needing } from "../../declaration/rules";
import { hostOfBan, ipOfBan } from "../bannedIp/properties";
import { portNumber } from "../proxyPort/properties";

export const portIpUnban = kind("PortIpUnban", {
  says: "Lifts the ban of one IP, or all bans, on a port of the local Proxy Manager. A ban that a `BannedIp` declares comes back with the next refresh and update.",
  brief: "lifts bans on a port",
  service: "manager",
  isAction: true,
  id: { says: "Number of the port.", example: "24000" },
  endpoints: [
    "POST /api/proxies/{PORT}/unbanip",
    "POST /api/proxies/{PORT}/unbanips",
    "GET /api/banlist/{PORT}?full=true",
  ],
  timeouts: 60,
  inputs: {
    port: portNumber({ says: "Number of the port.", required: true, example: 24_000 }),
    ip: ipOfBan({ says: "IP whose ban is lifted.", defaultSays: "all bans of the port", example: "203.0.113.7" }),
    domain: hostOfBan({
      says: "Host that the ban is for. Needs `ip`.",
      defaultSays: "the ban for every host",
      example: "example.com",
    }),
    triggers: triggers(),
  },
  outputs: {
    lifted: list(
      object(
        {
          ip: text({ says: "IP that was banned.", required: true }),
          domain: text({ says: "Host that the ban was for; every host when absent." }),
          until: text({ says: "When the ban would have ended, in ISO 8601." }),
        },
        { named: "LiftedBan", says: "A ban that was lifted." },
      ),
      { says: "The bans that were lifted; empty when there were none.", required: true },
    ),
  },
  rules: [needing("domain", "ip", "the manager lifts the bans of a port all together, or one by one.")],
  fails: "there is no such port",
  example: `new brightdata.PortIpUnban("monthly", { port: port.port, triggers: ["2026-05"] });`,
});
