import { ProxyPort } from "pulumi-brightdata/native";
import { fleet, ports } from "../ports";

for (const [index, port] of ports.entries()) {
  new ProxyPort(`port-${port.port}`, { ...port, ...fleet[index % fleet.length] });
}
