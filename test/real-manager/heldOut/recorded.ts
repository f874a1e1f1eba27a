import type { Group } from "./group";

const put = (proxy: object): [string, object] => ["PUT /api/proxies/PORT", { proxy }];
const read: [string] = ["GET /api/proxies/PORT"];

/** What programs and the manager's own page send in their order. */
export const recorded: Group = {
  "a port that a person changes again and again": [
    { internal_name: "first" },
    ...[
      { country: "us" },
      { country: "us", city: "miami" },
      { city: "" },
      { country: "" },
      { session: "s1" },
      { session: true },
      { session: "" },
      { pool_size: 2 },
      { pool_size: 0 },
      { rules: [{ status: "403", action: { retry: 1 } }] },
      { rules: [] },
      { headers: [{ name: "a", value: "b" }] },
      { headers: [] },
      { ssl: true },
      { ssl: false },
      { whitelist_ips: ["198.51.100.3"] },
      { whitelist_ips: [] },
      { zone: "dc" },
      { zone: "static" },
      { internal_name: "second" },
      { multiply: 3 },
      { multiply: 1 },
      { ips: ["198.51.100.4"] },
      { ips: [] },
    ].flatMap((change): [string, object?][] => [put(change), read]),
    ["GET /api/proxies_running"],
  ],
  "one after the other": [
    {},
    ["POST /api/proxies/PORT/banip", { ip: "198.51.100.2", ms: 60_000 }],
    put({ country: "gb" }),
    ["GET /api/banlist/PORT"],
    put({ multiply: 2 }),
    ["GET /api/banlist/PORT"],
    ["GET /api/proxies_running"],
    ["POST /api/proxies", { proxy: { port: 24_950, zone: "dc" } }],
    ["POST /api/proxies", { proxy: { port: 24_951, zone: "dc" } }],
    put({ port: 24_960 }),
    ["GET /api/proxies/24960"],
    ["DELETE /api/proxies/24960"],
    ["GET /api/proxies/24960"],
  ],
};
