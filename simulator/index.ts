import { Account, type AccountOptions } from "./account/account";
import { addManagerControl, addRemoteControl } from "./control";
import { type ManagerOptions, SimulatedManager } from "./manager";
import { checkManagerState, putManagerState, stateOfManager } from "./managerState";
import { named, objectFrom } from "./merge";
import { SimulatedRemote } from "./remote";
import type { RemoteBehaviour } from "./remote/behaviour";
import { checkState, putState, stateOf } from "./state";

export { Account, type AccountOptions, type Sweep } from "./account/account";
export type { CollectorRun } from "./account/collectorRun";
export { type DatasetRecord, dataset } from "./account/dataset";
export type { DeliveryRecord } from "./account/delivery";
export type { PlanInput, ZonePlan } from "./account/plan";
export { listedRecords, type RecordSource, type SnapshotRecord, syntheticRecords } from "./account/snapshot";
export type { AllocatedGip, AllocatedIp, DayUsage, ZoneRecord } from "./account/zone";
export type { Fault, FaultKind, FaultPlan } from "./fault";
export {
  type Ban,
  type ManagerOptions,
  type ManagerSettings,
  type ManagerState,
  type ManagerUser,
  type PortRecord,
  type RequestLog,
  type RunningPort,
  SimulatedManager,
} from "./manager";
export { SimulatedRemote } from "./remote";
export type { RemoteBehaviour } from "./remote/behaviour";
export { CONTROL_PREFIX, type LoggedRequest, type SimulatedService } from "./service";

export interface SimulatorOptions extends AccountOptions {
  /** Where both services and the ports listen. Default `127.0.0.1`. */
  host?: string;
  /** Port of the remote service. Default 0: a free one. */
  remotePort?: number;
  /** Port of the local manager. Default 0: a free one. */
  managerPort?: number;
  /** How the remote service behaves where that is a matter of choice. */
  remote?: Partial<RemoteBehaviour>;
  /** How the local manager behaves. */
  manager?: Omit<ManagerOptions, "account" | "clock" | "host">;
  /** What there is at the start, and again after a reset: what `GET /__simulator/state` answers, or a part of it. */
  state?: Record<string, unknown>;
  /**
   * Further accounts, by the names that programs have for them. As with Bright Data, the remote service is at one address for all,
   * and the token decides; with a port, an account has one of its own.
   */
  accounts?: Record<string, { port?: number } & Pick<AccountOptions, "customer" | "token">>;
  /** Further managers, by the names that programs have for them. Their account is the first one unless they name another. */
  managers?: Record<string, { port?: number; account?: string }>;
}

/** Both services, running over one account, and what further ones were asked for. */
export class Simulator {
  readonly remote: SimulatedRemote;
  readonly manager: SimulatedManager;
  /** What answers for the further accounts, by name. */
  readonly remotes: ReadonlyMap<string, SimulatedRemote>;
  /** The further managers, by name. */
  readonly managers: ReadonlyMap<string, SimulatedManager>;
  readonly #options: SimulatorOptions;
  #isUp = false;

  /** {@link startSimulator} makes one that runs. */
  constructor(options: SimulatorOptions) {
    const { accounts = {}, managers = {}, seed, host, clock } = options;
    this.#options = options;
    this.remote = new SimulatedRemote(new Account(options), options.remote);
    this.remotes = mapped(Object.entries(accounts), ({ port: _, ...given }, name, index) => {
      const own = seed === undefined ? {} : { seed: `${seed}:${name}` };
      const customer = `hl_simulated${index + 2}`;
      return new SimulatedRemote(new Account({ ...(clock && { clock }), ...own, customer, ...given }), options.remote);
    });
    const managerOf = (account: Account): SimulatedManager =>
      new SimulatedManager({ ...options.manager, ...(host && { host }), account, clock: account.clock });
    this.manager = managerOf(this.account);
    this.managers = mapped(Object.entries(managers), ({ account }, name) => {
      const owner = account === undefined ? this.remote : this.remotes.get(account);
      if (owner === undefined)
        throw new Error(`The manager "${name}" is of the account "${account}", which there is not.`);
      return managerOf(owner.account);
    });
    addRemoteControl(this.remote, this, true);
    for (const remote of this.remotes.values()) addRemoteControl(remote, this, false);
    for (const manager of [this.manager, ...this.managers.values()]) addManagerControl(manager, this);
  }

  get account(): Account {
    return this.remote.account;
  }

  get token(): string {
    return this.account.token;
  }

  get customer(): string {
    return this.account.customer;
  }

  async listen(): Promise<void> {
    const { host, remotePort, managerPort, accounts = {}, managers = {} } = this.#options;
    await this.remote.listen(remotePort, host);
    for (const [name, remote] of this.remotes) {
      const { port } = accounts[name] ?? {};
      if (port === undefined) remote.join(this.remote);
      else await remote.listen(port, host);
    }
    await this.manager.listen(managerPort);
    for (const [name, manager] of this.managers) await manager.listen(managers[name]?.port);
    if (this.#options.state !== undefined) await this.reset();
    this.#isUp = true;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** The variables that point a program at the simulator. */
  environment(): Record<string, string> {
    const accounts = mapped(this.remotes, ({ account, url }) => ({ apiToken: account.token, baseUrl: url }));
    const managers = mapped(this.managers, ({ url }) => ({ url }));
    return {
      BRIGHTDATA_API_TOKEN: this.token,
      BRIGHTDATA_BASE_URL: this.remote.url,
      BRIGHTDATA_PROXY_MANAGER_URL: this.manager.url,
      ...(accounts.size > 0 && { BRIGHTDATA_ACCOUNTS: JSON.stringify(Object.fromEntries(accounts)) }),
      ...(managers.size > 0 && { BRIGHTDATA_MANAGERS: JSON.stringify(Object.fromEntries(managers)) }),
    };
  }

  /** All there is, as {@link SimulatorOptions.state} takes it. */
  state(): Record<string, unknown> {
    return {
      ...stateOf(this.remote),
      manager: stateOfManager(this.manager),
      accounts: Object.fromEntries(mapped(this.remotes, stateOf)),
      managers: Object.fromEntries(mapped(this.managers, stateOfManager)),
    };
  }

  /** Has everything be as such a state says, or nothing if it cannot be. What it does not name stays as it is. */
  async put(state: Record<string, unknown>): Promise<void> {
    const { manager, accounts, managers, ...first } = state;
    const remoteParts = [[this.remote, first] as const, ...named("accounts", accounts, this.remotes)];
    const managerParts = named("managers", managers, this.managers);
    if (manager !== undefined) managerParts.unshift([this.manager, objectFrom("manager", manager)]);
    for (const [remote, part] of remoteParts) checkState(remote, part);
    for (const [each, part] of managerParts) checkManagerState(each, part);
    for (const [remote, part] of remoteParts) putState(remote, part);
    for (const [each, part] of managerParts) await putManagerState(each, part);
  }

  /** Everything is again what it was at the start, at the same addresses. */
  async reset(): Promise<void> {
    for (const remote of [this.remote, ...this.remotes.values()]) remote.reset();
    const { manager, managers, ...accounts } = this.#options.state ?? {};
    // A manager that starts takes the zones that its account has by then.
    await this.put(accounts);
    this.#keepTokens();
    for (const each of [this.manager, ...this.managers.values()]) await each.reset();
    await this.put({ manager, managers });
  }

  /** A token that was asked for is that of the account, whatever a state says: programs know it. */
  #keepTokens(): void {
    const { token, accounts = {} } = this.#options;
    this.account.token = token ?? this.account.token;
    for (const [name, { account }] of this.remotes) account.token = accounts[name]?.token ?? account.token;
  }

  async close(): Promise<void> {
    const services = [this.remote, this.manager, ...this.remotes.values(), ...this.managers.values()];
    await Promise.all(services.map((service) => service.close()));
  }
}

/** Starts a stand-in for the remote service and the local manager. Nothing leaves the machine. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = new Simulator(options);
  try {
    await simulator.listen();
  } catch (error) {
    await simulator.close();
    throw error;
  }
  return simulator;
}

/** What is made of each named thing, by its name. */
const mapped = <From, To>(
  things: Iterable<[string, From]>,
  made: (thing: From, name: string, index: number) => To,
): Map<string, To> => new Map(Array.from(things, ([name, thing], index) => [name, made(thing, name, index)]));
