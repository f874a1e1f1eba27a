import type { JsonObject } from "../../../src/base/json";
import { zoneLifecycle as zone } from "../../../src/kinds/zone/lifecycle";
import { count, forgetRequests, type Stage } from "../../lifecycle/harness";

export const PLAN = { type: "static", ipsType: "shared", country: "us" };
export const INPUTS: JsonObject = { name: "web", plan: PLAN };

export const posts = (scene: Stage) => count(scene, "POST /zone");

export async function created(scene: Stage, inputs: JsonObject = INPUTS): Promise<JsonObject> {
  const { state } = await zone.create(inputs, scene.step());
  forgetRequests(scene);
  return state;
}
