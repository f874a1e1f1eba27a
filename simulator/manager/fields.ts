/** The fields of a port or of the settings, in the manager's own names. */
export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

type FieldType = "integer" | "number" | "boolean" | "string" | "array" | "object";

/** What the manager knows of a field, and says of it in its own words. */
export interface Field {
  type: FieldType;
  /** Its default. */
  def?: unknown;
  desc?: string;
  values?: string;
  value?: number;
  params?: object;
}

/** The fields of a port whose type the manager knows. It keeps any other as it was sent. */
export const PORT_FIELDS: Readonly<Record<string, Field>> = {
  port: { type: "integer", desc: "Port for the HTTP proxy" },
  proxy_type: {
    type: "string",
    desc: 'Set to "persist" to save proxy into the configuration file.',
    values: "persist",
  },
  multiply: { type: "integer", def: 0, desc: "Multiply the port definition given number of times", value: 0 },
  multiply_users: { type: "boolean", def: false },
  users: {
    type: "array",
    desc: 'List of users. This option has to be used along with "multiply_users"',
    params: { user: { type: "string" } },
  },
  ssl: { type: "boolean", def: false, desc: "Enable SSL analyzing" },
  tls_lib: { type: "string", def: "open_ssl", desc: "SSL library", values: "open_ssl|flex_tls" },
  av_check: { type: "boolean", def: false, desc: "Enable antivirus check" },
  iface: { type: "string", desc: "Interface or IP to listen on" },
  customer: { type: "string", desc: "Customer name" },
  zone: { type: "string", def: "static", desc: "Zone name" },
  password: { type: "string", desc: "Zone password" },
  proxy: { type: "string", def: "brd.superproxy.io", desc: "Hostname or IP of super proxy" },
  proxy_port: { type: "integer", def: 22225, desc: "Super proxy port" },
  proxy_connection_type: {
    type: "string",
    def: "http",
    desc: "Determines what kind of connection will be used between Proxy Manager and Super Proxy",
    values: "http|https|socks",
  },
  proxy_retry: { type: "integer", def: 2, desc: "Automatically retry on super proxy failure" },
  insecure: { type: "boolean", desc: "Enable SSL connection/analyzing to insecure hosts" },
  country: { type: "string", desc: "Country" },
  state: { type: "string", desc: "State" },
  city: { type: "string", desc: "City" },
  zip: { type: "string", desc: "Zip code" },
  asn: { type: "string", desc: "ASN" },
  ip: { type: "string", desc: "Data Center IP" },
  vip: { type: "integer", desc: "gIP" },
  ext_proxies: {
    type: "array",
    desc: "A list of proxies from external vendors. Format: [username:password@]ip[:port]",
    params: { proxy: { type: "string" } },
  },
  ext_proxy_username: { type: "string", desc: "Default username for external vendor ips" },
  ext_proxy_password: { type: "string", desc: "Default password for external vendor ips" },
  ext_proxy_port: { type: "integer", desc: "Default port for external vendor ips" },
  dns: { type: "string", def: "local", desc: "DNS resolving", values: "local|remote" },
  reverse_lookup_dns: { type: "boolean", def: false, desc: "Process reverse lookup via DNS" },
  reverse_lookup_file: { type: "string", desc: "Process reverse lookup via file" },
  reverse_lookup_values: { type: "array", desc: "Process reverse lookup via value" },
  session: { type: "string", def: true, desc: "Session for all proxy requests", values: "^[^\\.\\-]*$" },
  sticky_ip: { type: "boolean", def: false, desc: "Use session per requesting host to maintain IP per host" },
  pool_size: { type: "integer" },
  rotate_session: { type: "boolean", def: false, desc: "Session pool size" },
  throttle: { type: "integer", def: "", desc: "Throttle requests above given number" },
  rules: { type: "array", desc: "Proxy request rules", values: "{...}" },
  route_err: {
    type: "string",
    def: "pass_dyn",
    desc: "Block or allow requests to be automatically sent through super proxy on error",
  },
  smtp: { type: "array" },
  override_headers: { type: "boolean", values: "[string]" },
  os: { type: "string", desc: "Operating System of the Peer IP" },
  headers: { type: "array", desc: "Request headers", params: { name: { type: "string" }, value: { type: "string" } } },
  debug: { type: "string" },
  lpm_auth: { type: "string" },
  const: { type: "boolean", def: false },
  multiply_ips: { type: "boolean", def: false },
  multiply_vips: { type: "boolean", def: false },
  max_ban_retries: { type: "integer", def: 10 },
  preset: { type: "string", def: "session_long" },
  ua: { type: "boolean", def: false, desc: "Unblocker Mobile UA" },
  timezone: { type: "string", desc: "Timezone ID to be used by the browser" },
  resolution: { type: "string", desc: "Browser screen size" },
  webrtc: { type: "string", desc: "WebRTC plugin behavior in the browser" },
  bw_limit: {
    type: "object",
    desc: "BW limit params",
    params: {
      days: { type: "integer" },
      bytes: { type: "integer" },
      renewable: {
        type: "boolean",
        desc: "Renew limit of bytes each period or use single period and stop usage once last day of period is reached. Default is true",
      },
    },
  },
  follow_redirect: { type: "boolean", def: false, desc: "Auto redirect requests" },
  render: { type: "boolean", desc: "Process scripts from HTML pages" },
};

/** The settings whose type the manager knows. They are also what its config file may hold. */
export const SETTING_FIELDS: Readonly<Record<string, Field>> = {
  whitelist_ips: {
    type: "array",
    def: [],
    desc: "Default for all proxies whitelist ip list for granting access to them",
  },
  www_whitelist_ips: { type: "array", def: [], desc: "Whitelist ip list for granting access to browser admin UI" },
  www: { type: "integer", def: 22999, desc: "HTTP and WebSocket port used for browser admin UI and request logs" },
  config: { type: "string", def: "simulated/.luminati.json", desc: "Config file containing proxy definitions" },
  mode: { type: "string", desc: "Defines a set of permissible operations within the UI/API" },
  dropin: { type: "boolean", def: true, desc: "Create dropin mode proxy port (default: 22225)" },
  dropin_port: { type: "integer", def: 22225, desc: "Port for dropin mode" },
  no_usage_stats: { type: "boolean", def: false, desc: "Disable collection of usage statistics" },
  lpm_token: { type: "string", desc: "An authorization token" },
  high_perf: { type: "boolean", def: false },
  zagent: { type: "boolean", def: false },
  reseller: { type: "boolean", def: false },
  cluster: { type: "string", def: true },
  sync_config: { type: "boolean", def: false, desc: "Synchronize Proxy Manager configuration with the cloud" },
  sync_zones: { type: "boolean", def: true },
  sync_stats: { type: "boolean", def: true },
  request_stats: { type: "boolean", def: true, desc: "Enable requests statistics" },
  test_url: { type: "string", def: "http://geo.brdtest.com/mygeo.json", desc: "Url for testing proxy" },
  log: { type: "string", def: "notice", desc: "Log level" },
  logs: { type: "number", def: 1000, desc: "Number of request logs to store" },
  logs_settings: { type: "object", def: {}, desc: "Settings for logs remote delivery" },
  har_limit: { type: "number", def: 1024, desc: "Number of bytes to store" },
  debug: { type: "string", def: "none", desc: "Request debug info default value" },
  lpm_auth: { type: "string", def: "none", desc: "x-lpm-authorization header" },
  ports_limit: { type: "integer", def: 10000, desc: "Limit the numer of open proxy ports at the same time" },
  ui_ws: { type: "boolean", def: true, desc: "Enable live logs preview and other live data communication on the UI" },
  force: { type: "boolean", def: false, desc: "Kill other instances of Proxy Manager if there are any" },
  session_termination: {
    type: "boolean",
    def: false,
    desc: "Stop sending new requests when the peer IP becomes unavailable and redirect to confimration page before new IP is taken",
  },
  api: { type: "string", desc: "Alternative url to brightdata API" },
  api_domain: { type: "string", def: "brightdata.com", desc: "Alternative domain url to brightdata API" },
  pmgr_domain: { type: "string", desc: "Alternative domain url to Proxy Manager" },
  local_login: { type: "boolean", def: false, desc: "Requires each browser to authenticate against Proxy Manager" },
  read_only: { type: "boolean", def: false, desc: "Avoid saving current config in the config file" },
  extra_ssl_ips: { type: "array", def: [], desc: "List of IPs to add to SSL certificate" },
  bw_limit_webhook_url: { type: "string", desc: "URL to send webhook messages to when BW limit is reached" },
  bw_th_webhook_url: { type: "string", desc: "URL to send webhook messages to when BW limit threshold is reached" },
  new_ui: { type: "boolean", def: false, desc: "Enable UiKit UI" },
  api_body_limit: { type: "string", def: "2mb", desc: "Controls the maximum request body size" },
  api_parameter_limit: {
    type: "number",
    def: 10000,
    desc: "Controls the maximum number of parameters that are allowed in the URL-encoded data",
  },
  socket_inactivity_timeout: {
    type: "integer",
    def: 120000,
    desc: "The amount of time a socket can be inactive before it times out and closes",
  },
};

export const FIELDS = { ...PORT_FIELDS, ...SETTING_FIELDS };

/** The defaults of these fields, and of some that the manager does not describe. */
export const DEFAULTS: Readonly<Fields> = {
  ...Object.fromEntries(
    Object.entries(FIELDS).flatMap(([field, { def }]) => (def === undefined ? [] : [[field, def]])),
  ),
  new_proxy_port: 33335,
  proxy_country: "",
  resolve_proxies_interval: 10000,
  info: false,
  av_server: false,
  cn: false,
  loki: "simulated/.luminati.db",
  session_path: "simulated/.sessions.db",
};

/** The settings that come with a login and are emptied by a logout. */
export const CREDENTIAL_FIELDS = "account_id customer zone password token_auth lpm_token customer_id".split(" ");
