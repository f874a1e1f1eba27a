import type { Case } from "../alike";
import { PAGE, SECURE, VENDOR } from "../alike";
import type { Group } from "./group";

const READS = [
  ...[
    "",
    "&status_code=404",
    "&status_code=2**",
    "&search=cart",
    "&search=%5Eexample",
    "&protocol=http",
    "&content_type=img",
    "&content_type=xhr&status_code=200",
  ].map((query) => `GET /api/logs?sort=timestamp${query}`),
  ...["limit=1", "limit=0", "limit=x", "skip=1", "skip=99", "port_from=24950", "code=404", "domain=example.com"].map(
    (query) => `GET /api/logs?sort=timestamp&${query}`,
  ),
  ...["GET /api/recent_stats", "GET /api/logs_suggestions", "GET /api/lpm_stats", "GET /api/lpm_stats?days=1"],
].map((line): [string] => [line]);
const logged = (fields: object, ...steps: Case[1][]): Case => [fields, ["PUT /api/logs_reset"], ...steps, ...READS];

/** What the manager has logged and counted afterwards. */
export const har: Group = {
  "pages of several sites": logged(
    {},
    ...[
      "http://shop.example.com/cart",
      "http://example.org/a.png",
      "http://example.com/b.js?x=1",
      "http://example.com/status/404",
      "http://example.com/status/500",
    ].map((line) => ({ line: `GET ${line}` })),
  ),
  bodies: logged(
    {},
    { line: `POST ${PAGE}`, body: "a=1" },
    { line: "PUT http://example.com/status/201", body: "x".repeat(3000) },
  ),
  "with a country and a name": logged(
    { country: "fr", internal_name: "shop" },
    { line: `GET ${PAGE}`, headers: VENDOR("-country-it") },
  ),
  "a read tunnel": logged({ ssl: true }, { line: `GET ${SECURE}`, via: "tunnel" }),
  "few kept": logged({ logs: 1 }, { line: "GET http://example.com/1" }, { line: "GET http://example.com/2" }),
};
