import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Any, anyUnpack } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { ArgumentError } from "../../src/base/errors";
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
