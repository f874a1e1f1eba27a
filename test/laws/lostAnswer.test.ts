import { test } from "vitest";
import { claim, claimMatch } from "./claim";
import type { Sample } from "./sample";
import { SAMPLES } from "./samples";
import { onScene } from "./scene";

const SET = SAMPLES.ProxyPorts?.find(({ variant }) => variant?.includes("choice")) as Sample;

test("ports of which nobody knows whether they were made, nor under which number, are destroyed", () =>
  onScene(SET, async (scene) => {
    const { faults } = scene.simulator.manager.service;
    faults.add({ method: "POST", path: "/api/proxies", kind: "reset-after", times: 2 });
    faults.add({ method: "GET", path: "/api/proxies", kind: "respond", status: 500, body: "no", times: 1_000_000 });
    const { errors } = await scene.engine.up(await scene.program({ timeouts: { create: 60 } }));
    claimMatch("errors of up", errors.join(), /2 of 2 ports failed/);
    claim("ports in the state", scene.entry.outputs.ports, {});
    scene.calmDown();
    await scene.ends();
  }));
