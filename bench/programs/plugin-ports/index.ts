import { ProxyPorts } from "pulumi-brightdata/native";
import { fleet, ports } from "../ports";

for (const [place, connection] of fleet.entries()) {
  const own = ports.filter((_, index) => index % fleet.length === place);
  if (own.length === 0) continue;
  const declared = own.map(({ port, country }) => [`port-${port}`, { port, country }]);
  new ProxyPorts(`set-${place}`, { ports: Object.fromEntries(declared), defaults: { zone: "bench" }, ...connection });
}
