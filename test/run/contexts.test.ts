import { expect, test } from "vitest";
import { contextOf } from "../../src/run/contexts";
import { isSameService } from "../../src/settings/connections";
import { readSettings } from "../../src/settings/settings";

const URL = "http://127.0.0.1:22999";

const settings = readSettings(() => undefined, {
  BRIGHTDATA_API_TOKEN: "own",
  BRIGHTDATA_PROXY_MANAGER_URL: URL,
  BRIGHTDATA_MANAGER_API_KEY: "key",
  BRIGHTDATA_MANAGERS: JSON.stringify({
    keyless: { url: URL },
    same: { url: URL, apiKey: "key" },
    localhost: { url: "http://localhost:22999", apiKey: "key" },
    localhostKeyless: { url: "http://localhost:22999" },
    other: { url: "http://127.0.0.1:23000" },
  }),
  BRIGHTDATA_BASE_URL: "http://127.0.0.1:8000",
  BRIGHTDATA_ACCOUNTS: JSON.stringify({
    own: { apiToken: "own" },
    localhost: { apiToken: "own", baseUrl: "http://localhost:8000" },
    shop: { apiToken: "shop" },
  }),
});

test("names of one service share what its resources share", () => {
  const own = contextOf(settings, {});
  expect(contextOf(settings, { manager: "same", account: "own" })).toBe(own);
  expect(contextOf(settings, { manager: "other" })).not.toBe(own);
  expect(contextOf(settings, { account: "shop" })).not.toBe(own);
});

test("names of one service share it, however its URL is written", () => {
  const own = contextOf(settings, {});
  expect(contextOf(settings, { manager: "localhost", account: "localhost" })).toBe(own);
  expect(contextOf(settings, { manager: "localhostKeyless" }).claims).toBe(own.claims);
  for (const [one, other] of [
    [undefined, "localhost"],
    ["keyless", "localhost"],
  ]) {
    expect(isSameService("manager", one, other, settings)).toBe(true);
  }
  expect(isSameService("remote", undefined, "localhost", settings)).toBe(true);
  expect(isSameService("remote", "shop", "localhost", settings)).toBe(false);
  expect(isSameService("manager", "other", "localhost", settings)).toBe(false);
});

test("who has what is one for a manager, also where its names have different keys", () => {
  const { claims, manager } = contextOf(settings, {});
  const keyless = contextOf(settings, { manager: "keyless" });
  expect(keyless.claims).toBe(claims);
  expect([manager.apiKey?.value, keyless.manager.apiKey]).toEqual(["key", undefined]);
  expect(contextOf(settings, { manager: "other" }).claims).not.toBe(claims);
});

test("a manager's resources look for a zone in every account, each asked by one client", () => {
  const own = contextOf(settings, {});
  const other = contextOf(settings, { manager: "other" });
  expect(own.accounts.map(({ title }) => title)).toEqual(["the account of brightdata:apiToken", 'the account "shop"']);
  expect(other.accounts).toEqual(own.accounts);
  expect(contextOf(settings, { account: "shop" }).accounts[0]).toBe(own.accounts[1]);
});
