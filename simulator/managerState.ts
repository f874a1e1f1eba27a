import type { SimulatedManager } from "./manager";
import { boot } from "./manager/boot";
import type { RunningPort } from "./manager/runningPort";
import { ManagerState } from "./manager/state";
import { type Fields, merge, objectFrom, objectsFrom } from "./merge";
import { refuse } from "./remote/refusal";
import { parsed } from "./service";

/** What a manager's file has, what its ports are like, and what is so around it: of the drop-in port, which another need not have, only what is special. */
export const stateOfManager = ({ state }: SimulatedManager) => ({
  ...surroundings(state),
  portsInUse: [...state.portsInUse],
  loggedIn: state.loggedIn ?? null,
  config: parsed(state.configFile),
  ports: [...state.running.values()]
    .map(({ config, bans, ...port }) => ({ port: config.port, ...condition(port), bans: bans.list() }))
    .filter(({ port, health, stuck, bans }) => port !== state.dropinPort || health !== "ok" || stuck || bans.length > 0)
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

/** Refuses a state that {@link putManagerState} could not put as a whole. */
export function checkManagerState({ state }: SimulatedManager, changes: Fields): void {
  const { config, ports = [], portsInUse = [], loggedIn = null, ...rest } = changes;
  if (!Array.isArray(portsInUse) || !portsInUse.every(Number.isInteger))
    throw refuse(400, "portsInUse should be a list of ports");
  if (loggedIn !== null && typeof loggedIn !== "boolean") throw refuse(400, "loggedIn should be true or false");
  merge(surroundings(state), rest);
  const { running } = config === undefined ? state : startedFrom(state, objectFrom("config", config));
  for (const port of objectsFrom("ports", ports)) changesOf(running, port);
}

/**
 * Has a manager be as {@link stateOfManager} says of it. With a `config`, it starts from that. The state has passed
 * {@link checkManagerState}.
 */
export const putManagerState = (manager: SimulatedManager, changes: Fields): Promise<void> =>
  manager.edit((state) => {
    const { config, ports = [], portsInUse = [...state.portsInUse], loggedIn, ...rest } = changes;
    Object.assign(state, merge(surroundings(state), rest), { portsInUse: new Set(portsInUse as number[]) });
    if (config !== undefined) startFrom(state, objectFrom("config", config));
    if (loggedIn === true && !state.loggedIn) manager.logIn();
    if (loggedIn === false && state.loggedIn) manager.logOut();
    for (const port of objectsFrom("ports", ports)) putPort(state, port);
  });

/** Another manager of the same kind that has started from a config. */
function startedFrom({ account, options, configFile }: ManagerState, config: Fields): ManagerState {
  const started = new ManagerState({ ...options, account: account.copy() });
  started.configFile = configFile;
  startFrom(started, config);
  return started;
}

/** The settings in the file stay where the config names no others: they hold the credentials. */
function startFrom(state: ManagerState, config: Fields): void {
  const present = objectFrom("config", parsed(state.configFile));
  const _defaults = Object.assign({}, present._defaults, config._defaults);
  state.configFile = JSON.stringify({ ...present, ...config, _defaults });
  boot(state);
}

/** A port that runs, its condition as it is to be, and the bans that it is to have. */
function changesOf(running: ManagerState["running"], { port: number, bans = [], ...changes }: Fields) {
  const port = running.get(String(number));
  if (port === undefined) throw refuse(404, `no port ${number} is running`);
  return { port, condition: merge(condition(port), changes), bans: objectsFrom("bans", bans) };
}

function putPort(state: ManagerState, changes: Fields): void {
  const { port, condition, bans } = changesOf(state.running, changes);
  Object.assign(port, condition);
  const now = state.clock().getTime();
  for (const { ip, domain = "", to } of bans)
    port.bans.add(String(ip), String(domain), typeof to === "number" ? to - now : 0);
}
