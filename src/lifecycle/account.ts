import { RemoteClient } from "../remote/client";
import type { ConnectedSettings } from "../settings/connections";
import { SETTINGS } from "../settings/definitions";
import { waysToSet } from "../settings/setting";
import { Scope } from "./scope";
import { FOR_GOOD, Shared } from "./shared";

/** What the resources of one account share, whatever the Proxy Manager that they are used with. */
export class Account {
  /** Ids of the collections that are a resource's in this run. */
  readonly collections = new Set<string>();
  /** What its resources share; the same for all tokens of an account, once that is known. */
  scope = new Scope();
  readonly zones = new Shared((signal) => this.client.zones.listAll({ signal }));
  /** Who may, and may not, use zones, of all of them. */
  readonly allowedIps = new Shared((signal) => this.client.access.listAllowedIps("*", { signal }));
  readonly deniedIps = new Shared((signal) => this.client.access.listDeniedIps("*", { signal }));
  readonly title: string;
  /** Whether the token may ask whose it is, as far as that is known: once is enough. */
  mayAsk = true;
  /** The customer's id, where it has been asked for. */
  owner: string | undefined;
  readonly #settings: ConnectedSettings;
  readonly #customer = new Shared(async (signal) => {
    const { customer } = await this.client.account.status({}, { signal });
    this.owner = customer;
    return customer;
  }, FOR_GOOD);
  #client: RemoteClient | undefined;

  /** @param name that of its connection; `undefined` for the account of the settings themselves */
  constructor(settings: ConnectedSettings, name?: string) {
    this.#settings = settings;
    this.title = `the account ${name === undefined ? `of ${waysToSet(SETTINGS.apiToken, settings.provider)}` : JSON.stringify(name)}`;
  }

  /** @throws {ConfigurationError} without a token: a program that only has ports needs none */
  get client(): RemoteClient {
    this.#client ??= new RemoteClient(this.#settings);
    return this.#client;
  }

  /** The customer's id, such as `hl_1a2b3c4d`: it is the same under all of the account's tokens. */
  customer(signal: AbortSignal): Promise<string> {
    return this.#customer.get(signal);
  }

  get hasToken(): boolean {
    return this.#settings.apiToken !== undefined;
  }

  /** Makes all that is listed be asked for anew. */
  forget(): void {
    this.zones.forget();
    this.forgetAccess();
  }

  /** Makes who may use zones be asked for anew. */
  forgetAccess(): void {
    this.allowedIps.forget();
    this.deniedIps.forget();
  }
}
