import { setTimeout as wait } from "node:timers/promises";
import { SimulatedService } from "../service";
import { banOperations } from "./bans";
import { boot } from "./boot";
import { configOperations } from "./config";
import { save } from "./configFile";
import { FrontDoor } from "./frontDoor";
import { infoOperations } from "./info";
import { ipOperations } from "./ips";
import { lifecycleOperations } from "./lifecycle";
import { logIn, logOut } from "./login";
import { logOperations } from "./logs";
import { proxyOperations } from "./proxies";
import { sessionOperations } from "./sessions";
import { settingsOperations } from "./settings";
import { type ManagerOptions, ManagerState } from "./state";
import { tokenOperations } from "./token";
import { userOperations } from "./users";
import { whitelistOperations } from "./whitelist";
import { zoneOperations } from "./zones";

export type { Ban } from "./banList";
export type { PortRecord } from "./portRecord";
export type { RequestLog } from "./requestLog";
export type { RunningPort } from "./runningPort";
export type { ManagerOptions, ManagerSettings, ManagerState, ManagerUser } from "./state";

/**
 * A stand-in for the Proxy Manager 1.570.247: its HTTP API with the answers, the state behind them and their oddities.
 * Its ports take no connections, and the calls of its own web page (logins, cities, bug reports) are missing.
 */
export class SimulatedManager {
  readonly service: SimulatedService;
  readonly state: ManagerState;
  readonly #door: FrontDoor;
  #port = 0;
  #closing = new AbortController();
  #down: Promise<void> = Promise.resolve();

  constructor(options: ManagerOptions) {
    this.state = new ManagerState(options);
    const { state } = this;
    const program = {
      restart: () => this.#after(() => this.#restart()),
      stop: () => this.#after(() => this.close()),
    };
    const operations = [
      ...lifecycleOperations(state, program),
      ...infoOperations(state),
      ...settingsOperations(state),
      ...configOperations(state),
      ...zoneOperations(state),
      ...proxyOperations(state),
      ...whitelistOperations(state),
      ...tokenOperations(state),
      ...banOperations(state),
      ...sessionOperations(state),
      ...ipOperations(state),
      ...userOperations(state),
      ...logOperations(state),
    ];
    this.#door = new FrontDoor(state, operations);
    this.service = new SimulatedService(this.#door.handle);
    boot(state);
  }

  /** Listens on 127.0.0.1; port `0` takes a free one. */
  async listen(port = 0): Promise<void> {
    await this.service.listen(port);
    this.#closing = new AbortController();
    this.#port = Number(new URL(this.service.url).port);
  }

  /** Where it listens, or listened before it went down. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.service.close();
  }

  /** Resolves when a restart or shutdown that was asked for is over. */
  async settled(): Promise<void> {
    await this.#down;
  }

  /** Logs the manager in to its account, as a person does on its web page. */
  logIn(): void {
    const { account, settings } = this.state;
    settings.lpm_token = `${account.generate(10)}|${account.customer}`;
    logIn(this.state);
    save(this.state);
  }

  logOut(): void {
    logOut(this.state);
  }

  /** Does it once the answer under way has been handed to the system. */
  #after(action: () => Promise<void>): void {
    this.#down = new Promise<void>((resolve) => setImmediate(resolve)).then(action);
  }

  async #restart(): Promise<void> {
    const { state } = this;
    const { signal } = this.#closing;
    await this.service.close();
    await wait(state.options.restartMs ?? 0, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    state.version = state.installedVersion;
    this.#door.reset();
    boot(state);
    await this.listen(this.#port);
  }
}
