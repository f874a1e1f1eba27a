import { randomInt } from "node:crypto";
import { request as httpRequest } from "node:http";
import { expect, onTestFinished } from "vitest";
import { Account } from "../../../simulator/account/account";
import { type ManagerOptions, SimulatedManager } from "../../../simulator/manager";

/** Longer than any answer takes on a busy machine, and shorter than a test may. */
const LONGEST_MS = 60_000;

export const NOW = new Date("2026-11-20T08:42:54.000Z");

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Parsed where the answer says that it is JSON. */
  body: unknown;
}

/** Method and path, what to send, the status, and the body: text of an HTML answer, an object of a JSON one, `null` for none. */
export type Exchange = [line: string, sent: unknown, status: number, answer: unknown, headers?: Record<string, string>];

export interface Harness {
  account: Account;
  manager: SimulatedManager;
  /** Sends an object as JSON, text and bytes as they are. */
  call(line: string, sent?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Sends one request after the other and compares each answer to the letter. */
  replay(exchanges: readonly Exchange[]): Promise<void>;
  /** The effective list of each port, by its number. */
  lists(): Promise<Record<string, unknown>>;
  /** The three lists of the settings. */
  settingsLists(): Promise<unknown>;
  /** The fields of the configuration that a create or an update answered with. */
  data(line: string, proxy: object, fields: readonly string[]): Promise<Record<string, unknown>>;
}

/** An account with a zone of each kind; the password of zone `x` is `pass_x`. */
export function accountWithZones(clock = () => NOW): Account {
  const account = new Account({ customer: "hl_test1", seed: "seed", clock });
  const add = (name: string, plan: Record<string, unknown> & { type: string }): void => {
    const zone = account.addZone(name, plan);
    zone.password = [`pass_${name}`];
    // As the manager is told of it, without what the vendor adds to a plan.
    zone.plan = { start: zone.created, product: "any", ...plan };
  };
  add("static", { type: "static", ips_type: "shared", ips: 2, bandwidth: "bandwidth" });
  add("dc", { type: "static", ips_type: "dedicated", ips: 5 });
  add("res", { type: "resident", city: 1, asn: 1 });
  add("mob", { type: "resident", mobile: 1, vips_type: "domain", vips: 2 });
  add("unb", { type: "unblocker", unblocker: true });
  add("off", { type: "static" });
  for (const zone of account.zones.values()) if (zone.name === "off") zone.status = "disabled";
  return account;
}

/** A manager on a free port, at a fixed time, that ends with the test. */
export async function startManager(options: Partial<ManagerOptions> = {}): Promise<Harness> {
  const account = options.account ?? accountWithZones(options.clock);
  const manager = new SimulatedManager({ ...options, account });
  await manager.listen();
  onTestFinished(() => manager.close());

  const call: Harness["call"] = (line, sent, headers) => send(manager.url, line, sent, headers);
  const read = async (path: string): Promise<Record<string, unknown>> =>
    (await call(`GET ${path}`)).body as Record<string, unknown>;
  return {
    account,
    manager,
    call,
    replay: async (exchanges) => {
      for (const [line, sent, status, answer, headers] of exchanges) {
        const got = await call(line, sent, headers);
        expect(
          { status: got.status, type: got.headers["content-type"], body: got.body },
          `${line} ${JSON.stringify(sent)}`,
        ).toEqual({ status, type: typeOf(answer), body: answer ?? "" });
      }
    },
    lists: async () => {
      const records = (await call("GET /api/proxies")).body as { port: number; whitelist_ips: unknown }[];
      return Object.fromEntries(records.map(({ port, whitelist_ips }) => [port, whitelist_ips]));
    },
    settingsLists: async () => {
      const { www_whitelist_ips, whitelist_ips, fixed_whitelist_ips } = await read("/api/settings");
      return { www_whitelist_ips, whitelist_ips, fixed_whitelist_ips };
    },
    data: async (line, proxy, fields) => {
      const { status, body } = await call(line, { proxy });
      expect(status, JSON.stringify(body)).toBe(200);
      const { data } = body as { data: Record<string, unknown> };
      return Object.fromEntries(fields.filter((field) => field in data).map((field) => [field, data[field]]));
    },
  };
}

const typeOf = (answer: unknown): string | undefined => {
  if (answer === null) return undefined;
  return typeof answer === "string" ? "text/html; charset=utf-8" : "application/json; charset=utf-8";
};

/** The Express page for a route that does not exist. */
export const cannot = (line: string): string =>
  `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot ${line}</pre>\n</body>\n</html>\n`;

export const errors = (msg: string, field?: string): object => ({ errors: [{ msg, ...(field ? { field } : {}) }] });

/** Resolves once the manager has had a request, and says whether it answered before the connection was given up. */
export async function goesUnanswered({ manager }: Harness, line: string, sent?: unknown): Promise<boolean> {
  const [method = "", path = ""] = line.split(" ");
  const before = manager.service.requests.length;
  let answered = false;
  const request = httpRequest(manager.url + path, { method, headers: { "content-type": "application/json" } });
  request.on("response", () => {
    answered = true;
  });
  request.on("error", () => undefined);
  request.end(sent === undefined ? undefined : JSON.stringify(sent));
  await expect.poll(() => manager.service.requests.length).toBe(before + 1);
  // A later request that has been answered shows that the manager is past this one.
  await fetch(`${manager.url}/api/version`);
  request.destroy();
  return !answered;
}

/** Sends a request whose path stays as it is written. An object is sent as JSON, text and bytes as they are. */
export function send(
  base: string,
  line: string,
  sent?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const [method = "", path = ""] = line.split(" ");
  const { hostname, port } = new URL(base);
  const isRaw = typeof sent === "string" || Buffer.isBuffer(sent);
  const body = sent === undefined || isRaw ? sent : JSON.stringify(sent);
  // Node does not add the length by itself to a DELETE.
  const type =
    body === undefined ? {} : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const options = { hostname, port, method, path, headers: { ...type, ...headers }, agent: false };
    const request = httpRequest(options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", reject);
      response.on("end", () => {
        const isJson = response.headers["content-type"]?.startsWith("application/json") && text !== "";
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: isJson ? JSON.parse(text) : text,
        });
      });
    });
    request.setTimeout(LONGEST_MS, () => request.destroy(new Error(`${line}: no answer in ${LONGEST_MS / 1000} s`)));
    request.on("error", reject);
    request.end(body);
  });
}

/** What the README asks for through a port. */
export const TEST_PAGE = "http://geo.brdtest.com/mygeo.json";

export interface Page {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends a request to a port as a client does that is told to use it as its proxy. */
export function through(
  port: number,
  { method = "GET", path = TEST_PAGE, from = "127.0.0.1", headers = {} } = {},
): Promise<Page> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, method, path, localAddress: from, headers, agent: false };
    const request = httpRequest(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    request.on("error", reject).end();
  });
}

/** Has a manager make a port on a number that no other program holds, below those that a system hands out itself. */
export async function listeningPort(managerUrl: string, fields: object = {}): Promise<number> {
  for (;;) {
    const port = randomInt(26_000, 32_000);
    const { status, body } = await send(managerUrl, "POST /api/proxies", {
      proxy: { zone: "static", ...fields, port },
    });
    if (status === 200) return port;
    expect(JSON.stringify(body)).toMatch(/in use by another (app|proxy)|EADDRINUSE/);
  }
}
