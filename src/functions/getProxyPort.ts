import { NotFoundError } from "../base/errors";
import { withoutCredentials } from "../kinds/proxyPort/description";
import { managerLookup } from "../lookups/lookup";
import { port } from "../model/port";
import { portDescription } from "../model/portFields";
import { NO_PORT_NUMBER } from "./failures";

export const getProxyPort = managerLookup("getProxyPort", {
  says: "Looks up a port of the Proxy Manager as it is configured. Fields that contain credentials are omitted.",
  brief: "one configured proxy port",
  endpoints: ["GET /api/proxies/{PORT}"],
  arguments: { port: port() },
  gives: portDescription.says,
  result: portDescription.properties,
  fails: [
    ["NotFoundError", "no port is configured under that number; `getRunningPorts` lists those that `multiply` created"],
    NO_PORT_NUMBER,
  ],
  example: "const { zone, whitelistIps = [] } = await brightdata.getProxyPort({ port: 24000 });",
  outputExample: `const port = brightdata.getProxyPortOutput({ port: 24000 });
export const zone = port.apply(({ zone }) => zone);
export const allowed = port.apply(({ whitelistIps = [] }) => whitelistIps);`,
  notes:
    "`whitelistIps` includes the addresses of the manager's own lists, because the manager adds them to every port.",
  async ask(client, { port }, options) {
    const found = await client.ports.get(port, options);
    if (found !== undefined) return withoutCredentials(found);
    throw new NotFoundError(
      {
        service: "manager",
        operation: `read proxy port ${port}`,
        method: "GET",
        url: `${client.url}/api/proxies/${port}`,
      },
      // The manager's own answer, which the client takes for "none".
      { status: 400, message: "invalid port number", remedy: "`getProxyPorts` lists the ports that are declared." },
    );
  },
});
