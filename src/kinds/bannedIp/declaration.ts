import { kind } from "../../declaration/kind";
import { count, flag, list, text } from "../../declaration/property";
import { excluding } from "../../declaration/rules";
import { LONGEST_BAN_MS } from "../../model/ban";
import { portNumber } from "../proxyPort/properties";
import { hostOfBan, ipOfBan } from "./properties";

export const bannedIp = kind("BannedIp", {
  says: "An IP that ports of the local Proxy Manager do not use: a request that would leave by it takes another. The manager keeps bans in memory; after a restart they are gone, and the next update after a refresh puts them back.",
  brief: "an IP that ports must not use, for a while or for good",
  service: "manager",
  id: {
    says: "The IP, and the host if the ban is for one.",
    example: "203.0.113.7/example.com",
    pattern: /^(?:[\da-f]*[.:][\da-f.:]*|\w[\da-f]{32})(\/[^/]+)?$/i,
  },
  endpoints: [
    "POST /api/proxies/{PORT}/banip",
    "GET /api/banlist/{PORT}?full=true",
    "POST /api/proxies/{PORT}/unbanip",
    "GET /api/proxies",
    "GET /api/proxies_running",
  ],
  timeouts: 60,
  inputs: {
    ip: ipOfBan({
      says: "IPv4 address, or the 33 characters by which the service hides one.",
      required: true,
      replaces: true,
      compares: "address",
      example: "203.0.113.7",
    }),
    domain: hostOfBan({
      says: "Host that the IP is not used for, in lower case.",
      defaultSays: "every host",
      replaces: true,
      example: "example.com",
    }),
    port: portNumber({
      says: "Number of the one port that does not use the IP. Excludes `ports`.",
      defaultSays: "see `ports`",
      example: 24_000,
    }),
    ports: list(portNumber({}), {
      says: "Numbers of the ports that do not use the IP.",
      expected: "expected a list of port numbers.",
      least: 1,
      tooFew: "expected one or more ports; leave it out for every port.",
      defaultSays:
        "every port that listens when the ban is created, including the drop-in port; not those created later",
      compares: "set",
      known: true,
      isVolatile: true,
      outputSays: "Numbers of the ports that the ban is for.",
    }),
    durationMs: count({
      says: "How long the ban lasts from its creation on, at most 2147483647 (nearly 25 days).",
      unit: "milliseconds",
      least: 1,
      most: LONGEST_BAN_MS,
      expected: `expected whole milliseconds from 1 to ${LONGEST_BAN_MS} (nearly 25 days: beyond that the manager lifts a ban at once). Leave it out for a ban without end.`,
      defaultSays: "no end",
      onChange: "the ban starts again",
    }),
    renew: flag({
      says: "Whether a ban that has run out starts again with the next update after a refresh. Needs `durationMs`.",
      default: false,
    }),
  },
  outputs: {
    until: text({
      says: "When the ban ends, in ISO 8601. If several ports have it, the latest of their ends.",
      isVolatile: true,
    }),
    expired: flag({ says: "`true` if the ban has run out, as of the last refresh.", isVolatile: true }),
    missingOn: list(portNumber({}), {
      says: "Numbers of the ports that the last refresh found without the ban. The next update puts it back there.",
      isVolatile: true,
    }),
  },
  rules: [
    excluding("port", "ports", "give one, or neither for every port."),
    {
      reads: ["renew", "durationMs"],
      failure: ({ renew, durationMs }) =>
        renew === true && durationMs === undefined
          ? "`renew` is true without `durationMs`: a ban without end never runs out. Leave it out."
          : undefined,
    },
  ],
  announced: ["ip", "domain", "port", "ports"],
  takesOver: true,
  namedBy: "always",
  fails: "a port does not exist",
  example: `new brightdata.BannedIp("blocked", { ip: "203.0.113.7", domain: "example.com", port: port.port });`,
});
