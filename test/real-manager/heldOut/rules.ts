import type { Case } from "../alike";
import type { Group } from "./group";

const asks = [
  "http://example.com/",
  "http://shop.example.com/cart?id=5",
  "http://example.com/status/403",
  "http://example.com/status/503",
].map((url) => ({ line: `GET ${url}` }));
const withRules = (...rules: object[]): Case => [
  { rules },
  ...asks,
  { line: "GET https://shop.example.com/", via: "tunnel" },
  ["GET /api/banlist/PORT"],
];
const status = (value: string, action: object): object => ({
  status: value,
  action,
  action_type: Object.keys(action)[0],
  trigger_type: "status",
});
const url = (value: string, action: object): object => ({
  url: value,
  action,
  action_type: Object.keys(action)[0],
  trigger_type: "url",
});

/** Rules of one kind, of several, and of nonsense. */
export const rules: Group = {
  "a retry on 403 and 503": withRules(status("403|503", { retry: 2 })),
  "a retry as a text": withRules(status("403", { retry: "2" })),
  "a ban on 4xx for a minute": withRules(status("4\\d\\d", { ban_ip: 60_000 })),
  "a ban for a domain on 5xx": withRules(status("5..", { ban_ip_domain: 60_000 })),
  "a ban, then a retry": withRules(status("403", { ban_ip: 0 }), status("403", { retry: 1 })),
  "a retry and a ban in one": withRules(status("403", { retry: 1, ban_ip: 0 })),
  "a null response for a shop": withRules(url("shop\\.", { null_response: true })),
  "no null response": withRules(url("shop\\.", { null_response: false })),
  "direct for a shop": withRules(url("^http://shop", { direct: true })),
  "a body that is there": withRules({
    body: "Simulated",
    action: { retry: 1 },
    action_type: "retry",
    trigger_type: "body",
  }),
  "a body that bans": withRules({
    body: "198\\.1",
    action: { ban_ip: 0 },
    action_type: "ban_ip",
    trigger_type: "body",
  }),
  "a status and a URL": withRules({
    status: "200",
    url: "cart",
    action: { ban_ip: 0 },
    action_type: "ban_ip",
    trigger_type: "status",
  }),
  "an empty rule list": withRules(),
  "a rule without types": withRules({ status: "403", action: { ban_ip: 0 } }),
  "a type that nobody knows": withRules({
    status: "403",
    action: { ban_ip: 0 },
    action_type: "sing",
    trigger_type: "moon",
  }),
  "an action that nobody knows": withRules(status("403", { sing: true })),
  retries: withRules(status("503", { retry: true, retries: 2 })),
  "a renewal": withRules(status("200", { refresh_ip: true })),
  "a timeout response": withRules(url("cart", { timeout_response: true })),
};
