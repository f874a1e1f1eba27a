import { Port } from "../noop";
import { ports } from "../ports";

for (const port of ports) new Port(`port-${port.port}`, port);
