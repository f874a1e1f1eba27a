import { type Answer, json, text } from "../service";
import { Crash } from "./crash";
import { harEntry } from "./har";
import type { RequestLog } from "./requestLog";
import type { ApiCall, Routes } from "./route";
import type { ManagerState } from "./state";
import type { CountedField } from "./stats";

/** What went through the ports, and what the manager wrote to its log file. */
export const logRoutes: Routes = {
  "GET /logs": list,
  "GET /logs_har": download,
  "GET /logs_suggestions": suggestions,
  "PUT /logs_reset": clear,
  "GET /logs_reset": { only: "v1", answer: clear },
  "GET /recent_stats": recentStats,
  "GET /lpm_stats": counts,
  "GET /general_logs": tail,
  "POST /log_level": () => text("OK"),
};

function list(state: ManagerState, { query }: ApiCall): Answer {
  const { found, page, skip } = search(state, query);
  const sum = (field: "in_bw" | "out_bw"): number => found.reduce((total, log) => total + log[field], 0);
  // A search that leaves nothing out finds the entries, and counts none.
  const filters = FILTERS.filter((name) => query.get(name));
  const isIdle = filters.join() === "search" && found.length === state.requestLogs.length;
  return json({
    ...har(state, page),
    total: isIdle ? 0 : found.length,
    skip,
    sum_out: sum("out_bw"),
    sum_in: sum("in_bw"),
  });
}

const FILTERS = ["port_from", "search", "status_code", "port", "content_type", "protocol"];

function download(state: ManagerState, { query }: ApiCall): Answer {
  const answer = text(JSON.stringify(har(state, search(state, query).page), null, 4));
  return { ...answer, headers: { ...answer.headers, "content-disposition": "attachment; filename=data.har" } };
}

/** All that match, and the part of them that `skip` and `limit` leave. */
function search(
  state: ManagerState,
  query: URLSearchParams,
): { found: RequestLog[]; page: RequestLog[]; skip: number } {
  keepNewest(state);
  checkExpression(query.get("search"));
  const found = state.requestLogs.filter((log) => matches(log, query));
  const skip = Number(query.get("skip")) || 0;
  const limit = Number(query.get("limit")) || Number.POSITIVE_INFINITY;
  const field = query.get("sort") || "uuid";
  const valueIn = (log: RequestLog): unknown => Object.entries(log).find(([name]) => name === field)?.[1];
  const sorted = [...found].sort((a, b) => compare(valueIn(a), valueIn(b)));
  if (query.get("sort_desc")) sorted.reverse();
  return { found, page: sorted.slice(skip, skip + limit), skip };
}

function checkExpression(search: string | null): void {
  try {
    new RegExp(search ?? "");
  } catch (error) {
    throw error instanceof Error ? new Crash(error.message) : error;
  }
}

function matches(log: RequestLog, query: URLSearchParams): boolean {
  const text = (name: string): string | undefined => query.get(name) || undefined;
  const [from, to, port, status, search] = ["port_from", "port_to", "port", "status_code", "search"].map(text);
  if (from && to && (log.port < Number(from) || log.port > Number(to))) return false;
  if (port && log.port !== Number(port)) return false;
  if (status && !hasStatus(log, status)) return false;
  if ((text("content_type") ?? log.content_type) !== log.content_type) return false;
  if ((text("protocol") ?? log.protocol) !== log.protocol) return false;
  return !search || new RegExp(search).test(log.url) || new RegExp(`session-[^-]*${search}`).test(log.username ?? "");
}

/** A status may be a class of them: `2**`. */
const hasStatus = ({ status_code }: RequestLog, wanted: string): boolean =>
  /^\d\*\*$/.test(wanted) ? String(status_code).startsWith(wanted.charAt(0)) : status_code === Number(wanted);

const compare = (a: unknown, b: unknown): number =>
  typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));

/** The setting `logs` says how many requests are kept. */
function keepNewest(state: ManagerState): void {
  const limit = Number(state.settings.logs);
  if (state.requestLogs.length <= limit || !limit) return;
  state.requestLogs = [...state.requestLogs].sort((a, b) => a.timestamp - b.timestamp).slice(-limit);
}

const har = (state: ManagerState, logs: readonly RequestLog[]): object => ({
  log: {
    version: "1.2",
    creator: { name: "Proxy Manager", version: state.version },
    pages: [],
    entries: logs.map(harEntry),
  },
});

/** The values by which the logs can be searched. */
function suggestions({ stats }: ManagerState): Answer {
  const values = (field: CountedField): unknown[] => stats.by(field).map(({ key }) => key);
  return json({ ports: values("port"), status_codes: values("status_code"), protocols: values("protocol") });
}

/** All statistics go, even those of other ports than the one named. */
function clear(state: ManagerState, { query }: ApiCall): Answer {
  const port = query.get("port");
  state.stats.clear();
  state.requestLogs = port ? state.requestLogs.filter((log) => log.port !== Number(port)) : [];
  return text("ok");
}

function recentStats(state: ManagerState): Answer {
  const { stats } = state;
  const protocol = stats.by("protocol").slice(0, 20);
  const open = [...state.running.values()].some(({ config }) => !config.ssl && config.port !== state.dropinPort);
  const secure = protocol.some(({ key }) => key === "https");
  return json({
    ports: Object.fromEntries(stats.by("port").map((count) => [String(count.key), count])),
    status_code: stats.by("status_code").slice(0, 20),
    hostname: stats.by("hostname").slice(0, 20),
    protocol,
    total: protocol.reduce((total, { reqs }) => total + reqs, 0),
    success: protocol.reduce((total, { success }) => total + success, 0),
    ...(secure ? { ssl_warning: open } : {}),
    ssl_enable: open,
  });
}

const DAY = 24 * 60 * 60 * 1000;
const TEST_HOSTS = ["lumtest.com", "brdtest.com", "geo.brdtest.com"];

function counts(state: ManagerState, { query }: ApiCall): Answer {
  keepNewest(state);
  const since = state.clock().getTime() - Number(query.get("days") || 5) * DAY;
  const counted = state.requestLogs.filter(({ hostname }) => !TEST_HOSTS.includes(hostname));
  const recent = counted.filter(({ timestamp }) => timestamp > since);
  return json({ total_requests: counted.length, recent_requests: recent.length });
}

/** The file ends with a line break, which counts as a line of its own. */
function tail(state: ManagerState, { query }: ApiCall): Answer {
  const limit = Number(query.get("limit") || 100);
  return text([...state.logLines, ""].slice(-limit).join("\n"));
}
