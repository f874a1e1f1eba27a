import { type Answer, json, NEVER, text } from "../service";
import { Crash } from "./crash";
import type { Fields } from "./fields";
import { checkPort, lastPort } from "./portCheck";
import { coercePort, type PortRecord } from "./portRecord";
import { bandwidthLimit, createPort, deletePorts, nextNumber, updatePort } from "./ports";
import { type ApiCall, jsonOrPretty, noContent, portErrors, type Routes } from "./route";
import type { ManagerState } from "./state";

/** The ports as they are configured, and as they run. */
export const proxyRoutes: Routes = {
  "GET /proxies_running": (state, call) => jsonOrPretty(call, runningPorts(state, call)),
  "GET /proxies": (state) => json(state.records),
  "GET /proxies/:port": read,
  "POST /proxies": { answer: create, claims: claimedNumbers },
  "POST /proxies/delete": bulkDelete,
  "PUT /proxies/:port": { answer: update, claims: claimedNumbers },
  "DELETE /proxies/:port": remove,
  "POST /proxy_dup": duplicate,
  "POST /enable_ssl": enableSsl,
};

function read(state: ManagerState, { params }: ApiCall): Answer {
  const record = state.record(params.port);
  return record === undefined ? text("invalid port number", 400) : json(record);
}

const RUNNING_FIELDS = [
  "proxy_type",
  "port",
  "ip",
  "vip",
  "user",
  "dns",
  "zone",
  "tls_lib",
  "route_err",
  "proxy_connection_type",
];

/** Of a port that `multiply` made only these come from the port itself; the rest is its master's record. */
function runningPorts(state: ManagerState, { query }: ApiCall): Fields[] {
  const user = query.get("user");
  return [...state.running.values()]
    .filter(({ config }) => config.port !== state.dropinPort && (!user || config.user === user))
    .sort((a, b) => a.config.port - b.config.port)
    .map(({ config, status, statusDetails }) => {
      const shown: Fields = { ...(state.record(config.port) ?? state.record(config.master_port)) };
      shown.master_port = config.master_port;
      if (config.master_port) for (const field of ["ips", "vips", "users", "whitelist_ips"]) delete shown[field];
      for (const field of RUNNING_FIELDS) shown[field] = config[field];
      return { ...shown, status, status_details: statusDetails };
    });
}

function create(state: ManagerState, { body }: ApiCall): Answer {
  const { proxy: sent } = body;
  if (sent === undefined || sent === null) throw new Crash(`Cannot read properties of ${sent} (reading 'port')`);
  if (typeof sent !== "object") {
    return portErrors([{ msg: `Cannot create property 'port' on ${typeof sent} '${sent}'`, field: "port" }]);
  }
  const given: Fields = { ...sent };
  const port = Number(given.port || nextNumber(state));
  const fields: PortRecord = { ...given, ...withLowerCaseUsers(given.users), port };
  const errors = checkPort(state, { port, ext_proxies: given.ext_proxies, multiply: given.multiply });
  if (errors.length > 0) return portErrors(errors);
  if (fields.bw_limit) fields.bw_limit = bandwidthLimit(state, fields.bw_limit);
  const started = createPort(state, fields);
  if (started.port?.hung) return NEVER;
  return started.error === undefined ? json({ data: started.port.config }) : portErrors([{ msg: started.error }]);
}

function claimedNumbers(state: ManagerState, { params, body }: ApiCall): number[] {
  const { port, multiply }: Fields = Object.assign({}, state.record(params.port), body.proxy);
  const first = Number(port || nextNumber(state));
  const count = lastPort(first, multiply) - first + 1;
  if (!Number.isInteger(first) || first < 1000 || count > Number(state.settings.ports_limit)) return [];
  return Array.from({ length: count }, (_, index) => first + index).filter((number) => number <= 65_535);
}

function withLowerCaseUsers(users: unknown): { users?: string[] } {
  if (typeof users === "string" && users !== "") throw new Crash("req.body.proxy.users.map is not a function");
  if (!Array.isArray(users) || users.length === 0) return {};
  if (users.some((user) => typeof user !== "string")) throw new Crash("x.toLowerCase is not a function");
  return { users: users.map((user: string) => user.toLowerCase()) };
}

async function update(state: ManagerState, { params, body }: ApiCall): Promise<Answer> {
  const change = coercePort(body.proxy ?? {});
  const record = state.record(params.port);
  if (record === undefined) return portErrors([{ msg: `No proxy at port ${params.port}` }]);
  if (record.proxy_type !== "persist") return portErrors([{ msg: "Proxy is read-only" }]);
  const old = { port: record.port, multiply: state.running.get(String(record.port))?.config.multiply };
  const wanted: Fields = { ...record, ...change };
  const errors = checkPort(state, wanted, old);
  if (errors.length > 0) return portErrors(errors);
  if (!body.proxy) {
    return portErrors([{ msg: "Request body should contain 'proxy' field", body: JSON.stringify(body) }]);
  }
  // The old port is gone by the time the manager finds that it cannot listen on the new one, and it says nothing more.
  if (change.port && Number.isNaN(Number(change.port))) {
    await deletePorts(state, [record.port]);
    return NEVER;
  }
  const updated = await updatePort(state, record, change, body.proxy);
  return updated.error === undefined ? json({ data: updated.config }) : portErrors([{ msg: updated.error }]);
}

function remove(state: ManagerState, { params }: ApiCall): Promise<Answer> {
  return deleted(state, [Number(params.port)]);
}

function bulkDelete(state: ManagerState, { body: { ports } }: ApiCall): Promise<Answer> {
  if (ports && !Array.isArray(ports)) throw new Crash("ports.forEach is not a function");
  return deleted(state, Array.isArray(ports) ? ports : []);
}

/** With what is logged of them. */
async function deleted(state: ManagerState, ports: readonly unknown[]): Promise<Answer> {
  const hung = ports
    .flatMap((port) => state.running.get(String(port)) ?? [])
    .filter((port) => port.hung && !port.stuck);
  for (const port of hung) port.stuck = true;
  if (hung.length > 0) return NEVER;
  await deletePorts(state, ports);
  state.stats.forget(ports);
  state.requestLogs = state.requestLogs.filter(({ port }) => !ports.includes(port));
  return noContent();
}

function duplicate(state: ManagerState, { body }: ApiCall): Answer {
  const record = state.record(body.port);
  if (record === undefined) {
    return portErrors([{ msg: "Cannot set properties of undefined (setting 'port')", field: "port" }]);
  }
  const proxy = { ...structuredClone(record), port: nextNumber(state) };
  createPort(state, proxy);
  return json({ proxy });
}

/** Of an unknown port it says `ok` too. Where it fails, the real one never answers. */
async function enableSsl(state: ManagerState, { body: { port } }: ApiCall): Promise<Answer> {
  const meant = state.records.filter((record) => !port || String(record.port) === String(port));
  for (const record of meant) {
    if (record.port === state.dropinPort || record.ssl) continue;
    try {
      await updatePort(state, record, { ssl: true });
    } catch (error) {
      if (state.options.hangs) return NEVER;
      throw error;
    }
  }
  return text("ok");
}
