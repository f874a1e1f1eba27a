import { logFilter, logPage } from "../model/requestLog";
import { lookup } from "../program/lookup";

export const getHarLogs = lookup("getHarLogs", {
  says: "Reads the latest requests that went through the Proxy Manager's ports, up to the number that its setting `logs` keeps.",
  brief: "recent requests through the ports in detail, as secrets",
  service: "manager",
  endpoints: ["GET /api/logs"],
  arguments: logFilter,
  gives: "Requests that went through the Proxy Manager's ports.",
  result: logPage,
  fails: [["ArgumentError", "a filter is invalid"]],
  example: `const { total } = await brightdata.getHarLogs({ port: 24000, statusCode: "5**", limit: 1 });`,
  ask: ({ logs }, filter, options) => logs.list(filter, options),
});
