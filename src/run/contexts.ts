import { once } from "../base/once";
import type { Service } from "../declaration/connection";
import { Account } from "../lifecycle/account";
import type { Claims } from "../lifecycle/claims";
import { Context } from "../lifecycle/context";
import { type OnMachine, Scope } from "../lifecycle/scope";
import { accountKeyOf, type Connection, connected, keyOf, scopeName, scopeNameOf } from "../settings/connections";
import type { Settings } from "../settings/settings";
import type { Peers } from "./peers";
import type { Turns } from "./turns";

/** The other processes of the run. */
interface Others {
  peers: Peers;
  turns: Turns;
}

/**
 * What the resources of a run share of their services. Resources of all kinds share clients and lists: one context for each Proxy
 * Manager and account, whatever the name that they are configured under.
 */
export class Contexts {
  readonly #contexts = new Map<string, Context>();
  /** The same, by what they are configured under: there are as many questions as resources. */
  readonly #byName = new WeakMap<Settings, Map<string, Context>>();
  readonly #accounts = new Map<string, Account>();
  // Who has what is a matter of the service alone: two names of one manager may have different keys, and an account may have
  // several tokens.
  readonly #scopes = new Map<string, Scope>();
  /** Names of scopes of which a process of the run has told which account's they are. */
  readonly #owned = new Set<string>();
  /** What is to be done with scopes of these names, once there are any. */
  readonly #awaited = new Map<string, ((scope: Scope) => void)[]>();
  #others: Others | undefined;

  constructor(readonly onMachine?: OnMachine) {}

  /**
   * What the resources of a service share that have these connections.
   *
   * @throws {ConfigurationError} for a name that is not configured
   */
  of(settings: Settings, connection: Connection, service: Service): Context {
    const byName = once(this.#byName, settings, () => new Map<string, Context>());
    const { account, manager } = connection;
    return once(byName, JSON.stringify([service, account, manager]), () => this.#of(settings, connection, service));
  }

  #of(settings: Settings, connection: Connection, service: Service): Context {
    const own = connected(settings, connection);
    return once(this.#contexts, `${service} ${keyOf(own)}`, () => {
      const names = [connection.account, undefined, ...Object.keys(settings.accounts)];
      const all = names.map((account) => this.#accountOf(settings, account));
      const accounts = [...new Set(all)] as [Account, ...Account[]];
      return new Context(own, accounts, service === "remote" ? undefined : this.#scopeNamed(scopeNameOf(own, service)));
    });
  }

  /**
   * Has tokens of one account share what its resources share, now that it is known whose this one's is.
   *
   * @param of stands for the account
   */
  unite(account: Account, url: string, of: string): void {
    const scope = this.#scopeNamed(scopeName(url, of), account.scope);
    if (scope === account.scope) return;
    scope.absorb(account.scope);
    for (const name of account.scope.names) this.#scopes.set(name, scope);
    account.scope = scope;
    this.#connect(scope);
  }

  #accountOf(settings: Settings, account: string | undefined): Account {
    const own = connected(settings, { account });
    return once(this.#accounts, accountKeyOf(own), () => {
      const made = new Account(own, account);
      made.scope = this.#scopeNamed(scopeNameOf(own, "remote"), made.scope);
      return made;
    });
  }

  /** What the processes of the run tell each other of all that it has to do with, whatever the service. */
  get ofRun(): Claims {
    return this.#scopeNamed(RUN).claims;
  }

  /** The claims of a scope by its names: if one of them is known here, all are from now on. */
  readonly #claimsOf = (names: readonly string[]): Claims | undefined => {
    if (names.length > 1) for (const name of names) this.#owned.add(name);
    const scope = names.map((name) => this.#scopes.get(name)).find((known) => known !== undefined);
    if (scope !== undefined) for (const name of names) if (!this.#scopes.has(name)) this.#name(scope, name);
    return scope?.claims;
  };

  /** Whether a name may be of a scope that is known by others: a token's at the same service, of which nobody has told whose it is. */
  mayBe({ names }: Scope, name: string): boolean {
    const isOwned = this.#owned.has(name) || (this.#scopes.get(name)?.names.size ?? 0) > 1;
    return !isOwned && [...names].some((known) => urlIn(known) === urlIn(name));
  }

  /** The claims of the scopes that may turn out to be the same as this one, those of other processes too. */
  alike(scope: Scope): Claims[] {
    const others = [...this.#scopes].filter(([name, other]) => other !== scope && this.mayBe(scope, name));
    const theirs = this.#others?.peers.unknown((name) => this.mayBe(scope, name));
    return [...others.map(([, { claims }]) => claims), ...(theirs === undefined ? [] : [theirs])];
  }

  /** Has something done with the scope of a name, as soon as it is known here. */
  whenNamed(name: string, task: (scope: Scope) => void): void {
    const known = this.#scopes.get(name);
    if (known === undefined) once(this.#awaited, name, () => [] as ((scope: Scope) => void)[]).push(task);
    else task(known);
  }

  /** Has other processes told what is claimed here, and their turns waited for, from now on. */
  meet(others: Others): void {
    this.#others = others;
    for (const scope of new Set(this.#scopes.values())) this.#connect(scope, true);
    others.peers.hearAgain(this.#claimsOf);
  }

  /** Hears what other processes have claimed since the last time. */
  hear(): void {
    this.#others?.peers.hear(this.#claimsOf);
  }

  /** The scope that has a name, which another one gets where none has it. */
  #scopeNamed(name: string, other = new Scope()): Scope {
    const known = this.#scopes.get(name);
    if (known !== undefined) return known;
    if (this.onMachine !== undefined) other.waitOnMachine(this.onMachine);
    this.#name(other, name);
    this.#connect(other);
    // Others may have told of it before.
    this.#others?.peers.hearAgain(this.#claimsOf);
    return other;
  }

  #name(scope: Scope, name: string): void {
    scope.names.add(name);
    this.#scopes.set(name, scope);
    for (const task of this.#awaited.get(name) ?? []) task(scope);
    this.#awaited.delete(name);
  }

  /** @param areNew whether the processes are others than those that it has told before */
  #connect(scope: Scope, areNew?: true): void {
    if (this.#others === undefined) return;
    const { peers, turns } = this.#others;
    scope.claims.tellTo((told) => peers.tell(scope.names, told), areNew);
    scope.takeTurns(async (keys) => {
      const turn = await turns.take(keys);
      this.hear();
      return turn;
    });
    if (scope.names.size > 1) peers.tell(scope.names);
  }
}

const urlIn = (scope: string): string | undefined => scope.split(" ")[0];

const RUN = "run";
