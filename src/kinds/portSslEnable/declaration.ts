import { kind, triggers } from "../../declaration/kind";
import { portNumber } from "../proxyPort/properties";

/** Turns SSL analyzing on, once, on a port or on all that there are. The manager has no setting that does it for later ones. */
export const portSslEnable = kind("PortSslEnable", {
  says: "Turns on SSL analyzing on one port of the local Proxy Manager, or on all ports that exist at that time. Ports created later do not have it, and destroying the resource does not turn it off. On a port that the program declares, prefer its `ssl` argument.",
  brief: "enables SSL analyzing on a port, or on all ports",
  service: "manager",
  isAction: true,
  id: { says: "Number of the port, or `all`.", example: "all" },
  endpoints: ["POST /api/enable_ssl", "GET /api/proxies/{PORT}", "GET /api/proxies"],
  timeouts: { create: 150, read: 60, update: 60, delete: 60 },
  inputs: {
    port: portNumber({
      says: "Number of the port.",
      defaultSays: "all ports that exist at that time, except the drop-in port",
      example: 24_000,
    }),
    triggers: triggers(),
  },
  fails: "there is no such port",
  example: `new brightdata.PortSslEnable("analyze", { triggers: ["2026-05"] });`,
});
