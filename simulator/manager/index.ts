import { setTimeout as wait } from "node:timers/promises";
import { type Answer, LOOPBACK, type SimulatedRequest, SimulatedService, urlOf } from "../service";
import { banRoutes } from "./bans";
import { boot } from "./boot";
import { configRoutes } from "./config";
import { save } from "./configFile";
import { FrontDoor } from "./frontDoor";
import { infoRoutes } from "./info";
import { addressOf, isReached } from "./interfaces";
import { ipRoutes } from "./ips";
import { lifecycleRoutes } from "./lifecycle";
import { Listeners } from "./listeners";
import { logIn, logOut } from "./login";
import { logRoutes } from "./logs";
import { dropPort } from "./ports";
import { proxyRoutes } from "./proxies";
import type { Routes } from "./route";
import { sessionRoutes } from "./sessions";
import { settingsRoutes } from "./settings";
import { type ManagerOptions, ManagerState } from "./state";
import { tokenRoutes } from "./token";
import { userRoutes } from "./users";
import { whitelistRoutes } from "./whitelist";
import { zoneRoutes } from "./zones";

export type { Ban } from "./banList";
export type { PortRecord } from "./portRecord";
export type { RequestLog } from "./requestLog";
export type { RunningPort } from "./runningPort";
export type { ManagerOptions, ManagerSettings, ManagerState, ManagerUser } from "./state";

const ROUTES: Routes = {
  ...infoRoutes,
  ...settingsRoutes,
  ...zoneRoutes,
  ...proxyRoutes,
  ...whitelistRoutes,
  ...tokenRoutes,
  ...banRoutes,
  ...sessionRoutes,
  ...ipRoutes,
  ...userRoutes,
  ...logRoutes,
};

/**
 * A stand-in for the Proxy Manager 1.570.247: its HTTP API with the answers, the state behind them and their oddities.
 * Its ports listen where {@link ManagerOptions.listen} says so, and send nothing on. The calls of its own web page
 * (logins, cities, bug reports) are missing.
 */
export class SimulatedManager {
  readonly service: SimulatedService;
  readonly state: ManagerState;
  readonly #door: FrontDoor;
  readonly #listeners: Listeners;
  #turn: Promise<unknown> = Promise.resolve();
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
    this.#door = new FrontDoor(state, { ...lifecycleRoutes(program), ...configRoutes(program), ...ROUTES });
    this.#listeners = new Listeners(state);
    this.service = new SimulatedService(
      options.listen ? (request) => this.#answerListening(request) : this.#door.handle,
      undefined,
      state.clock,
    );
    boot(state);
  }

  /** Listens; port `0` takes a free one. */
  async listen(port = 0): Promise<void> {
    if (this.state.options.listen) await this.#listen();
    await this.service.listen(port, this.state.options.host);
    this.#closing = new AbortController();
    this.#port = Number(new URL(this.service.url).port);
  }

  /** Where it listens, or listened before it went down. */
  get url(): string {
    return urlOf(this.state.options.host ?? LOOPBACK, this.#port);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#goDown();
  }

  /** Resolves when a restart or shutdown that was asked for is over. */
  async settled(): Promise<void> {
    await this.#down;
  }

  /** Has its state edited between two requests, and listens for the ports that there are then. */
  async edit(change: (state: ManagerState) => void): Promise<void> {
    await this.#down;
    const edited = this.#turn.then(async () => {
      change(this.state);
      if (this.state.options.listen) await this.#listen();
    });
    this.#turn = edited.catch(() => undefined);
    await edited;
  }

  /** Back to what there was when it was made. A manager that was shut down runs again. */
  async reset(): Promise<void> {
    await this.edit((state) => {
      state.reset();
      this.#door.reset();
      this.service.reset();
      boot(state);
    });
    if (!this.service.isListening) await this.listen(this.#port);
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

  /** One after the other, for opening a port takes a while and two may want the same. */
  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(task);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** The numbers that the request wants are taken before it is answered, or known to be another program's. */
  async #answerListening(request: SimulatedRequest): Promise<Answer> {
    const { portsInUse } = this.state;
    const { answer } = await this.#inTurn(async () => {
      const taken = (await this.#listeners.open(this.#door.claims(request))).filter((port) => !portsInUse.has(port));
      for (const port of taken) portsInUse.add(port);
      const answer = Promise.resolve(this.#door.handle(request));
      for (const port of taken) portsInUse.delete(port);
      return { answer };
    });
    const answered = await answer;
    await this.#inTurn(() => this.#listen());
    return answered;
  }

  /** Listens for every running port, and for no other. */
  async #listen(): Promise<void> {
    const host = this.state.options.host ?? LOOPBACK;
    const ports = [...this.state.running.values()].filter(
      ({ stuck, hung, config }) => !stuck && !hung && isReached(addressOf(config.iface), host),
    );
    const numbers = new Set(ports.map(({ config }) => config.port));
    await this.#listeners.keepOnly(numbers);
    for (const port of await this.#listeners.open(numbers)) dropPort(this.state, port, `port ${port} is in use`);
  }

  async #goDown(): Promise<void> {
    await this.service.close();
    await this.#turn;
    await this.#listeners.keepOnly(new Set());
  }

  /** Does it once the answer under way has been handed to the system. */
  #after(action: () => Promise<void>): void {
    this.#down = new Promise<void>((resolve) => setImmediate(resolve)).then(action);
  }

  async #restart(): Promise<void> {
    const { state } = this;
    const { signal } = this.#closing;
    await this.#goDown();
    await wait(state.options.restartMs ?? 0, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    state.version = state.installedVersion;
    this.#door.reset();
    boot(state);
    await this.listen(this.#port);
  }
}
