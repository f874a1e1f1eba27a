import { type Declared, isFilled } from "../declared";
import { option, policy } from "../policy";
import { portsOf } from "../ports";
import { managerOf } from "../services";

/** Whether a resource lets addresses use every port of its manager. */
const opensAllPorts = ({ kind, props }: Declared): boolean =>
  kind === "WhitelistIp" ||
  (kind === "ManagerSettings" && (isFilled(props.whitelistIps) || isFilled(props.wwwWhitelistIps)));

export const portAllowlists = policy({
  name: "port-allowlists",
  title: "Every port has an allowlist",
  says: "The program says who may use a port: by its `whitelistIps`, or for all ports of its Proxy Manager by a `WhitelistIp` or `ManagerSettings` of the stack.",
  level: "advisory",
  severity: "medium",
  remedy: "Set `whitelistIps` on the port, or in the `defaults` of the set.",
  options: {
    own: option("Whether each port must have `whitelistIps` of its own or of its set.", { type: "boolean" }, false),
  },
  ofStack(resources, { own }) {
    const managers = new Set(own ? [] : resources.filter(opensAllPorts).map(managerOf));
    return resources
      .filter((resource) => !managers.has(managerOf(resource)))
      .flatMap((resource) => {
        const bare = portsOf(resource).filter(({ setting }) => !isFilled(setting("whitelistIps")));
        if (bare.length === 0) return [];
        const [first] = bare;
        const path = `${first?.at}whitelistIps`;
        const others = bare.length > 1 ? `, and that of ${bare.length - 1} more ports of the set,` : "";
        return [
          { urn: resource.urn, message: `\`${path}\`${others} is empty: name the addresses that may use the port.` },
        ];
      });
  },
});
