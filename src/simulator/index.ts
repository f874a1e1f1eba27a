import { Account, type AccountOptions } from "./account/account";
import { addRemoteControl, addServiceControl } from "./control";
import { type ManagerOptions, SimulatedManager } from "./manager";
import { SimulatedRemote } from "./remote";
import type { RemoteBehaviour } from "./remote/behaviour";

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
  /** Port of the remote service. Default 0: a free one. */
  remotePort?: number;
  /** Port of the local manager. Default 0: a free one. */
  managerPort?: number;
  /** How the remote service behaves where that is a matter of choice. */
  remote?: Partial<RemoteBehaviour>;
  /** How the local manager behaves. */
  manager?: Omit<ManagerOptions, "account" | "clock">;
}

/** Both services, running on loopback over one account. */
export interface Simulator {
  readonly account: Account;
  readonly token: string;
  readonly customer: string;
  readonly remote: SimulatedRemote;
  readonly manager: SimulatedManager;
  /** The variables that point a program at the simulator. */
  environment(): Record<string, string>;
  close(): Promise<void>;
}

/** Starts a stand-in for the remote service and the local manager. Nothing leaves the machine. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const account = new Account(options);
  const remote = new SimulatedRemote(account, options.remote);
  const manager = new SimulatedManager({ ...options.manager, account, clock: account.clock });
  addServiceControl(remote.service);
  addRemoteControl(remote);
  addServiceControl(manager.service);
  const close = async (): Promise<void> => {
    await Promise.all([remote.service.close(), manager.close()]);
  };
  try {
    await remote.listen(options.remotePort);
    await manager.listen(options.managerPort);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    account,
    get token() {
      return account.token;
    },
    customer: account.customer,
    remote,
    manager,
    environment: () => ({
      BRIGHTDATA_API_TOKEN: account.token,
      BRIGHTDATA_BASE_URL: remote.url,
      BRIGHTDATA_PROXY_MANAGER_URL: manager.url,
    }),
    close,
  };
}
