import { save } from "./configFile";
import { CREDENTIAL_FIELDS } from "./fields";
import type { PortRecord } from "./portRecord";
import { isUnblocker } from "./ports";
import { accountIds, type ManagerState } from "./state";
import { GB_COST } from "./zoneList";

/**
 * Does what the manager does once it has, or no longer has, an account: takes the account's names and zones, and puts
 * them into the ports.
 */
export function logIn(state: ManagerState): void {
  const { settings } = state;
  const customer = settings.lpm_token?.split("|")[1];
  if (customer) settings.customer = customer;
  if (!settings.customer) {
    state.zones.reset();
    state.loggedIn = false;
    return;
  }
  if (!state.vendorReachable) {
    state.loggedIn = undefined;
    return;
  }
  Object.assign(settings, accountIds(settings.customer));
  state.loggedIn = true;
  state.zones.pull();
  applyZones(state);
}

/** Empties the credentials of the manager and of its ports. The ports stay. */
export function logOut(state: ManagerState): void {
  for (const field of CREDENTIAL_FIELDS) state.settings[field] = "";
  for (const record of state.records) for (const field of CREDENTIAL_FIELDS) delete record[field];
  save(state);
  logIn(state);
}

/** Takes the zones that the vendor sends whenever they change. Every call begins with it. */
export function receiveZones(state: ManagerState): void {
  if (state.loggedIn && state.vendorReachable && state.zones.pull()) applyZones(state);
}

function applyZones(state: ManagerState): void {
  const zones = state.zones.all();
  const { settings } = state;
  settings.zones = state.zones.withSecrets();
  if (!settings.password && zones[0]?.password !== undefined) settings.password = zones[0].password;
  const enabled = zones.filter((zone) => !zone.plan.disable);
  if (!enabled.some((zone) => zone.name === settings.zone)) {
    if (enabled[0] === undefined) delete settings.zone;
    else settings.zone = enabled[0].name;
  }
  for (const record of state.records) if (state.zones.find(record.zone) === undefined) delete record.zone;
  save(state);
  for (const record of state.records) completeRecord(state, record);
}

/** A port without a zone gets the default one, and every port what the account says of its zone. */
function completeRecord(state: ManagerState, record: PortRecord): void {
  const { settings } = state;
  for (const field of ["account_id", "customer", "customer_id", "zone"]) record[field] ||= settings[field];
  const zone = state.zones.find(record.zone);
  if (zone === undefined) return;
  Object.assign(record, {
    password: zone.password || record.password,
    gb_cost: GB_COST,
    mobile: Boolean(zone.plan.mobile),
    unblock: isUnblocker(zone.plan),
  });
  if (record.unblock) record.ssl = true;
  Object.assign(state.running.get(String(record.port))?.config ?? {}, record);
}
