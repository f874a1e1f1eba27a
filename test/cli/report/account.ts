import { send } from "../../../scripts/send.mts";
import { type Account, type DayUsage, type PlanInput, type Simulator, startSimulator } from "../../../simulator";

/** When reports are made in tests: on a day that is not over. */
export const NOW = new Date("2026-11-23T07:30:00Z");

const DEDICATED = { type: "static", ips_type: "dedicated", country: "us" };

/** What a zone costs and carries on a day, by its number from 1 October on. */
type Use = (day: number) => DayUsage | undefined;

/** Days of a week, and a growth, so that there is something to see. */
const wave = (dollars: number, gigabytes: number, growth = 0): Use => {
  return (day) => {
    const factor = (1 + growth * day) * (day % 7 < 5 ? 1 : 0.6) * (1 + 0.15 * Math.sin(day * 1.7));
    const bytes = Math.round(gigabytes * factor * 1e9);
    return {
      cost: Math.round(dollars * factor * 10_000) / 10_000,
      bw_sum: bytes,
      https_direct_req: Math.round(bytes / 50_000),
    };
  };
};

const flat =
  (cost: number): Use =>
  () => ({ cost });

/** Adds a zone with what it has used on each day from 1 October 2026 until {@link NOW}. */
export function addUsed(account: Account, name: string, plan: PlanInput, use: Use = () => undefined): void {
  const zone = account.addZone(name, plan);
  // Older than any day that is asked for, unless a test says otherwise.
  zone.created = "2026-09-01T08:00:00.000Z";
  const first = Date.UTC(2026, 9, 1);
  for (let day = 0; first + day * 86_400_000 <= NOW.getTime(); day++) {
    const used = use(day);
    if (used !== undefined) zone.usage[new Date(first + day * 86_400_000).toISOString().slice(0, 10)] = used;
  }
}

/** An account with all that a report tells of, and ports that use it. */
export async function spend({ account, manager }: Simulator): Promise<void> {
  addUsed(account, "residential", { type: "resident", country: "de" }, wave(21.4, 2.6, 0.012));
  addUsed(account, "web_scraping", { ...DEDICATED, ips: 6 }, wave(4.9, 38));
  addUsed(account, "serp", { type: "unblocker", serp: true }, wave(7.25, 0.4, -0.006));
  addUsed(account, "unlocker", { type: "unblocker", ub_premium: true }, wave(11, 1.1, 0.02));
  addUsed(account, "isp_berlin", { ...DEDICATED, pool_ip_type: "static_res", ips: 5 }, flat(0.5333));
  addUsed(account, "spare", { ...DEDICATED, ips: 2 });
  addUsed(account, "trial", { type: "browser_api" });
  addUsed(account, "campaign", { type: "resident", mobile: true }, (day) => (day < 40 ? wave(5, 0.6)(day) : undefined));
  account.removeZone("campaign");
  const web = account.zone("web_scraping")?.allocatedIps.map(({ ip }) => ip) ?? [];
  account.zone("web_scraping")?.unavailableIps.push(web[0] ?? "");
  const add = (proxy: object) => send(manager.url, "POST", "/api/proxies", { proxy });
  await add({ port: 24_000, zone: "web_scraping", ips: web.slice(0, 2), pool_size: 2, internal_name: "pinned" });
  await add({ port: 24_001, zone: "web_scraping", ips: web.slice(1, 4), pool_size: 3 });
  for (const port of [24_010, 24_011]) await add({ port, zone: "campaign" });
}

export const startSpent = async (): Promise<Simulator> => {
  const simulator = await startSimulator({ seed: "seed", clock: () => NOW });
  await spend(simulator);
  return simulator;
};
