import { credentialsIn } from "../settings/credentials";
import { SETTINGS } from "../settings/definitions";
import { PROVIDER_NAME, type ReadConfig, readSetting, readSettings, type Settings } from "../settings/settings";
import type { Prices } from "../settings/values";

/** What a provider is configured with, read when it is first asked for: most calls of a preview need none of it. */
export class Configuration {
  readonly #read: ReadConfig;
  #settings: Settings | undefined;

  constructor(read: ReadConfig) {
    this.#read = read;
  }

  /**
   * Read once: neither the configuration nor the environment changes while the process lives.
   *
   * @throws {ConfigurationError} for a setting that cannot be used
   */
  get settings(): Settings {
    this.#settings ??= readSettings(this.#read);
    return this.#settings;
  }

  /** Name of the explicit provider that this is; `undefined` for the default one. */
  get home(): string | undefined {
    return this.#read(PROVIDER_NAME);
  }

  /** @throws {ConfigurationError} for prices that cannot be used */
  get prices(): Prices {
    return readSetting(SETTINGS.prices, this.#read);
  }

  /** Every credential in it, for hiding them. */
  get credentials(): string[] {
    return credentialsIn(this.#read);
  }
}
