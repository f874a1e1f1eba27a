import { expect, test } from "vitest";
import { ServerError } from "../../src/base/errors";
import { Account } from "../../src/lifecycle/account";
import { readSettings } from "../../src/settings/settings";
import { count, failure, stage } from "./harness";

const NEVER = new AbortController().signal;

test("an account asks for its customer once, whoever asks and whenever", async () => {
  const scene = await stage();
  const [account] = scene.context.accounts;
  const both = await Promise.all([account.customer(NEVER), account.customer(NEVER)]);
  expect([...both, await account.customer(NEVER)]).toEqual(Array(3).fill(scene.customer));
  expect(count(scene, "GET /status")).toBe(1);
});

test("an account asks for its customer again when that has failed", async () => {
  const scene = await stage();
  const [account] = scene.context.accounts;
  scene.remote.service.faults.add({ path: "/status", kind: "respond", status: 503 });
  expect(await failure(account.customer(NEVER))).toBeInstanceOf(ServerError);
  expect(await account.customer(NEVER)).toBe(scene.customer);
});

test("an account lists its zones once for all that look at the same time", async () => {
  const scene = await stage();
  const [account] = scene.context.accounts;
  scene.account.addZone("web_1", { type: "static" });
  const [one, other] = await Promise.all([account.zones.get(NEVER), account.zones.get(NEVER)]);
  expect(one?.map(({ name }) => name)).toContain("web_1");
  expect(other).toBe(one);
  expect(count(scene, "GET /zone/get_all_zones")).toBe(1);
});

test("an account is called by its connection, or by the setting that has its token, and may be asked whose it is", () => {
  const settings = readSettings(() => undefined, { BRIGHTDATA_API_TOKEN: "token" });
  expect(new Account(settings).title).toBe("the account of brightdata:apiToken / BRIGHTDATA_API_TOKEN");
  expect(new Account({ ...settings, provider: "blue" }).title).toBe(
    'the account of `apiToken` of the provider "blue" / BRIGHTDATA_API_TOKEN',
  );
  expect(new Account(settings, "shop").title).toBe('the account "shop"');
  expect(new Account(settings).mayAsk).toBe(true);
});
