/** One zone of the vendor's account, as the manager gets to see it. */
export interface AccountZone {
  password: string;
  plan: Record<string, unknown>;
}

/** What the vendor's cloud would know of the user. */
export interface Account {
  customer: string;
  /** The token that a manager which has been logged in keeps. */
  token: string;
  zones: Record<string, AccountZone>;
  /** Loopback address of the vendor's proxy, which listens on port 22225. */
  superProxy: string;
}

/** A zone of each kind, and one that is switched off. */
export const DEFAULT_ZONES: Account["zones"] = {
  static: { password: "pass_static", plan: { type: "static", ips_type: "shared", ips: 10, bandwidth: "bandwidth" } },
  dc: { password: "pass_dc", plan: { type: "static", ips_type: "dedicated", ips: 5 } },
  res: { password: "pass_res", plan: { type: "resident", city: 1, asn: 1 } },
  mob: { password: "pass_mob", plan: { type: "resident", mobile: 1 } },
  unb: { password: "pass_unb", plan: { type: "unblocker", unblocker: true } },
  off: { password: "pass_off", plan: { type: "static", disable: "admin" } },
};
