import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Any, anyUnpack } from "@bufbuild/protobuf/wkt";
import { describe, expect, test, vi } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import { getAvailableIpCount } from "../../src/functions/getAvailableIpCount";
import { getBalance } from "../../src/functions/getBalance";
import { PartialFailure } from "../../src/lifecycle/lifecycle";
import { ErrorResourceInitFailedSchema } from "../../src/plugin/messages/pulumi/provider_pb";
import { spellingFor } from "../../src/plugin/spelling";
import { lifecycle } from "../dynamic/adapterSetup";
import { plugin, refusalOf, secret, urnOf } from "./providerSetup";

const schema = () => readFileSync(join(__dirname, "../../schema.json"), "utf8");

test.each([
  ["`plan.ipsType` is missing.", "`plan.ips_type` is missing."],
  ["`rules[0].triggerType` is 1.", "`rules[0].trigger_type` is 1."],
  ["`from` is later than `to`.", "`from_` is later than `to`."],
  ["Set `adopt: true`, or `retainOnDelete`.", "Set `adopt=True`, or `retain_on_delete`."],
  ['Set `list: "ports"`, not `list: "ipsType"`.', 'Set `list="ports"`, not `list="ipsType"`.'],
  ["Look with `getZoneIps`.", "Look with `get_zone_ips`."],
  ["`ports.usEast.zone` is missing.", "`ports.usEast.zone` is missing."],
  ['`ports["us-1"].poolSize` is 0.', '`ports["us-1"].pool_size` is 0.'],
  ['`ports["poolSize-1"].poolSize` is 0.', '`ports["poolSize-1"].pool_size` is 0.'],
  [
    "Run `pulumi config set brightdata:apiToken` in ipsType.",
    "Run `pulumi config set brightdata:apiToken` in ipsType.",
  ],
  ["`brightdata:apiToken`: `http://ipsType`", "`brightdata:apiToken`: `http://ipsType`"],
])("in a program in Python, %j is %j", (words, spelled) => {
  expect(spellingFor("python", schema)(words)).toBe(spelled);
});

test.each(["nodejs", "yaml", "go", undefined])("a program of %s has names as they are declared", (runtime) => {
  const unread = () => expect.unreachable("the schema is not read");
  expect(spellingFor(runtime, unread)("Set `adopt: true`: `plan.ipsType`")).toBe("Set `adopt: true`: `plan.ipsType`");
});

describe("the plugin spells", () => {
  const spelled = (words: string) => words.replaceAll("`ipsType`", "`ips_type`");
  const WORDS = "`ipsType` is wrong.";
  const SPELLED = "`ips_type` is wrong.";
  const fails = async () => Promise.reject(new ArgumentError(WORDS));

  const withLifecycle = (answers: Parameters<typeof lifecycle>[0]) =>
    plugin({ lifecycles: { Test: lifecycle(answers) }, spelled });
  const urn = urnOf("Test");

  test("what a check finds", async () => {
    const { ask } = await withLifecycle({ check: () => ({ inputs: {}, failures: [WORDS] }) });
    expect((await ask("check", { urn, news: {} })).failures).toMatchObject([{ property: "", reason: SPELLED }]);
  });

  test("why an operation has failed", async () => {
    const { ask } = await withLifecycle({ delete: fails });
    expect((await refusalOf(ask("delete", { urn, id: "it", properties: {} }))).message).toBe(SPELLED);
  });

  test("why there is only a part of a resource", async () => {
    const create = async () => Promise.reject(new PartialFailure("it", {}, new ArgumentError(WORDS)));
    const { ask } = await withLifecycle({ create });
    const { message, details } = await refusalOf(ask("create", { urn, properties: {} }));
    expect(message).toBe(SPELLED);
    expect(anyUnpack(details?.[0] as Any, ErrorResourceInitFailedSchema)).toMatchObject({ reasons: [SPELLED] });
  });

  test("why a function has no result", async () => {
    const lookups = { getBalance: { ...getBalance, ask: fails } };
    const { ask } = await plugin({ lookups, args: { apiToken: secret("the-token") }, spelled });
    const { failures } = await ask("invoke", { tok: "brightdata:index:getBalance", args: {} });
    expect(failures).toMatchObject([{ reason: SPELLED }]);
  });
});

test("what is wrong with an argument or a setting is told in Python with the names that Python has", async () => {
  const spelled = spellingFor("python", schema);
  const args = { apiToken: secret("the-token") };
  const { ask } = await plugin({ lookups: { getAvailableIpCount }, args, spelled });
  const reasonOf = async (given: object): Promise<string> => {
    const asked = { tok: "brightdata:index:getAvailableIpCount", args: given };
    return ((await ask("invoke", asked)).failures as [{ reason: string }])[0].reason;
  };
  expect(await reasonOf({ plan: { ips_type: "x" } })).toMatch(
    /^The arguments of `get_available_ip_count` cannot be used:/,
  );
  expect(await reasonOf({ plan: { ips_typ: "x" } })).toContain("is not an argument of `get_available_ip_count`.");

  const urn = "urn:pulumi:dev::shop::pulumi:providers:brightdata::shop";
  const reasonsOf = async (news: object) => {
    const { failures } = await ask("checkConfig", { urn, olds: {}, news });
    return (failures as { reason: string }[]).map(({ reason }) => reason);
  };
  expect(await reasonsOf({ proxyManagerUrl: "ftp://x" })).toEqual([
    expect.stringMatching(/ from the provider "shop" \(`proxy_manager_url`\) cannot be used:/),
  ]);
  expect(await reasonsOf({ accounts: { shop: { token: "x" } } })).toEqual([
    expect.stringContaining("`shop.token` is not known: expected `api_token` and `base_url`."),
  ]);
});

describe("names that an SDK has left as Python spells them", () => {
  /** What a check makes of inputs. */
  async function checked(kind: string, news: object) {
    const { ask } = await plugin({ args: { apiToken: "the-token", proxyManagerUrl: "http://127.0.0.1:1" } });
    const { inputs, failures } = await ask("check", { urn: urnOf(kind), olds: {}, news });
    return { inputs, failures: (failures as { reason: string }[]).map(({ reason }) => reason) };
  }

  const PLAN = { type: "static", ipsType: "shared", ips: "2", extra: { exclusive_type: "category", ips_type: "own" } };
  const { ipsType, ...others } = PLAN;

  test("are taken for those that are declared, in secrets too, and what is in a map stays", async () => {
    const plan = { ...others, ips_type: ipsType };
    expect(await checked("Zone", { name: "web", plan })).toMatchObject({ inputs: { plan: PLAN } });
    expect(await checked("Zone", { name: "web", plan: secret(plan) })).toEqual(
      await checked("Zone", { name: "web", plan: secret(PLAN) }),
    );
  });

  test("are taken for those that are declared in the arguments of functions", async () => {
    const ask = vi.fn(async () => ({ count: 3 }));
    const lookups = { getAvailableIpCount: { ...getAvailableIpCount, ask } };
    const { ask: asked } = await plugin({ lookups, args: { apiToken: secret("the-token") } });
    const plan = { ips_type: "dedicated", country_city: "us-chicago", geo_db: ["maxmind"] };
    const request = { tok: "brightdata:index:getAvailableIpCount", args: { plan: secret(plan) } };
    expect(await asked("invoke", request)).toMatchObject({ return: { count: 3 } });
    const declared = { ipsType: "dedicated", countryCity: "us-chicago", geoDb: ["maxmind"] };
    expect(ask).toHaveBeenCalledExactlyOnceWith(expect.anything(), { plan: declared }, expect.anything());
  });

  test("do not hide what is wrong", async () => {
    const plan = { type: "static", ips_type: "shard" };
    expect((await checked("Zone", { plan })).failures).toEqual([
      expect.stringMatching(/^`plan\.ipsType` is "shard": /),
    ]);
  });

  test("are refused beside the declared ones", async () => {
    const plan = { type: "static", ipsType: "shared", ips_type: "shared" };
    expect((await checked("Zone", { plan })).failures).toEqual([
      expect.stringMatching(/^`plan\.ips_type` is not a property of this resource\./),
    ]);
  });

  test("are found in any of several objects, and keys of maps and of open objects are none", async () => {
    const filename = { template: "a", extension: "json" };
    const targets = [
      { type: "s3", bucket: "b", credentials: { aws_access_key: "key", aws_secret_key: "secret" } },
      { type: "gcs", bucket: "b", credentials: { client_email: "a@example.com", private_key: "key" } },
    ];
    for (const target of targets)
      expect((await checked("SnapshotDelivery", { snapshotId: "s_1", target, filename })).failures).toEqual([]);
    const rule = { trigger_type: "status", status: "403", action: { ban_ip: 1000 } };
    const ports = { us_east: { port: 24_000, zone: "web", sticky_ip: true, rules: [rule] } };
    expect(await checked("ProxyPorts", { ports })).toMatchObject({
      inputs: { ports: { us_east: { port: 24_000, zone: "web", stickyIp: true, rules: [rule] } } },
      failures: [],
    });
  });
});
