import { count, list, object, text } from "../declaration/property";
import { withoutCredentials } from "../kinds/proxyPort/description";
import { managerLookup } from "../lookups/lookup";
import { portDescription } from "../model/portFields";

const runningPort = object(
  {
    ...portDescription.properties,
    masterPort: count({ says: "Of a port that `multiply` created: the number of the one that declares it." }),
    status: text({
      says: "The result of the last status check, or `ok` for a request that has passed since.",
    }),
  },
  {
    named: "RunningPortDescription",
    extends: portDescription,
    says: `A port that is listening. ${portDescription.says}`,
  },
);

export const getRunningPorts = managerLookup("getRunningPorts", {
  says: "Lists the ports of the Proxy Manager that are listening, with their effective settings where these differ from the configured ones. Fields that contain credentials are omitted.",
  brief: "the ports that are listening, with their effective settings",
  endpoints: ["GET /api/proxies_running"],
  gives: "The ports of the Proxy Manager that are listening.",
  result: {
    ports: list(runningPort, {
      says: "The ports by number, including those that `multiply` created, but not the manager's own drop-in port.",
      required: true,
    }),
  },
  example: `const { ports } = await brightdata.getRunningPorts();
const numbers = ports.map(({ port }) => port);`,
  outputExample: `const { ports } = brightdata.getRunningPortsOutput();
export const numbers = ports.apply((all) => all.map(({ port }) => port));`,
  notes:
    "Effective values are given for `proxyType`, `ip`, `vip`, `user`, `dns`, `zone`, `tlsLib`, `routeErr` and `proxyConnectionType`; the manager does not fill in the defaults of other fields.",
  async ask({ ports }, _, options) {
    return { ports: (await ports.running(options)).map(withoutCredentials) };
  },
});
