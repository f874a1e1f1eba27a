import { expect } from "vitest";
import type { SimulatorOptions } from "../../../simulator";
import type { JsonObject } from "../../../src/base/json";
import { proxyPortLifecycle as proxyPort } from "../../../src/kinds/proxyPort/lifecycle";
import { forgetRequests, type Stage, stage } from "../../lifecycle/harness";

export const INPUTS: JsonObject = { zone: "web", port: 24_500 };

/** A stage whose account has the zones `web` and `other`. */
export async function scenery(options: SimulatorOptions = {}, settings: Record<string, string> = {}): Promise<Stage> {
  const scene = await stage(options, settings);
  scene.account.addZone("web", { type: "static", country: "us" });
  scene.account.addZone("other", { type: "resident" });
  return scene;
}

export async function created(scene: Stage, inputs: JsonObject = INPUTS): Promise<JsonObject> {
  const { state } = await proxyPort.create(inputs, scene.step());
  forgetRequests(scene);
  return state;
}

export const record = (scene: Stage, port = 24_500) => scene.manager.state.record(port);
export const bodies = (scene: Stage, request: string) =>
  scene.manager.service.requests
    .filter(({ method, path }) => `${method} ${path}` === request)
    .map(({ body }) => body as { proxy: JsonObject });

/** Another program's port, or one that the manager's web page made: made behind the lifecycle's back. */
export const foreign = (scene: Stage, fields: JsonObject) => sendElsewhere(scene, "POST", "/api/proxies", fields);

export async function sendElsewhere(scene: Stage, method: string, path: string, fields: JsonObject): Promise<void> {
  const response = await fetch(`${scene.manager.url}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ proxy: fields }),
  });
  expect(response.status).toBe(200);
  forgetRequests(scene);
}

export const EVERYTHING: JsonObject = {
  ...INPUTS,
  internalName: "shop",
  customer: "hl_other",
  password: "hush-hush",
  whitelistIps: ["10.20.30.77/16", "203.0.113.7"],
  users: ["Ann"],
  user: "u",
  userPassword: "hush-too",
  ssl: true,
  country: "us",
  session: true,
  proxyRetry: 2,
  dns: "remote",
  rules: [{ status: "200", action: { banIp: 60 } }],
  headers: [{ name: "accept-language", value: "de" }],
  ips: ["198.18.0.1"],
  vips: ["us_1"],
  extProxies: ["user:hush-ext@203.0.113.9:8080"],
  poolSize: 3,
  logs: 10,
  bwLimit: { days: 1, bytes: 1_000_000 },
  zip: "07001",
};
