import { PAGE, SECURE, VENDOR } from "../alike";
import type { Group } from "./group";

const get = (target: string, headers?: Record<string, string>) => ({
  line: `GET ${target}`,
  ...(headers && { headers }),
});

/** How a request comes to a port, and what it looks like. */
export const protocol: Group = {
  "odd targets": [
    {},
    ...[
      "http://example.com",
      "http://example.com/?",
      "http://example.com/#top",
      "http://example.com:80/",
      "http://example.com:8080/a",
    ].map((url) => get(url)),
    ...[
      "http://EXAMPLE.com/Path",
      "http://example.com/a%20b",
      "http://example.com/%zz",
      "http://example.com//a//b",
      "http://example.com/a/../b",
    ].map((url) => get(url)),
    ...[
      "http://192.0.2.9/",
      "http://[2001:db8::1]/",
      "http://user:pw@example.com/",
      "http://localhost/",
      "http://münchen.example/".normalize("NFC").replace("ü", "%C3%BC"),
    ].map((url) => get(url)),
    ...["ftp://example.com/", "ws://example.com/"].map((url) => get(url)),
  ],
  "headers of a client": [
    {},
    get(PAGE, { accept: "text/html", "accept-language": "de;q=0.5" }),
    get(PAGE, { "user-agent": "curl/8.5.0" }),
    get(PAGE, { cookie: "a=1; b=2" }),
    get(PAGE, { connection: "close" }),
    get(PAGE, { "proxy-connection": "keep-alive" }),
    get(PAGE, { via: "1.1 somebody" }),
    get(PAGE, { "x-forwarded-for": "203.0.113.50" }),
    get(PAGE, { range: "bytes=0-10" }),
    get(PAGE, { "if-none-match": '"abc"' }),
    get(PAGE, { referer: "http://example.org/" }),
    get(PAGE, { "x-unheard-of": "1" }),
    get(PAGE, { authorization: "Basic dTpw" }),
    get(PAGE, { host: "other.example.com" }),
  ],
  bodies: [
    {},
    { line: `POST ${PAGE}`, body: '{"a":1}', headers: { "content-type": "application/json" } },
    { line: `POST ${PAGE}`, body: "a=1&b=2", headers: { "content-type": "application/x-www-form-urlencoded" } },
    { line: `PUT ${PAGE}`, body: "ü€" },
    { line: `PATCH ${PAGE}`, body: "x".repeat(70_000) },
    { line: `DELETE ${PAGE}`, body: "why not" },
    { line: `POST ${PAGE}` },
    { line: "POST http://example.com/status/201", body: "made" },
    { line: "PUT http://example.com/status/204", body: "none" },
    { line: "QUERY http://example.com/" },
    { line: "REPORT http://example.com/", body: "x" },
  ],
  "statuses of a site": [
    {},
    ...[201, 202, 206, 301, 302, 304, 307, 401, 403, 407, 418, 429, 451, 502, 503, 504].map((status) =>
      get(`http://example.com/status/${status}`),
    ),
  ],
  "tunnels to many places": [
    {},
    { line: "GET https://example.com/", via: "tunnel" },
    { line: "GET https://example.com:8443/x", via: "tunnel" },
    { line: "GET http://example.com:81/", via: "tunnel" },
    { line: "HEAD https://example.org/", via: "tunnel" },
    { line: "DELETE https://example.org/gone", via: "tunnel" },
    { line: `GET ${SECURE}`, via: "tunnel", headers: VENDOR("-country-de") },
  ],
  "a port that reads tunnels": [
    { ssl: true },
    ...[
      "https://example.com/",
      "https://example.com/a?b=1&c=2",
      "https://sub.example.com/status/404",
      "https://example.com:444/",
    ].map((url) => ({ line: `GET ${url}`, via: "tunnel" as const })),
    ...["POST", "PUT", "HEAD", "OPTIONS", "DELETE"].map((method) => ({
      line: `${method} https://example.com/x`,
      via: "tunnel" as const,
      ...(/^P/.test(method) && { body: "b" }),
    })),
    get("http://example.com/plain"),
    get("http://example.com/status/500"),
  ],
  "TLS to the port": [
    {},
    ...[PAGE, "http://example.com/status/404", "http://example.com/a.css", "http://sub.example.com:8080/"].map(
      (url) => ({ line: `GET ${url}`, via: "tls" as const }),
    ),
    { line: `POST ${PAGE}`, via: "tls", body: "over TLS" },
    { line: `HEAD ${PAGE}`, via: "tls" },
  ],
  "more of the same kind": [
    { debug: "full", lpm_auth: "full" },
    ...["x.html", "x.js", "x.css", "x.png", "x.mp4", "x.woff", "x.txt", "x.unknown", "x", ""].map((name) =>
      get(`http://files.example.com/${name}`),
    ),
    ...[200, 203, 205, 226, 300, 303, 308, 400, 402, 405, 410, 422, 426, 500, 501, 505, 599].map((status) =>
      get(`http://example.com/status/${status}`),
    ),
    ...["a=1", "a=%20", "a=b=c", "?", "a[]=1"].map((query) => get(`http://example.com/q?${query}`)),
  ],
};
