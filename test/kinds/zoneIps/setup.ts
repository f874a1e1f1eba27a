import type { JsonObject } from "../../../src/base/json";
import { zoneIpsLifecycle as zoneIps } from "../../../src/kinds/zoneIps/lifecycle";
import { declaredIn, forgetRequests, type Stage, stage } from "../../lifecycle/harness";

export const INPUTS: JsonObject = { zone: "web", count: 3 };

export type ZoneRecord = ReturnType<Stage["account"]["addZone"]>;

/** A stage with the zones `web`, which has two IPs, and `homes`, which has three gIPs. */
export async function zones(): Promise<Stage & { web: ZoneRecord; homes: ZoneRecord; first: string[] }> {
  const scene = await stage();
  const web = scene.account.addZone("web", { type: "static", ips: 2 });
  const homes = scene.account.addZone("homes", { type: "resident", vips_type: "domain", vip: true, vips: 3 });
  return Object.assign(scene, { web, homes, first: ipsOf(web) });
}

export const ipsOf = ({ allocatedIps }: ZoneRecord): string[] => allocatedIps.map(({ ip }) => ip);

/** The state with these IPs of a zone; the others that the zone has are remembered. */
export const withIps = ({ web }: { web: ZoneRecord }, inputs: JsonObject, ips: string[]): JsonObject => ({
  ...inputs,
  ips,
  others: ipsOf(web).filter((ip) => !ips.includes(ip)),
});

export const listOf = (state: JsonObject): string[] => state.ips as string[];

export const update = (scene: Stage, id: string, state: JsonObject, inputs: JsonObject) =>
  zoneIps.update(id, state, declaredIn(INPUTS), inputs, scene.step());

export const bodyOf = ({ remote }: Stage, method: string): unknown =>
  remote.service.requests.find((request) => request.method === method)?.body;

export async function created(scene: Stage, inputs: JsonObject = INPUTS): Promise<{ id: string; state: JsonObject }> {
  const made = await zoneIps.create(inputs, scene.step());
  forgetRequests(scene);
  return made;
}
