import { type Answer, json, text } from "../service";
import { Crash } from "./crash";
import type { RequestLog } from "./requestLog";
import type { ApiCall, Routes } from "./route";
import { DROPIN_PORT, type ManagerState } from "./state";

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
  return json({ ...har(state, page), total: found.length, skip, sum_out: sum("out_bw"), sum_in: sum("in_bw") });
}

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
  if (state.requestLogs.length <= limit || Number.isNaN(limit)) return;
  const oldestFirst = [...state.requestLogs].sort((a, b) => a.timestamp - b.timestamp);
  state.requestLogs = limit > 0 ? oldestFirst.slice(-limit) : [];
}

const har = (state: ManagerState, logs: readonly RequestLog[]): object => ({
  log: {
    version: "1.2",
    creator: { name: "Proxy Manager", version: state.version },
    pages: [],
    entries: logs.map(harEntry),
  },
});

/** What is not kept of a request or of its answer. */
const UNKNOWN = { httpVersion: "unknown", cookies: [], headers: [], headersSize: -1 };

const harEntry = ({ uuid, url, method, hostname, status_code, ...log }: RequestLog): object => ({
  uuid,
  details: { context: "RESPONSE", ...log, bw: log.out_bw + log.in_bw, timeline: [] },
  startedDateTime: new Date(log.timestamp).toISOString(),
  time: 0,
  request: {
    method,
    url,
    host: hostname,
    ...UNKNOWN,
    postData: { mimeType: "", text: "" },
    bodySize: 0,
    queryString: [],
  },
  response: {
    status: status_code,
    statusText: "",
    ...UNKNOWN,
    content: { size: log.in_bw, mimeType: "unknown", text: "" },
    bodySize: log.in_bw,
    redirectURL: "",
  },
  cache: {},
  timings: { blocked: 0, dns: 0, ssl: 0, connect: 0, send: 0, wait: 0, receive: 0 },
});

/** The values by which the logs can be searched. */
function suggestions({ requestLogs, settings }: ManagerState): Answer {
  const values = (field: "port" | "status_code" | "protocol"): unknown[] =>
    settings.request_stats ? [...new Set(requestLogs.map((log) => log[field]))] : [];
  return json({ ports: values("port"), status_codes: values("status_code"), protocols: values("protocol") });
}

function clear(state: ManagerState, { query }: ApiCall): Answer {
  const port = query.get("port");
  state.requestLogs = port ? state.requestLogs.filter((log) => log.port !== Number(port)) : [];
  return text("ok");
}

/** One line of the statistics: how much was asked for of one host, with one status, and so on. */
interface Count {
  key: unknown;
  in_bw: number;
  out_bw: number;
  reqs: number;
  success: number;
  bypass_bw: number;
  bypass_cost: number;
}

function recentStats(state: ManagerState): Answer {
  keepNewest(state);
  const protocol = grouped(state, "protocol");
  const open = [...state.running.values()].some(({ config }) => !config.ssl && config.port !== DROPIN_PORT);
  const secure = protocol.some(({ key }) => key === "https");
  return json({
    ports: Object.fromEntries(grouped(state, "port").map((count) => [String(count.key), count])),
    status_code: grouped(state, "status_code").slice(0, 20),
    hostname: grouped(state, "hostname").slice(0, 20),
    protocol,
    total: protocol.reduce((total, { reqs }) => total + reqs, 0),
    success: protocol.reduce((total, { success }) => total + success, 0),
    ...(secure ? { ssl_warning: open } : {}),
    ssl_enable: open,
  });
}

/** The most asked for first. */
function grouped(
  { requestLogs, settings }: ManagerState,
  field: "port" | "status_code" | "hostname" | "protocol",
): Count[] {
  if (!settings.request_stats) return [];
  const counts = new Map<unknown, Count>();
  for (const log of requestLogs) {
    const key = log[field];
    const count = counts.get(key) ?? { key, in_bw: 0, out_bw: 0, reqs: 0, success: 0, bypass_bw: 0, bypass_cost: 0 };
    count.in_bw += log.in_bw;
    count.out_bw += log.out_bw;
    count.reqs += 1;
    count.success += Number(log.success);
    counts.set(key, count);
  }
  return [...counts.values()].sort((a, b) => b.reqs - a.reqs);
}

const DAY = 24 * 60 * 60 * 1000;

function counts({ clock, requestLogs }: ManagerState, { query }: ApiCall): Answer {
  const since = clock().getTime() - (Number(query.get("days")) || 5) * DAY;
  const recent = requestLogs.filter(({ timestamp }) => timestamp > since);
  return json({ total_requests: requestLogs.length, recent_requests: recent.length });
}

/** The file ends with a line break, which counts as a line of its own. */
function tail(state: ManagerState, { query }: ApiCall): Answer {
  const limit = Number(query.get("limit")) || 100;
  return text([...state.logLines, ""].slice(-limit).join("\n"));
}
