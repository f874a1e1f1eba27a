import type { Hidden } from "./hidden";
import type { ZonePlan } from "./plan";

/** A proxy IP that a zone owns. */
export interface AllocatedIp extends Hidden {
  ip: string;
  country: string;
  city?: string;
}

/** A dedicated residential IP (gIP) that a zone owns. */
export interface AllocatedGip {
  vip: string;
  country: string;
}

/** What a zone used on one day: its cost in US dollars, and metrics such as `bw_sum` in bytes or counts. */
export interface DayUsage {
  cost: number;
  [metric: string]: number;
}

/** All the service knows about a zone. Plain data: a test may edit any of it, as a person may in the dashboard. */
export interface ZoneRecord extends Hidden {
  readonly name: string;
  status: "active" | "disabled" | "deleted";
  /** ISO 8601. */
  created: string;
  description: string;
  plan: ZonePlan;
  password: string[];
  /** Client addresses that may use the zone; `["any"]` when it is open. */
  ips: string[];
  /** Client addresses that may not. */
  deniedIps: string[];
  /** Target domains that may, or may not, be asked for. */
  domains: { whitelist: string[]; blacklist: string[] };
  allocatedIps: AllocatedIp[];
  allocatedGips: AllocatedGip[];
  unavailableIps: string[];
  /** Addresses that used the zone of late. */
  recentIps: string[];
  /** By day, `YYYY-MM-DD`. */
  usage: Record<string, DayUsage>;
  usageLimit?: { value: number; unit: string; cycle: string; bust_action: string };
}
