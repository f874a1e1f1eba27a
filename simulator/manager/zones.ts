import { type Answer, json } from "../service";
import type { Routes } from "./route";
import type { ManagerState } from "./state";
import { REFRESH_COST } from "./zoneList";

/** The account's zones, disabled ones and all passwords included. */
export const zoneRoutes: Routes = { "GET /zones": list };

function list(state: ManagerState): Answer {
  state.zones.countRead();
  const zones = state.zones.all().map((zone) => ({ ...zone, refresh_cost: REFRESH_COST }));
  return json({ zones, def: state.settings.zone });
}
