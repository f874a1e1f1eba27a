import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { parseUsername } from "../../simulator/manager/username";
import { type ProxyUrlArgs, proxyUrl, proxyUrlOutput } from "../../src";
import { startService } from "../functions/harness";

const zone = { customer: "hl_1", zone: "web", password: "p4ss" };

/** The user name in the URL of a proxy. */
const user = (args: Partial<ProxyUrlArgs>): string =>
  decodeURIComponent(new URL(proxyUrl({ ...zone, ...args })).username);

test("a zone alone is its user name, its password and the super proxy", () => {
  expect(proxyUrl(zone)).toBe("http://brd-customer-hl_1-zone-web:p4ss@brd.superproxy.io:44445");
});

describe("the user name asks for", () => {
  test.each<[Partial<ProxyUrlArgs>, string]>([
    [{ country: "us" }, "-country-us"],
    [{ country: "eu", session: "glob_a1" }, "-country-eu-session-glob_a1"],
    [{ city: "sanfrancisco", state: "ca", country: "us" }, "-country-us-state-ca-city-sanfrancisco"],
    [{ zip: "37501", country: "us", city: "memphis" }, "-country-us-city-memphis-zip-37501"],
    [{ asn: 56386, os: "windows" }, "-asn-56386-os-windows"],
    [{ ip: "203.0.113.7" }, "-ip-203.0.113.7"],
    [{ gip: "us_7922_fl_hollywood_0", session: "s" }, "-gip-us_7922_fl_hollywood_0-session-s"],
    [{ session: "s1", const: true, dns: "remote", routeErr: "block" }, "-session-s1-dns-remote-route_err-block-const"],
    [{ session: "s1", const: false }, "-session-s1"],
    [{ country: undefined }, ""],
  ])("%j", (args, rest) => {
    expect(user(args)).toBe(`brd-customer-hl_1-zone-web${rest}`);
  });
});

test("a Proxy Manager reads the same in it", () => {
  const asked = { country: "us", state: "ny", city: "newyork", zip: "10001", session: "s_1", dns: "remote" } as const;
  expect(parseUsername(user({ ...asked, asn: 7922, os: "osx", routeErr: "block", zone: "web" }))).toEqual({
    ...asked,
    asn: "7922",
    os: "osx",
    route_err: "block",
    customer: "hl_1",
    zone: "web",
  });
});

test("a client finds every character of the password again", () => {
  const password = "p@ss:w/o#r?d%20 &\"'ü[]\\";
  const url = new URL(proxyUrl({ ...zone, password }));
  expect(decodeURIComponent(url.password)).toBe(password);
  expect(url.host).toBe("brd.superproxy.io:44445");
});

test.each<[Partial<ProxyUrlArgs>, string]>([
  [{ protocol: "socks5h" }, "socks5h://brd-customer-hl_1-zone-web:p4ss@brd.superproxy.io:22228"],
  [{ host: "127.0.0.1", port: 22_225 }, "http://brd-customer-hl_1-zone-web:p4ss@127.0.0.1:22225"],
  [{ host: "[::1]", port: 1 }, "http://brd-customer-hl_1-zone-web:p4ss@[::1]:1"],
])("%j is where the proxy is", (args, url) => {
  expect(proxyUrl({ ...zone, ...args })).toBe(url);
});

test.each<[object, string]>([
  [{ customer: "hl-1" }, 'The argument `customer` of proxyUrl is "hl-1": expected the account\'s customer id'],
  [{ customer: undefined }, "The argument `customer` of proxyUrl is missing."],
  [{ zone: "a zone" }, 'The argument `zone` of proxyUrl is "a zone": expected the name of a zone.'],
  [{ country: "US" }, 'The argument `country` of proxyUrl is "US": expected two letters in lower case'],
  [{ country: "us", city: "San Francisco" }, 'expected lower case without blanks, such as "sanfrancisco".'],
  [{ city: "paris" }, "`city` of proxyUrl needs `country` as well."],
  [{ state: "ny" }, "`state` of proxyUrl needs `country` as well."],
  [{ state: "ny", country: "fr" }, '`state` of proxyUrl is of the US, and `country` is "fr": expected "us".'],
  [{ zip: "1000" }, 'The argument `zip` of proxyUrl is "1000": expected five digits'],
  [{ asn: "7922" }, 'The argument `asn` of proxyUrl is "7922": expected a number'],
  [{ os: "linux" }, 'expected "windows" or "osx" or "android".'],
  [{ ip: "300.1.1.1" }, "expected an allocated IPv4 address."],
  [{ session: "a-b" }, 'The argument `session` of proxyUrl is "a-b": expected letters, digits and "_"'],
  [{ session: "" }, 'The argument `session` of proxyUrl is "": expected letters'],
  [{ const: true }, "`const` of proxyUrl needs `session` as well."],
  [{ ip: "203.0.113.7", session: "s" }, "`ip` and `session` of proxyUrl exclude each other"],
  [{ gip: "g", country: "us" }, "`gip` and `country` of proxyUrl exclude each other"],
  [{ contry: "us" }, 'proxyUrl has no argument "contry". Did you mean `country`?'],
  [{ manager: "fra-1" }, 'proxyUrl has no argument "manager".'],
  [{ dns: "here" }, 'expected "local" or "remote".'],
  [{ routeErr: true }, 'The argument `routeErr` of proxyUrl is true: expected "block" or "pass_dyn".'],
  [{ protocol: "ftp" }, 'The argument `protocol` of proxyUrl is "ftp": expected "http" or "socks5h".'],
  [{ host: "https://proxy" }, "expected the name of a host, without a port."],
  [{ host: null }, "The argument `host` of proxyUrl is null: expected the name of a host, without a port."],
  [{ port: 70_000 }, "The argument `port` of proxyUrl is 70000: expected a whole number from 1 to 65535."],
])("%j is refused", (args, words) => {
  expect(() => proxyUrl({ ...zone, ...args } as ProxyUrlArgs)).toThrow(words);
});

test("an argument that there is not, and that is undefined, is none", () => {
  expect(proxyUrl({ ...zone, ...{ account: undefined } })).toBe(proxyUrl(zone));
});

test("a password that is refused is not shown", () => {
  const password = ["hush-hush"] as unknown as string;
  expect(() => proxyUrl({ ...zone, password })).toThrow(/^The argument `password` of proxyUrl is no text, or empty/);
});

const resolved = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => void output.apply(resolve));

test("the account is asked for its customer id once, and the URL is a secret", async () => {
  const { asked } = await startService();
  const args = { zone: pulumi.output("web"), password: Promise.resolve("p4ss"), country: "de" };
  const url = proxyUrlOutput(args);
  expect(await resolved(url)).toBe("http://brd-customer-hl_test-zone-web-country-de:p4ss@brd.superproxy.io:44445");
  expect(await pulumi.isSecret(url)).toBe(true);
  await resolved(proxyUrlOutput({ ...args, country: "fr" }));
  expect(asked()).toEqual(["GET /status"]);
});

test("a customer id that is given is not asked for", async () => {
  const { asked } = await startService();
  expect(await resolved(proxyUrlOutput({ ...zone, customer: pulumi.output("hl_2") }))).toContain("-customer-hl_2-");
  expect(asked()).toEqual([]);
});
