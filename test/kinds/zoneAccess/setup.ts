import type { JsonObject } from "../../../src/base/json";
import { zoneAccessLifecycle as zoneAccess } from "../../../src/kinds/zoneAccess/lifecycle";
import type { Step } from "../../../src/lifecycle/lifecycle";
import { declaredIn, forgetRequests, type Stage, stage } from "../../lifecycle/harness";

export const OFFICE = "203.0.113.7";
export const HOME = "198.51.100.0/24";
export const INPUTS: JsonObject = { zone: "web", allowedIps: [OFFICE, HOME] };
export const ALL: JsonObject = {
  zone: "web",
  allowedIps: [OFFICE],
  deniedIps: ["203.0.113.20-203.0.113.29"],
  allowedDomains: ["example.com", "example.org"],
  deniedDomains: ["example.net"],
};

/** A stage with the zones `web` and `other`. */
export async function zones(settings: Record<string, string> = {}): Promise<Stage & { web: WebZone; other: WebZone }> {
  const scene = await stage({}, settings);
  const [web, other] = ["web", "other"].map((name) => scene.account.addZone(name, { type: "static" }));
  return Object.assign(scene, { web: web as WebZone, other: other as WebZone });
}
export type WebZone = ReturnType<Stage["account"]["addZone"]>;

/** What was sent to a path, method and body each. */
export const bodies = ({ remote }: Stage, path: string): unknown[] =>
  remote.service.requests
    .filter((request) => request.path === path && request.method !== "GET")
    .map(({ method, body }) => [method, body]);

export async function created(scene: Stage, inputs: JsonObject = INPUTS): Promise<JsonObject> {
  const { state } = await zoneAccess.create(inputs, scene.step());
  forgetRequests(scene);
  return state;
}

export const update = (
  scene: Stage,
  state: JsonObject,
  before: JsonObject,
  inputs: JsonObject,
  more: Partial<Step> = {},
) => zoneAccess.update("web", state, declaredIn(before), inputs, { ...scene.step(), ...more });
