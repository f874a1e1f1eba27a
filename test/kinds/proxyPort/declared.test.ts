import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSimulator } from "../../../simulator";
import { carry } from "../../../simulator/manager/portTraffic";
import {
  becomesOf,
  bothWays,
  CUT,
  DEADLY,
  DECLARED,
  expressionsAt,
  isRefusedSetting,
  type Row,
  SETTINGS,
  settingsCarry,
  UPDATES,
} from "../../simulator/manager/declaredPorts";
import { TEST_PAGE } from "../../simulator/manager/harness";

let simulator: Awaited<ReturnType<typeof startSimulator>>;
beforeAll(async () => {
  simulator = await startSimulator({ manager: { listen: true, dropin: false } });
  for (const name of ["static", "dc"]) simulator.account.addZone(name, { type: "static" });
  simulator.account.addZone("off", { type: "static" }).status = "disabled";
  simulator.account.addZone("unb", { type: "unblocker" });
});
afterAll(() => simulator?.close());

// Below those that a system hands out itself. What the vendor's program makes of the same stands in the tier manager.
let next = randomInt(10_000, 20_000);
// A row may want the number after it, too.
const nextPort = (): number => {
  next += 2;
  return next;
};

describe.concurrent("what people declare", () => {
  test.each([...DECLARED, DEADLY].map((row): [string, Row] => [JSON.stringify(row[0]), row]))(
    "a port with %s is refused, warned of, or carries a request",
    async (_, row) => {
      const [, becomes, carries] = row;
      expect(await becomesOf(simulator.manager.url, row, nextPort())).toEqual([becomes, carries]);
    },
  );
});

test.each(UPDATES.map((steps) => [JSON.stringify(steps), steps] as const))(
  "a port that is declared as %s in turn carries requests as one that is made so",
  async (_, steps) => {
    const { state, url } = simulator.manager;
    const request = { method: "GET", url: TEST_PAGE, headers: {}, body: "", remoteAddress: "127.0.0.1" };
    const usernameAt = (port: number) => carry(state, port, request).username;
    const { updated, made } = await bothWays(url, steps, nextPort(), usernameAt);
    expect(updated).toEqual(made);
  },
);

test.each(CUT)("an expression %j stays what it is when a port gets it", async (text) => {
  const [group, declared] = [`(?:${text})`, text];
  expect(await expressionsAt(simulator.manager.url, text, nextPort())).toEqual([group, group, declared, declared]);
});

test("a port that cannot listen is warned of where the manager writes its log late", async () => {
  const path = "/api/general_logs";
  simulator.manager.service.faults.add({ path, kind: "respond", status: 200, body: "" });
  const row: Row = [{ iface: "198.51.100.1" }, "warned", "nobody listens"];
  expect(await becomesOf(simulator.manager.url, row, nextPort())).toEqual(["warned", "nobody listens"]);
});

test.each(SETTINGS.map(([fields, becomes]) => [JSON.stringify(fields), fields, becomes] as const))(
  "settings with %s are refused, or let requests through",
  async (_, fields, becomes) => {
    expect(isRefusedSetting(fields) ? "refused" : "works").toBe(becomes);
    if (becomes === "works") expect(await settingsCarry(simulator.manager.url, fields, nextPort())).toBe(200);
  },
);
