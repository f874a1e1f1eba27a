import { managerLookup } from "../lookups/lookup";
import { requestStats } from "../model/requestStats";

export const getRecentStats = managerLookup("getRecentStats", {
  says: "Looks up the number of recent requests through the Proxy Manager's ports, and their traffic in bytes.",
  brief: "recent requests and traffic through the ports",
  endpoints: ["GET /api/recent_stats"],
  gives: "Statistics of the requests since they were last reset. Requests that transferred nothing are not counted.",
  result: requestStats,
  example: "const { total, success } = await brightdata.getRecentStats();",
  outputExample: `const stats = brightdata.getRecentStatsOutput();
export const failed = stats.apply(({ total, success }) => total - success);`,
  notes: "The statistics are empty if the manager's setting `requestStats` is off.",
  ask: ({ logs }, _, options) => logs.stats(options),
});
