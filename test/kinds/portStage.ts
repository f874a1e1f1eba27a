import type { SimulatorOptions } from "../../simulator";
import type { JsonObject } from "../../src/base/json";
import { forgetRequests, type Stage, stage } from "../lifecycle/harness";

/** A manager with the port 24000 of a zone with three IPs. */
export async function withPort(options: SimulatorOptions = {}, fields: JsonObject = {}): Promise<Stage> {
  const scene = await stage(options);
  const zone = scene.account.addZone("web", { type: "static", ips_type: "dedicated", ips: 3 });
  zone.allocatedIps = scene.account.allocateIps(3, "us");
  zone.allocatedGips = scene.account.allocateGips(2, "us");
  await scene.context.manager.ports.create({ port: 24_000, zone: "web", ...fields });
  forgetRequests(scene);
  return scene;
}
