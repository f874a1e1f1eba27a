import { expect, test } from "vitest";
import { askOf } from "./hands.mts";
import { Machine } from "./machine.mts";

test("a manager restarts in the time of its machine, and in no later one", async () => {
  const machine = new Machine();
  const started = () => machine.simulator({ seed: "1", manager: { restartMs: 1000 } });
  machine.restart(1);
  const former = await started();
  const { service } = former.manager;
  const restart = () => machine.time.until(askOf(machine, former)("POST", "/api/restart"));
  await restart();
  await machine.time.pass(900);
  expect(service.isListening).toBe(false);
  await machine.time.pass(200);
  expect(service.isListening).toBe(true);

  await restart();
  await machine.time.pass(500);
  machine.restart(1);
  await started();
  await machine.time.pass(2000);
  expect(service.isListening).toBe(false);
});
