import { expect, test } from "vitest";
import { settingsOf } from "../../policies/declared";
import { withDefaults } from "../../policies/policy";
import { maxIps } from "../../policies/rules/maxIps";
import { moneyOf } from "../../src/cli/pipeline/money";
import { planFrom } from "../../src/cli/pipeline/plan";
import { lines, step } from "../cli/pipeline/events";
import { resource, saysOfStack, UNKNOWN, urnOf, zone } from "./resources";

const web = zone("web", { type: "static", ipsType: "dedicated", ips: "90" });
const more = (count: unknown, further = {}) => resource("ZoneIps", "more", { zone: "web", count, ...further });

test("a zone's IPs are those of its plan and of its ZoneIps", async () => {
  expect(await saysOfStack(maxIps, [web, more(10)])).toEqual([]);
  expect(await saysOfStack(maxIps, [web, more(11)])).toEqual([
    { urn: urnOf("Zone", "web"), message: "Zone web has 101 IPs: at most 100 are allowed." },
  ]);
});

test("a ZoneIps with `adopt` takes over those of the plan before it adds any", async () => {
  expect(await saysOfStack(maxIps, [web, more(90, { adopt: true })])).toEqual([]);
  expect(await saysOfStack(maxIps, [web, more(101, { adopt: true })])).toMatchObject([{ urn: urnOf("Zone", "web") }]);
  expect(await saysOfStack(maxIps, [web, more(11, { adopt: true, country: "us" })])).toHaveLength(1);
});

test.each<[object, object, boolean]>([
  [{ country: "us" }, { country: "us" }, true],
  [{ country: "us", countryCity: "us-nyc" }, { countryCity: "us-nyc" }, true],
  [{ country: "us" }, {}, true],
  [{ country: "us" }, { country: "de" }, false],
  [{ country: "us" }, { country: "us", countryCity: "us-nyc" }, false],
])(
  "a ZoneIps in a zone of %j, with `adopt` and %j, takes over those of the plan: %s",
  async (plan, where, takesOver) => {
    const ips = 60;
    const stack = [zone("web", { type: "static", ips, ...plan }), more(ips, { adopt: true, ...where })];
    expect(await saysOfStack(maxIps, stack)).toHaveLength(takesOver ? 0 : 1);
    const create = (kind: string, name: string, after: Record<string, unknown>) =>
      step("create", kind, name, { after });
    const dedicated = { type: "static", ipsType: "dedicated", ips, ...plan };
    const comment = lines(
      create("Zone", "web", { name: "web", plan: dedicated }),
      create("ZoneIps", "more", { zone: "web", count: ips, adopt: true, ...where }),
    );
    const { after } = moneyOf(planFrom(comment, String), { "datacenter-dedicated-ip": 1 });
    expect(after === ips).toBe(takesOver);
  },
);

test("gIPs have a limit of their own, and those of a ZoneIps are some of the plan's", async () => {
  const stack = [zone("web", { type: "resident", vips: 7 }), more(7, { kind: "gips", adopt: true })];
  expect(await saysOfStack(maxIps, stack, { ips: 0, gips: 7 })).toEqual([]);
  expect(await saysOfStack(maxIps, stack, { ips: 0, gips: 6 })).toEqual([
    { urn: urnOf("Zone", "web"), message: "Zone web has 7 gIPs: at most 6 are allowed." },
  ]);
});

test("IPs of a zone that the stack does not declare are added up", async () => {
  const stray = (name: string, count: unknown, further = {}, of = {}) =>
    resource("ZoneIps", name, { zone: "elsewhere", count, ...further }, of);
  const first = stray("first", 60);
  expect(await saysOfStack(maxIps, [web, first, stray("second", 41, { country: "de" })])).toEqual([
    { urn: first.urn, message: "Zone elsewhere has 101 IPs: at most 100 are allowed." },
  ]);
  const others = [
    stray("of another kind", 41, { kind: "gips", adopt: true }),
    stray("of another account", 41, { account: "second" }),
    stray("of another token", 41, {}, { provider: { urn: "second", configuration: { "brightdata:apiToken": "t" } } }),
    stray(
      "of a token not known",
      41,
      {},
      { provider: { urn: "third", configuration: { "brightdata:apiToken": UNKNOWN } } },
    ),
    stray("of another zone", 41, { zone: "mail" }),
    stray("of a zone not known yet", 60, { zone: UNKNOWN }),
    stray("of one that may be another", 60, { zone: UNKNOWN }),
  ];
  expect(await saysOfStack(maxIps, [web, first, ...others])).toEqual([]);
  const unknown = stray("big", 101, { zone: UNKNOWN });
  expect(await saysOfStack(maxIps, [unknown])).toEqual([
    { urn: unknown.urn, message: 'The zone of "big" has 101 IPs: at most 100 are allowed.' },
  ]);
});

test("a number that is not known yet is not counted", async () => {
  expect(await saysOfStack(maxIps, [zone("web", { type: "static", ips: UNKNOWN }), more(UNKNOWN)])).toEqual([]);
});

test("what counts is the account, not the provider by which it is reached", async () => {
  const by = (urn: string, configuration = {}) => ({ provider: { urn, configuration } });
  const far = (name: string, of: object) => resource("ZoneIps", name, { zone: "web", count: 11 }, of);
  expect(await saysOfStack(maxIps, [web, far("more", by("explicit"))])).toMatchObject([{ urn: web.urn }]);
  const token = { "brightdata:apiToken": "token" };
  const named = { "brightdata:accounts": '{"shop":{"apiToken":"token"}}' };
  const stack = (zone: object, ips: object, account?: string) => [
    { ...web, props: { ...web.props, account }, ...by("one", zone) },
    resource("ZoneIps", "more", { zone: "web", count: 11, account }, by("two", ips)),
  ];
  expect(await saysOfStack(maxIps, stack(token, token))).toHaveLength(1);
  expect(await saysOfStack(maxIps, stack(token, {}))).toEqual([]);
  expect(await saysOfStack(maxIps, stack(named, named, "shop"))).toHaveLength(1);
  expect(await saysOfStack(maxIps, stack(named, {}, "shop"))).toEqual([]);
  const native = settingsOf({ apiToken: "token", version: "0.1.0" });
  expect(await saysOfStack(maxIps, stack(native, token))).toHaveLength(1);
  expect(await saysOfStack(maxIps, stack(native, settingsOf({ apiToken: "other" })))).toEqual([]);
});

test("IPs under `extra` count", async () => {
  expect(await saysOfStack(maxIps, [zone("web", { type: "static", extra: { vips: 101 } })])).toHaveLength(1);
});

test("each resource is checked with those before it, before it is made", async () => {
  const options = withDefaults(maxIps, {});
  expect(maxIps.ofGrowing?.([web], options)).toEqual([]);
  expect(maxIps.ofGrowing?.([web, more(11)], options)).toEqual(await saysOfStack(maxIps, [web, more(11)]));
});

test("what a stack has is gone through for each resource, its settings once", () => {
  let reads = 0;
  const configuration = new Proxy({}, { get: () => void reads++ });
  const of = { provider: { urn: "default", configuration } };
  const named = (kind: string, many: number, props: (name: string) => object) =>
    Array.from({ length: many }, (_, index) => resource(kind, `${kind}${index}`, { ...props(`zone${index}`) }, of));
  const stack = [
    ...named("Zone", 10, (name) => ({ name, plan: { type: "static", ips: 1 } })),
    ...named("ZoneIps", 10, (zone) => ({ zone, count: zone === "zone9" ? 100 : 1 })),
    ...named("ProxyPort", 80, (zone) => ({ zone })),
  ];
  const options = withDefaults(maxIps, {});
  const found = stack.map((_, index) => maxIps.ofGrowing?.(stack.slice(0, index + 1), options));
  expect(found.at(-1)).toEqual([
    { urn: urnOf("Zone", "Zone9"), message: "Zone zone9 has 101 IPs: at most 100 are allowed." },
  ]);
  expect(reads).toBeLessThanOrEqual(2 * stack.length);
});
