import { Provider, ProxyPort } from "pulumi-brightdata/native";
import { ports } from "../ports";

/** The engine starts a process for each. */
const providers = Array.from({ length: 20 }, (_, index) => new Provider(`provider-${index}`));

for (const [place, provider] of providers.entries()) {
  const own = ports.filter((_, index) => index % providers.length === place);
  for (const port of own) new ProxyPort(`port-${port.port}`, port, { provider });
}
