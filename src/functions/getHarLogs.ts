import { managerLookup } from "../lookups/lookup";
import { logFilter, logPage } from "../model/requestLog";

export const getHarLogs = managerLookup("getHarLogs", {
  says: "Reads the latest requests that went through the Proxy Manager's ports, up to the number that its setting `logs` keeps.",
  brief: "recent requests through the ports in detail, as secrets",
  endpoints: ["GET /api/logs"],
  arguments: logFilter,
  gives: "Requests that went through the Proxy Manager's ports.",
  result: logPage,
  fails: [["ArgumentError", "a filter is invalid"]],
  example: `const { total } = await brightdata.getHarLogs({ port: 24000, statusCode: "5**", limit: 1 });`,
  outputExample: `const failures = brightdata.getHarLogsOutput({ port: 24000, statusCode: "5**", sort: "timestamp", descending: true, limit: 10 });
export const urls = failures.entries.apply((entries) => entries.map(({ request }) => request.url));`,
  notes:
    "The password for Bright Data's proxies is omitted. A manager that was started with `--high_perf` keeps no requests and does not answer.",
  ask: ({ logs }, filter, options) => logs.list(filter, options),
});
