import { type Answer, json, text } from "../service";
import { Crash } from "./crash";
import { type ApiCall, noContent, type Routes } from "./route";
import type { RunningPort } from "./runningPort";
import type { ManagerState } from "./state";

/** The IPs that a port is not to use. */
export const banRoutes: Routes = {
  "POST /proxies/:port/banip": banOne,
  "POST /proxies/:port/banips": banSeveral,
  "POST /banip": banEverywhere,
  "POST /proxies/:port/unbanip": unbanOne,
  "POST /proxies/:port/unbanips": unbanAll,
  "GET /banlist/:port": list,
};

const portOf = (state: ManagerState, { params }: ApiCall): RunningPort | undefined =>
  state.running.get(params.port ?? "");

const noPort = ({ params }: ApiCall): string => `No proxy at port ${params.port}`;

/** Four numbers with dots, large ones too, or the 33 characters by which the vendor hides an address. */
const isBannable = (ip: unknown): ip is string =>
  /^\d+\.\d+\.\d+\.\d+$/.test(String(ip)) || /^\w[0-9a-f]{32}$/i.test(String(ip));

function ban(port: RunningPort, ip: string, { domain, ms }: ApiCall["body"]): void {
  port.bans.add(ip, domain, Number(ms ?? 0));
}

function banOne(state: ManagerState, call: ApiCall): Answer {
  const port = portOf(state, call);
  if (port === undefined) return text(noPort(call), 400);
  const { ip } = call.body;
  if (!isBannable(ip)) return text("No IP provided", 400);
  ban(port, ip, call.body);
  return noContent();
}

function banSeveral(state: ManagerState, call: ApiCall): Answer {
  const port = portOf(state, call);
  if (port === undefined) return text(noPort(call), 400);
  const ips = call.body.ips || [];
  if (!Array.isArray(ips)) throw new Crash("(ips || []).filter is not a function");
  const bannable = ips.filter(isBannable);
  if (bannable.length === 0) return text("No ips provided", 400);
  for (const ip of bannable) ban(port, ip, call.body);
  return noContent();
}

/** On the ports that the body lists, and so on none without a list. A list of IPs is not checked. */
function banEverywhere(state: ManagerState, call: ApiCall): Answer {
  const { ip, ips, ports } = call.body;
  if (ips && !Array.isArray(ips)) throw new Crash("ips.forEach is not a function");
  if (!ips && !isBannable(ip)) return text("No IP provided", 400);
  if (ports !== undefined && ports !== null && typeof ports !== "string" && !Array.isArray(ports)) {
    throw new Crash("ports?.includes is not a function");
  }
  const meant = [...state.running.values()].filter(({ config }) => Array.isArray(ports) && ports.includes(config.port));
  const banned = Array.isArray(ips) ? ips : [ip];
  for (const port of meant) for (const each of banned) ban(port, each as string, call.body);
  return noContent();
}

function unbanOne(state: ManagerState, call: ApiCall): Answer {
  const port = portOf(state, call);
  if (port === undefined) throw new Crash(noPort(call));
  const { ip, domain } = call.body;
  if (!isBannable(ip)) return text("No IP provided", 400);
  if (!port.bans.list().some((banned) => banned.ip === ip)) return text("IP is not banned", 400);
  port.bans.remove(ip, domain);
  return json({ ips: port.bans.list() });
}

function unbanAll(state: ManagerState, call: ApiCall): Answer {
  const port = portOf(state, call);
  if (port === undefined) throw new Crash(noPort(call));
  port.bans.clear();
  return text("OK");
}

function list(state: ManagerState, call: ApiCall): Answer {
  const port = portOf(state, call);
  if (port === undefined) return text("server does not exist", 400);
  return json({ ips: call.query.get("full") ? port.bans.list() : port.bans.keys() });
}
