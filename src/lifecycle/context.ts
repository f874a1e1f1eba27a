import { once } from "../base/once";
import { ManagerClient } from "../manager/client";
import type { Ban } from "../model/ban";
import type { RemoteClient } from "../remote/client";
import type { ConnectedSettings } from "../settings/connections";
import { Account } from "./account";
import type { Claims } from "./claims";
import type { Deadline } from "./deadline";
import type { Scope } from "./scope";
import { Shared, SharedList, WHILE_ASKED_FOR } from "./shared";

/** What the resources of one Proxy Manager and one account share: clients and lists. */
export class Context {
  readonly manager: ManagerClient;
  readonly ports = new SharedList(
    (signal) => this.manager.ports.list({ signal }),
    ({ port }) => port,
  );
  readonly managerSettings = new Shared((signal) => this.manager.settings.get({ signal }), WHILE_ASKED_FOR);
  readonly portDefaults = new Shared((signal) => this.manager.ports.defaults({ signal }), WHILE_ASKED_FOR);
  readonly managerZones = new Shared((signal) => this.manager.zones.list({ signal }), WHILE_ASKED_FOR);
  readonly managerUsers = new Shared((signal) => this.manager.users.list({ signal }));
  readonly loggedIn = new Shared((signal) => this.manager.session.isLoggedIn({ signal }), WHILE_ASKED_FOR);
  /** Every account that there is, the resources' own first: which of them the manager is logged in to is not known. */
  readonly accounts: readonly [Account, ...Account[]];
  /** What the person knows of, of what earlier updates have begun. */
  readonly advised = new WeakSet<object>();
  /** What the person has been told of the manager. */
  readonly told = new Set<string>();
  readonly #bans = new Map<number, Shared<Ban[]>>();
  readonly #ofManager: Scope | undefined;

  /** @param ofManager what the manager's resources share; absent where the context is that of an account's */
  constructor(
    settings: ConnectedSettings,
    accounts: readonly [Account, ...Account[]] = [new Account(settings)],
    ofManager?: Scope,
  ) {
    this.#ofManager = ofManager;
    this.manager = new ManagerClient(settings);
    this.accounts = accounts;
  }

  /** @throws {ConfigurationError} without a token: a program that only has ports needs none */
  get remote(): RemoteClient {
    return this.account.client;
  }

  get zones(): Account["zones"] {
    return this.account.zones;
  }

  /** The resources' own. */
  get account(): Account {
    return this.accounts[0];
  }

  /** Ids of the collections that are a resource's in this run. */
  get collections(): Set<string> {
    return this.account.collections;
  }

  bans(port: number): Shared<Ban[]> {
    return once(this.#bans, port, () => new Shared((signal) => this.manager.bans.list(port, { signal })));
  }

  /** Makes all that is known of the manager be asked anew: it is not the process it was. */
  forgetManager(): void {
    const { ports, managerSettings, portDefaults, managerZones, managerUsers, loggedIn } = this;
    const lists = [ports, managerSettings, portDefaults, managerZones, managerUsers, loggedIn];
    for (const shared of [...lists, ...this.#bans.values()]) shared.forget();
  }

  /** What the resources share that are of the account, or of the manager. */
  get scope(): Scope {
    return this.#ofManager ?? this.account.scope;
  }

  get claims(): Claims {
    return this.scope.claims;
  }

  /**
   * Runs a task when those that were given one of its keys before are over.
   *
   * @param deadline until which the tasks of all updates on this machine are waited for, too; otherwise only those of the run are
   * @param others scopes in which the keys stand for what may be the same
   */
  alone<T>(
    key: string | readonly string[],
    task: () => Promise<T>,
    deadline?: Deadline,
    others?: readonly Scope[],
  ): Promise<T> {
    const inTurn = (wasAnothers: boolean) => {
      if (wasAnothers) this.#forget();
      return task();
    };
    return this.scope.alone(typeof key === "string" ? [key] : key, inTurn, deadline, others);
  }

  /** Makes all that is listed be asked for anew. */
  #forget(): void {
    this.forgetManager();
    for (const account of this.accounts) account.forget();
  }
}
