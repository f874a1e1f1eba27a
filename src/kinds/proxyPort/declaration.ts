import { isObject } from "../../base/json";
import { kind } from "../../declaration/kind";
import { flag, list, text } from "../../declaration/property";
import { excluding, type Rule } from "../../declaration/rules";
import { IDLE_TIME, LEAST_IDLE_MS } from "../../model/idleTime";
import { listenPort, portFields } from "../../model/portFields";
import { HIGHEST_PORT, lastPort } from "../../model/portRange";
import { portSettings } from "../../model/portSettings";

const multipliedFor = (flag: string, list: string, what: string): Rule => ({
  reads: [flag, list],
  failure: ({ [flag]: isMultiplied, [list]: values }) =>
    isMultiplied === true && (!Array.isArray(values) || values.length === 0)
      ? `\`${flag}\` is true without \`${list}\`: give the ${what} that the port is to be multiplied for.`
      : undefined,
});

const inMilliseconds: Rule = {
  reads: ["socketInactivityTimeout"],
  failure: ({ socketInactivityTimeout: given }) =>
    typeof given === "number" && given > 0 && given < LEAST_IDLE_MS
      ? `\`socketInactivityTimeout\` is ${given}: ${IDLE_TIME.slice(0, -1)}, or 0 for no limit. Sooner, pages end before they have begun.`
      : undefined,
};

const codeOfItsKind: Rule = {
  reads: ["rules"],
  failure: ({ rules }) => {
    const index = Array.isArray(rules)
      ? rules.findIndex((rule) => isObject(rule) && (rule.triggerCode ?? rule.trigger_code) !== undefined && !rule.type)
      : -1;
    return index < 0
      ? undefined
      : `\`rules[${index}]\` has \`triggerCode\` without \`type\`: the manager would apply it to every request.`;
  },
};

const withinPorts: Rule = {
  reads: ["port", "multiply"],
  failure: (inputs) =>
    lastPort(inputs) > HIGHEST_PORT && Number(inputs.port) <= HIGHEST_PORT
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
    "GET /api/defaults",
    "GET /api/proxies",
    "POST /api/proxies",
    "GET /api/proxies/{PORT}",
    "PUT /api/proxies/{PORT}",
    "POST /api/proxies/delete",
    "GET /api/general_logs",
  ],
  timeouts: { create: 120, read: 60, update: 60, delete: 60 },
  inputs: portFields,
  extends: portSettings,
  outputs: {
    listenPort,
    mark: text({ hidden: true }),
    bears: text({ hidden: true }),
    marked: flag({ hidden: true }),
    unsettled: list(text({}), { hidden: true }),
  },
  adopts:
    "Takes over a port of that number that is configured already, instead of failing. Destroying the resource then deletes that port.",
  rules: [
    multipliedFor("multiplyUsers", "users", "users"),
    multipliedFor("multiplyIps", "ips", "IPs"),
    multipliedFor("multiplyVips", "vips", "gIPs"),
    inMilliseconds,
    codeOfItsKind,
    excluding("ip", "vip", "a port leaves by one of them."),
    withinPorts,
  ],
  announced: ["port", "multiply"],
  namedBy: "port",
  isSparse: true,
  fails:
    "the number is in use (see {@link ProxyPortArgs.adopt}), when the manager does not know the zone, or when it is not logged in",
  example: `const port = new brightdata.ProxyPort("us", { zone: zone.name, country: "us" });
export const url = pulumi.interpolate\`http://127.0.0.1:\${port.listenPort}\`;`,
});
