import { beforeEach, expect, test } from "vitest";
import { Account } from "../../../simulator/account/account";
import { exitIp, pageOf } from "../../../simulator/manager/upstream";

let account: Account;

beforeEach(() => {
  account = new Account({ seed: "upstream" });
});

const REQUEST = { method: "GET", url: "http://example.com/", headers: {}, body: "" };

const usernameOf = (zone: string, rest = ""): string => `brd-customer-${account.customer}-zone-${zone}${rest}`;

const pageTold = (username: string) => JSON.parse(pageOf(account, username, REQUEST).body);

test.each(["shop-eu", "Shop", "shop 1"])("a zone called %s is read as a whole in a user name", (name) => {
  const [own] = account.addZone(name, { type: "static", ips_type: "dedicated", ips: 1, country: "de" }).allocatedIps;
  const username = usernameOf(name.toLowerCase().replace(" ", "_"), "-session-24000_1");
  expect(pageTold(username)).toMatchObject({
    ip: own?.ip,
    country: "DE",
    upstream: { username, customer: account.customer, zone: name, session: "24000_1" },
  });
  expect(exitIp(account, username)).toBe(own?.ip);
});

test.each<[object, string]>([
  [{ type: "static", country: "de" }, "DE"],
  [{ type: "resident", country: "de" }, "DE"],
  [{ type: "static", country: "any" }, "US"],
  [{ type: "unblocker" }, "US"],
])("a page comes from the country of the zone's plan %j", (plan, country) => {
  account.addZone("web", { type: "", ...plan });
  expect(pageTold(usernameOf("web")).country).toBe(country);
  expect(pageTold(usernameOf("web", "-country-fr")).country).toBe("FR");
});

test("a page comes from where the IP is that was added to the zone", () => {
  const zone = account.addZone("web", { type: "static", ips_type: "dedicated", country: "us" });
  zone.allocatedIps = account.allocateIps(1, "jp");
  const [{ ip } = { ip: "" }] = zone.allocatedIps;
  expect(pageTold(usernameOf("web"))).toMatchObject({ ip, country: "JP" });
  expect(pageTold(usernameOf("web", `-ip-${ip}`))).toMatchObject({ ip, country: "JP" });
});
