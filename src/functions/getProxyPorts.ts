import { list } from "../declaration/property";
import { withoutCredentials } from "../kinds/proxyPort/description";
import { managerLookup } from "../lookups/lookup";
import { portDescription } from "../model/portFields";

export const getProxyPorts = managerLookup("getProxyPorts", {
  says: "Lists the configured ports of the Proxy Manager, whether or not they are listening. Fields that contain credentials are omitted.",
  brief: "the configured proxy ports",
  endpoints: ["GET /api/proxies"],
  gives: "The ports of the Proxy Manager as they are configured.",
  result: {
    ports: list(portDescription, {
      says: "The ports in the order in which they were created, including the manager's own drop-in port.",
      required: true,
    }),
  },
  example: `const { ports } = await brightdata.getProxyPorts();
const numbersOfWeb = ports.filter(({ zone }) => zone === "web").map(({ port }) => port);`,
  outputExample: `const { ports } = brightdata.getProxyPortsOutput();
export const numbersOfWeb = ports.apply((all) => all.filter(({ zone }) => zone === "web").map(({ port }) => port));`,
  async ask({ ports }, _, options) {
    return { ports: (await ports.list(options)).map(withoutCredentials) };
  },
});
