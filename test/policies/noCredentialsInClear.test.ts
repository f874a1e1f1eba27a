import { expect, test } from "vitest";
import { noCredentialsInClear } from "../../policies/rules/noCredentialsInClear";
import { resource, saysOf, UNKNOWN, zone } from "./resources";

const said = (path: string, property: string) =>
  `\`${path}\` holds a credential: wrap it in \`pulumi.secret\`, and add "${property}" to the resource option \`additionalSecretOutputs\`.`;
const AUTHORIZATION = { name: "Authorization", value: "abc" };

test.each([
  ["a header", resource("ProxyPort", "one", { headers: [AUTHORIZATION] }), [said("headers[0].value", "headers")]],
  [
    "headers of sets",
    resource("ProxyPorts", "set", {
      defaults: { headers: [AUTHORIZATION] },
      ports: { "a-1": { headers: [AUTHORIZATION] } },
    }),
    [said("defaults.headers[0].value", "defaults"), said('ports["a-1"].headers[0].value', "ports")],
  ],
  [
    "a URL with a password",
    resource("ProxyPort", "one", { testUrl: "https://u:p@example.com" }),
    [said("testUrl", "testUrl")],
  ],
  ["a key", zone("web", { type: "static", extra: { api_token: "abc" } }), [said("plan.extra.api_token", "plan")]],
  [
    "what is called as a secret of the package elsewhere",
    resource("DatasetCollection", "pages", { inputs: [{ password: "abc", target: "https://u:p@example.com" }] }),
    [said("inputs[0].password", "inputs"), said("inputs[0].target", "inputs")],
  ],
  [
    "a user with a password",
    resource("ProxyPort", "one", { ua: `x Basic ${Buffer.from("us\u00e9r:p").toString("base64")}` }),
    [said("ua", "ua")],
  ],
  ["a bearer token", resource("ProxyPort", "one", { ua: "Bearer abcdefgh" }), [said("ua", "ua")]],
])("%s in clear is told of by its place, never by its value", (_, declared, expected) => {
  expect(saysOf(noCredentialsInClear, declared)).toEqual(expected);
});

test("what the package itself, or the program, makes a secret does not stand in clear", () => {
  const props = {
    userPassword: "abc",
    password: "abc",
    extProxies: ["http://u:p@example.com"],
    headers: [AUTHORIZATION],
  };
  expect(saysOf(noCredentialsInClear, resource("ProxyPort", "one", props, { secrets: ["headers"] }))).toEqual([]);
  const { headers: _, ...port } = props;
  const set = { defaults: port, ports: { password: port, b: port } };
  expect(saysOf(noCredentialsInClear, resource("ProxyPorts", "set", set))).toEqual([]);
});

test("nothing is said of values that are not known yet, of empty ones, and of addresses without a password", () => {
  const headers = [
    { name: "Authorization", value: UNKNOWN },
    { name: "Cookie", value: "" },
    { name: "Accept", value: "*/*" },
  ];
  const props = { headers, rules: UNKNOWN, testUrl: "https://user@example.com:8443/a:b@c" };
  expect(saysOf(noCredentialsInClear, resource("ProxyPort", "one", props))).toEqual([]);
});

test.each(["Basic scraping", "basic residential proxies"])("%s is a name", (internalName) => {
  expect(saysOf(noCredentialsInClear, resource("ProxyPort", "one", { internalName }))).toEqual([]);
});

test("what credentials are called is an option", () => {
  const props = { headers: [AUTHORIZATION, { name: "X-Pass-Key", value: "abc" }] };
  const options = { names: "pass-key" };
  expect(saysOf(noCredentialsInClear, resource("ProxyPort", "one", props), options)).toEqual([
    said("headers[1].value", "headers"),
  ]);
});
