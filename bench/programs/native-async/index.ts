import { Port } from "../noop";
import { ports } from "../ports";

/** The engine keeps the stack of calls that leads to each resource: after an `await` it is short. */
async function declare(): Promise<void> {
  await undefined;
  for (const port of ports) new Port(`port-${port.port}`, port);
}

void declare();
