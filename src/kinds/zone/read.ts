import type { Run } from "../../lifecycle/lifecycle";

/** Names of the zones that the account has. */
export async function zoneNames({ context, deadline }: Run): Promise<string[]> {
  const zones = await context.zones.get(deadline.signal);
  return zones.flatMap(({ name, status }) => (status === "deleted" ? [] : [name]));
}
