import { requestStats } from "../model/requestStats";
import { lookup } from "../program/lookup";

export const getRecentStats = lookup("getRecentStats", {
  says: "Looks up the number of recent requests through the Proxy Manager's ports, and their traffic in bytes.",
  brief: "recent requests and traffic through the ports",
  service: "manager",
  endpoints: ["GET /api/recent_stats"],
  gives: "Statistics of the requests since they were last reset. Requests that transferred nothing are not counted.",
  result: requestStats,
  example: "const { total, success } = await brightdata.getRecentStats();",
  ask: ({ logs }, _, options) => logs.stats(options),
});
