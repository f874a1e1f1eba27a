import { expect, test } from "vitest";
import { getRecentStats } from "../../src/generated";
import { requestLog, startManager } from "./harness";

test("getRecentStats counts requests and bytes", async () => {
  const { manager, asked } = await startManager();
  const failed = { uuid: "2", status_code: 502, success: 0 };
  for (const given of [{}, failed]) manager.state.addRequest(requestLog(given));
  const stats = await getRecentStats();
  expect(stats).toMatchObject({ total: 2, success: 1 });
  expect(stats.ports).toMatchObject([{ key: "24000", reqs: 2, success: 1, inBw: 200, outBw: 20 }]);
  expect(stats.statusCodes.map(({ key }) => key)).toEqual(["200", "502"]);
  expect(asked()).toEqual(["GET /api/recent_stats"]);
});
