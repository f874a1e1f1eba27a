import type { Settings } from "../config";
import type { Ban } from "../manager/bans";
import { ManagerClient } from "../manager/client";
import { RemoteClient } from "../remote/client";
import { Ownership } from "./ownership";
import { Shared, SharedList, WHILE_ASKED_FOR } from "./shared";

/** What the resources of one configuration share: clients, lists and locks. */
export class Context {
  readonly manager: ManagerClient;
  /** Which of the program's resources have what. */
  readonly ownership = new Ownership();
  /** Ids of the collections that are a resource's in this run. */
  readonly collections = new Set<string>();
  readonly zones = new Shared(() => this.remote.zones.listAll());
  readonly ports = new SharedList(
    () => this.manager.ports.list(),
    ({ port }) => port,
  );
  readonly managerSettings = new Shared(() => this.manager.settings.get(), WHILE_ASKED_FOR);
  readonly managerZones = new Shared(() => this.manager.zones.list(), WHILE_ASKED_FOR);
  readonly managerUsers = new Shared(() => this.manager.users.list());
  readonly loggedIn = new Shared(() => this.manager.session.isLoggedIn(), WHILE_ASKED_FOR);
  readonly #settings: Settings;
  readonly #bans = new Map<number, Shared<Ban[]>>();
  readonly #locks = new Map<string, Promise<unknown>>();
  #remote: RemoteClient | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.manager = new ManagerClient(settings);
  }

  /** @throws {ConfigurationError} without a token: a program that only has ports needs none */
  get remote(): RemoteClient {
    this.#remote ??= new RemoteClient(this.#settings);
    return this.#remote;
  }

  /** Whether the remote service can be asked at all. */
  get hasToken(): boolean {
    return this.#settings.apiToken !== undefined;
  }

  /** What is banned on a port of the manager. */
  bans(port: number): Shared<Ban[]> {
    let bans = this.#bans.get(port);
    if (bans === undefined) {
      bans = new Shared(() => this.manager.bans.list(port));
      this.#bans.set(port, bans);
    }
    return bans;
  }

  /** Makes all that is known of the manager be asked anew: it is not the process it was. */
  forgetManager(): void {
    const lists = [this.ports, this.managerSettings, this.managerZones, this.managerUsers, this.loggedIn];
    for (const shared of [...lists, ...this.#bans.values()]) shared.forget();
  }

  /** Runs tasks with the same key one after another. */
  async alone<T>(key: string, task: () => Promise<T>): Promise<T> {
    const turn = (this.#locks.get(key) ?? Promise.resolve()).then(task, task);
    this.#locks.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#locks.get(key) === turn) this.#locks.delete(key);
    }
  }
}
