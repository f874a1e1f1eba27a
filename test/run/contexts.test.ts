import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Service } from "../../src/declaration/connection";
import type { Context } from "../../src/lifecycle/context";
import type { Scope } from "../../src/lifecycle/scope";
import { Contexts } from "../../src/run/contexts";
import { Peers } from "../../src/run/peers";
import { factsFile, programFile, tidy } from "../../src/run/runFiles";
import type { Turns } from "../../src/run/turns";
import { type Connection, isSameService, scopeName } from "../../src/settings/connections";
import { readSettings } from "../../src/settings/settings";

const URL = "http://127.0.0.1:22999";

const contexts = new Contexts();
const contextOf = (connection: Connection, service: Service = "manager"): Context =>
  contexts.of(settings, connection, service);

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
  const own = contextOf({});
  expect(contextOf({ manager: "same", account: "own" })).toBe(own);
  expect(contextOf({ manager: "other" })).not.toBe(own);
  expect(contextOf({ account: "shop" })).not.toBe(own);
});

test("names of one service share it, however its URL is written", () => {
  const own = contextOf({});
  expect(contextOf({ manager: "localhost", account: "localhost" })).toBe(own);
  expect(contextOf({ manager: "localhostKeyless" }).claims).toBe(own.claims);
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
  const { claims, manager } = contextOf({});
  const keyless = contextOf({ manager: "keyless" });
  expect(keyless.claims).toBe(claims);
  expect([manager.apiKey?.value, keyless.manager.apiKey]).toEqual(["key", undefined]);
  expect(contextOf({ manager: "other" }).claims).not.toBe(claims);
});

test("a manager's resources look for a zone in every account, each asked by one client", () => {
  const own = contextOf({});
  const other = contextOf({ manager: "other" });
  expect(own.accounts.map(({ title }) => title)).toEqual([
    "the account of brightdata:apiToken / BRIGHTDATA_API_TOKEN",
    'the account "shop"',
  ]);
  expect(other.accounts).toEqual(own.accounts);
  expect(contextOf({ account: "shop" }).accounts[0]).toBe(own.accounts[1]);
});

test("who has what is one for an account with several tokens, once it is known to be one, and no other's", () => {
  const [own, shop] = [contextOf({}, "remote"), contextOf({ account: "shop" }, "remote")];
  expect(own.claims).not.toBe(shop.claims);
  own.claims.made({ mark: "m.a" }, ["zone web"]);
  shop.claims.comes("here", { expects: ["zone api"] });
  expect(shop.claims.whoHas("zone web")).toBeUndefined();
  const { baseUrl } = settings;
  contexts.unite(own.accounts[0], baseUrl, "hl_1");
  contexts.unite(shop.accounts[0], baseUrl, "hl_2");
  expect(own.claims).not.toBe(shop.claims);
  contexts.unite(shop.accounts[0], baseUrl, "hl_1");
  expect(own.claims).toBe(shop.claims);
  expect([shop.claims.whoHas("zone web"), shop.claims.whoHas("zone api")]).toEqual(["has", "expects"]);
});

test("what a manager's resources have is not told of by what an account's have", () => {
  const [account, manager] = [contextOf({}, "remote"), contextOf({}, "manager")];
  account.claims.made({ mark: "m.c" }, ["port 24000"]);
  expect(manager.claims.whoHas("port 24000")).toBeUndefined();
});

test("an account's scope may be called by each token at its URL, until anybody has told that it is another's", () => {
  const { baseUrl } = settings;
  const own = new Contexts();
  tidy();
  const programs = programFile("127.0.0.1:45678", "whose-tokens");
  const scopes = [{}, { account: "shop" }].map((each) => own.of(settings, each, "remote").scope) as [Scope, Scope];
  const [mine, shop] = scopes;
  const name = scopeName(baseUrl, "a token's");
  const [token = ""] = shop.names;
  const told = () => [name, token].map((each) => own.mayBe(mine, each));
  expect(told()).toEqual([true, true]);
  expect(own.alike(mine)).toEqual([shop.claims]);
  expect(own.mayBe(mine, scopeName("http://127.0.0.1:8001", "a token's"))).toBe(false);
  own.unite(own.of(settings, { account: "shop" }, "remote").accounts[0], baseUrl, "hl_2");
  expect(told()).toEqual([true, false]);
  expect(own.alike(mine)).toEqual([]);
  // Another process has asked whose the other one is.
  appendFileSync(factsFile(programs), `${JSON.stringify({ by: "another", of: [name, scopeName(baseUrl, "hl_3")] })}\n`);
  own.meet({ peers: new Peers(programs, "this"), turns: {} as Turns });
  own.hear();
  expect(told()).toEqual([false, false]);
});

test("what another process claims with a token that is known only there may be of the same account, until it has told whose it is", () => {
  tidy();
  const own = new Contexts();
  const mine = own.of(settings, {}, "remote").scope;
  const programs = programFile("127.0.0.1:1", "of-an-unknown-token");
  const say = (...of: string[]) => {
    const told = { call: "comes", place: "there", claimed: { expects: ["zone web"] } };
    appendFileSync(factsFile(programs), `${JSON.stringify({ by: "another", of, told })}\n`);
    own.hear();
  };
  const who = () => own.alike(mine).flatMap((others) => others.whoHas("zone web") ?? []);
  own.meet({ peers: new Peers(programs, "this"), turns: {} as Turns });
  say(scopeName("http://127.0.0.1:8001", "a token's"));
  expect(who()).toEqual([]);
  const name = scopeName("http://127.0.0.1:8000", "a token's");
  say(name);
  expect(who()).toEqual(["expects"]);
  say(name, scopeName("http://127.0.0.1:8000", "hl_3"));
  expect(who()).toEqual([]);
});
