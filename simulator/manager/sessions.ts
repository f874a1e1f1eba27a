import { type Answer, json, text } from "../service";
import { checkPort } from "./portCheck";
import { carry } from "./portTraffic";
import { type ApiCall, noContent, type Routes } from "./route";
import type { RunningPort } from "./runningPort";
import type { ManagerState } from "./state";

/** What a port is doing: its session, and whether requests come through. */
export const sessionRoutes: Routes = {
  "POST /refresh_sessions/:port": refresh,
  "GET /refresh_sessions/:port": { only: "v1", answer: refresh },
  "GET /sessions/:port": (state, call) =>
    portOf(state, call) === undefined ? text("server does not exist", 400) : json({}),
  "GET /proxy_status/:port": status,
  "GET /generate_proxies/:port": generate,
};

const portOf = (state: ManagerState, { params }: ApiCall): RunningPort | undefined =>
  state.running.get(params.port ?? "");

/** Whether the query names a user other than the port's. */
const isForeign = (port: RunningPort, { query }: ApiCall): boolean =>
  Boolean(query.get("user")) && query.get("user") !== port.config.user;

/** A port that rotates its session by itself has no number to tell. */
function refresh(state: ManagerState, call: ApiCall): Answer {
  const port = portOf(state, call);
  if (port === undefined || isForeign(port, call)) return { status: 400 };
  port.renewSession();
  state.log("", "Refreshing sessions");
  return port.config.rotate_session ? noContent() : json({ session_id: `${port.config.port}_${port.sessions}` });
}

/** The state found once is told again until the query says `force`. */
function status(state: ManagerState, call: ApiCall): Answer {
  const port = portOf(state, call);
  if (port === undefined) return json({ status: "Unknown proxy" });
  const { config } = port;
  if (state.zones.find(config.zone)?.plan.disable) return json({ status: "Disabled zone" });
  if (Array.isArray(config.smtp) && config.smtp.length > 0) {
    return json({ status: "ok", status_details: [{ msg: "SMTP proxy" }] });
  }
  const force = call.query.get("force");
  if (force !== null && force !== "false" && force !== "0") port.status = undefined;
  port.status ??= tested(state, port);
  if (config.proxy_type !== "persist") return json({ status: port.status });
  port.statusDetails ??= checkPort(state, config, { port: config.port, multiply: config.multiply });
  return json({ status: port.status, status_details: port.statusDetails });
}

/** What a request through the port comes to. It is in the logs like any other. */
function tested(state: ManagerState, { config, stuck }: RunningPort): string {
  if (stuck) return "error";
  const url = String(state.settings.test_url);
  const headers = {
    "x-hola-context": "STATUS CHECK",
    "user-agent": `luminati-proxy-manager/${state.version}`,
    accept: "application/json",
    "accept-encoding": "gzip, deflate, br",
    host: new URL(url).host,
  };
  const request = {
    method: "GET",
    url,
    headers,
    names: ["user-agent", "accept", "accept-encoding", "Host"],
    body: "",
    remoteAddress: "127.0.0.1",
  };
  const { answer, log } = carry(state, config.port, request);
  log(JSON.stringify(answer).length, JSON.stringify(request).length);
  return answer.headers["x-lpm-error"] ?? (answer.status === 200 ? "ok" : answer.reason);
}

/** Addresses with user and password for other programs, of a port that has a user. */
function generate(state: ManagerState, call: ApiCall): Answer {
  const port = portOf(state, call);
  if (port === undefined || isForeign(port, call)) return text("Invalid port number", 400);
  const { config } = port;
  if (!config.user) return text("No user assigned to port", 400);
  const { query } = call;
  const options = ["country", "city", "asn"].flatMap((name) => {
    const value = query.get(name);
    return value ? [`-${name}-${value.toLowerCase()}`] : [];
  });
  const count = Number(query.get("sessions"));
  const endings = count > 0 ? Array.from({ length: count }, () => `-session-${state.account.generate(6)}`) : [""];
  const host = state.settings.pmgr_domain ?? "127.0.0.1";
  return json(
    endings.map((ending) => {
      const user = Buffer.from(`${config.user}${options.join("")}${ending}`).toString("hex");
      return `${host}:${config.port}:${user}:${config.user_password}`;
    }),
  );
}
