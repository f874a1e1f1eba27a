import type { Fault } from "../../simulator/index.ts";

const HTML = { status: 502, headers: { "content-type": "text/html" }, body: "<!doctype html><h1>Bad Gateway</h1>" };

/** What can go wrong with a request, by name. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  "lost before": { kind: "reset" },
  "lost after": { kind: "reset-after" },
  "silence before": { kind: "hang" },
  "silence after": { kind: "hang-after" },
  slow: { delayMs: 20_000 },
  late: { delayMs: 45_000 },
  "cut short": { kind: "truncate" },
  "500 before": { kind: "respond", status: 500, body: "Internal Server Error" },
  "500 after": { kind: "respond-after", status: 500, body: "Internal Server Error" },
  "502 before": { kind: "respond", ...HTML },
  "502 after": { kind: "respond-after", ...HTML },
  "429": { kind: "respond", status: 429, body: "Too Many Requests" },
};
