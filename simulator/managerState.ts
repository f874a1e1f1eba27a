import type { ManagerState, SimulatedManager } from "./manager";
import { boot } from "./manager/boot";
import type { RunningPort } from "./manager/runningPort";
import { type Fields, merge, objectFrom, objectsFrom } from "./merge";
import { refuse } from "./remote/refusal";
import { parsed } from "./service";

/** What a manager's file has, what its ports are like, and what is so around it. */
export const stateOfManager = ({ state }: SimulatedManager) => ({
  ...surroundings(state),
  portsInUse: [...state.portsInUse],
  loggedIn: state.loggedIn ?? null,
  config: parsed(state.configFile),
  ports: [...state.running.values()]
    .map(({ config, bans, ...port }) => ({ port: config.port, ...condition(port), bans: bans.list() }))
    .sort((a, b) => a.port - b.port),
});

const surroundings = ({ version, installedVersion, latestVersion, vendorReachable, users }: ManagerState) => ({
  version,
  installedVersion,
  latestVersion,
  vendorReachable,
  users,
});

const condition = ({ health, stuck }: Pick<RunningPort, "health" | "stuck">) => ({ health, stuck });

/** Has a manager be as {@link stateOfManager} says of it. With a `config`, it starts from that. */
export const putManagerState = (manager: SimulatedManager, changes: Fields): Promise<void> =>
  manager.edit((state) => {
    const { config, ports = [], portsInUse = [...state.portsInUse], loggedIn, ...rest } = changes;
    if (!Array.isArray(portsInUse)) throw refuse(400, "portsInUse should be a list of ports");
    Object.assign(state, merge(surroundings(state), rest), { portsInUse: new Set(portsInUse) });
    if (config !== undefined) startFrom(state, objectFrom("config", config));
    if (loggedIn === true && !state.loggedIn) manager.logIn();
    if (loggedIn === false && state.loggedIn) manager.logOut();
    for (const port of objectsFrom("ports", ports)) putPort(state, port);
  });

/** The settings in the file stay where the config names no others: they hold the credentials. */
function startFrom(state: ManagerState, config: Fields): void {
  const present = objectFrom("config", parsed(state.configFile));
  const _defaults = Object.assign({}, present._defaults, config._defaults);
  state.configFile = JSON.stringify({ ...present, ...config, _defaults });
  boot(state);
}

function putPort(state: ManagerState, { port: number, bans = [], ...changes }: Fields): void {
  const port = state.running.get(String(number));
  if (port === undefined) throw refuse(404, `no port ${number} is running`);
  Object.assign(port, merge(condition(port), changes));
  const now = state.clock().getTime();
  for (const { ip, domain = "", to } of objectsFrom("bans", bans))
    port.bans.add(String(ip), String(domain), typeof to === "number" ? to - now : 0);
}
