import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { type Answer, send } from "../simulator/manager/harness";
import { askPort, basic, type PortAnswer, type PortAsk } from "../simulator/manager/portClient";
import type { Both } from "./both";

export const PAGE = "http://geo.brdtest.com/mygeo.json";
export const SECURE = "https://www.example.com/a?b=c";
export const VENDOR = (rest = "") => basic(`lum-customer-hl_test1-zone-static${rest}`, "pass_static");

export const PORT = 24_950;

/** All of it is answered, on a busy machine late. */
const BUSY_MS = 20_000;

/** A request through a port, or one to the manager, where `PORT` stands for the port's number. */
export type Step = PortAsk | [line: string, body?: unknown];

/** What is sent, one after the other, with a new port with those fields; with `port`, to the drop-in port. */
export type Case = [fields: object, ...steps: Step[]];

export async function outcome(url: string, port: number, step: Step): Promise<object> {
  if (Array.isArray(step)) {
    const { status, body } = await send(url, step[0].replace("PORT", String(port)), step[1]);
    // What is configured is compared elsewhere.
    return /^(POST|PUT) \/api\/(proxies(\/\w+)?|settings)$/.test(step[0]) ? { status } : { status, body };
  }
  return askPort(port, step, BUSY_MS).then(
    (answer) => essence(answer, step),
    ({ message }: Error) => ({ failed: CUT.test(message) ? "cut" : message.replace(/\d+$/, "") }),
  );
}

/** How a connection ends whose process dies is the system's matter. */
const CUT = /hang up|ended the connection|ECONNRESET/;

function essence({ status, reason, headers, body, certificate }: PortAnswer, { via }: PortAsk): object {
  // Whether a connection is kept is another matter where the vendor's proxy is connected, too, or a site in a tunnel.
  const isSites = status < 400 || (/tunnel|socks/.test(via ?? "") && headers["x-lpm-error"] === undefined);
  const text = JSON.stringify({
    status,
    reason,
    headers: { ...headers, date: "", ...(isSites && { connection: "" }) },
    body: body.startsWith("{") ? JSON.parse(body) : body,
    certificate: certificate && [certificate.subject.CN, certificate.subjectaltname],
  });
  // A session that rotates by itself ends with a text of its own each time, and goes by an exit IP of its own.
  return JSON.parse(ROTATED.test(text) ? text.replaceAll(new RegExp(ROTATED, "g"), "_").replace(OF_EXIT, '""') : text);
}

/** An exit IP, and how long the page is that tells of it. */
const OF_EXIT = /"198\.1[89]\.\d+\.\d+"|(?<="content-length":)"\d+"/g;
const ROTATED = /_[0-9a-f]{16}(?=["-])/;

/** What both managers answer to the steps of a case: the real one, and the simulated one. */
export async function answersOf({ real, simulator, dropin }: Both, [fields, ...steps]: Case): Promise<unknown[][]> {
  const both: unknown[][] = [];
  for (const [url, own] of [
    [real.url, dropin],
    [simulator.manager.url, 22_225],
  ] as const) {
    const isDropin = "port" in fields;
    const port = isDropin ? own : PORT;
    if (!isDropin) await send(url, "POST /api/proxies", { proxy: { zone: "static", ...fields, port } });
    const answers: unknown[] = [];
    try {
      for (const step of steps) answers.push({ step, ...(await outcome(url, port, step)) });
    } finally {
      // The next case wants the same port.
      if (!isDropin) await send(url, `DELETE /api/proxies/${port}`);
    }
    both.push(answers);
  }
  return both;
}

/** Now and then, the vendor's program gives a port another session by itself: what is unlike once has to be so again. */
export async function expectAlike(both: Both, steps: Case): Promise<void> {
  const [really, simulated] = await answersOf(both, steps);
  if (isDeepStrictEqual(simulated, really)) return;
  const [again, simulatedAgain] = await answersOf(both, steps);
  expect(simulatedAgain).toEqual(again);
}

/** What differs from one machine, account or moment to the next, or is not simulated (`consts`). */
const OWN = [
  ...["config", "loki", "session_path", "lpm_token", "zones", "www", "hosts", "password", "cluster", "start"],
  ...["no_usage_stats", "num_workers", "cost", "iface", "consts", "token", "token_auth"],
];

/** Headers that depend on the moment, the token or the body, that the page has of its file, and that the real one sends with an error. */
const UNEQUAL =
  "date ratelimit etag content-length transfer-encoding set-cookie accept-ranges last-modified content-disposition".split(
    " ",
  );

const shared = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, member: unknown) => (OWN.includes(key) ? undefined : member));

export const apiEssence = ({ status, headers, body }: Answer): object => ({
  status,
  headers: { ...headers, ...Object.fromEntries(UNEQUAL.map((name) => [name, ""])) },
  body: typeof body === "string" && body.startsWith("<!doctype html>") ? "the page" : shared(parsed(body)),
});

/** What is written for people, too. */
const parsed = (body: unknown): unknown => (typeof body === "string" && /^[{[]/.test(body) ? JSON.parse(body) : body);

/** They differ where the page in a tunnel has a date, certificates are of another kind, or the manager itself is the client. */
export const BYTES = ["in_bw", "out_bw", "bw", "sum_in", "sum_out", "size", "bodySize"];

/** Without what differs from one moment or machine to the next. */
export const plain = (answers: object, left: readonly string[]): Record<string, unknown> =>
  JSON.parse(JSON.stringify(answers), (name, value) => {
    if (["uuid", "to", "timestamp", "startedDateTime", "time", "super_proxy", "serverIPAddress"].includes(name))
      return undefined;
    if (left.includes(name)) return undefined;
    return ["blocked", "wait", "ttfb", "receive", "end"].includes(name) ? Math.min(value, 0) : value;
  });
