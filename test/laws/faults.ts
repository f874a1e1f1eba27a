import type { Fault } from "../../simulator";

const HTML = "<!doctype html><html><body><h1>Welcome</h1></body></html>";
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

/** Canned answers, whether or not the service did what was asked. */
const ANSWERS: Readonly<Record<string, Fault>> = {
  "500": { status: 500, body: "Internal Server Error" },
  "502": { status: 502, headers: { "content-type": "text/html" }, body: HTML },
  "503": { status: 503, body: "Service Unavailable" },
  "504": { status: 504, body: "Gateway Timeout" },
  HTML: { status: 200, headers: { "content-type": "text/html" }, body: HTML },
  null: { status: 200, headers: JSON_TYPE, body: "null" },
  "[]": { status: 200, headers: JSON_TYPE, body: "[]" },
  "{}": { status: 200, headers: JSON_TYPE, body: "{}" },
  empty: { status: 200 },
  "wrong types": { status: 200, headers: JSON_TYPE, body: '{"plan":"?","ips":7,"status":[],"port":{},"proxies":1}' },
  redirect: { status: 302, headers: { location: "/elsewhere" }, body: "Found" },
};

const REFUSALS: Readonly<Record<string, Record<string, string>>> = {
  "": {},
  ", seconds": { "retry-after": "20" },
  ", date": { "retry-after": "Fri, 01 Jan 2100 00:00:00 GMT" },
  ", absurd": { "retry-after": "1e99" },
  ", long": { "retry-after": "600" },
};

/** What can go wrong with one request, by name. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  "lost before": { kind: "reset" },
  "lost after": { kind: "reset-after" },
  "silence before": { kind: "hang" },
  "silence after": { kind: "hang-after" },
  slow: { delayMs: 20_000 },
  late: { delayMs: 45_000 },
  "cut short": { kind: "truncate" },
  drip: { kind: "drip", dripMs: 100 },
  "endless drip": { kind: "drip", dripMs: 20_000 },
  "wrong content type": { headers: { "content-type": "application/octet-stream" } },
  ...Object.fromEntries(
    Object.entries(ANSWERS).flatMap(([name, answer]): [string, Fault][] => [
      [`${name} before`, { kind: "respond", ...answer }],
      [`${name} after`, { kind: "respond-after", ...answer }],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(REFUSALS).map(([name, headers]): [string, Fault] => [
      `429${name}`,
      { kind: "respond", status: 429, headers, body: "Too Many Requests" },
    ]),
  ),
};

/** After these, nothing can be asked for a while. */
const BEFORE_AN_OUTAGE = ["lost before", "lost after", "silence after", "503 after"];

/** How long nothing can be asked, in milliseconds. */
export const OUTAGE_MS = 30_000;

/** A fault, and whether an outage follows. */
export interface Trouble {
  name: string;
  fault: Fault;
  outage: boolean;
  /** How long it has its effect, in milliseconds. */
  lasts: number;
}

/** A service that asks for a long pause is left alone for an hour, whatever it asked for. */
const lastingOf = ({ status, headers }: Fault): number =>
  status === 429 && headers?.["retry-after"] !== undefined ? 3_700_000 : OUTAGE_MS;

export const TROUBLES: readonly Trouble[] = [
  ...Object.entries(FAULTS).map(([name, fault]) => ({ name, fault, outage: false, lasts: lastingOf(fault) })),
  ...BEFORE_AN_OUTAGE.map((name) => ({
    name: `${name}, then an outage`,
    fault: FAULTS[name] ?? {},
    outage: true,
    lasts: OUTAGE_MS,
  })),
];
