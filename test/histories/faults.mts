import type { Fault } from "../../simulator/index.ts";
import type { Trouble } from "./history.mts";

const HTML = { status: 502, headers: { "content-type": "text/html" }, body: "<!doctype html><h1>Bad Gateway</h1>" };

/** What can go wrong on the way, or at the service. */
export const TROUBLES: Readonly<Record<string, Fault>> = {
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

const LIST: Pick<Fault, "method"> = { method: "GET" };

/** Reads that are valid and do not tell all. */
export const HALF_TRUTHS: Readonly<Record<string, Fault>> = {
  "empty list": { ...LIST, kind: "shorten" },
  "short list": { ...LIST, kind: "shorten", items: 1 },
};

const REFUSED = [400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 415, 422, 423, 424, 425, 451];

/** Answers that say no, with 200 too. */
export const REFUSALS: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries(
    REFUSED.map((status) => [`refused ${status}`, { kind: "respond", status, body: "Refused" } satisfies Fault]),
  ),
  "200 error": {
    kind: "respond",
    status: 200,
    headers: { "content-type": "application/json" },
    body: '{"error":"Something went wrong"}',
  },
};

/** What can become of a request, by name. */
export const FAULTS: Readonly<Record<string, Fault>> = { ...TROUBLES, ...HALF_TRUTHS, ...REFUSALS };

export const faultOf = ({ fault, after, times = 1 }: Trouble): Fault => ({ ...FAULTS[fault], after, times });
