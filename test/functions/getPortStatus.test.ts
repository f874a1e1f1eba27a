import { expect, test } from "vitest";
import { getPortStatus } from "../../src/generated";
import { PORT, startManager } from "./harness";

test("getPortStatus is what the last request through the port came to, and asks for no other", async () => {
  const { asked } = await startManager([PORT]);
  await expect(getPortStatus({ port: 24000 })).resolves.toMatchObject({ port: 24000, status: "ok" });
  expect(asked()).toEqual(["GET /api/proxy_status/24000"]);
});

test("getPortStatus sends one through it when it is told to", async () => {
  const { manager, asked } = await startManager([PORT]);
  await getPortStatus({ port: 24000 });
  const running = manager.state.running.get("24000");
  if (running !== undefined) running.health = "connection refused";
  await expect(getPortStatus({ port: 24000 })).resolves.toMatchObject({ ok: true });
  await expect(getPortStatus({ port: 24000, force: true })).resolves.toMatchObject({
    ok: false,
    status: "connection refused",
  });
  expect(asked().at(-1)).toBe("GET /api/proxy_status/24000?force=true");
});
