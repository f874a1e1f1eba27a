import { ProxyPort } from "pulumi-brightdata";
import { ports } from "../ports";

for (const port of ports) new ProxyPort(`port-${port.port}`, port);
