import { expect } from "vitest";
import type { Simulator } from "../../simulator";
import { inTurn } from "../turn";
import { type Declaration, type Scene, scene } from "./harness";
import { anotherAccount, oneUrlOf } from "./oneUrl";

const it = inTurn(2);

const plan = { type: "static", ipsType: "shared", country: "us" };

const zonesOf = ({ account }: Simulator): string[] => account.liveZones().map(({ name }) => name);

const namesIn = async ({ stack }: Scene): Promise<string[]> =>
  (await stack.resources()).map(({ urn }) => urn.split("::").at(-1) ?? "").sort();

const zone = (disabled: boolean): Declaration => ({
  kind: "Zone",
  name: "web",
  args: { name: "web", plan, disabled, timeouts: { read: 4, update: 4, delete: 4 } },
});

/** A stack with a zone in an account, and another account at the same URL that has a zone of the same name. */
async function standing() {
  const made = await scene({ customer: "hl_own" });
  const others = await anotherAccount("hl_other");
  others.account.addZone("web", { type: "static", ips_type: "shared", country: "us" });
  const { simulator: own, stack, declare } = made;
  const use = ({ token }: Simulator) => stack.setEnvironment({ BRIGHTDATA_API_TOKEN: token });
  stack.setEnvironment({ BRIGHTDATA_BASE_URL: await oneUrlOf(own, others), BRIGHTDATA_RETRIES: "0" });
  use(own);
  declare(zone(false));
  await stack.expect("up");
  return { ...made, own, others, use };
}

const answer = ({ remote: { service } }: Simulator, status: number) => {
  service.faults.clear();
  service.faults.add({ path: "/status", kind: "respond", status, body: "{}", times: Number.POSITIVE_INFINITY });
};

it("with the token of another account nothing is deleted or forgotten while nobody says whose it is", async () => {
  const made = await standing();
  const { own, others, stack, use } = made;
  use(others);
  for (const status of [500, 404, 429]) {
    answer(others, status);
    expect(await stack.command("destroy"), String(status)).not.toMatchObject({ status: 0 });
    expect([zonesOf(own), zonesOf(others), await namesIn(made)], String(status)).toEqual([["web"], ["web"], ["web"]]);
  }
  others.account.removeZone("web");
  answer(others, 500);
  await stack.command("refresh");
  expect(await namesIn(made)).toEqual(["web"]);
});

it("with the token of another account nothing is deleted after an update that could not ask whose it is", async () => {
  const { own, others, stack, declare, use } = await standing();
  answer(own, 500);
  declare(zone(true));
  await stack.command("up");
  use(others);
  const { status, stdout } = await stack.command("destroy");
  expect([zonesOf(own), zonesOf(others)]).toEqual([["web"], ["web"]]);
  expect(status).not.toBe(0);
  expect(stdout).toContain("is recorded with another account");
  // A token may be one that must not ask.
  use(own);
  answer(own, 403);
  await stack.expect("destroy");
  expect([zonesOf(own), zonesOf(others)]).toEqual([[], ["web"]]);
});

it("a zone is left with its account, and another made in that of the token, as the refusal says", async () => {
  const { own, others, stack, declare, use } = await standing();
  others.account.removeZone("web");
  use(others);
  declare(zone(true));
  const { status, stdout } = await stack.command("up");
  expect(status).not.toBe(0);
  expect(stdout).toContain("To leave it there, or if the state is wrong, run `pulumi state delete`");
  const [recorded] = await stack.resources();
  await stack.forget(recorded?.urn ?? "");
  await stack.expect("up");
  expect([zonesOf(own), zonesOf(others)]).toEqual([["web"], ["web"]]);
  await stack.expect("destroy");
  expect([zonesOf(own), zonesOf(others)]).toEqual([["web"], []]);
});

it("a state with an account that it never was with lets go of it as the refusal says", async () => {
  const { simulator: own, stack, declare } = await scene({ customer: "hl_own" });
  const wrong = JSON.stringify({ status: "active", customer: "hl_wrong" });
  own.remote.service.faults.add({ path: "/status", kind: "respond", status: 200, body: wrong, times: 100 });
  declare(zone(false));
  await stack.expect("up");
  own.remote.service.faults.clear();
  const { status, stdout } = await stack.command("destroy");
  expect([status === 0, zonesOf(own)]).toEqual([false, ["web"]]);
  expect(stdout).toContain("if the state is wrong, run `pulumi state delete`");
  const [recorded] = await stack.resources();
  await stack.forget(recorded?.urn ?? "");
  declare({ kind: "Zone", name: "web", args: { name: "web", plan, adopt: true } });
  await stack.expect("up");
  await stack.expect("destroy");
  expect(zonesOf(own)).toEqual([]);
});

it("a zone that one account is to get is missing in another one at its URL, and the preview says so", async () => {
  const { simulator: own, stack, declare } = await scene({ customer: "hl_own" });
  const shop = await anotherAccount("hl_shop");
  stack.setEnvironment({
    BRIGHTDATA_BASE_URL: await oneUrlOf(own, shop),
    BRIGHTDATA_ACCOUNTS: JSON.stringify({ shop: { apiToken: shop.token } }),
    BRIGHTDATA_CHECK_ON_PREVIEW: "true",
  });
  declare(
    { kind: "Zone", name: "web", args: { name: "web", plan } },
    { kind: "ZonePassword", name: "web", args: { zone: "web", account: "shop" }, options: { dependsOn: ["web"] } },
  );
  expect(await stack.expect("preview")).toContain('ZonePassword: there is no zone "web"');
});

it("accounts at one URL have zones of the same names, which have nothing to do with each other", async () => {
  const { simulator: own, stack, declare } = await scene({ customer: "hl_own" });
  const shop = await anotherAccount("hl_shop");
  const isp = { type: "static", poolIpType: "static_res", ipsType: "shared", ips: 2 };
  const datacenter = { type: "static", ipsType: "dedicated", ips: 2 };
  const goods = (name: string, of: object, more: object): Declaration[] => [
    { kind: "Zone", name, args: { name: "goods", plan: of, ...more } },
    {
      kind: "ZoneIps",
      name: `${name}-ips`,
      args: { zone: "goods", count: 3, ...more },
      options: { dependsOn: [name] },
    },
  ];
  const both = [...goods("own", datacenter, {}), ...goods("shop", isp, { account: "shop" })];
  stack.setEnvironment({
    BRIGHTDATA_BASE_URL: await oneUrlOf(own, shop),
    BRIGHTDATA_ACCOUNTS: JSON.stringify({ shop: { apiToken: shop.token } }),
    BRIGHTDATA_PRICES: JSON.stringify({ "datacenter-dedicated-ip": 2, "isp-shared-ip": 5 }),
  });
  declare(...both);
  const foreseen = await stack.expect("preview");
  for (const cost of ["datacenter-dedicated-ip, that is about $6.00", "isp-shared-ip, that is about $15.00"]) {
    expect(foreseen).toContain(`${cost} a month.`);
  }
  await stack.expect("up");
  const ipsOf = ({ account }: Simulator) => account.liveZones().map(({ name, plan: { ips } }) => [name, ips]);
  expect([ipsOf(own), ipsOf(shop)]).toEqual([[["goods", 5]], [["goods", 5]]]);
  await stack.expect("refresh");
  await stack.expect("preview", "--expect-no-changes");
  // What the one account still has keeps nothing in the other.
  declare(...goods("shop", isp, { account: "shop" }));
  await stack.expect("up");
  expect([ipsOf(own), ipsOf(shop)]).toEqual([[], [["goods", 5]]]);
  await stack.expect("destroy");
  expect(zonesOf(shop)).toEqual([]);
});
