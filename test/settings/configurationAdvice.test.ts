import { expect, test } from "vitest";
import { configurationAdvice } from "../../src/settings/configurationAdvice";

const advice = (configuration: Record<string, string>, secret: string[] = []) =>
  configurationAdvice(configuration, (key) => secret.includes(key));

const noSetting = (key: string) => `The stack's configuration has ${key}, which is not a setting and has no effect.`;

test("knows nothing of other packages, and nothing against settings", () => {
  expect(
    advice({ "aws:regoin": "x", "shop:apiToken": "x", "brightdata:retries": "1", "brightdata:managers": "{" }),
  ).toEqual([]);
});

test.each([
  ["proxyManagerURL", "proxyManagerUrl"],
  ["apitoken", "apiToken"],
  ["request_timeout", "requestTimeout"],
  ["acounts", "accounts"],
])("%s is probably %s", (name, meant) => {
  const key = `brightdata:${name}`;
  expect(advice({ [key]: "the-token" })).toEqual([`${noSetting(key)} Did you mean brightdata:${meant}?`]);
});

test("a key that is like no setting is told with those that there are", () => {
  expect(advice({ "brightdata:token": "the-token" })).toEqual([
    expect.stringMatching(
      /^The stack's configuration has brightdata:token, .* The settings are apiToken, baseUrl, .*\.$/,
    ),
  ]);
});

test("a path that was set as a key is told", () => {
  const key = "brightdata:accounts.shop.apiToken";
  expect(advice({ [key]: "the-token" })).toEqual([
    `${noSetting(key)} Did you mean a path in brightdata:accounts? Set it with \`pulumi config set --path\`.`,
  ]);
});

const CREDENTIALS = {
  "brightdata:apiToken": "t0ken",
  "brightdata:managerApiKey": "k3y",
  "brightdata:managers": JSON.stringify({ "fra-1": { url: "https://a.example", apiKey: "k3y" }, b: { url: "x" } }),
  "brightdata:accounts": JSON.stringify({ shop: { apiToken: "t0ken" }, broken: null }),
};

test("credentials in plain text are told by their keys, and not shown", () => {
  const plain = (key: string, command: string) =>
    `brightdata:${key} is in plain text in the stack's configuration. Store it as a secret: \`pulumi config set --secret ${command} <value>\`.`;
  expect(advice(CREDENTIALS)).toEqual([
    plain("apiToken", "brightdata:apiToken"),
    plain("managerApiKey", "brightdata:managerApiKey"),
    plain("managers.fra-1.apiKey", "--path 'brightdata:managers.fra-1.apiKey'"),
    plain("accounts.shop.apiToken", "--path 'brightdata:accounts.shop.apiToken'"),
  ]);
});

test("secrets are as they should be", () => {
  expect(advice(CREDENTIALS, Object.keys(CREDENTIALS))).toEqual([]);
});
