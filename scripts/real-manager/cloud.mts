// Preloaded into the manager's main process: puts a pretended vendor's cloud in the place of the two ways in which the
// manager reaches the real one, its web socket and its HTTP client. All else that runs is the vendor's own code.
import { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Account } from "./account.mts";

interface CloudRequest {
  url: string;
  proxy?: unknown;
  agent?: unknown;
  form?: { worker?: { email?: string } };
  body?: { zone?: unknown };
}
interface CloudAnswer {
  statusCode: number;
  body: unknown;
}
type Callback = (error: Error | null, answer?: CloudAnswer) => void;
type HttpClient = ((request: CloudRequest, callback?: Callback) => unknown) & {
  defaults(options: unknown): HttpClient;
};

const packageFolder = process.env.REAL_MANAGER_PACKAGE;
const account = process.env.REAL_MANAGER_ACCOUNT;
if (packageFolder && account && process.argv[1]?.endsWith("lum_node.js")) {
  // Without its supervisor the manager has nobody to be stopped by.
  process.on("disconnect", () => process.exit());
  install(createRequire(join(packageFolder, "package.json")), JSON.parse(account) as Account);
}

function install(require: NodeJS.Require, account: Account): void {
  const { version } = require("./package.json") as { version: string };
  const answers = linkAnswers(account);

  class Link extends EventEmitter {
    readonly connected = true;
    readonly ipc: Record<string, unknown>;

    constructor(_url: string, options: { ipc_client?: Record<string, unknown> }) {
      super();
      const calls = Object.keys(options.ipc_client ?? {});
      this.ipc = Object.fromEntries(calls.map((name) => [name, answers[name] ?? (() => ({}))]));
      // A link that is always busy is never renewed.
      this.ipc.pending_count = () => 1;
      setImmediate(() => this.emit("connected"));
    }
    inspect() {
      return {};
    }
    close() {}
  }
  (require("./util/ws.js") as { Client: unknown }).Client = Link;

  const clientModule = require.resolve("./util/lpm_request.js");
  const real = require(clientModule) as HttpClient;
  const users: { email: string; password: string }[] = [];
  const pretended = (request: CloudRequest, callback?: Callback): unknown => {
    const isLocal = ["127.0.0.1", "localhost"].includes(new URL(request.url).hostname);
    // What goes through one of the manager's own ports is not for the cloud.
    if (isLocal || request.proxy !== undefined || request.agent !== undefined) return real(request, callback);
    const answer = httpAnswer(request, { version, users, account });
    setImmediate(() => callback?.(null, answer));
    return Promise.resolve(answer);
  };
  const client: HttpClient = Object.assign(pretended, {
    request: pretended,
    defaults: (options: unknown) => {
      real.defaults(options);
      return client;
    },
  });
  const cached = require.cache[clientModule];
  if (cached) cached.exports = client;
}

function linkAnswers({ customer, zones, superProxy }: Account): Record<string, () => unknown> {
  const names = Object.keys(zones);
  const first = names[0];
  const details = Object.fromEntries(
    names.map((name) => {
      const zone = { ips: "any", perm: "country", kw: {}, cost: { precommit: 500, gb: 12 }, refresh_cost: 0.5 };
      return [name, { ...zone, plan: zones[name]?.plan, password: [zones[name]?.password] }];
    }),
  );
  return {
    get_meta_conf: () => ({
      config: {
        _defaults: {
          account_id: "c_test1",
          customer_id: customer,
          customer,
          zones: details,
          ...(first !== undefined && { zone: first, password: zones[first]?.password }),
        },
      },
    }),
    get_server_conf: () => ({ server_conf: { client: {}, cloud: {}, zone_auth_type_whitelist: [] } }),
    resolve_proxies: () => ({ proxies: [superProxy] }),
    get_lb_ips: () => ({ lb_ips: [] }),
    get_shared_block_cn: () => [],
    // The manager falls back to its built-in lists of countries and cities.
    get_vipdb_version: () => {
      throw new Error("no location data here");
    },
  };
}

interface Cloud {
  version: string;
  users: { email: string; password: string }[];
  account: Account;
}

function httpAnswer(request: CloudRequest, { version, users, account }: Cloud): CloudAnswer {
  const { pathname, hostname } = new URL(request.url);
  const ok = (body: unknown): CloudAnswer => ({ statusCode: 200, body });
  switch (pathname) {
    case "/lpm/server_conf":
      return ok({ ver: version });
    case "/lpm/alloc_ips":
      return ok({ ips: ["10.0.0.1", "10.0.0.2"] });
    case "/lpm/alloc_vips":
      return ok({ vips: ["gip1", "gip2"] });
    case "/lpm/refresh_ips":
      if (!(String(request.body?.zone) in account.zones)) return { statusCode: 404, body: "Zone not found" };
      return ok({ ips: [{ ip: "10.0.0.3", maxmind: "us", ext: {} }] });
    case "/lpm/lpm_users":
      return ok([...users]);
    case "/lpm/lpm_users_add":
      for (const email of String(request.form?.worker?.email ?? "")
        .split(",")
        .filter(Boolean))
        users.push({ email, password: `pw_${email}` });
      return ok("ok");
    case "/lpm/carriers":
      return ok([]);
    case "/lpm/invalidate_session":
      return ok("ok");
    case "/lpm/check_credentials":
      return { statusCode: 401, body: { error: "unauthorized" } };
  }
  if (pathname.endsWith("/versions.json")) return ok([]);
  // Its service for "where am I" is another host.
  if (!hostname.endsWith("brightdata.com")) return ok({ country: "US", geo: { region_name: "", city: "" } });
  return { statusCode: 404, body: "not found" };
}
