import { kind } from "../../declaration/kind";
import { flag, text } from "../../declaration/property";
import { excluding, type Rule } from "../../declaration/rules";
import { listenPort, portFields } from "../../model/portFields";
import { HIGHEST_PORT, lastPort } from "../../model/portRange";
import { portSettings } from "../../model/portSettings";

const usersOfMultiplied: Rule = {
  reads: ["multiplyUsers", "users"],
  failure: ({ multiplyUsers, users }) =>
    multiplyUsers === true && (!Array.isArray(users) || users.length === 0)
      ? "`multiplyUsers` is true without `users`: give the users that the port is to be multiplied for."
      : undefined,
};

const withinPorts: Rule = {
  reads: ["port", "multiply"],
  failure: (inputs) =>
    lastPort(inputs) > HIGHEST_PORT
      ? `\`multiply\` is ${inputs.multiply}: the ports from ${inputs.port} on would go beyond ${HIGHEST_PORT}, the last there is.`
      : undefined,
};

export const proxyPort = kind("ProxyPort", {
  says: "A port of the local Proxy Manager: clients send their requests to it, and it sends them on through a zone. The outputs hold what the program declared, with the values that the manager has; what was not declared is `undefined`, whatever default the manager has for it.",
  brief: "a port of the local Proxy Manager",
  service: "manager",
  id: { says: "Number of the port.", example: "24000" },
  endpoints: [
    "GET /api/mode",
    "GET /api/zones",
    "GET /api/settings",
    "GET /api/proxies",
    "POST /api/proxies",
    "GET /api/proxies/{PORT}",
    "PUT /api/proxies/{PORT}",
    "POST /api/proxies/delete",
  ],
  timeouts: { create: 120, read: 60, update: 60, delete: 60 },
  inputs: portFields,
  extends: portSettings,
  outputs: {
    listenPort,
    mark: text({ hidden: true }),
    bears: text({ hidden: true }),
    marked: flag({ hidden: true }),
  },
  adopts:
    "Takes over a port of that number that is configured already, instead of failing. Destroying the resource then deletes that port.",
  rules: [usersOfMultiplied, excluding("ip", "vip", "a port leaves by one of them."), withinPorts],
  announced: ["port"],
  namedBy: "port",
  isSparse: true,
  fails:
    "the number is in use (see {@link ProxyPortArgs.adopt}), when the manager does not know the zone, or when it is not logged in",
  example: `const port = new brightdata.ProxyPort("us", { zone: zone.name, country: "us" });
export const url = pulumi.interpolate\`http://127.0.0.1:\${port.listenPort}\`;`,
});
