import type { Group } from "./group";

const HOSTILE: unknown[] = [
  "",
  " ",
  "null",
  "undefined",
  "NaN",
  0,
  -1,
  1.5,
  1e9,
  true,
  false,
  null,
  [],
  {},
  [[]],
  ["x"],
  { a: 1 },
  "'; drop table",
  "<script>",
  "../../etc/passwd",
  "%00",
  "\u0000",
  "ü".repeat(50),
  "x".repeat(299),
  "x".repeat(301),
  "💥",
  "$1",
  "__proto__",
];

/** What no client of good will sends. */
export const hostile: Group = {
  "values of a country": [
    {},
    ...HOSTILE.flatMap((country): [string, object?][] => [
      ["PUT /api/proxies/PORT", { proxy: { country } }],
      ["GET /api/proxies/PORT"],
    ]),
  ],
  "values of an IP": [
    {},
    ...HOSTILE.map((ip): [string, object] => ["POST /api/proxies/PORT/banip", { ip }]),
    ["GET /api/banlist/PORT"],
  ],
  "values of a session": [
    {},
    ...HOSTILE.flatMap((session): [string, object?][] => [
      ["PUT /api/proxies/PORT", { proxy: { session } }],
      ["GET /api/proxies/PORT"],
    ]),
  ],
};
