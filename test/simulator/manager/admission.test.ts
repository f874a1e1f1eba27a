import { beforeEach, expect, test } from "vitest";
import { Account } from "../../../simulator/account/account";
import type { ZoneRecord } from "../../../simulator/account/zone";
import { type Comer, turnedAway } from "../../../simulator/manager/admission";

let account: Account;
let zone: ZoneRecord;

const COMER = { url: "http://example.com/", address: "127.0.0.1" };

const comer = (more: Partial<Comer> = {}): Comer => ({
  username: `brd-customer-${account.customer}-zone-web`,
  password: zone.password[0] ?? "",
  ...COMER,
  ...more,
});

beforeEach(() => {
  account = new Account({});
  zone = account.addZone("web", { type: "static" });
});

test("who knows a password of an active zone is let through, and a user of another vendor is none of its business", () => {
  expect(turnedAway(account, comer())).toBeUndefined();
  expect(turnedAway(account, comer({ username: "somebody", password: "else" }))).toBeUndefined();
});

test("a client in a range that is allowed is let through", () => {
  zone.ips = ["127.0.0.0-127.0.0.9"];
  expect(turnedAway(account, comer())).toBeUndefined();
});

test.each(["web-2", "web-2-eu"])("a zone called %s is not taken for the one called web", (name) => {
  const other = account.addZone(name, { type: "static" });
  const username = `brd-customer-${account.customer}-zone-${name}-session-24000_1`;
  expect(turnedAway(account, comer({ username, password: other.password[0] ?? "" }))).toBeUndefined();
});

test.each<[string, number, string, () => Partial<Comer> | undefined]>([
  ["a customer who is none", 407, "Wrong customer name", () => ({ username: "brd-customer-hl_none-zone-web" })],
  [
    "a zone that there is not",
    407,
    "Zone not found",
    () => ({ username: `brd-customer-${account.customer}-zone-wbe` }),
  ],
  ["a zone that is deleted", 407, "Zone not found", () => void account.removeZone("web")],
  ["a zone that is switched off", 407, "Zone not found", () => void Object.assign(zone, { status: "disabled" })],
  ["a wrong password", 407, "Wrong password", () => ({ password: "wrong" })],
  ["a client that is not allowed", 407, "may not use", () => void Object.assign(zone, { ips: ["203.0.113.7"] })],
  ["a client that is denied", 407, "may not use", () => void Object.assign(zone, { deniedIps: ["127.0.0.0/8"] })],
  [
    "a client in a range that is denied",
    407,
    "may not use",
    () => void Object.assign(zone, { deniedIps: ["127.0.0.0-127.0.0.9"] }),
  ],
  [
    "a client outside of the range that is allowed",
    407,
    "may not use",
    () => void Object.assign(zone, { ips: ["127.0.0.2-127.0.0.9", "::1-::2"] }),
  ],
  ["an account without funds", 402, "no funds", () => void Object.assign(account.balance, { balance: 0, credit: 0 })],
  [
    "a domain that is denied",
    403,
    "this domain",
    () => void Object.assign(zone, { domains: { whitelist: [], blacklist: ["example.com"] } }),
  ],
])("%s is turned away", (_, status, why, change) => {
  const more = change();
  const answer = turnedAway(account, comer(more ?? {}));
  expect(answer?.status).toBe(status);
  expect(answer?.headers["x-brd-err-msg"]).toContain(why);
});
