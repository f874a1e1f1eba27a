import type { Account } from "../account/account";
import { LOOPBACK, passed } from "../service";
import { BanList } from "./banList";
import { Certificates } from "./certificates";
import { DEFAULTS, type Fields } from "./fields";
import type { ShortForm } from "./netmask";
import type { PortRecord } from "./portRecord";
import { lineOf, type RequestLog } from "./requestLog";
import type { RunningPort } from "./runningPort";
import { Stats } from "./stats";
import { ZoneList } from "./zoneList";

export interface ManagerOptions {
  /** Whose zones the manager knows. */
  account: Account;
  /** Default: the account's clock. */
  clock?: () => Date;
  /** How time passes for what a port waits for. Default: as it does */
  pause?: (milliseconds: number) => Promise<unknown>;
  /** Default `true`. A manager that is not logged in has no zones. */
  loggedIn?: boolean;
  /** Default `true`: see {@link ManagerState.vendorReachable}. */
  vendorReachable?: boolean;
  /** Default `1.570.247`. */
  version?: string;
  /** The newest version there is. Default: {@link version}, so that there is nothing to upgrade to. */
  latestVersion?: string;
  /** How long the manager is down after a restart, in milliseconds. Default 0; the real one takes about 6600. */
  restartMs?: number;
  /** How many lists of the zones still lack a zone that was made after the manager. Default 0. */
  zonesVisibleAfterReads?: number;
  /** Whether the list of addresses that may call the API keeps a CIDR mask, as from version 1.643.828. Default `false`. */
  keepsMask?: boolean;
  /** Requests of one kind a minute, and tokens an hour. Defaults 2000 and 5. */
  rateLimit?: { perMinute?: number; scarcePerHour?: number };
  /** Whether it is one of those in the vendor's cloud, which deliver their logs (`logs_settings`). Default `false`. */
  zagent?: boolean;
  /** Whether there is the drop-in port, which takes the user names of the super proxy. Default `true`. */
  dropin?: boolean;
  /** Its number. Default 22225. */
  dropinPort?: number;
  /** Where it listens, and its ports with it. Default 127.0.0.1; from anywhere else, every caller is let in. */
  host?: string;
  /** Whether the ports listen, so that programs can send requests through them. Default `false`. */
  listen?: boolean;
  /**
   * Whether it hangs where the real one does: `POST /enable_ssl` with a port whose `debug` or `lpm_auth` is one of the settings
   * (`default-none`) is never answered, and after `POST /config` with one port twice, or with a stuck one, the manager
   * is down. Default `false`.
   */
  hangs?: boolean;
  /** Port of the manager itself as its answers have it, whatever it really listens on. Default 22999. */
  www?: number;
  /** Default 10000. */
  portsLimit?: number;
  /** Changes are not written to the config file, so a restart undoes them. Default `false`. */
  readOnly?: boolean;
  /** Every call needs the cookie `local-login` with the default zone's password. Default `false`. */
  localLogin?: boolean;
  /** `--whitelist_ips` of the command line: on every port, and not removable through the API. */
  whitelistIps?: string[];
  /** Fields of ports on the command line, such as `{ country: "us" }` for `--country us`: for all ports that have none of their own. */
  portDefaults?: Record<string, unknown>;
}

/** The general settings, credentials included. */
export interface ManagerSettings extends Fields {
  customer?: string;
  lpm_token?: string;
  password?: string;
  token_auth?: string;
  whitelist_ips?: string[];
  www_whitelist_ips?: string[];
}

/** A sub-user who may use the ports. */
export interface ManagerUser {
  email: string;
  password: string;
}

/**
 * All that the manager knows. The operations only answer from it, so a test may read and edit it directly, as the
 * manager's own web page or a person with its config file would.
 */
export class ManagerState {
  readonly account: Account;
  readonly options: Omit<ManagerOptions, "account" | "version">;
  readonly clock: () => Date;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  readonly zones: ZoneList;
  version: string;
  latestVersion: string;
  /** The version on the disk, which the next start runs. */
  installedVersion: string;
  /** What `POST /upgrade` fails with, if it is to fail. */
  upgradeError: string | undefined;
  /** Whether the vendor can be reached. Without it there are no zones, and synchronised settings cannot be changed. */
  vendorReachable: boolean;
  /** `undefined` when the vendor could not be asked. */
  loggedIn: boolean | undefined = false;
  settings: ManagerSettings = {};
  /** The configured ports in the order in which they were made, the drop-in port among them. */
  records: PortRecord[] = [];
  /** The ports that listen, by number as text; more than {@link records} where a record has `multiply`. */
  readonly running = new Map<string, RunningPort>();
  /** Port numbers that another program of the machine listens on. */
  readonly portsInUse = new Set<number>();
  users: ManagerUser[] = [];
  /** Addresses that a port, or the API, has turned away since the start. */
  readonly pendingIps = new Set<string>();
  readonly pendingWwwIps = new Set<string>();
  /** What went through the ports, as far as the setting `logs` keeps it, oldest first. */
  requestLogs: RequestLog[] = [];
  readonly stats = new Stats();
  readonly certificates = new Certificates();
  /** The lines of the log file. */
  readonly logLines: string[] = [];
  readonly #given: ManagerOptions;
  #configFile: string;
  #unwritten: (() => string) | undefined;

  constructor(given: ManagerOptions) {
    const { account, version = "1.570.247", ...options } = given;
    this.#given = given;
    this.account = account;
    this.options = options;
    this.clock = options.clock ?? account.clock;
    this.pause = options.pause ?? passed;
    this.zones = new ZoneList(account, options.zonesVisibleAfterReads ?? 0);
    this.vendorReachable = options.vendorReachable ?? true;
    this.version = version;
    this.installedVersion = version;
    this.latestVersion = options.latestVersion ?? version;
    const { customer } = account;
    const lpm_token = `${account.generate(10)}|${customer}`;
    const credentials = options.loggedIn === false ? {} : { customer, lpm_token, ...accountIds(customer) };
    const isLocal = /^(127\.|localhost$|::1$)/.test(options.host ?? LOOPBACK);
    const open = isLocal ? {} : { www_whitelist_ips: ["0.0.0.0/0"] };
    this.#configFile = JSON.stringify({ _defaults: { ...credentials, ...open, version }, proxies: [] }, null, 2);
  }

  /** Back to what there was when it was made. */
  reset(): void {
    const made = new ManagerState(this.#given);
    Object.assign(this, made);
    this.configFile = made.configFile;
  }

  /** The text of the config file: all that survives a restart. */
  get configFile(): string {
    if (this.#unwritten !== undefined) this.configFile = this.#unwritten();
    return this.#configFile;
  }

  set configFile(text: string) {
    this.#configFile = text;
    this.#unwritten = undefined;
  }

  /** Has the config file written when somebody reads it. */
  writeLater(text: () => string): void {
    this.#unwritten = text;
  }

  /** The manager's defaults under the options of its command line. */
  get startOptions(): Fields {
    const { www, portsLimit, readOnly, localLogin, portDefaults } = this.options;
    const given = { www, ports_limit: portsLimit, read_only: readOnly, local_login: localLogin };
    const own = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    return { ...DEFAULTS, ...portDefaults, ...own };
  }

  get www(): number {
    return this.options.www ?? 22999;
  }

  get shortForm(): ShortForm {
    return this.options.keepsMask ? "middle" : "front";
  }

  record(port: unknown): PortRecord | undefined {
    const wanted = String(port);
    return this.records.find((record) => String(record.port) === wanted);
  }

  noBans(): BanList {
    return new BanList(() => this.clock().getTime());
  }

  /** Counts a request that went through a port, and keeps it. */
  addRequest(log: RequestLog): void {
    const port = this.running.get(String(log.port));
    if (port !== undefined && log.success) port.status = "ok";
    if (this.settings.request_stats) this.stats.add(log, Number(port?.config.gb_cost ?? 0));
    if (Number(this.settings.logs)) this.requestLogs.push(log);
  }

  /** Writes a line of a request to the log file, where its level asks for that. */
  logRequest(log: RequestLog): void {
    if (!["info", "debug"].includes(String(this.settings.log))) return;
    this.log(`[${log.port}]`, lineOf(log, this.clock().getTime() - log.timestamp), "INFO");
  }

  /** Changes what a port runs by. */
  update(port: RunningPort, fields: Fields): void {
    port.update(fields);
    this.log("MGRPR", `Port ${port.config.port} updated`);
  }

  get dropinPort(): number {
    return this.options.dropinPort ?? DROPIN_PORT;
  }

  log(category: string, message: string, level = "NOTICE"): void {
    const time = this.clock().toISOString().replace("T", " ").replace("Z", "");
    this.logLines.push(`${time} ${level}: ${category === "" ? "" : `${category}: `}${message}`);
  }
}

/** The two other names that the vendor has for a customer. */
export const accountIds = (customer: string): { account_id: string; customer_id: string } => ({
  account_id: customer.replace(/^(hl_)?/, "c_"),
  customer_id: customer,
});

const DROPIN_PORT = 22225;
