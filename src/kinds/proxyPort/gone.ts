import type { Step } from "../../lifecycle/lifecycle";

/** Whether no list has the port. An empty one is believed only of a manager without a drop-in port, which is always listed. */
export async function isPortGone(port: number, step: Step, signal = step.deadline.signal): Promise<boolean> {
  const { manager } = step.context;
  const [ports, { dropin }] = await Promise.all([manager.bans.everyPort({ signal }), manager.settings.get({ signal })]);
  return !ports.includes(port) && (ports.length > 0 || dropin === false);
}
