import * as pulumi from "@pulumi/pulumi";
import { PORT_FIELDS, type PortField, portField } from "../../manager/portFields";
import { isResource, lookUp, OldResource, secret, type TimeoutsArgs, typeOf } from "../../program/resource";

/**
 * Arguments of a {@link ProxyPort}: every field of the Proxy Manager's port record. Unless a field says otherwise, a change
 * is made in place and open connections are kept; a field that is taken away goes back to the manager's default.
 */
export interface ProxyPortArgs {
  /**
   * Zone whose proxies the port uses. Changed in place.
   *
   * @example "web_scraping"
   */
  zone: pulumi.Input<string>;
  /**
   * Number of the port, from 1000 to 65535. A change makes a new port.
   *
   * @default the next free number from 24000 on, chosen by the manager
   * @example 24000
   */
  port?: pulumi.Input<number>;
  /**
   * Only `persist`: the manager neither saves nor lists ports of another type.
   *
   * @default "persist"
   */
  proxyType?: pulumi.Input<"persist">;
  /**
   * Customer the requests are made for. Written only: the manager forgets it with a restart and uses the account it is logged in to.
   *
   * @example "hl_12345678"
   */
  customer?: pulumi.Input<string>;
  /** Password of the zone. Secret, and written only: the manager puts the account's own in its place where it knows the zone. */
  password?: pulumi.Input<string>;
  /**
   * IPv4 addresses and CIDR blocks that may use the port, beside those of the manager's lists.
   *
   * @default []
   * @example ["203.0.113.7", "10.20.0.0/16"]
   */
  whitelistIps?: pulumi.Input<pulumi.Input<string>[]>;
  /** Name that the manager's UI shows. */
  internalName?: pulumi.Input<string>;
  /**
   * Number of ports that listen from `port` on with these settings; 0 and 1 are one port. A change makes the manager open the port anew.
   *
   * @default 0
   */
  multiply?: pulumi.Input<number>;
  /**
   * Whether there is a port for each of the `ips`.
   *
   * @default false
   */
  multiplyIps?: pulumi.Input<boolean>;
  /**
   * Whether there is a port for each of the `vips`.
   *
   * @default false
   */
  multiplyVips?: pulumi.Input<boolean>;
  /**
   * Whether each of the `users` has a port of its own. A change makes the manager open the port anew.
   *
   * @default false
   */
  multiplyUsers?: pulumi.Input<boolean>;
  /** Users for `multiplyUsers`; the manager writes them in lower case. */
  users?: pulumi.Input<pulumi.Input<string>[]>;
  /** User that a client of the port has to name. */
  user?: pulumi.Input<string>;
  /** Password that a client of the port has to give. Secret, written only. */
  userPassword?: pulumi.Input<string>;
  /**
   * Whether the manager opens TLS connections to analyse them. Always on for unblocker zones.
   *
   * @default false
   */
  ssl?: pulumi.Input<boolean>;
  /**
   * TLS library.
   *
   * @default "open_ssl"
   */
  tlsLib?: pulumi.Input<"open_ssl" | "flex_tls">;
  /**
   * Whether downloads are checked for viruses.
   *
   * @default false
   */
  avCheck?: pulumi.Input<boolean>;
  /**
   * Whether bad certificates of target hosts are accepted.
   *
   * @default false
   */
  insecure?: pulumi.Input<boolean>;
  /**
   * Interface or address that the port listens on. A change makes a new port.
   *
   * @example "127.0.0.1"
   */
  iface?: pulumi.Input<string>;
  /**
   * Host of the super proxy.
   *
   * @default "brd.superproxy.io"
   */
  proxy?: pulumi.Input<string>;
  /**
   * Port of the super proxy.
   *
   * @default 22225
   */
  proxyPort?: pulumi.Input<number>;
  /**
   * Connection to the super proxy.
   *
   * @default "http"
   */
  proxyConnectionType?: pulumi.Input<"http" | "https" | "socks">;
  /**
   * Times that a request is tried again when the super proxy fails.
   *
   * @default 2
   */
  proxyRetry?: pulumi.Input<number>;
  /** Country of the super proxy, two letters. */
  proxyCountry?: pulumi.Input<string>;
  /**
   * Country of the exit IPs, two letters.
   *
   * @example "us"
   */
  country?: pulumi.Input<string>;
  /** State of the exit IPs, two letters. */
  state?: pulumi.Input<string>;
  /** City of the exit IPs. */
  city?: pulumi.Input<string>;
  /** Zip code of the exit IPs. */
  zip?: pulumi.Input<string>;
  /**
   * ASN of the exit IPs.
   *
   * @example "7922"
   */
  asn?: pulumi.Input<string>;
  /** One allocated IP that all requests leave by. */
  ip?: pulumi.Input<string>;
  /** One gIP that all requests leave by. */
  vip?: pulumi.Input<number>;
  /** Allocated IPs to choose from. */
  ips?: pulumi.Input<pulumi.Input<string>[]>;
  /** gIPs to choose from. */
  vips?: pulumi.Input<pulumi.Input<string | number>[]>;
  /** Proxies of other vendors, `[user:password@]ip[:port]`. Secret. */
  extProxies?: pulumi.Input<pulumi.Input<string>[]>;
  /** User for `extProxies` that name none. */
  extProxyUsername?: pulumi.Input<string>;
  /** Password for `extProxies` that name none. Secret. */
  extProxyPassword?: pulumi.Input<string>;
  /** Port for `extProxies` that name none. */
  extProxyPort?: pulumi.Input<number>;
  /**
   * Where names are resolved: at the super proxy or at the exit.
   *
   * @default "local"
   */
  dns?: pulumi.Input<"local" | "remote">;
  /**
   * Whether addresses in requests are turned into names by DNS.
   *
   * @default false
   */
  reverseLookupDns?: pulumi.Input<boolean>;
  /** File that turns addresses into names. */
  reverseLookupFile?: pulumi.Input<string>;
  /** Pairs that turn addresses into names, `address name`. */
  reverseLookupValues?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Name of the session of all requests, without dots and hyphens; true for one of each client.
   *
   * @default true
   */
  session?: pulumi.Input<string | true>;
  /**
   * Whether each target host keeps its exit IP.
   *
   * @default false
   */
  stickyIp?: pulumi.Input<boolean>;
  /**
   * Whether every request has a session of its own.
   *
   * @default false
   */
  rotateSession?: pulumi.Input<boolean>;
  /**
   * Whether sessions are kept alive.
   *
   * @default false
   */
  keepSession?: pulumi.Input<boolean>;
  /**
   * Whether a session ends when its exit IP is gone, instead of going on with another.
   *
   * @default false
   */
  sessionTermination?: pulumi.Input<boolean>;
  /** Number of sessions or IPs that are kept ready. */
  poolSize?: pulumi.Input<number>;
  /**
   * Times that a request is tried with another IP when its IP is banned.
   *
   * @default 10
   */
  maxBanRetries?: pulumi.Input<number>;
  /**
   * Requests at a time above which requests wait; 0 for no limit.
   *
   * @default 0
   */
  throttle?: pulumi.Input<number>;
  /**
   * What is done about an answer (retry, ban an IP, …), in the manager's own form and spelling.
   *
   * @example [{ status: "200", action: { ban_ip: 600000 } }]
   */
  rules?: pulumi.Input<pulumi.Input<Record<string, unknown>>[]>;
  /**
   * What happens to a request that fails at the super proxy: `pass_dyn` or `block`.
   *
   * @default "pass_dyn"
   */
  routeErr?: pulumi.Input<string>;
  /** SMTP servers that mail goes through, `host:port`. */
  smtp?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Headers that are put on every request.
   *
   * @example [{ name: "accept-language", value: "de" }]
   */
  headers?: pulumi.Input<pulumi.Input<{ name: string; value: string }>[]>;
  /**
   * Whether `headers` replace those of the client.
   *
   * @default false
   */
  overrideHeaders?: pulumi.Input<boolean>;
  /** Operating system of the exit peers. */
  os?: pulumi.Input<string>;
  /**
   * Whether an unblocker zone shows a mobile user agent.
   *
   * @default false
   */
  ua?: pulumi.Input<boolean>;
  /** Time zone that browsers are told. */
  timezone?: pulumi.Input<string>;
  /**
   * Screen size that browsers are told.
   *
   * @example "1920x1080"
   */
  resolution?: pulumi.Input<string>;
  /** What browsers do about WebRTC. */
  webrtc?: pulumi.Input<string>;
  /**
   * Whether the exit IP may not change within a session.
   *
   * @default false
   */
  const?: pulumi.Input<boolean>;
  /**
   * Whether redirects are followed.
   *
   * @default false
   */
  followRedirect?: pulumi.Input<boolean>;
  /**
   * Whether pages' scripts are run.
   *
   * @default false
   */
  render?: pulumi.Input<boolean>;
  /**
   * Preset of the manager's UI.
   *
   * @default "session_long"
   */
  preset?: pulumi.Input<string>;
  /**
   * Whether answers carry debug information.
   *
   * @default "none"
   */
  debug?: pulumi.Input<"full" | "none">;
  /**
   * Whether requests carry an `x-lpm-authorization` header.
   *
   * @default "none"
   */
  lpmAuth?: pulumi.Input<string>;
  /** URL that the port is tested with. */
  testUrl?: pulumi.Input<string>;
  /**
   * Bytes of each body that the request log keeps; -1 for none.
   *
   * @default 1024
   */
  harLimit?: pulumi.Input<number>;
  /** Number of requests that the log keeps. Written only: the manager forgets it with a restart. @default 1000 */
  logs?: pulumi.Input<number>;
  /**
   * Milliseconds after which an idle connection is closed.
   *
   * @default 120000
   */
  socketInactivityTimeout?: pulumi.Input<number>;
  /**
   * Whether the manager adds its information page to answers.
   *
   * @default false
   */
  info?: pulumi.Input<boolean>;
  /** Limit of bandwidth, `{ days, bytes, renewable }`; for managers in the vendor's cloud only. */
  bwLimit?: pulumi.Input<Record<string, unknown>>;
  /**
   * Takes over a port of that number that is configured already, instead of failing. Destroying the resource deletes it then.
   *
   * @default false
   */
  adopt?: pulumi.Input<boolean>;
  /** Seconds that the operations may take. @default { create: 120, read: 60, update: 60, delete: 60 } */
  timeouts?: pulumi.Input<TimeoutsArgs>;
}

const FIELDS = Object.keys(PORT_FIELDS) as PortField[];
const SECRETS = FIELDS.filter((field) => portField(field).secret);

/**
 * A port of the local Proxy Manager.
 *
 * `POST /api/proxies`, `GET` and `PUT /api/proxies/{PORT}` and `POST /api/proxies/delete`.
 *
 * The outputs hold what the program declared, with the values that the manager has; a field that was not declared is
 * `undefined`, whatever default the manager has for it.
 *
 * @example
 * const port = new brightdata.ProxyPort("us", { zone: zone.name, country: "us" });
 * export const url = pulumi.interpolate`http://127.0.0.1:${port.listenPort}`;
 */
export class ProxyPort extends OldResource {
  /** @internal */
  static readonly __pulumiType = typeOf("ProxyPort");

  declare readonly zone: pulumi.Output<string>;
  /** Number of the port; also the resource's id. */
  declare readonly port: pulumi.Output<number>;
  declare readonly proxyType: pulumi.Output<"persist" | undefined>;
  declare readonly customer: pulumi.Output<string | undefined>;
  /** Secret. */
  declare readonly password: pulumi.Output<string | undefined>;
  declare readonly whitelistIps: pulumi.Output<string[] | undefined>;
  declare readonly internalName: pulumi.Output<string | undefined>;
  declare readonly multiply: pulumi.Output<number | undefined>;
  declare readonly multiplyIps: pulumi.Output<boolean | undefined>;
  declare readonly multiplyVips: pulumi.Output<boolean | undefined>;
  declare readonly multiplyUsers: pulumi.Output<boolean | undefined>;
  declare readonly users: pulumi.Output<string[] | undefined>;
  declare readonly user: pulumi.Output<string | undefined>;
  /** Secret. */
  declare readonly userPassword: pulumi.Output<string | undefined>;
  declare readonly ssl: pulumi.Output<boolean | undefined>;
  declare readonly tlsLib: pulumi.Output<"open_ssl" | "flex_tls" | undefined>;
  declare readonly avCheck: pulumi.Output<boolean | undefined>;
  declare readonly insecure: pulumi.Output<boolean | undefined>;
  declare readonly iface: pulumi.Output<string | undefined>;
  declare readonly proxy: pulumi.Output<string | undefined>;
  declare readonly proxyPort: pulumi.Output<number | undefined>;
  declare readonly proxyConnectionType: pulumi.Output<"http" | "https" | "socks" | undefined>;
  declare readonly proxyRetry: pulumi.Output<number | undefined>;
  declare readonly proxyCountry: pulumi.Output<string | undefined>;
  declare readonly country: pulumi.Output<string | undefined>;
  declare readonly state: pulumi.Output<string | undefined>;
  declare readonly city: pulumi.Output<string | undefined>;
  declare readonly zip: pulumi.Output<string | undefined>;
  declare readonly asn: pulumi.Output<string | undefined>;
  declare readonly ip: pulumi.Output<string | undefined>;
  declare readonly vip: pulumi.Output<number | undefined>;
  declare readonly ips: pulumi.Output<string[] | undefined>;
  declare readonly vips: pulumi.Output<(string | number)[] | undefined>;
  /** Secret. */
  declare readonly extProxies: pulumi.Output<string[] | undefined>;
  declare readonly extProxyUsername: pulumi.Output<string | undefined>;
  /** Secret. */
  declare readonly extProxyPassword: pulumi.Output<string | undefined>;
  declare readonly extProxyPort: pulumi.Output<number | undefined>;
  declare readonly dns: pulumi.Output<"local" | "remote" | undefined>;
  declare readonly reverseLookupDns: pulumi.Output<boolean | undefined>;
  declare readonly reverseLookupFile: pulumi.Output<string | undefined>;
  declare readonly reverseLookupValues: pulumi.Output<string[] | undefined>;
  declare readonly session: pulumi.Output<string | true | undefined>;
  declare readonly stickyIp: pulumi.Output<boolean | undefined>;
  declare readonly rotateSession: pulumi.Output<boolean | undefined>;
  declare readonly keepSession: pulumi.Output<boolean | undefined>;
  declare readonly sessionTermination: pulumi.Output<boolean | undefined>;
  declare readonly poolSize: pulumi.Output<number | undefined>;
  declare readonly maxBanRetries: pulumi.Output<number | undefined>;
  declare readonly throttle: pulumi.Output<number | undefined>;
  declare readonly rules: pulumi.Output<Record<string, unknown>[] | undefined>;
  declare readonly routeErr: pulumi.Output<string | undefined>;
  declare readonly smtp: pulumi.Output<string[] | undefined>;
  declare readonly headers: pulumi.Output<{ name: string; value: string }[] | undefined>;
  declare readonly overrideHeaders: pulumi.Output<boolean | undefined>;
  declare readonly os: pulumi.Output<string | undefined>;
  declare readonly ua: pulumi.Output<boolean | undefined>;
  declare readonly timezone: pulumi.Output<string | undefined>;
  declare readonly resolution: pulumi.Output<string | undefined>;
  declare readonly webrtc: pulumi.Output<string | undefined>;
  declare readonly const: pulumi.Output<boolean | undefined>;
  declare readonly followRedirect: pulumi.Output<boolean | undefined>;
  declare readonly render: pulumi.Output<boolean | undefined>;
  declare readonly preset: pulumi.Output<string | undefined>;
  declare readonly debug: pulumi.Output<"full" | "none" | undefined>;
  declare readonly lpmAuth: pulumi.Output<string | undefined>;
  declare readonly testUrl: pulumi.Output<string | undefined>;
  declare readonly harLimit: pulumi.Output<number | undefined>;
  declare readonly logs: pulumi.Output<number | undefined>;
  declare readonly socketInactivityTimeout: pulumi.Output<number | undefined>;
  declare readonly info: pulumi.Output<boolean | undefined>;
  declare readonly bwLimit: pulumi.Output<Record<string, unknown> | undefined>;
  declare readonly adopt: pulumi.Output<boolean | undefined>;
  declare readonly timeouts: pulumi.Output<Record<string, number> | undefined>;
  /** Number of the port that clients connect to. */
  declare readonly listenPort: pulumi.Output<number>;

  /**
   * @param name logical name of the resource
   * @throws an error at the update when the number is in use (see {@link ProxyPortArgs.adopt}), when the manager does not
   *   know the zone, or when it is not logged in
   */
  constructor(name: string, args: ProxyPortArgs, options?: pulumi.CustomResourceOptions) {
    const given = (field: PortField) => (SECRETS.includes(field) ? secret(args[field]) : args[field]);
    const isLookUp = options?.id !== undefined;
    const fields = FIELDS.filter((field) => isLookUp || args[field] !== undefined);
    super(
      "ProxyPort",
      name,
      args,
      {
        ...Object.fromEntries(fields.map((field) => [field, given(field)])),
        port: args.port,
        adopt: args.adopt,
        timeouts: args.timeouts,
        listenPort: undefined,
      },
      { secretOutputs: SECRETS, isNamed: args.port !== undefined },
      options,
    );
  }

  /**
   * Looks up a port that exists, without managing it.
   *
   * @param name logical name in the program
   * @param id number of the port, such as `"24000"`
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): ProxyPort {
    return new ProxyPort(name, {} as ProxyPortArgs, lookUp(id, options));
  }

  /** Whether a value is a port, even of another copy of this package. */
  static override isInstance(value: unknown): value is ProxyPort {
    return isResource(value, ProxyPort.__pulumiType);
  }
}

// An output that a resource registers costs time, and is unknown in the preview of every update. What was not declared is
// `undefined` for certain: it is made when somebody asks for it.
for (const field of FIELDS) {
  Object.defineProperty(ProxyPort.prototype, field, {
    get: () => pulumi.output(undefined),
    set(value: unknown) {
      Object.defineProperty(this, field, { value, enumerable: true, configurable: true, writable: true });
    },
  });
}
