import type { Step } from "../../lifecycle/lifecycle";
import { namesIn } from "../../remote/zoneList";

export const zoneNames = async ({ context, deadline }: Step): Promise<string[]> =>
  namesIn(await context.zones.get(deadline.signal));
