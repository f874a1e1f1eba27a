import { count, list, text } from "../declaration/property";
import { managerLookup } from "../lookups/lookup";

export const getLogTail = managerLookup("getLogTail", {
  says: "Reads the last lines that the Proxy Manager wrote to its log.",
  brief: "the end of the Proxy Manager's log, as secrets",
  endpoints: ["GET /api/general_logs?limit="],
  arguments: { limit: count({ says: "The most lines to read, from 1 on.", least: 1, default: 100 }) },
  gives: "The end of the Proxy Manager's log.",
  result: {
    lines: list(text({}), {
      says: "The lines, the oldest first. From level `info` on, they contain zones' passwords.",
      secret: true,
      required: true,
    }),
  },
  fails: [["ArgumentError", "`limit` is not a whole number of at least 1"]],
  example: "const { lines } = await brightdata.getLogTail({ limit: 20 });",
  outputExample: `const { lines } = brightdata.getLogTailOutput({ limit: 20 });
export const errors = lines.apply((all) => all.filter((line) => line.includes("ERROR")));`,
  async ask({ logs }, { limit }, options) {
    return { lines: await logs.tail(limit, options) };
  },
});
