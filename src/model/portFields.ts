import {
  choice,
  count,
  type Facts,
  flag,
  list,
  type NumberShape,
  named,
  number,
  object,
  type Property,
  type PropertyFacts,
  type TextShape,
  text,
} from "../declaration/property";
import { portHeader } from "./portHeader";
import { HIGHEST_PORT } from "./portRange";
import { portRule } from "./portRule";

// The manager refuses longer texts, but only on the first change.
const LONGEST_TEXT = 300;

const LENIENT = { compares: "lenient" } as const;

const words = <const F extends PropertyFacts<TextShape>>(says: string, facts: F) =>
  text({ ...LENIENT, most: LONGEST_TEXT, says, ...facts });

const whether = <const F extends Facts>(says: string, facts: F) => flag({ ...LENIENT, default: false, says, ...facts });

const amount = <const F extends PropertyFacts<NumberShape>>(says: string, facts: F) =>
  count({ ...LENIENT, says, ...facts });

const COUNTRY_CODE = 'expected a two-letter country code, such as "us".';

const country = <const F extends Facts>(says: string, facts: F) =>
  words(says, { must: [{ pattern: /^([a-z]{2}|any)$/i, expected: COUNTRY_CODE }], ...facts });

/** The manager makes the port anew for it. */
const REOPENS = { onChange: "in place; drops connections" } as const;

/** Without a value of its own, a port has that of all: no value means the same as none. */
const INHERITED = { defaultSays: "the manager's" } as const;

const SESSION = "expected true (a session that the manager names) or a name without dots, hyphens and colons.";

const PART = "expected a text without colons and hyphens: it becomes a part of the user name towards the super proxy.";

/** What a user name towards the super proxy has of it would otherwise end there. */
const part = <const F extends Facts>(says: string, facts: F) =>
  words(says, { must: [{ pattern: /^[^:-]+$/, expected: PART }], ...facts });

const allocatedIp = {
  format: "bannable",
  expected: "expected one IPv4 address, or the 33 characters by which the service hides one.",
} as const;

const withoutColon = {
  pattern: /^[^:]+$/,
  expected: "expected a text without a colon, where a password begins.",
} as const;

const EXTERNAL_PROXY =
  'expected "[user:password@]host[:port]"; write ":", "/", "?" and "#" of a password as "%2F", and so on. With any other, every request to the port fails.';

/** Every field of a port record that can be set. The manager's name of each is the same in snake case. */
export const portFields = {
  zone: words("Zone whose proxies the port uses.", {
    group: "Zone and number",
    required: true,
    example: "web_scraping",
  }),
  port: amount(
    "Number of the port, from 1000 to 65535. If removed, the port keeps its number. Ports without one get theirs in the order in which the manager handles the requests: do not count on which gets which.",
    {
      outputSays: "Number of the port.",
      least: 1000,
      most: HIGHEST_PORT,
      defaultSays: "the number after the manager's highest, from 24000 on, that no other program uses",
      replaces: true,
      known: true,
      isId: true,
      example: 24_000,
    },
  ),
  proxyType: words("Only `persist`: the manager neither saves nor lists ports of another type.", {
    oneOf: ["persist"],
    expected:
      'expected "persist". With any other type the manager runs the port, but neither saves, lists nor updates it. Leave it out.',
    default: "persist",
  }),
  internalName: words("Name that the manager's UI shows.", {}),
  customer: words(
    "Customer that requests are made for; only if the manager knows none of its own. It forgets it with a restart.",
    { writeOnly: true, example: "hl_12345678" },
  ),
  password: words("Password of the zone. Seldom needed: the manager uses the account's own where it knows the zone.", {
    secret: true,
    writeOnly: true,
  }),
  preset: words("Preset of the manager's UI.", { default: "session_long" }),

  iface: words("Interface or IPv4 address of the manager's machine that the port listens on.", {
    must: [
      {
        format: "interface",
        expected:
          'expected an IPv4 address or the name of an interface, such as "127.0.0.1" or "eth0": with any other, the port listens nowhere or on all.',
      },
    ],
    group: "Who may use the port",
    defaultSays: "all interfaces",
    replaces: true,
    example: "127.0.0.1",
  }),
  whitelistIps: list(
    text({
      expected: "expected a text.",
      must: [
        {
          format: "address",
          expected:
            'expected an IPv4 address or CIDR block of four octets, such as "203.0.113.7" or "10.20.0.0/16". The manager takes anything else in silence, and then every request to the port hangs.',
        },
      ],
    }),
    {
      says: "IPv4 addresses and CIDR blocks that may use the port, besides those that the manager's settings allow on every port.",
      expected: "expected a list of addresses.",
      compares: "addresses",
      default: [],
      example: ["203.0.113.7", "10.20.0.0/16"],
    },
  ),
  user: words("User name that clients of the port have to give.", { must: [withoutColon] }),
  userPassword: words("Password that clients of the port have to give.", {
    must: [{ ...withoutColon, expected: "expected a text without a colon: the manager reads no further." }],
    secret: true,
    writeOnly: true,
  }),

  multiply: amount("Number of ports that listen from `port` on with these settings; 0 and 1 are one port.", {
    ...REOPENS,
    group: "Several ports from one",
    least: 0,
    most: 10_000,
    default: 0,
  }),
  multiplyIps: whether("Whether there is a port for each of the `ips`.", { ...REOPENS }),
  multiplyVips: whether("Whether there is a port for each of the `vips`.", { ...REOPENS }),
  multiplyUsers: whether("Whether there is a port for each of the `users`.", { ...REOPENS }),
  users: list(text({ most: LONGEST_TEXT, must: [withoutColon] }), {
    ...REOPENS,
    says: "Users for `multiplyUsers`; the manager writes them in lower case.",
    expected: "expected a list of texts.",
    compares: "names",
    example: ["ann", "bob"],
  }),

  country: country("Country of the exit IPs, two letters.", { group: "Exit IPs", example: "us" }),
  state: part("State of the exit IPs, two letters.", { example: "ny" }),
  city: words("City of the exit IPs.", { example: "newyork" }),
  zip: part("ZIP code of the exit IPs.", { example: "10001" }),
  asn: words("Autonomous system (ASN) of the exit IPs.", {
    must: [{ pattern: /^\d+$/, expected: 'expected the number of an autonomous system, such as "7922".' }],
    example: "7922",
  }),
  os: part("Operating system of the exit peers.", { example: "win" }),
  ip: words("The one allocated IP that all requests leave from.", { must: [allocatedIp] }),
  ips: list(text({ must: [allocatedIp] }), {
    ...LENIENT,
    ...REOPENS,
    says: "Allocated IPs that requests may leave from; used where `poolSize` is their number.",
    expected: "expected a list of allocated IPs.",
  }),
  vip: amount("The one gIP that all requests leave from.", { least: 1, default: 0, defaultSays: "none" }),
  vips: list(
    choice([text({ most: LONGEST_TEXT, must: [{ pattern: /^[^:-]+$/, expected: PART }] }), number({})], {
      expected: "expected the name or number of a gIP.",
    }),
    {
      ...LENIENT,
      ...REOPENS,
      says: "gIPs that requests may leave from; used where `poolSize` is their number.",
      expected: "expected a list of gIPs.",
    },
  ),
  extProxies: list(text({ most: LONGEST_TEXT, must: [{ format: "externalProxy", expected: EXTERNAL_PROXY }] }), {
    ...LENIENT,
    says: "Proxies of other vendors to use instead of a zone's, each as `[user:password@]ip[:port]`.",
    expected: 'expected a list such as ["user:password@203.0.113.7:8080"].',
    secret: true,
  }),
  extProxyUsername: words("User name for those of the `extProxies` that have none.", { must: [withoutColon] }),
  extProxyPassword: words("Password for those of the `extProxies` that have none.", { secret: true }),
  extProxyPort: amount("Port for those of the `extProxies` that have none.", {
    least: 1,
    most: HIGHEST_PORT,
    default: 0,
    defaultSays: "none",
  }),

  session: choice(
    [
      flag({ only: true }),
      text({ most: LONGEST_TEXT, must: [{ pattern: /^(?!(?:true|false)$)[^.:-]+$/i, expected: SESSION }] }),
    ],
    {
      ...LENIENT,
      group: "Sessions",
      says: "Name of the session that all requests share, without dots, hyphens and colons; `true` for one that the manager names.",
      expected: SESSION,
      default: true,
    },
  ),
  stickyIp: whether("Whether each client address has a session of its own.", {}),
  rotateSession: whether("Whether every request has a session of its own.", {}),
  keepSession: whether("Whether sessions are kept alive.", {}),
  sessionTermination: whether("Whether a session ends when its exit IP is gone, instead of going on with another.", {}),
  const: whether("Whether the exit IP may not change within a session.", {}),
  poolSize: amount("Number of sessions or IPs that are kept ready.", { least: 0, default: 0 }),

  proxy: words("Host of the super proxy. No effect: the manager uses that of its `--proxy`.", {
    must: [
      { format: "host", expected: 'expected the name or IPv4 address of a host alone, such as "brd.superproxy.io".' },
    ],
    group: "Super proxy",
    default: "brd.superproxy.io",
  }),
  proxyPort: amount("Port of the super proxy. New ports, and all after a restart, use the manager's own.", {
    least: 1,
    most: HIGHEST_PORT,
    default: 22_225,
  }),
  proxyConnectionType: words("Protocol that the super proxy is connected to with.", {
    oneOf: ["http", "https", "socks"],
    default: "http",
  }),
  proxyCountry: country("Country of the super proxy, two letters.", {}),
  proxyRetry: amount("How often a request is sent again when the super proxy fails.", { least: 0, default: 2 }),
  routeErr: words("What happens to a request that fails at the super proxy: `pass_dyn` or `block`.", {
    must: [{ pattern: /^(?:pass_dyn|block)$/, expected: 'expected "pass_dyn" or "block".' }],
    default: "pass_dyn",
  }),
  dns: words("Where host names are resolved: by the super proxy (`local`) or by the exit peer (`remote`).", {
    oneOf: ["local", "remote"],
    default: "local",
  }),

  rules: list(portRule, {
    group: "Requests and responses",
    says: "What is done when requests and responses meet conditions: send again, ban an IP, and so on. The manager's own spelling, such as `ban_ip`, will do as well; what is not named here is sent as it is written. Except in expressions, an update makes numbers of texts that start with a digit.",
    expected: "expected a list of objects.",
    compares: "rules",
    example: [{ status: "403", action: { banIp: 600_000 } }],
  }),
  maxBanRetries: amount("How often a request is sent again with another IP when its IP is banned.", {
    least: 0,
    default: 10,
  }),
  throttle: amount("Number of requests to a domain at a time, beyond which others wait; 0 for no limit.", {
    least: 0,
    default: 0,
  }),
  headers: list(portHeader, {
    ...LENIENT,
    says: "Headers that are added to every request. If one of them is a credential, wrap the list in `pulumi.secret`.",
    expected: "expected a list such as [{ name, value }].",
    mayHoldSecrets: true,
    example: [{ name: "accept-language", value: "de" }],
  }),
  overrideHeaders: whether("Whether `headers` replace those of the client.", {}),
  ua: whether("Whether an unblocker zone uses the user agent of a mobile browser.", {}),
  timezone: words("Time zone that browsers report.", { example: "auto" }),
  resolution: words("Screen size that browsers report.", { example: "1920x1080" }),
  webrtc: words("How browsers handle WebRTC.", {}),
  followRedirect: whether("Whether redirects are followed.", {}),
  render: whether("Whether the scripts of pages are run; only for unblocker and SERP zones.", {}),
  reverseLookupDns: whether("Whether IP addresses in requests are turned into host names by DNS.", {}),
  reverseLookupFile: words("File, no folder, on the manager's machine that turns IP addresses into host names.", {
    must: [
      {
        pattern: /^(?!.*(?:^|[/\\])\.{0,2}$)/,
        expected:
          "expected a file: with a folder, the port's process ends, and its number is lost until the manager restarts.",
      },
    ],
  }),
  reverseLookupValues: list(
    text({
      most: LONGEST_TEXT,
      must: [
        {
          pattern: /^\s*\d+\.\d+\.\d+\.\d+\s+\S+/,
          expected: 'expected "address name"; the manager ignores anything else.',
        },
      ],
    }),
    {
      ...LENIENT,
      says: "IP addresses with their host names, each as `address name`.",
      expected: "expected a list of texts.",
      example: ["203.0.113.7 example.com"],
    },
  ),
  smtp: list(text({ most: LONGEST_TEXT, must: [{ format: "mailServer", expected: 'expected "host:port".' }] }), {
    ...LENIENT,
    says: "SMTP servers that mail is sent through, each as `host:port`.",
    expected: "expected a list of texts.",
    example: ["smtp.example.com:25"],
  }),
  socketInactivityTimeout: amount("Time after which an idle connection is closed.", {
    unit: "milliseconds",
    least: 0,
    ...INHERITED,
  }),
  info: whether("Whether the manager adds its information page to responses.", {}),
  debug: words("Whether responses carry debug information.", { oneOf: ["full", "none"], ...INHERITED }),
  lpmAuth: words("Whether responses carry an `x-lpm-authorization` header: `full` or `none`.", {
    must: [{ pattern: /^(?:full|none)$/, expected: 'expected "full" or "none".' }],
    ...INHERITED,
  }),
  bwLimit: object(
    {
      days: count({ says: "Length of a period.", unit: "days", least: 1, most: 100_000, required: true }),
      bytes: count({ says: "Traffic that the port may have in a period.", unit: "bytes", least: 1, required: true }),
      renewable: flag({ says: "Whether another period follows, instead of the port being stopped." }),
      start: text({
        says: "When the first period starts (ISO 8601).",
        must: [{ format: "date", expected: 'expected a date, such as "2027-01-31".' }],
        defaultSays: "now",
      }),
      use_limit_webhook: flag({ says: "Whether the manager calls its webhook when the limit is reached." }),
      th_webhook_value: number({
        says: "Share of the limit at which the manager calls its webhook.",
        unit: "percent",
        least: 1,
        most: 99,
      }),
    },
    {
      named: "PortBandwidthLimit",
      says: "Limit of the port's traffic; only for managers in the vendor's cloud.",
      compares: "parts",
      open: true,
      example: { days: 30, bytes: 1_000_000_000, renewable: true },
    },
  ),

  ssl: whether("Whether the manager decrypts TLS connections to analyze them. Always on for unblocker zones.", {
    group: "TLS",
  }),
  tlsLib: words("TLS library.", { oneOf: ["open_ssl", "flex_tls"], default: "open_ssl" }),
  insecure: whether("Whether invalid certificates of target hosts are accepted.", {}),
  avCheck: whether("Whether downloads are scanned for viruses.", {}),

  logs: amount(
    "0 keeps the port's requests out of the log, any other number in it. The manager forgets it with a restart.",
    {
      group: "Logs and tests",
      least: 0,
      writeOnly: true,
      ...INHERITED,
    },
  ),
  harLimit: amount("How much of a response's body the log keeps; 0 for all, -1 for nothing.", {
    unit: "bytes",
    least: -1,
    ...INHERITED,
  }),
  testUrl: words("URL that the port is tested with.", {
    must: [{ format: "url", expected: "expected a URL that begins with http:// or https://." }],
    default: "http://geo.brdtest.com/mygeo.json",
  }),
};

/** Number that a port listens on. */
export const listenPort = count({ says: "Number of the port that clients connect to.", required: true, isId: true });

type AllFields = typeof portFields;

/** The fields that hold no credentials, none of them required. */
export type Readable = {
  readonly [Name in keyof AllFields as AllFields[Name] extends { secret: true } ? never : Name]: Omit<
    AllFields[Name],
    "required"
  >;
};

export const readable = Object.fromEntries(
  Object.entries<Property>(portFields)
    .filter(([, { secret }]) => !secret)
    .map(([name, { required: _required, ...property }]) => [name, property]),
) as Readable;

// Any of them may be a credential.
const { headers: _headers, ...told } = readable;

/** What a function tells of a port. */
export const portDescription = named(
  "PortDescription",
  "A port's fields, as the arguments of a `ProxyPort` have them, without those that hold credentials, or may: `password`, `userPassword`, `extProxies`, `extProxyPassword`, `headers` and the `requestUrl` of rules. A field that the port does not have is absent.",
  {
    ...told,
    port: count({ says: "Number of the port.", required: true }),
    proxyType: text({
      says: "`persist`, or `duplicate` for a port that `multiply` created; the manager's own drop-in port has none.",
    }),
    listenPort: count({ says: "Number that the port really listens on; only the manager's own drop-in port has it." }),
  },
);
