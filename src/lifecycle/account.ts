import type { ConnectedSettings } from "../connections";
import { RemoteClient } from "../remote/client";
import { Shared } from "./shared";

/** What the resources of one account share, whatever the Proxy Manager that they are used with. */
export class Account {
  /** Ids of the collections that are a resource's in this run. */
  readonly collections = new Set<string>();
  readonly zones = new Shared(() => this.client.zones.listAll());
  /** What it is called, in words. */
  readonly title: string;
  readonly #settings: ConnectedSettings;
  #client: RemoteClient | undefined;

  /** @param name that of its connection; `undefined` for the account of the settings themselves */
  constructor(settings: ConnectedSettings, name?: string) {
    this.#settings = settings;
    this.title = `the account ${name === undefined ? "of brightdata:apiToken" : JSON.stringify(name)}`;
  }

  /** @throws {ConfigurationError} without a token: a program that only has ports needs none */
  get client(): RemoteClient {
    this.#client ??= new RemoteClient(this.#settings);
    return this.#client;
  }

  /** Whether the account can be asked at all. */
  get hasToken(): boolean {
    return this.#settings.apiToken !== undefined;
  }
}
