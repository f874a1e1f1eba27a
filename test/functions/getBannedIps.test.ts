import { expect, test } from "vitest";
import { getBannedIps } from "../../src/generated";
import { PORT, startManager } from "./harness";

const NOW = new Date("2026-03-15T10:30:00.000Z");

test("getBannedIps are the IPs, for which host, and until when", async () => {
  const { manager, asked } = await startManager([PORT], { clock: () => NOW });
  const { bans } = manager.state.running.get("24000") ?? {};
  bans?.add("203.0.113.7");
  bans?.add("203.0.113.8", "example.com", 60_000);
  await expect(getBannedIps({ port: 24000 })).resolves.toEqual({
    port: 24000,
    bans: [{ ip: "203.0.113.7" }, { ip: "203.0.113.8", domain: "example.com", until: "2026-03-15T10:31:00.000Z" }],
  });
  expect(asked()).toEqual(["GET /api/banlist/24000?full=true"]);
});
