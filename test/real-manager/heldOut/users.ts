import { basic } from "../../simulator/manager/portClient";
import { PAGE, SECURE, VENDOR } from "../alike";
import type { Group } from "./group";

const as = (user: string, password = "") => ({ line: `GET ${PAGE}`, headers: basic(user, password) });
const CUSTOMER = "brd-customer-hl_test1-zone-static";

/** Who asks, by name, password or address, with HTTP or SOCKS5. */
export const users: Group = {
  "what a user name asks for": [
    {},
    ...[
      "country-us",
      "country-US",
      "country-",
      "country-usa",
      "country-gb-city-london",
      "state-ny",
      "country-us-state-ny-city-newyork",
    ].map((user) => as(user)),
    ...[
      "session-1",
      "session-a_b",
      "session-abc-session-def",
      "ip-198.51.100.4",
      "os-windows",
      "asn-1234",
      "zip-10001",
      "carrier-tmobile",
    ].map((user) => as(user)),
    ...[
      "dns-local",
      "dns-remote",
      "dns-nonsense",
      "route_err-block",
      "direct",
      "render",
      "const",
      "raw",
      "vip-5",
      "gip-us_1",
      "mobile",
      "debug-full",
    ].map((user) => as(user)),
    ...["unknown-thing", "country", "-country-us", "country--us", "Country-us", "country-us-", "a-b-c-d"].map((user) =>
      as(user),
    ),
  ],
  "the vendor's own names": [
    {},
    ...[
      "",
      "-country-us",
      "-session-x1",
      "-country-us-session-x1-city-miami",
      "-direct",
      "-dns-remote",
      "-unblocker",
      "-country-zz",
    ].map((rest) => as(`${CUSTOMER}${rest}`, "pass_static")),
    ...[
      "lum-customer-hl_test1-zone-dc",
      "lum-customer-c_test1-zone-static",
      "brd-customer-hl_test1",
      "brd-zone-static",
      "customer-hl_test1-zone-static",
    ].map((user) => as(user, "pass_static")),
    as(`${CUSTOMER}-country-us`, ""),
    as("brd-customer-hl_test1-zone-res", "pass_res"),
  ],
  "a port with a user": [
    { user: "ann", user_password: "secret" },
    as("ann", "secret"),
    as("ann", "wrong"),
    as("ANN", "secret"),
    as("ann-country-fr", "secret"),
    as("bob", "secret"),
    { line: `GET ${PAGE}` },
    { line: `GET ${PAGE}`, from: "127.0.0.3", headers: basic("ann", "secret") },
    { line: `GET ${PAGE}`, from: "127.0.0.3", headers: basic("ann", "wrong") },
    { line: `GET ${PAGE}`, from: "127.0.0.3" },
    { line: `GET ${SECURE}`, via: "tunnel", from: "127.0.0.3", headers: basic("ann", "secret") },
  ],
  "SOCKS5 to many places": [
    { country: "nl" },
    ...[
      "http://example.com/",
      "http://example.com:8080/",
      "https://example.com/",
      "https://example.org:8443/",
      "http://192.0.2.1/",
      "https://192.0.2.1/",
    ].map((url) => ({ line: `GET ${url}`, via: "socks" as const })),
    { line: "POST http://example.com/", via: "socks", body: "x" },
    { line: "GET http://example.com/status/404", via: "socks" },
    { line: "GET http://example.com/", via: "socks", from: "127.0.0.4" },
  ],
  "addresses on the list": [
    { whitelist_ips: ["127.0.0.4", "127.0.0.16/30"] },
    ...["127.0.0.4", "127.0.0.5", "127.0.0.16", "127.0.0.19", "127.0.0.20"].map((from) => ({
      line: `GET ${PAGE}`,
      from,
    })),
    { line: `GET ${PAGE}`, from: "127.0.0.4", via: "tls" },
    { line: "GET http://example.com/", from: "127.0.0.18", via: "socks" },
    { line: `GET ${PAGE}`, from: "127.0.0.5", headers: VENDOR() },
  ],
};
