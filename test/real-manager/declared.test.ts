import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../scripts/real-manager/index.mts";
import {
  becomesOf,
  DECLARED,
  isRefusedSetting,
  type Row,
  SETTINGS,
  settingsCarry,
} from "../simulator/manager/declaredPorts";
import { type Both, startBoth } from "./both";

let both: Both;
beforeAll(async () => {
  both = await startBoth();
});
afterAll(() => both?.stop());

test.each(DECLARED.map((row): [string, Row] => [JSON.stringify(row[0]), row]))(
  "a port with %s becomes the same at the vendor's program and at the simulator",
  async (_, row) => {
    const [, becomes, carries] = row;
    const really = await becomesOf(both.real.url, row, await freePort());
    const simulated = await becomesOf(both.simulator.manager.url, row, await freePort());
    expect({ really, simulated }).toEqual({ really: [becomes, carries], simulated: [becomes, carries] });
  },
);

test.each(SETTINGS.map(([fields, becomes]) => [JSON.stringify(fields), fields, becomes] as const))(
  "settings with %s are refused, or let requests through at both",
  async (_, fields, becomes) => {
    expect(isRefusedSetting(fields) ? "refused" : "works").toBe(becomes);
    if (becomes === "refused") return;
    for (const url of [both.real.url, both.simulator.manager.url])
      expect(await settingsCarry(url, fields, await freePort())).toBe(200);
  },
);
