import type { Run } from "../../lifecycle/lifecycle";
import { namesIn } from "../../remote/zoneList";

export const zoneNames = async ({ context, deadline }: Run): Promise<string[]> =>
  namesIn(await context.zones.get(deadline.signal));
