import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { send } from "../../../scripts/send.mts";
import { type Simulator, startSimulator } from "../../../simulator";
import { accountOf, locationOf } from "../../../src/base/location";
import { htmlOf } from "../../../src/cli/report/html";
import type { Report, ReportFinding } from "../../../src/cli/report/model";
import { totalsOf, zonesOf } from "../../../src/cli/report/model";
import { decimal } from "../../../src/cli/report/money";
import type { Days } from "../../../src/cli/report/period";
import { terminalOf } from "../../../src/cli/report/terminal";
import { addUsed, NOW, spend } from "./account";
import { reportOn, stateOf } from "./made";

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startSimulator({ seed: "seed", clock: () => NOW });
});
afterEach(() => simulator.close());

const requests = () => simulator.remote.service.requests.map(({ method, path }) => `${method} ${path}`);

const costs = (report: Report) =>
  Object.fromEntries(zonesOf(report).map(({ name, cost }) => [name, cost && [cost.total, cost.before].map(decimal)]));

const says = ({ says, remedy }: ReportFinding) => [says, remedy];

const refuse = (path: string, status = 403) =>
  simulator.remote.service.faults.add({ path, kind: "respond", status, times: Number.POSITIVE_INFINITY });

test("300 zones take one request each for cost and bandwidth, and one for each zone that may have IPs", async () => {
  for (let index = 0; index < 300; index++) {
    const plan = index % 3 === 0 ? { type: "static", ips_type: "dedicated", ips: 1 } : { type: "unblocker" };
    addUsed(simulator.account, `zone_${index}`, plan, () => ({ cost: 0.1, bw_sum: 1e6 }));
  }
  const shown: string[] = [];
  const report = await reportOn(simulator, { onRead: (title, done, all) => shown.push(`${title} ${done}/${all}`) });
  const counts = new Map<string, number>();
  for (const request of requests()) counts.set(request, (counts.get(request) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual({
    "GET /status": 1,
    "GET /zone/get_all_zones": 1,
    "POST /costs/export/json": 1,
    "GET /customer/bw": 1,
    "GET /zone": 100,
    "GET /zone/ips/unavailable": 1,
  });
  const { cost, bytes, ips, unusedIps, forecast, unknown } = totalsOf(report.accounts);
  expect([cost?.total, cost?.before, forecast].map((micros = 0) => decimal(micros))).toEqual([
    "690.00",
    "660.00",
    "900.00",
  ]);
  expect([bytes?.total, bytes?.before, ips, unusedIps]).toEqual([300 * 23e6, 300 * 22e6, 100, 0]);
  // The first one's are those of the drop-in port; clients use the others directly, or not.
  expect(unknown).toEqual({ unusedIps: 99 });
  expect(report.failures).toEqual([]);
  expect([shown.length, shown[0], shown.at(-1)]).toEqual([100, "Reading account 1/100", "Reading account 100/100"]);
});

test("a token that may not read all zones at once reads them one by one, to the same end", async () => {
  await spend(simulator);
  const whole = await reportOn(simulator);
  refuse("/costs/export/json");
  refuse("/customer/bw");
  const single = await reportOn(simulator);
  const { campaign, ...live } = costs(whole);
  expect(campaign).toEqual(["41.0301", "97.4376"]);
  // The service tells nothing of a single zone that is deleted.
  expect(costs(single)).toEqual(live);
  const traffic = (report: Report) =>
    zonesOf(report).flatMap(({ name, bytes, requests }) =>
      bytes ? [[name, bytes.total, bytes.before, requests]] : [],
    );
  expect(traffic(single)).toEqual(traffic(whole).filter(([name]) => name !== "campaign"));
  // Of single zones, those that are deleted are not told.
  expect(single.failures).toEqual([
    { about: "the cost of the account with its deleted zones (account)", why: expect.stringContaining("403") },
  ]);
});

test("what cannot be read is named, and does not stop the rest", async () => {
  await spend(simulator);
  const { faults } = simulator.remote.service;
  const broken = { kind: "respond", status: 404, times: Number.POSITIVE_INFINITY } as const;
  faults.add({ ...broken, method: "GET", path: "/zone", containing: "spare" });
  refuse("/zone/ips/unavailable", 400);
  const { failures, accounts } = await reportOn(simulator);
  expect(failures.map(({ about }) => about)).toEqual([
    "the IPs of zone spare (account)",
    "the IPs that do not work (account)",
  ]);
  expect(failures[0]?.why).toMatch(/^Could not read zone "spare": .* answered 404/);
  const spare = accounts[0]?.zones.find(({ name }) => name === "spare");
  expect(spare).toMatchObject({ cost: { total: 0 }, bytes: { total: 0 } });
  expect([spare?.ips, spare?.unusedIps]).toEqual([undefined, undefined]);
});

test("an account that does not answer is one failure, and others are read", async () => {
  await spend(simulator);
  const other = await startSimulator({ customer: "hl_other" });
  onTestFinished(() => other.close());
  const environment = {
    ...simulator.environment(),
    BRIGHTDATA_ACCOUNTS: JSON.stringify({
      again: { apiToken: simulator.token, baseUrl: `${simulator.remote.url}/` },
      shop: { apiToken: "revoked", baseUrl: other.remote.url },
    }),
  };
  const { accounts, failures } = await reportOn(simulator, { environment });
  expect(accounts.map(({ name, zones }) => [name, zones.length])).toEqual([
    [undefined, 8],
    ["shop", 0],
  ]);
  expect(failures).toEqual([
    { about: "the list of zones (account shop)", why: expect.stringMatching(/answered 401.*BRIGHTDATA_ACCOUNTS/) },
  ]);
});

test("a period is asked for together with the days that it is compared with", async () => {
  addUsed(simulator.account, "web", { type: "unblocker" }, (day) => ({ cost: day, bw_sum: day }));
  const report = await reportOn(simulator, { days: { from: "2026-10-08", to: "2026-10-11" } });
  expect(zonesOf(report)[0]).toMatchObject({
    cost: { total: 24e6, complete: 24e6, before: 15e6, daily: [7e6, 8e6, 9e6], dailyBefore: [4e6, 5e6, 6e6] },
    bytes: { total: 24, before: 15 },
  });
  const [asked] = simulator.remote.service.requests.filter(({ path }) => path === "/costs/export/json");
  expect(asked?.body).toMatchObject({ from: "2026-10-05", to: "2026-10-11" });
});

test("what costs money for nothing is named with the command that ends it, what costs most first", async () => {
  await spend(simulator);
  const { findings } = await reportOn(simulator);
  const curl = (path: string, body: object) =>
    `curl -X DELETE ${simulator.remote.url}${path} -H "Authorization: Bearer $BRIGHTDATA_API_TOKEN" --json '${JSON.stringify(body)}'`;
  const ips = simulator.account.zone("web_scraping")?.allocatedIps.map(({ ip }) => ip) ?? [];
  expect(findings.map(says)).toEqual([
    ["Zone isp_berlin has carried nothing in 53 days, with 5 IPs.", curl("/zone", { zone: "isp_berlin" })],
    [
      "Zone web_scraping has 2 IPs of 6 that none of its ports uses.",
      curl("/zone/ips", { zone: "web_scraping", ips: ips.slice(4) }),
    ],
    [
      "Zone web_scraping has 1 IP that does not work just now.",
      curl("/zone/ips", { zone: "web_scraping", ips: ips.slice(0, 1) }),
    ],
    ["Zone spare has carried nothing in 53 days, with 2 IPs.", curl("/zone", { zone: "spare" })],
    [
      "Ports 24010, 24011 use zone campaign, which is gone.",
      `for port in 24010 24011; do curl -X DELETE ${simulator.manager.url}/api/proxies/$port; done`,
    ],
  ]);
  expect(findings[0]).toMatchObject({ kind: "idle-zone", where: "account", ids: ["isp_berlin"], cost: 12_265_900 });
});

test("what a stack holds is ended in the program, and what none holds is imported", async () => {
  await spend(simulator);
  const ips = simulator.account.zone("web_scraping")?.allocatedIps.map(({ ip }) => ip) ?? [];
  const state = stateOf(
    ["Zone", "isp", "isp_berlin", { name: "isp_berlin" }],
    ["Zone", "web", "web_scraping", { name: "web_scraping" }],
    ["Zone", "people", "residential", { name: "residential" }],
    ["ZoneIps", "more", "web_scraping/ips", { zone: "web_scraping", kind: "ips", ips: ips.slice(2) }],
    ["ProxyPort", "old", "24010", { port: 24_010, zone: "campaign" }],
  );
  const { findings } = await reportOn(simulator, { states: [state] });
  const only = (kind: string, option: string) =>
    `npx pulumi-brightdata import --stack dev --kind ${kind} --${option} default`;
  expect(findings.map(says)).toEqual([
    [
      "Zone isp_berlin has carried nothing in 53 days, with 5 IPs.",
      'Remove `new brightdata.Zone("isp", ...)` from the program.',
    ],
    [
      "Zone web_scraping has 2 IPs of 6 that none of its ports uses.",
      'Lower `count` of `new brightdata.ZoneIps("more", ...)` to 2 in the program.',
    ],
    [
      "Zone web_scraping has 1 IP that does not work just now.",
      // It is one that the zone was created with.
      expect.stringMatching(/^curl -X DELETE /),
    ],
    expect.arrayContaining(["Zone spare has carried nothing in 53 days, with 2 IPs."]),
    [
      "Port 24010 uses zone campaign, which is gone.",
      'Give another `zone` to `new brightdata.ProxyPort("old", ...)` in the program, or remove it.',
    ],
    [
      "Port 24011 uses zone campaign, which is gone.",
      `for port in 24011; do curl -X DELETE ${simulator.manager.url}/api/proxies/$port; done`,
    ],
    ["In no stack: Zone serp, spare, trial, unlocker.", only("Zone", "account")],
    ["In no stack: ProxyPort 24000, 24001, 24011.", only("ProxyPort", "manager")],
  ]);
});

test("IPs of a resource that would give back others are deleted by a command, and its `count` is lowered by as many", async () => {
  await spend(simulator);
  const ips = simulator.account.zone("web_scraping")?.allocatedIps.map(({ ip }) => ip) ?? [];
  const [, , , pinned = "", first = "", second = ""] = ips;
  const remedy = async (...resources: [name: string, ips: string[], state?: object][]) => {
    const parts = resources.map(([name, ips, state]) => {
      return ["ZoneIps", name, "web_scraping/ips", { zone: "web_scraping", ips, ...state }] as const;
    });
    const { findings } = await reportOn(simulator, { states: [stateOf(...parts)] });
    return findings.find(({ kind }) => kind === "unused-ips")?.remedy;
  };
  const command = `run: curl -X DELETE ${simulator.remote.url}/zone/ips -H "Authorization: Bearer $BRIGHTDATA_API_TOKEN" --json '${JSON.stringify({ zone: "web_scraping", ips: [first, second] })}'`;
  const lower = (what: string) =>
    `Before the next \`pulumi up\`, lower \`count\` of ${what} in the program, and ${command}`;
  const more = '`new brightdata.ZoneIps("more", ...)`';
  expect(await remedy(["more", [first, second, pinned]])).toBe(lower(`${more} by 2`));
  expect(await remedy(["more", [pinned, first]])).toBe(lower(`${more} by 1`));
  // What is not certainly its own is not given back.
  expect(await remedy(["more", [pinned, first, second], { supposed: [second] }])).toBe(lower(`${more} by 2`));
  expect(await remedy(["more", [first]], ["others", [second]])).toBe(
    lower(`${more} by 1, of \`new brightdata.ZoneIps("others", ...)\` by 1`),
  );
});

test("where an account cannot be listed, no port is said to be without a zone", async () => {
  await spend(simulator);
  refuse("/zone/get_all_zones");
  const { findings, failures } = await reportOn(simulator);
  expect(findings.filter(({ kind }) => kind === "port-without-zone")).toEqual([]);
  // Whether a zone is deleted is not known then, either.
  expect(failures.map(({ about }) => about)).toEqual([
    "the list of zones (account)",
    "the IPs of zone campaign (account)",
    "the bandwidth of zone campaign (account)",
  ]);
});

test("a manager that is not there is a failure only where it is configured", async () => {
  await spend(simulator);
  const environment = simulator.environment();
  await simulator.manager.close();
  const { failures } = await reportOn(simulator, { environment });
  expect(failures).toEqual([{ about: "the ports (manager)", why: expect.stringContaining("ECONNREFUSED") }]);
});

test("a zone may have the name of what each object has", async () => {
  addUsed(simulator.account, "web", { type: "unblocker" }, used);
  addUsed(simulator.account, "constructor", { ...DEDICATED, ips: 1 });
  const report = await reportOn(simulator);
  expect(costs(report)).toEqual({ web: ["23.00", "22.00"], constructor: ["0.00", "0.00"] });
  expect(report.findings.map(says)).toEqual([
    ["Zone constructor has carried nothing in 53 days, with 1 IP.", expect.stringMatching(/^curl /)],
  ]);
});

test("a zone that all figures leave out is idle only where its own say so", async () => {
  addUsed(simulator.account, "web", { type: "unblocker" }, used);
  addUsed(simulator.account, "spare", { type: "unblocker" }, () => ({ cost: 1 }));
  addUsed(simulator.account, "free", { type: "unblocker" });
  const empty = { kind: "respond", status: 200, body: '{"hl_simulated":{"data":{},"sums":{}}}' } as const;
  simulator.remote.service.faults.add({ ...empty, path: "/customer/bw", times: Number.POSITIVE_INFINITY });
  const { accounts, findings, failures } = await reportOn(simulator);
  expect(findings.map(({ kind, ids }) => [kind, ids])).toEqual([["idle-zone", ["spare"]]]);
  expect(failures).toEqual([]);
  expect(accounts[0]?.zones[0]).toMatchObject({ name: "web", bytes: { total: 23e9, before: 22e9 } });
  const asked = simulator.remote.service.requests.flatMap(({ path, query }) =>
    path === "/zone/bw" ? [query.zone] : [],
  );
  expect(asked.sort()).toEqual(["spare", "web"]);
  refuse("/zone/bw");
  const unknown = await reportOn(simulator);
  expect(unknown.findings).toEqual([]);
  expect(unknown.failures.map(({ about }) => about).sort()).toEqual([
    "the bandwidth of zone spare (account)",
    "the bandwidth of zone web (account)",
  ]);
});

/** Further services: another account `shop` with the Proxy Manager `shop-1`, and a second manager `fra-1` of the first account. */
async function startFurther() {
  await simulator.close();
  const managers = { "fra-1": {}, "shop-1": { account: "shop" } };
  simulator = await startSimulator({ seed: "seed", clock: () => NOW, accounts: { shop: {} }, managers });
  const [shop, first, second] = [simulator.remotes.get("shop"), ...simulator.managers.values()];
  if (shop === undefined || first === undefined || second === undefined) throw new Error("a service is missing");
  // A manager's drop-in port uses all IPs of its account's first zone.
  for (const { account } of [simulator, shop]) addUsed(account, "first", { type: "unblocker" }, used);
  return { shop, "fra-1": first, "shop-1": second };
}

const addPort = (manager: { url: string }, proxy: object) => send(manager.url, "POST", "/api/proxies", { proxy });

const DEDICATED = { type: "static", ips_type: "dedicated", country: "us" };
const used = () => ({ cost: 1, bw_sum: 1e9 });

test("IPs are unused only where all managers are read", async () => {
  const further = await startFurther();
  addUsed(simulator.account, "web", { ...DEDICATED, ips: 3 }, used);
  const [first, second, third] = simulator.account.zone("web")?.allocatedIps.map(({ ip }) => ip) ?? [];
  await addPort(simulator.manager, { port: 24_000, zone: "web", ips: [first], pool_size: 1 });
  await addPort(further["fra-1"], { port: 24_000, zone: "web", ips: [second], pool_size: 1 });
  const whole = await reportOn(simulator);
  expect(whole.findings.map(({ remedy }) => remedy)).toEqual([expect.stringContaining(`"ips":["${third}"]`)]);
  const one = await reportOn(simulator, { only: { managers: ["default"] } });
  expect(one.findings).toEqual([]);
});

test("IPs that the manager does not keep to are no limit: all of the zone are used", async () => {
  await simulator.close();
  simulator = await startSimulator({ seed: "seed", clock: () => NOW, manager: { dropin: false } });
  addUsed(simulator.account, "web", { ...DEDICATED, ips: 3 }, used);
  const [first, second, third] = simulator.account.zone("web")?.allocatedIps.map(({ ip }) => ip) ?? [];
  const web = { zone: "web", ips: [first, second] };
  const unused = async (proxy: object) => {
    await addPort(simulator.manager, { port: 24_000, ...proxy });
    const { findings, accounts } = await reportOn(simulator);
    await send(simulator.manager.url, "DELETE", "/api/proxies/24000");
    return [accounts[0]?.zones[0]?.unusedIps, findings.map(({ remedy }) => /"ips":(.*?)}/.exec(remedy)?.[1])];
  };
  expect(await unused(web)).toEqual([0, []]);
  expect(await unused({ ...web, pool_size: 1 })).toEqual([0, []]);
  expect(await unused({ ...web, pool_size: 2 })).toEqual([1, [JSON.stringify([third])]]);
  expect(await unused({ ...web, multiply: 2, multiply_ips: true })).toEqual([1, [JSON.stringify([third])]]);
  expect(await unused({ ...web, session: "one" })).toEqual([0, []]);
  expect(await unused({ zone: "web", ips: [first], session: "one" })).toEqual([2, [JSON.stringify([second, third])]]);
  expect(await unused({ zone: "web", ip: second })).toEqual([2, [JSON.stringify([first, third])]]);
});

test("how many gIPs are unused is not known where ports keep to some", async () => {
  await simulator.close();
  simulator = await startSimulator({ seed: "seed", clock: () => NOW, manager: { dropin: false } });
  addUsed(simulator.account, "home", { type: "resident", vips_type: "domain", vips: 3 }, used);
  await addPort(simulator.manager, { port: 24_000, zone: "home", vips: ["one"], pool_size: 1 });
  expect(await reportOn(simulator)).toMatchObject({ findings: [], accounts: [{ zones: [{ ips: 3 }] }] });
  expect(zonesOf(await reportOn(simulator))[0]).not.toHaveProperty("unusedIps");
  await addPort(simulator.manager, { port: 24_001, zone: "home" });
  expect(zonesOf(await reportOn(simulator))[0]).toMatchObject({ unusedIps: 0 });
});

test("a port that names no zone uses its manager's default zone", async () => {
  await simulator.close();
  simulator = await startSimulator({ seed: "seed", clock: () => NOW, manager: { dropin: false } });
  addUsed(simulator.account, "web", { ...DEDICATED, ips: 3 }, used);
  const [first, second, third] = simulator.account.zone("web")?.allocatedIps.map(({ ip }) => ip) ?? [];
  await send(simulator.manager.url, "PUT", "/api/settings", { zone: "web" });
  await addPort(simulator.manager, { port: 24_000, zone: "web", ips: [first], pool_size: 1 });
  await addPort(simulator.manager, { port: 24_001, ips: [second], pool_size: 1 });
  const pinned = await reportOn(simulator);
  expect(pinned.findings.map(({ remedy }) => remedy)).toEqual([expect.stringContaining(`"ips":["${third}"]`)]);
  await addPort(simulator.manager, { port: 24_002 });
  expect(await reportOn(simulator)).toMatchObject({ findings: [], accounts: [{ zones: [{ unusedIps: 0 }] }] });
});

test("what an account that is not read may use is neither unused nor gone", async () => {
  const { shop } = await startFurther();
  addUsed(simulator.account, "web", { ...DEDICATED, ips: 2 }, used);
  addUsed(shop.account, "web", { ...DEDICATED, ips: 2 }, used);
  addUsed(simulator.account, "old", { type: "unblocker" }, used);
  addUsed(shop.account, "old", { type: "unblocker" }, used);
  shop.account.removeZone("old");
  const [ip] = simulator.account.zone("web")?.allocatedIps.map(({ ip }) => ip) ?? [];
  await addPort(simulator.manager, { port: 24_000, zone: "web", ips: [ip], pool_size: 1 });
  await addPort(simulator.manager, { port: 24_001, zone: "old" });
  const { findings } = await reportOn(simulator, { only: { accounts: ["shop"] } });
  expect(findings).toEqual([]);
});

test("IPs are not said to be unused where another account cannot be listed", async () => {
  const { shop, "shop-1": manager } = await startFurther();
  for (const { account } of [simulator, shop]) addUsed(account, "web", { ...DEDICATED, ips: 2 }, used);
  const [ip] = shop.account.zone("web")?.allocatedIps.map(({ ip }) => ip) ?? [];
  await addPort(manager, { port: 24_000, zone: "web", ips: [ip], pool_size: 1 });
  const broken = { kind: "respond", status: 403, times: Number.POSITIVE_INFINITY } as const;
  for (const path of ["/zone/get_all_zones", "/costs/export/json", "/customer/bw"]) {
    shop.service.faults.add({ ...broken, path });
  }
  const { findings } = await reportOn(simulator);
  expect(findings).toEqual([]);
});

test("the command for a named account needs that account's token", async () => {
  const { shop } = await startFurther();
  addUsed(shop.account, "spare", { ...DEDICATED, ips: 2 });
  const { findings } = await reportOn(simulator);
  expect(findings.map(({ remedy }) => remedy)).toEqual([
    `curl -X DELETE ${shop.url}/zone -H "Authorization: Bearer \${TOKEN_OF_SHOP:?token of account shop}" --json '{"zone":"spare"}'`,
  ]);
});

test("a stack of another account holds nothing of this one, whatever the account is called", async () => {
  const { "shop-1": manager } = await startFurther();
  const other = await startSimulator({ customer: "hl_other", seed: "other", clock: () => NOW });
  onTestFinished(() => other.close());
  addUsed(simulator.account, "web", { ...DEDICATED, ips: 2 });
  await addPort(simulator.manager, { port: 24_000, zone: "gone" });
  await addPort(manager, { port: 24_000, zone: "gone" });
  const at = (location: string) => ({ __at: location });
  const elsewhere = stateOf(
    ["Zone", "web", "web", { name: "web", ...at(accountOf("hl_other")) }],
    ["ProxyPort", "first", "24000", { port: 24_000, ...at(locationOf(other.manager.url)) }],
    ["ProxyPort", "second", "24000", { port: 24_000, ...at(locationOf(manager.url)) }],
  );
  const { findings } = await reportOn(simulator, { states: [elsewhere] });
  const remedies = findings.map(({ kind, where, remedy }) => [kind, where, remedy.split(" ").slice(0, 2).join(" ")]);
  expect(remedies.sort()).toEqual([
    ["in-no-stack", "account shop", "npx pulumi-brightdata"],
    ["in-no-stack", "account", "npx pulumi-brightdata"],
    ["in-no-stack", "manager", "npx pulumi-brightdata"],
    ["port-without-zone", "manager shop-1", "Give another"],
    ["port-without-zone", "manager", "for port"],
    ["unused-ips", "account", "curl -X"],
  ]);
});

const idle = ({ findings }: Report) => findings.filter(({ kind }) => kind === "idle-zone" || kind === "unused-ips");

const FIRST_OF_OCTOBER = Date.parse("2026-10-01T00:00:00Z");
const numberOf = (day: string) => (Date.parse(`${day}T00:00:00Z`) - FIRST_OF_OCTOBER) / 86_400_000;

test.each<[string, string, Partial<Days>]>([
  ["until yesterday", "2026-11-22", { from: "2026-11-23" }],
  ["between the days compared", "2026-10-28", { from: "2026-11-01" }],
  ["after the period", "2026-11-20", { from: "2026-10-08", to: "2026-10-16" }],
])("a zone that has carried something %s is in use", async (_, day, days) => {
  for (const ips of [0, 2]) {
    const plan = ips === 0 ? { type: "unblocker" } : { ...DEDICATED, ips };
    addUsed(simulator.account, `web_${ips}`, plan, (at) => ({ cost: 1, bw_sum: at === numberOf(day) ? 4e9 : 0 }));
  }
  expect(idle(await reportOn(simulator, { days }))).toEqual([]);
});

test.each<[Partial<Days>, number]>([
  [{ from: "2026-11-23" }, 7],
  [{ from: "2026-11-20" }, 7],
  [{ from: "2026-11-19" }, 8],
  [{ from: "2026-11-02", to: "2026-11-03" }, 22],
])("a period of %j says what has carried nothing up to today, in %i days", async (days, count) => {
  addUsed(simulator.account, "web", { ...DEDICATED, ips: 2 }, () => ({ cost: 1 }));
  addUsed(simulator.account, "free", { ...DEDICATED, ips: 2 });
  const words = (zone: string) => `Zone ${zone} has carried nothing in ${count} days, with 2 IPs.`;
  expect(idle(await reportOn(simulator, { days })).map(({ says }) => says)).toEqual([words("web"), words("free")]);
});

const billedFrom = (day: string) => (at: number) => (at >= numberOf(day) ? { cost: 1 } : undefined);

test("a zone that was made within a week is not said to be idle, whatever it costs", async () => {
  for (const [name, plan] of Object.entries({ ips: { ...DEDICATED, ips: 2 }, none: { type: "unblocker" } })) {
    for (const day of ["2026-11-23", "2026-11-17", "2026-11-16"]) {
      addUsed(simulator.account, `${name}_${day.slice(-2)}`, plan, billedFrom(day));
      Object.assign(simulator.account.zone(`${name}_${day.slice(-2)}`) ?? {}, { created: `${day}T00:00:00.000Z` });
    }
  }
  simulator.account.addZone("today", { ...DEDICATED, ips: 3 });
  expect(idle(await reportOn(simulator)).map(({ says }) => says)).toEqual([
    "Zone ips_16 has carried nothing in 7 days, with 2 IPs.",
    "Zone none_16 has carried nothing in 7 days.",
  ]);
});

test("a zone that has the name of a former one is as old as it is itself", async () => {
  addUsed(simulator.account, "web", { ...DEDICATED, ips: 2 }, () => ({ cost: 1 }));
  Object.assign(simulator.account.zone("web") ?? {}, { created: "2026-11-21T00:00:00.000Z" });
  const report = await reportOn(simulator);
  expect(idle(report)).toEqual([]);
  // What both cost is the pace of the month.
  expect(zonesOf(report)).toMatchObject([{ name: "web", since: "2026-10-01", forecast: 30e6 }]);
});

test("a zone of which nobody says when it was made is not said to be idle", async () => {
  addUsed(simulator.account, "web", { ...DEDICATED, ips: 2 });
  Object.assign(simulator.account.zone("web") ?? {}, { created: undefined });
  expect(idle(await reportOn(simulator))).toEqual([]);
});

test("the month of a zone that was begun in it goes on at the pace of its own days", async () => {
  addUsed(simulator.account, "old", { type: "unblocker" }, () => ({ cost: 1, bw_sum: 1 }));
  addUsed(simulator.account, "new", { type: "unblocker" }, (at) =>
    at >= numberOf("2026-11-13") ? { cost: 1, bw_sum: 1 } : undefined,
  );
  addUsed(simulator.account, "today", { type: "unblocker" }, (at) =>
    at >= numberOf("2026-11-23") ? { cost: 1, bw_sum: 1 } : undefined,
  );
  for (const [name, day] of [
    ["new", 13],
    ["today", 23],
  ]) {
    Object.assign(simulator.account.zone(String(name)) ?? {}, { created: `2026-11-${day}T10:00:00.000Z` });
  }
  const report = await reportOn(simulator);
  const forecasts = Object.fromEntries(zonesOf(report).map(({ name, forecast }) => [name, forecast]));
  // Of today's nothing is known yet, but that it costs no less than so far.
  expect(forecasts).toEqual({ old: 30e6, new: 18e6, today: undefined });
  expect(totalsOf(report.accounts)).toMatchObject({ forecast: 49e6, unknown: { forecast: 1 } });
});

test("a zone's cost that the service does not tell is unknown, as IPs are that no port pins", async () => {
  // The manager's drop-in port uses all IPs of the first zone.
  for (const name of ["first", "web"]) addUsed(simulator.account, name, { ...DEDICATED, ips: 2 }, used);
  refuse("/costs/export/json");
  simulator.remote.service.faults.add({
    path: "/zone/cost",
    kind: "respond",
    status: 200,
    body: '{"hl_simulated":{}}',
    times: 9,
  });
  const report = await reportOn(simulator);
  const [first, web] = zonesOf(report);
  expect(first?.unusedIps).toBe(0);
  expect([web?.cost, web?.forecast, web?.ips, web?.unusedIps]).toEqual([undefined, undefined, 2, undefined]);
  expect(totalsOf(report.accounts)).toMatchObject({ unusedIps: 0, unknown: { cost: 2, unusedIps: 1 } });
  expect(totalsOf(report.accounts)).not.toHaveProperty("cost");
  await addPort(simulator.manager, { port: 24_000, zone: "web" });
  expect(zonesOf(await reportOn(simulator)).map(({ unusedIps }) => unusedIps)).toEqual([0, 0]);
});

test("what is in no stack is no cost to end, and comes last", async () => {
  addUsed(simulator.account, "web", { type: "unblocker" }, () => ({ cost: 100, bw_sum: 1e9 }));
  addUsed(simulator.account, "spare", { ...DEDICATED, ips: 2 }, () => ({ cost: 1 }));
  const report = await reportOn(simulator, { states: [stateOf()] });
  expect(report.findings.map(({ kind }) => kind)).toEqual(["idle-zone", "in-no-stack"]);
  const text = terminalOf(report, { hasColors: false, hasPlots: false });
  expect(text).toMatch(
    /\nCosts to end\n {2}Zone spare .*\n.*\n\nIn no stack\n {2}In no stack: Zone spare, web\. 2,323\.00 USD/,
  );
  expect(htmlOf(report)).toMatch(/<h2>Costs to end<\/h2>.*<h2>In no stack<\/h2>/s);
});

test("accounts whose names differ in signs alone have a variable each", async () => {
  await simulator.close();
  simulator = await startSimulator({ seed: "seed", clock: () => NOW, accounts: { "shop-1": {}, shop_1: {} } });
  for (const remote of simulator.remotes.values()) addUsed(remote.account, "spare", { ...DEDICATED, ips: 2 });
  const { findings } = await reportOn(simulator);
  const variables = findings.map(({ remedy }) => /Bearer \$\{(.*?)\}/.exec(remedy)?.[1]);
  expect(variables.filter((each) => each !== undefined).sort()).toEqual([
    "TOKEN_2_OF_SHOP_1:?token of account shop_1",
    "TOKEN_OF_SHOP_1:?token of account shop-1",
  ]);
});

test("a manager that is logged out knows of no zone, and its ports are not said to be without one", async () => {
  addUsed(simulator.account, "web", { type: "unblocker" }, used);
  const gone = async () =>
    (await reportOn(simulator)).findings.filter(({ kind }) => kind === "port-without-zone").flatMap(({ ids }) => ids);
  await addPort(simulator.manager, { port: 24_000, zone: "elsewhere" });
  expect(await gone()).toEqual(["24000"]);
  simulator.manager.logOut();
  await addPort(simulator.manager, { port: 24_001, zone: "elsewhere", customer: "hl_mine", password: "own" });
  expect(await gone()).toEqual([]);
});
