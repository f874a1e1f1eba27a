import type { Run } from "../../lifecycle/lifecycle";

/**
 * Whether the manager certainly has no such port: neither its list has it, nor do the ports that listen. An empty list is
 * believed only of a manager without a drop-in port, which is always listed.
 */
export async function isPortGone(port: number, run: Run, signal = run.deadline.signal): Promise<boolean> {
  const { manager } = run.context;
  const [ports, { dropin }] = await Promise.all([manager.bans.everyPort({ signal }), manager.settings.get({ signal })]);
  return !ports.includes(port) && (ports.length > 0 || dropin === false);
}
