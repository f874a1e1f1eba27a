import type { Run } from "../../lifecycle/lifecycle";
import { forEach } from "../../lifecycle/pool";
import type { ConfiguredPort } from "../../manager/portFields";
import { ours } from "../proxyPort/lifecycle";
import { PORTS_AT_ONCE } from "./apply";
import type { PortStates } from "./state";

/**
 * The ports of a set as the manager has them; those that are left out are certainly gone. One list tells of all. A port that it
 * misses and that does not listen either is gone; what the two lists disagree about is asked for port by port, and so is
 * everything where the list is empty that always has the drop-in port.
 */
export async function observe(ports: PortStates, run: Run): Promise<Map<string, ConfiguredPort>> {
  const { manager, managerSettings } = run.context;
  const { signal } = run.deadline;
  const records = await manager.ports.list({ signal });
  const listed = new Map(records.map((record) => [record.port, record]));
  const found = new Map<number, ConfiguredPort>(listed);
  const missing = [...ports.values()].flatMap(({ port }) => (port === undefined || listed.has(port) ? [] : [port]));
  if (missing.length > 0) {
    const [running, { dropin }] = await Promise.all([manager.ports.running({ signal }), managerSettings.get(signal)]);
    const isTrusted = listed.size > 0 || dropin === false;
    const listening = new Set(running.map(({ port }) => port));
    const doubtful = missing.filter((port) => !isTrusted || listening.has(port));
    await forEach(doubtful, PORTS_AT_ONCE, async (port) => {
      const record = await manager.ports.get(port, { signal });
      if (record !== undefined) found.set(port, record);
    });
  }
  const byMark = new Map(records.filter(({ pulumiId }) => pulumiId !== undefined).map((one) => [one.pulumiId, one]));
  const present = new Map<string, ConfiguredPort>();
  for (const [key, state] of ports) {
    const { port, mark } = state;
    const record = port === undefined ? byMark.get(mark) : ours(found.get(port), state, run);
    if (record !== undefined) present.set(key, record);
  }
  return present;
}
