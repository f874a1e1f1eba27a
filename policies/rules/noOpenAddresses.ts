import { breadthOf } from "../addresses";
import { type Declared, list, object } from "../declared";
import { option, policy } from "../policy";

const PREFIX = { type: "integer", minimum: 0 } as const;

/** The addresses that a resource lets in, by the property that they stand in. */
function allowedIn({ kind, props }: Declared): readonly (readonly [path: string, entry: string])[] {
  const listed = (path: string, entries: unknown) =>
    list(entries).flatMap((entry, index) => (typeof entry === "string" ? [[`${path}[${index}]`, entry] as const] : []));
  switch (kind) {
    case "WhitelistIp":
      return typeof props.ip === "string" ? [["ip", props.ip]] : [];
    case "ManagerSettings":
      return ["wwwWhitelistIps", "whitelistIps"].flatMap((name) => listed(name, props[name]));
    case "ZoneAccess":
      return listed("allowedIps", props.allowedIps);
    case "ProxyPort":
      return listed("whitelistIps", props.whitelistIps);
    case "ProxyPorts":
      return [
        ...listed("defaults.whitelistIps", object(props.defaults).whitelistIps),
        ...Object.entries(object(props.ports)).flatMap(([key, port]) =>
          listed(`ports[${JSON.stringify(key)}].whitelistIps`, object(port).whitelistIps),
        ),
      ];
    default:
      return [];
  }
}

export const noOpenAddresses = policy({
  name: "no-open-addresses",
  title: "Nobody lets the whole internet in",
  says: "Allowlists of zones, ports and Proxy Managers hold no `0.0.0.0/0`, no `any`, and no other network that is too large.",
  level: "mandatory",
  severity: "critical",
  remedy: "Name the networks that your clients are in.",
  options: {
    shortestPrefix: option("Shortest prefix of an IPv4 network.", { ...PREFIX, maximum: 32 }, 8),
    shortestPrefixIpv6: option("The same of an IPv6 network.", { ...PREFIX, maximum: 128 }, 32),
  },
  ofResource(resource, { shortestPrefix, shortestPrefixIpv6 }) {
    return allowedIn(resource).flatMap(([path, entry]) => {
      const breadth = breadthOf(entry);
      const shortest = breadth?.version === 6 ? shortestPrefixIpv6 : shortestPrefix;
      if (breadth === undefined || breadth.prefix >= shortest) return [];
      return [
        `\`${path}\` is "${entry}": expected a network of at most a /${shortest}. Name the networks of your clients.`,
      ];
    });
  },
});
