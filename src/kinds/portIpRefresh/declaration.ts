import { kind, triggers } from "../../declaration/kind";
import { list, text } from "../../declaration/property";
import { exactlyOne } from "../../declaration/rules";
import { portNumber } from "../proxyPort/properties";

export const portIpRefresh = kind("PortIpRefresh", {
  says: "Replaces an IP or gIP of a port of the local Proxy Manager with another one. **Each replacement costs money** (the zone's refresh cost). A request whose response was lost is never sent again.",
  brief: "replaces an IP of a port. Billed",
  service: "manager",
  isAction: true,
  id: {
    says: "Number of the port, and the IP that was replaced.",
    example: "24000/203.0.113.7",
    pattern: /^\d+\/[^/]+$/,
  },
  endpoints: [
    "POST /api/refresh_ip/{PORT}",
    "GET /api/proxies/{PORT}",
    "GET /api/settings",
    "GET /api/allocated_ips",
    "GET /api/allocated_vips",
  ],
  timeouts: { create: 300, read: 60, update: 300, delete: 60 },
  inputs: {
    port: portNumber({ says: "Number of the port.", required: true, example: 24_000 }),
    ip: text({
      says: "IP to replace, of the port's zone. Excludes `vip`.",
      expected: "expected an IPv4 address.",
      must: [
        {
          format: "addressOfOne",
          expected: 'expected an IPv4 address of four octets that the port uses, such as "203.0.113.7".',
        },
      ],
      example: "203.0.113.7",
    }),
    vip: text({
      says: "Name of the gIP to replace, of the port's zone. Excludes `ip`.",
      must: [{ pattern: /./, expected: "expected the name of a gIP." }],
    }),
    triggers: triggers(),
  },
  outputs: {
    zone: text({ says: "Name of the port's zone.", required: true }),
    newIp: text({ says: "IP that replaced `ip`.", isVolatile: true }),
    newVip: text({ says: "Name of the gIP that replaced `vip`.", isVolatile: true }),
    allocatedBefore: list(text({}), {
      says: "IPs or gIPs that the zone had before. Present only as long as the outcome of the replacement is not known.",
      isVolatile: true,
    }),
  },
  rules: [exactlyOne("ip", "vip", "the IP, or the gIP, that is to be replaced.")],
  fails: "there is no such port, its zone does not have the IP, or the vendor refuses",
  example: `const fresh = new brightdata.PortIpRefresh("fresh", { port: 24000, ip: "203.0.113.7" });
export const ip = fresh.newIp;`,
});
