import type { JsonObject } from "../../base/json";
import type { Step } from "../../lifecycle/lifecycle";
import { pick } from "../../lifecycle/paths";
import { type ConfiguredPort, INHERITED_NUMBERS } from "../../manager/portFields";
import { portThing } from "../shared/things";

/**
 * The manager makes every port run with such a setting at once, also one with a number of its own: that one is sent again.
 *
 * @throws {EndedError} where the operation ends before
 */
export async function restoreOwnNumbers(change: JsonObject, step: Step): Promise<void> {
  const { context, deadline, say } = step;
  const { ports, settings } = context.manager;
  const changed = INHERITED_NUMBERS.filter((name) => change[name] !== undefined);
  if (changed.length === 0) return;
  const names = changed.map((name) => `\`${name}\``).join(" and ");
  const tell = (which: string) => (error: Error) => {
    deadline.requireGoing(`before ${which} was given its own ${names} back`);
    say?.(`${which} may run with the manager's ${names} instead of its own: ${error.message} Restart the manager.`);
  };
  const isOverridden = (port: ConfiguredPort) =>
    port.proxyType === "persist" && changed.some((name) => port[name] !== undefined && port[name] !== change[name]);
  const overridden = async () => (await ports.list(deadline)).filter(isOverridden);
  const restore = async () => {
    const own = await overridden();
    // Without a zone in the request, a port that has none of its own would run with none at all.
    const zone = own.every((live) => live.zone) ? undefined : (await settings.get(deadline)).zone;
    for (const live of own) {
      const { port } = live;
      const fields = pick({ ...live, zone: live.zone || zone }, ["zone", "ips", "vips", ...changed]);
      await ports.update(port, fields, deadline).catch(tell(`port ${port}`));
      context.ports.drop(port);
    }
  };
  const found = await overridden().catch(tell("each port"));
  if (!found?.length) return;
  // Not while an update of such a port is under way.
  const keys = found.map(({ port }) => `change of ${portThing(port)}`);
  await context.alone(keys, restore).catch(tell("each port"));
}
