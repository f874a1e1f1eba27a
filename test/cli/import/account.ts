import { send } from "../../../scripts/send.mts";
import { SimulatedManager, type Simulator, startSimulator } from "../../../simulator";

/** Gives an account all that is odd: names, plans, ports, lists, users, bans, secrets, as somebody has clicked them together. */
export async function clickTogether({ account, manager }: Simulator): Promise<void> {
  account.addZone("web", { type: "static", ips_type: "shared", country: "us" });
  account.addZone("Web-Old", { type: "static", ips_type: "dedicated", ips: 3, country: "de" });
  const vips = { vip: true, vips: 2, vips_type: "domain", domain_whitelist: "b.example a.example" };
  account.addZone("web_old", { type: "resident", country: "de", ...vips });
  account.addZone("class", { type: "unblocker", serp: true });
  account.addZone("2nd zone", { type: "unblocker", ub_premium: true, weird_new_field: "x" });
  account.addZone("browser", { type: "browser_api" });
  account.addZone("mobile", { type: "resident", mobile: true });
  account.addZone("isp", { type: "static", pool_ip_type: "static_res", ips_type: "shared" });
  account.addZone("gone", { type: "static" });
  account.removeZone("gone");
  Object.assign(account.zone("web") ?? {}, { ips: ["203.0.113.7", "10.0.0.0/8"] });
  Object.assign(account.zone("class") ?? {}, { deniedIps: ["198.51.100.4"] });
  const off = account.zone("Web-Old");
  if (off !== undefined) Object.assign(off, { status: "disabled", plan: { ...off.plan, disable: "1" } });

  const add = (proxy: object) => send(manager.url, "POST", "/api/proxies", { proxy });
  for (let index = 0; index < 7; index++) {
    const name = index < 3 ? { internal_name: `us-${index}` } : {};
    await add({ port: 24_000 + index, zone: "web", country: index % 2 ? "de" : "us", rotate_session: true, ...name });
  }
  const rule = { status: "403", action: { ban_ip: 600_000 }, action_type: "ban_ip" };
  const headers = [{ name: "Authorization", value: "Bearer s3cret-header" }];
  await add({ port: 24_100, zone: "class", internal_name: "shop", user: "ops@example.com", headers, rules: [rule] });
  await add({ port: 24_101, zone: "web", ext_proxies: ["u:s3cret-proxy@192.0.2.4"], session: "abc" });
  await add({ port: 24_102, zone: "web", ssl: true, multiply: 3, internal_name: "class" });
  await send(manager.url, "POST", "/api/proxies/24100/banip", { ip: "203.0.113.99", domain: "example.com" });
  await send(manager.url, "POST", "/api/proxies/24000/banip", { ip: "203.0.113.98" });
  await send(manager.url, "POST", "/api/proxies/24101/banip", { ip: "203.0.113.98" });
  await send(manager.url, "POST", "/api/lpm_user", { email: "ops@example.com" });
  await send(manager.url, "GET", "/api/gen_token");
  Object.assign(manager.state.settings, { whitelist_ips: ["198.51.100.3", "10.1.0.0/16"], logs: 500 });
}

/** Accounts and managers with names, beside those of a simulator. */
export interface Fleet {
  simulator: Simulator;
  environment: Record<string, string>;
  close(): Promise<void>;
}

/** Two accounts with so many zones in all, and five managers with so many ports each. */
export async function fleet(zones: number, portsEach: number): Promise<Fleet> {
  const [simulator, other] = await Promise.all([startSimulator(), startSimulator({ customer: "hl_other" })]);
  const accounts = [simulator.account, other.account] as const;
  const further = accounts.flatMap((account) => [account, account]).slice(1);
  const managers = [
    simulator.manager,
    other.manager,
    ...further.map((account) => new SimulatedManager({ account, clock: account.clock })),
  ];
  await Promise.all(managers.slice(2).map((manager) => manager.listen()));
  for (let index = 0; index < zones; index++) {
    const plan = index % 3 === 0 ? { type: "resident" } : { type: "static", ips_type: "shared", country: "us" };
    accounts[index % 7 === 0 ? 1 : 0].addZone(`zone_${index >> 1}${index % 2 ? "" : "-X"}`, plan);
  }
  accounts[1].addZone("zone_0", { type: "unblocker" });
  for (const { url } of managers) for (let index = 0; index < portsEach; index++) await addPort(url, index);
  const [first, second, ...rest] = managers.map(({ url }) => url);
  const named = {
    "fra-1": { url: second },
    ...Object.fromEntries(rest.map((url, index) => [`nyc-${index + 1}`, { url }])),
  };
  return {
    simulator,
    environment: {
      ...simulator.environment(),
      BRIGHTDATA_PROXY_MANAGER_URL: first ?? "",
      BRIGHTDATA_MANAGERS: JSON.stringify(named),
      BRIGHTDATA_ACCOUNTS: JSON.stringify({ other: { apiToken: other.token, baseUrl: other.remote.url } }),
    },
    close: async () => {
      await Promise.all([simulator.close(), other.close(), ...managers.slice(2).map((manager) => manager.close())]);
    },
  };
}

function addPort(url: string, index: number): Promise<unknown> {
  const own = index % 40 === 0 ? { ssl: true, internal_name: `shop ${index}` } : {};
  const proxy = { port: 24_000 + index, zone: `zone_${1 + (index >> 7)}`, country: index % 2 ? "us" : "de", ...own };
  return send(url, "POST", "/api/proxies", { proxy });
}
