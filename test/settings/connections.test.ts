import { expect, test } from "vitest";
import { getBalance, getRunningPorts, ManagerClient } from "../../src/index";
import { connectionFailures, missingToken } from "../../src/settings/connections";
import { readSettings } from "../../src/settings/settings";
import { useEnvironment } from "../functions/harness";

const API = "https://api.brightdata.com";
const LPM = "http://127.0.0.1:22999";
const MANAGER = "brightdata:proxyManagerUrl / BRIGHTDATA_PROXY_MANAGER_URL";
const ACCOUNT = "brightdata:baseUrl / BRIGHTDATA_BASE_URL";

const isApi = (setting: string, url = API) =>
  `${setting} is ${url}, which is Bright Data's API and not a Proxy Manager. Set it to the URL of the manager, such as ${LPM}.`;

const areSame = (setting: string, other: string, url: string) =>
  `${setting} and ${other} are both ${url}, but a Proxy Manager and Bright Data's API are two services. Correct the one that is wrong.`;

const failures = (service: "manager" | "remote", name: unknown, environment: Record<string, string>) =>
  connectionFailures(
    service,
    name,
    readSettings(() => undefined, environment),
  );

test("the settings that there are by default lead to two services", () => {
  expect(failures("manager", undefined, {})).toEqual([]);
  expect(failures("remote", undefined, {})).toEqual([]);
});

test("a Proxy Manager at Bright Data's API is none", () => {
  const url = `${API}/lpm`;
  expect(failures("manager", undefined, { BRIGHTDATA_PROXY_MANAGER_URL: url })).toEqual([isApi(MANAGER, url)]);
  expect(failures("remote", undefined, { BRIGHTDATA_PROXY_MANAGER_URL: url })).toEqual([]);
});

test("an account at the Proxy Manager is none", () => {
  expect(failures("remote", undefined, { BRIGHTDATA_BASE_URL: LPM })).toEqual([areSame(ACCOUNT, MANAGER, LPM)]);
  expect(failures("manager", undefined, { BRIGHTDATA_BASE_URL: LPM })).toEqual([areSame(MANAGER, ACCOUNT, LPM)]);
});

test("two services may have paths below one host", () => {
  const gate = {
    BRIGHTDATA_BASE_URL: "https://gate.example/api",
    BRIGHTDATA_PROXY_MANAGER_URL: "https://gate.example/lpm",
  };
  expect(failures("remote", undefined, gate)).toEqual([]);
  expect(failures("manager", undefined, gate)).toEqual([]);
});

test("that of a name is told by its own setting", () => {
  const environment = {
    BRIGHTDATA_MANAGERS: JSON.stringify({ fra: { url: API }, nyc: { url: "https://nyc.example" } }),
    BRIGHTDATA_ACCOUNTS: JSON.stringify({ shop: { apiToken: "t", baseUrl: "https://nyc.example" } }),
  };
  expect(failures("manager", "fra", environment)).toEqual([isApi("brightdata:managers.fra.url / BRIGHTDATA_MANAGERS")]);
  const [nyc, shop] = [
    "brightdata:managers.nyc.url / BRIGHTDATA_MANAGERS",
    "brightdata:accounts.shop.baseUrl / BRIGHTDATA_ACCOUNTS",
  ];
  expect(failures("manager", "nyc", environment)).toEqual([areSame(nyc, shop, "https://nyc.example")]);
  expect(failures("remote", "shop", environment)).toEqual([areSame(shop, nyc, "https://nyc.example")]);
  expect(failures("manager", "lon", environment)).toEqual([expect.stringContaining("no Proxy Manager of that name")]);
});

test("a name that is not known yet, or is no name, is not looked at", () => {
  expect(failures("manager", Symbol("unknown"), { BRIGHTDATA_PROXY_MANAGER_URL: API })).toEqual([]);
  expect(failures("manager", 5, { BRIGHTDATA_PROXY_MANAGER_URL: API })).toEqual([]);
});

test("functions and clients send nothing to the wrong service", async () => {
  useEnvironment({ BRIGHTDATA_PROXY_MANAGER_URL: API, BRIGHTDATA_API_TOKEN: "the-token" });
  await expect(getRunningPorts()).rejects.toThrow(isApi(MANAGER));
  await expect(new ManagerClient(readSettings(() => undefined)).ports.list()).rejects.toThrow(isApi(MANAGER));
  useEnvironment({ BRIGHTDATA_PROXY_MANAGER_URL: LPM, BRIGHTDATA_BASE_URL: LPM });
  await expect(getBalance()).rejects.toThrow(areSame(ACCOUNT, MANAGER, LPM));
});

test("a missing token is one of the account of the settings themselves", () => {
  const settings = readSettings(() => undefined, { BRIGHTDATA_ACCOUNTS: '{"shop":{"apiToken":"t"}}' });
  expect(missingToken("remote", undefined, settings)).toBe(
    "There is no Bright Data API token. A preview goes on without one; an update that changes something in the account fails. Set it with `pulumi config set --secret brightdata:apiToken <value>` or the environment variable BRIGHTDATA_API_TOKEN.",
  );
  expect(missingToken("remote", "shop", settings)).toBeUndefined();
  expect(missingToken("remote", Symbol("unknown"), settings)).toBeUndefined();
  expect(missingToken("manager", undefined, settings)).toBeUndefined();
  const withToken = readSettings(() => undefined, { BRIGHTDATA_API_TOKEN: "t" });
  expect(missingToken("remote", undefined, withToken)).toBeUndefined();
});
